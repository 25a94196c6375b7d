// Convex hulls: whole faces, consistent edges, every point inside, for any order, scale and noise of the points.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/geometry/shape/shape.h"
#include "tests/support/random_direction.h"

namespace asperity::geometry {
namespace {

Vec3 random_point(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }
const Pose kAskew{{5, -6, 7}, rotation({0.3, 0.5, 0.9})};

std::vector<Vec3> cube_corners() {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
    return points;
}
/// The vertices of a cube among points inside it, on its faces, on its edges, and duplicates.
std::vector<Vec3> crowded_cube(Random& random) {
    std::vector<Vec3> points;
    for (int k = 0; k < 400; ++k) {
        Vec3 p = random_point(random);
        for (int fixed = 0; fixed < k % 3; ++fixed) p[(k + fixed) % 3] = random.below(2) ? 1 : -1;
        points.push_back(p);
        if (k % 50 == 0) points.push_back(cube_corners()[k / 50]);
        if (k % 7 == 0) points.push_back(points[random.below(static_cast<int>(points.size()))]);
    }
    return points;
}
std::vector<Vec3> moved(std::vector<Vec3> points, const Pose& pose) {
    for (Vec3& p : points) p = pose * p;
    return points;
}

/// All invariants of a polyhedron. `slack` [m]: how far a point may lie off the planes.
void expect_valid(const Polyhedron& p, std::span<const Vec3> points, double slack) {
    EXPECT_EQ(p.vertices.size() - p.edges.size() + p.faces.size(), 2u);
    std::set<std::pair<int, int>> steps;  // every directed loop edge, with no repeats
    std::vector<int> faces_at(p.vertices.size(), 0);
    for (const Polyhedron::Face& f : p.faces) {
        EXPECT_NEAR(length(f.normal), 1, 1e-14);
        ASSERT_GE(f.count, 3);
        for (int i = 0; i < f.count; ++i) {
            const int a = p.loop[f.first + i], b = p.loop[f.first + (i + 1) % f.count],
                      c = p.loop[f.first + (i + 2) % f.count];
            EXPECT_TRUE(steps.insert({a, b}).second);
            ++faces_at[a];
            EXPECT_NEAR(dot(f.normal, p.vertices[a]), f.offset, slack);
            // A strictly convex loop, counter-clockwise as seen from outside.
            const Vec3 turn = cross(normalized(p.vertices[b] - p.vertices[a]), normalized(p.vertices[c] - p.vertices[b]));
            EXPECT_GT(dot(turn, f.normal), 0);
        }
        for (const Vec3& q : points) EXPECT_LE(dot(f.normal, q), f.offset + slack);
    }
    for (int count : faces_at) EXPECT_GE(count, 3);
    EXPECT_EQ(steps.size(), 2 * p.edges.size());
    for (const Polyhedron::Edge& e : p.edges) {
        const auto has = [&](int face, int from, int to) {
            const Polyhedron::Face& f = p.faces[face];
            for (int i = 0; i < f.count; ++i) {
                if (p.loop[f.first + i] == from && p.loop[f.first + (i + 1) % f.count] == to) return true;
            }
            return false;
        };
        EXPECT_TRUE(has(e.left, e.from, e.to));
        EXPECT_TRUE(has(e.right, e.to, e.from));
    }
    for (const Vec3& v : p.vertices) EXPECT_NE(std::find(points.begin(), points.end(), v), points.end());
}

TEST(BoxPolyhedron, HasTheFacesOfTheBoxInOrder) {
    const Vec3 half{1, 2, 3};
    const Polyhedron p = box_polyhedron(half);
    expect_valid(p, p.vertices, 1e-15);
    ASSERT_EQ(p.faces.size(), 6u);
    for (int f = 0; f < 6; ++f) {
        EXPECT_EQ(p.faces[f].normal[f / 2], f % 2 ? -1 : 1);
        EXPECT_EQ(p.faces[f].offset, half[f / 2]);
        EXPECT_EQ(p.faces[f].count, 4);
    }
}

TEST(ConvexHull, OfATetrahedronIsItself) {
    const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Polyhedron p = *convex_hull(points).polyhedron;
    expect_valid(p, points, 1e-15);
    EXPECT_EQ(p.vertices, points);
    EXPECT_EQ(p.faces.size(), 4u);
}

TEST(ConvexHull, MergesACrowdedCubeIntoSixSquares) {
    Random random(31);
    for (const bool askew : {false, true}) {
        std::vector<Vec3> points = crowded_cube(random);
        if (askew) points = moved(points, kAskew);
        for (int shuffle = 0; shuffle < 10; ++shuffle) {
            const Polyhedron p = *convex_hull(points).polyhedron;
            expect_valid(p, points, 1e-14);  // rounding of coordinates near 10
            EXPECT_EQ(p.vertices.size(), 8u);
            ASSERT_EQ(p.faces.size(), 6u);
            for (const Polyhedron::Face& f : p.faces) EXPECT_EQ(f.count, 4);
            for (size_t i = points.size() - 1; i > 0; --i)
                std::swap(points[i], points[random.below(static_cast<int>(i) + 1)]);
        }
    }
}

// Mesh files hold single precision, which moves the vertices of a tilted cube off their planes by up to 6e-8 of their size.
TEST(ConvexHull, MergesFacesRoundedToSinglePrecision) {
    std::vector<Vec3> points = moved(cube_corners(), {{}, kAskew.orientation});
    for (Vec3& p : points) p = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    const Polyhedron p = *convex_hull(points).polyhedron;
    expect_valid(p, points, 3e-7);  // the merging tolerance, 1e-7 of the extent 3
    EXPECT_EQ(p.faces.size(), 6u);
}

TEST(ConvexHull, OfAPrismHasPolygonCaps) {
    for (const int n : {3, 5, 48, 300}) {
        std::vector<Vec3> points;
        for (int i = 0; i < n; ++i) {
            const double angle = 2 * std::numbers::pi * i / n;
            for (double z : {-0.5, 0.0, 0.5}) points.push_back(kAskew * Vec3{std::cos(angle), std::sin(angle), z});
        }
        const Polyhedron p = *convex_hull(points).polyhedron;
        expect_valid(p, points, 1e-14);
        EXPECT_EQ(p.vertices.size(), static_cast<size_t>(2 * n));
        EXPECT_EQ(p.faces.size(), static_cast<size_t>(n + 2));
        EXPECT_EQ(std::count_if(p.faces.begin(), p.faces.end(), [&](const auto& f) { return f.count == n; }), 2);
    }
}

TEST(ConvexHull, OfRandomCloudsHoldsEveryPoint) {
    Random random(32);
    for (int k = 0; k < 60; ++k) {
        std::vector<Vec3> points;
        const int count = 4 + random.below(200);
        for (int i = 0; i < count; ++i) points.push_back(random_point(random));
        expect_valid(*convex_hull(points).polyhedron, points, 3e-7);  // 1e-7 of an extent below 2, and merged faces
    }
}

TEST(ConvexHull, OfAThousandPointsOnASphereUsesThemAll) {
    Random random(33);
    std::vector<Vec3> points;
    for (int i = 0; i < 1000; ++i) points.push_back(random_direction(random));
    const Polyhedron p = *convex_hull(points).polyhedron;
    EXPECT_EQ(p.vertices.size(), 1000u);
    expect_valid(p, points, 4e-7);
}

// Small integers: many exactly coplanar and collinear points, the worst case of floating-point hulls.
TEST(ConvexHull, OfLatticePointsIsExact) {
    Random random(34);
    for (int k = 0; k < 200; ++k) {
        std::vector<Vec3> points;
        for (int i = 0; i < 40; ++i) points.push_back({1.0 * random.below(4), 1.0 * random.below(4), 1.0 * random.below(4)});
        expect_valid(*convex_hull(points).polyhedron, points, 1e-14);
        const std::vector<Vec3> askew = moved(points, kAskew);
        EXPECT_EQ(convex_hull(askew).polyhedron->faces.size(), convex_hull(points).polyhedron->faces.size())
            << "round " << k;
        EXPECT_EQ(convex_hull(askew).polyhedron->edges.size(), convex_hull(points).polyhedron->edges.size())
            << "round " << k;
    }
}

// Noise of any size against the tolerance of 1e-7, on flat, thin and needle-like drums. Merging must decide which vertices
// remain; whatever it decides must be a polyhedron that holds every point.
TEST(ConvexHull, StaysValidWithNoiseNearTheTolerance) {
    Random random(38);
    for (int k = 0; k < 1500; ++k) {
        const double noise = std::pow(10, -random.uniform(3, 17));
        const Vec3 thin{1, std::pow(10, -random.uniform(0, 5) * random.below(2)),
                        std::pow(10, -random.uniform(0, 4) * random.below(2))};
        std::vector<Vec3> points;
        for (int i = 0; i < 40; ++i) {
            const double angle = random.below(12) * std::numbers::pi / 6;
            const Vec3 rough = noise * Vec3{random.normal(), random.normal(), random.normal()};
            points.push_back(kAskew * scaled(thin, Vec3{std::cos(angle), std::sin(angle), 1.0 * random.below(3)} + rough));
        }
        // The extent is below 3; dropped points and merged vertices lie within a few tolerances. Measured: 1.9e-7 of the
        // extent in 60000 rounds.
        SCOPED_TRACE(k);
        expect_valid(*convex_hull(points).polyhedron, points, 3 * 4e-7);
    }
}

TEST(ConvexHull, KeepsPlatesAndNeedlesAtEveryScale) {
    Random random(35);
    const std::vector<Vec3> cube = crowded_cube(random);
    for (const double scale : {1e-6, 1.0, 1e6}) {
        for (const Vec3& thin : {Vec3{1, 1, 1e-3}, Vec3{1, 1, 1e-6}, Vec3{1, 1e-3, 1e-3}, Vec3{1e-5, 1e-5, 1}}) {
            std::vector<Vec3> points = cube;
            for (Vec3& p : points) p = scale * rotate(kAskew.orientation, scaled(p, thin));
            const Hull hull = convex_hull(points);
            expect_valid(*hull.polyhedron, points, 1e-14 * scale);
            EXPECT_EQ(hull.polyhedron->faces.size(), 6u)
                << "scale " << scale << ", thin " << thin.x << " " << thin.y << " " << thin.z;
            // Rounding of the vertices, 1e-16 of the extent, against a thickness of 1e-6 to 1e-5 of it.
            const double volume = 8 * scale * scale * scale * thin.x * thin.y * thin.z;
            EXPECT_NEAR(volume_integrals(hull).volume, volume, 1e-9 * volume);
        }
    }
}

TEST(ConvexHull, IsTheSameForTheSameInput) {
    Random random(36);
    std::vector<Vec3> points;
    for (int i = 0; i < 300; ++i) points.push_back(random_point(random));
    const Polyhedron a = *convex_hull(points).polyhedron, b = *convex_hull(points).polyhedron;
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.loop, b.loop);
    // Other orders give the same vertices and faces.
    std::vector<Vec3> reversed(points.rbegin(), points.rend());
    const Polyhedron c = *convex_hull(reversed).polyhedron;
    EXPECT_EQ(c.vertices, std::vector<Vec3>(a.vertices.rbegin(), a.vertices.rend()));
    EXPECT_EQ(c.faces.size(), a.faces.size());
}

std::string message_of(const std::vector<Vec3>& points) {
    try {
        convex_hull(points);
    } catch (const InputError& e) { return e.what(); }
    return {};
}

TEST(ConvexHull, ExplainsWhatItCannotUse) {
    Random random(37);
    EXPECT_NE(message_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("3 points given"), std::string::npos);
    EXPECT_NE(message_of({{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}).find("point 2 is (0, nan, 0)"), std::string::npos);
    EXPECT_NE(message_of({{0, 0, 0}, {1e308, 0, 0}, {0, -1e308, 0}, {0, 0, 1}}).find("units"), std::string::npos);
    std::vector<Vec3> plane, line, spot;
    for (int i = 0; i < 100; ++i) {
        const Vec3 p = random_point(random);
        plane.push_back(kAskew * Vec3{p.x, p.y, 0});
        line.push_back(kAskew * Vec3{p.x, 0, 0});
        spot.push_back({1, 2, 3});
    }
    for (const auto& points : {plane, line, spot}) EXPECT_NE(message_of(points).find("one plane"), std::string::npos);
}

TEST(ConnectFaces, PairsTheHalvesOfEveryEdge) {
    for (Polyhedron p :
         {box_polyhedron({1, 2, 3}),
          *convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}).polyhedron}) {
        ASSERT_EQ(p.halves.size(), p.loop.size());
        for (size_t i = 0; i < p.halves.size(); ++i) {
            const Polyhedron::Half &half = p.halves[i], &twin = p.halves[static_cast<size_t>(half.twin)],
                                   &next = p.halves[static_cast<size_t>(half.next)];
            EXPECT_EQ(half.from, p.loop[i]);
            EXPECT_EQ(twin.twin, static_cast<int>(i));
            EXPECT_EQ(twin.from, next.from);
            EXPECT_EQ(next.face, half.face);
            EXPECT_NE(twin.face, half.face);
        }
        for (size_t v = 0; v < p.vertices.size(); ++v)
            EXPECT_EQ(p.halves[static_cast<size_t>(p.leaving[v])].from, static_cast<int>(v));
        std::swap(p.loop[0], p.loop[1]);  // one face turned inside out
        EXPECT_FALSE(connect_faces(p));
        std::swap(p.loop[0], p.loop[1]);
        EXPECT_TRUE(connect_faces(p));
        p.faces.pop_back();
        EXPECT_FALSE(connect_faces(p));
        p.faces[0].first = -5;
        EXPECT_FALSE(connect_faces(p));
    }
}

}  // namespace
}  // namespace asperity::geometry

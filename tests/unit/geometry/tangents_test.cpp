// Tangents of meshes whose file has none, against results by hand: the rule with which normal maps are baked.
#include <gtest/gtest.h>

#include <fstream>
#include <numbers>
#include <sstream>

#include "asperity/geometry/shape/surface_point.h"
#include "meshes.h"

namespace asperity::geometry {
namespace {

using std::numbers::pi;

struct Corner {
    Vec3 position;
    Vec2 uv;
    Vec3 normal{0, 0, 1};
};
/// Three corners per triangle; equal positions are one vertex.
std::shared_ptr<const TriangleSet> made(const std::vector<Corner>& corners) {
    MeshData data;
    for (const Corner& c : corners) {
        data.triangles.push_back(static_cast<std::uint32_t>(data.positions.size()));
        data.positions.push_back(c.position);
        data.uvs.push_back(c.uv);
        data.normals.push_back(c.normal);
    }
    return make_mesh(data).triangles;
}
double apart(const Vec3& a, const Vec3& b) { return degrees(std::atan2(length(cross(a, b)), dot(a, b))); }

TEST(Tangents, RunAlongGrowingUHoweverTheTextureIsTurnedOrStretched) {
    for (const double turn : {0.0, 0.7, 2.0, 4.4})
        for (const double stretch : {1.0, 0.2}) {
            MeshData data = flat_data(4, 1);
            const Vec3 along{std::cos(turn), std::sin(turn), 0}, up{-std::sin(turn), std::cos(turn), 0};
            for (const std::uint32_t v : data.triangles)
                data.uvs.push_back({dot(data.positions[v], along), stretch * dot(data.positions[v], up)});
            const Mesh mesh = make_mesh(data);
            for (const Vec3& t : mesh.triangles->tangents) EXPECT_LT(apart(t, along), 1e-6) << turn;
        }
}

TEST(Tangents, MirroredHalvesKeepTheirOwn) {
    // u = |x|: left of the seam u grows along -x and the texture is seen from behind.
    MeshData data = sheet_data(4, 1, 0, [](double, double) { return 0.0; });
    for (const std::uint32_t v : data.triangles) data.uvs.push_back({std::fabs(data.positions[v].x), data.positions[v].y});
    const Mesh mesh = make_mesh(data);
    for (const double x : {-0.8, -0.05, 0.05, 0.8}) {
        const SurfacePoint at = surface_point(mesh, {x, 0.3, 0}, {0, 0, 1});
        EXPECT_LT(length(at.tangent - Vec3{x > 0 ? 1.0 : -1.0, 0, 0}), 1e-12) << x;
        EXPECT_EQ(at.mirrored, x < 0);
    }
}

// Around a cylinder of n sides with smooth normals. Each vertex has two sides, whose directions differ by +-pi/n from its
// tangent. By symmetry their sum is the tangent itself, along the circle.
TEST(Tangents, FollowACylinder) {
    const int n = 12;
    std::vector<Corner> corners;
    const auto at = [&](int i, double z) {
        const double a = 2 * pi * i / n;
        return Corner{{std::cos(a), std::sin(a), z}, {static_cast<double>(i) / n, z}, {std::cos(a), std::sin(a), 0}};
    };
    for (int i = 0; i < n; ++i)
        for (const Corner& c : {at(i, 0), at(i + 1, 0), at(i + 1, 1), at(i, 0), at(i + 1, 1), at(i, 1)})
            corners.push_back(c);
    const auto mesh = made(corners);
    for (size_t c = 0; c < mesh->normals.size(); ++c) {
        const Vec3& m = mesh->normals[c];
        const int side = static_cast<int>(std::lround(std::atan2(m.y, m.x) / (2 * pi / n)));
        // u jumps from 1 to 0 here: one side alone decides; projected into the plane it is the same.
        const bool seam = side == 0;
        EXPECT_LT(apart(mesh->tangents[c], {-m.y, m.x, 0}), 1e-6) << c << (seam ? " at the seam" : "");
    }
}

// A sphere in longitude and latitude: away from the poles tangents point east. East on a flat quad is the direction of the
// chord, half a step off on either side. The mean cancels this if the triangles on both sides have the same angles: the
// error is below one step.
TEST(Tangents, FollowASphere) {
    const int n = 32;
    std::vector<Corner> corners;
    const auto at = [&](int i, int j) {
        const double a = 2 * pi * i / n, b = pi * j / n - pi / 2;
        const Vec3 p{std::cos(b) * std::cos(a), std::cos(b) * std::sin(a), std::sin(b)};
        return Corner{p, {static_cast<double>(i) / n, static_cast<double>(j) / n}, p};
    };
    for (int j = 1; j + 2 < n; ++j)
        for (int i = 0; i < n; ++i)
            for (const Corner& c : {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1)})
                corners.push_back(c);
    const auto mesh = made(corners);
    double worst = 0;
    for (size_t c = 0; c < mesh->normals.size(); ++c) {
        const Vec3& m = mesh->normals[c];
        if (std::fabs(m.z) < 0.9) worst = std::fmax(worst, apart(mesh->tangents[c], normalized(Vec3{-m.y, m.x, 0})));
    }
    EXPECT_LT(worst, 360.0 / n);
    EXPECT_GT(worst, 0);
}

// Two triangles at the origin, whose normal is along z: one flat, with a right angle there, the other steep. The weight of
// the steep one is its angle as seen from above, which differs from the angle in space.
TEST(Tangents, WeighByTheAngleSeenAlongTheNormal) {
    const double c = std::cos(radians(60)), s = std::sin(radians(60));
    const Vec3 z{0, 0, 1};
    // The flat one: right angle at the origin, u = x. The steep one: legs to (0, 1, 0) and (-c, 1, s), u = y.
    const auto mesh = made({{{0, 0, 0}, {0, 0}, z},
                            {{1, 0, 0}, {1, 0}, z},
                            {{0, 1, 0}, {0, 1}, z},
                            {{0, 0, 0}, {0, 0}, z},
                            {{0, 1, 0}, {0, 1}, z},
                            {{-c, 1, s}, {1, 1}, z}});
    // Directions of growing u: first (1, 0, 0). Second: q - p = (0, 1, 0) = P_v, r - p = (-c, 1, s) = P_u + P_v: P_u = (-c,
    // 0, s). Mirrored, (du dv' - ...) = 0*1 - 1*1 < 0, so another group: both keep their own.
    EXPECT_LT(apart(mesh->tangents[0], {1, 0, 0}), 1e-9);
    EXPECT_LT(apart(mesh->tangents[3], {-1, 0, 0}), 1e-9);

    // Now with the same handedness: u of the second grows along y.
    const auto joined = made({{{0, 0, 0}, {0, 0}, z},
                              {{1, 0, 0}, {1, 0}, z},
                              {{0, 1, 0}, {0.5, 1}, z},
                              {{0, 0, 0}, {0, 0}, z},
                              {{0, 1, 0}, {0.5, 1}, z},
                              {{-c, 1, s}, {0.2, 1.5}, z}});
    // P_u of the first: (0, 1, 0) = 0.5 P_u + P_v. Second: (0, 1, 0) = 0.5 P_u + P_v and (-c, 1, s) = 0.2 P_u + 1.5 P_v, so
    // (-c, 1 - 1.5, s) = (0.2 - 0.75) P_u: P_u = (c, 0.5, -s)/0.55, projected into the plane (c, 0.5, 0).
    const Vec3 second = normalized(Vec3{c, 0.5, 0});
    // From (0, 1) to (-c, 1) as seen from above; in space it is 45 degrees.
    const double angle_first = pi / 2, angle_second = std::atan2(c, 1.0);
    const Vec3 expected = angle_first * Vec3{1, 0, 0} + angle_second * second;
    EXPECT_LT(apart(joined->tangents[0], expected), 1e-6);
    EXPECT_LT(apart(joined->tangents[3], expected), 1e-6);
    EXPECT_GT(apart(expected, angle_first * Vec3{1, 0, 0} + pi / 4 * second), 1);  // with the angle in space this would fail
}

TEST(Tangents, TrianglesThatMeetInAPointAloneDoNotMix) {
    // Both have the corner at the origin, with the same normal and texture coordinates, but no common edge.
    const Vec3 z{0, 0, 1};
    const auto mesh = made({{{0, 0, 0}, {0, 0}, z},
                            {{1, -0.2, 0}, {1, 0}, z},
                            {{1, 0.2, 0}, {1, 1}, z},
                            {{0, 0, 0}, {0, 0}, z},
                            {{-1, 0.2, 0}, {0, 1}, z},
                            {{-1, -0.2, 0}, {-1, 1}, z}});
    // first: (1, -0.2) = P_u. Second: (-1, 0.2) = P_v, (-1, -0.2) = -P_u + P_v: P_u = (0, 0.4)
    EXPECT_LT(apart(mesh->tangents[0], {1, -0.2, 0}), 1e-6);
    EXPECT_LT(apart(mesh->tangents[3], {0, 1, 0}), 1e-6);
}

// The reference works in single precision: over 200 such meshes, 132,747 corners with a tangent, the worst differs by 0.0018
// degrees. Allowed: ten times that.
TEST(Tangents, AreThoseOfTheReference) {
    std::ifstream in(ASPERITY_SOURCE_DIR "/tests/data/tangents/sheet.txt");
    std::vector<Corner> corners;
    std::vector<Vec3> expected;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("#")) continue;
        std::istringstream words(line);
        Corner c;
        Vec3 t;
        words >> c.position.x >> c.position.y >> c.position.z >> c.normal.x >> c.normal.y >> c.normal.z >> c.uv.x >>
            c.uv.y >> t.x >> t.y >> t.z;
        ASSERT_TRUE(words) << line;
        corners.push_back(c);
        expected.push_back(t);
    }
    const auto mesh = made(corners);
    ASSERT_EQ(mesh->tangents.size(), 216U);
    ASSERT_EQ(mesh->report.flipped, 0);
    int compared = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        if (expected[i] == Vec3{}) continue;
        EXPECT_LT(apart(mesh->tangents[i], expected[i]), 0.018) << "corner " << i;
        ++compared;
    }
    EXPECT_GT(compared, 200);
}

TEST(Tangents, TrianglesWithoutTextureAreaTakeTheirNeighboursDirections) {
    const Vec3 z{0, 0, 1};
    // Right of the textured triangle is a sliver of texture, all of it on the edge u = x, v = 0 .. 1.
    const auto mesh = made({{{0, 0, 0}, {0, 0}, z},
                            {{1, 0, 0}, {1, 0}, z},
                            {{1, 1, 0}, {1, 1}, z},
                            {{1, 0, 0}, {1, 0}, z},
                            {{2, 0, 0}, {1, 0.5}, z},
                            {{1, 1, 0}, {1, 1}, z}});
    EXPECT_EQ(mesh->report.flat_uvs, 1);
    EXPECT_LT(apart(mesh->tangents[3], {1, 0, 0}), 1e-9);
    EXPECT_LT(apart(mesh->tangents[5], {1, 0, 0}), 1e-9);
    EXPECT_NEAR(length(mesh->tangents[4]), 1, 1e-12);  // no neighbour there: any direction
    EXPECT_NEAR(mesh->tangents[4].z, 0, 1e-12);
}

}  // namespace
}  // namespace asperity::geometry

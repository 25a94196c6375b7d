// Crossings of surfaces: the exact tests against sampling-free references and known cases, the search against all pairs.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/ccd/crossings.h"
#include "asperity/ccd/distance.h"
#include "asperity/core/parallel.h"
#include "asperity/core/random.h"
#include "soup.h"

namespace asperity::ccd {
namespace {

template <int Dim>
Vector<Dim> small_integers(Random& random, int most) {
    Vector<Dim> v;
    for (int k = 0; k < Dim; ++k) v[k] = random.below(2 * most + 1) - most;
    return v;
}

// Shapes with corners on a coarse lattice meet, or they are at least 1e-4 apart; the distance, exact to 1e-14 here, tells which.
// Two thirds of them are degenerate in one way or another.
TEST(Crossings, AgreeWithTheDistanceOfShapesOnALattice) {
    Random random(1);
    int meeting = 0;
    for (int i = 0; i < 100000; ++i) {
        const int size = 1 + random.below(4);
        std::array<Vector<3>, 5> v;
        for (Vector<3>& p : v) p = small_integers<3>(random, size);
        if (random.below(3) == 0)
            for (Vector<3>& p : v) p[2] = 0;
        if (random.below(6) == 0) v[4] = v[2] + random.below(3) * (v[3] - v[2]);
        const auto &p = v[0], &q = v[1], &a = v[2], &b = v[3], &c = v[4];
        ASSERT_EQ(segments_meet(p, q, a, b), edge_edge(p, q, a, b).squared < 1e-20) << i;
        double squared = std::min(point_triangle(p, a, b, c).squared, point_triangle(q, a, b, c).squared);
        for (const Closest<3, 4>& side : {edge_edge(p, q, a, b), edge_edge(p, q, b, c), edge_edge(p, q, c, a)})
            squared = std::min(squared, side.squared);
        const Vector<3> normal{(b - a)[1] * (c - a)[2] - (b - a)[2] * (c - a)[1],
                               (b - a)[2] * (c - a)[0] - (b - a)[0] * (c - a)[2],
                               (b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0]};
        const double high = normal.dot(p - a), low = normal.dot(q - a);
        if (high * low < 0) squared = std::min(squared, point_triangle(p + high / (high - low) * (q - p), a, b, c).squared);
        const bool expected = squared < 1e-20;
        meeting += expected;
        ASSERT_EQ(segment_meets_triangle(p, q, a, b, c), expected) << i;
        ASSERT_EQ(segment_meets_triangle(q, p, c, a, b), expected) << i;
        const Vector<2> p2 = p.head<2>(), q2 = q.head<2>(), a2 = a.head<2>(), b2 = b.head<2>();
        const Vector<3> p3{p2[0], p2[1], 0}, q3{q2[0], q2[1], 0}, a3{a2[0], a2[1], 0}, b3{b2[0], b2[1], 0};
        ASSERT_EQ(segments_meet(p2, q2, a2, b2), edge_edge(p3, q3, a3, b3).squared < 1e-20) << i;
    }
    EXPECT_GT(meeting, 20000);
    EXPECT_LT(meeting, 80000);
}

TEST(Crossings, SeeTheLastBit) {
    const Vector<3> a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
    const double tiny = std::numeric_limits<double>::denorm_min();
    EXPECT_TRUE(segment_meets_triangle({0.25, 0.25, 1}, {0.25, 0.25, 0}, a, b, c));
    EXPECT_FALSE(segment_meets_triangle({0.25, 0.25, 1}, {0.25, 0.25, tiny}, a, b, c));
    EXPECT_TRUE(segment_meets_triangle({0.5, 0.5, 1}, {0.5, 0.5, -1}, a, b, c));
    EXPECT_FALSE(segment_meets_triangle({0.5, std::nextafter(0.5, 1), 1}, {0.5, std::nextafter(0.5, 1), -1}, a, b, c));
    EXPECT_TRUE(segments_meet(Vector<2>{0, 0}, Vector<2>{0.3, 0.3}, Vector<2>{0.3, 0.3}, Vector<2>{0.5, 0}));
    EXPECT_FALSE(
        segments_meet(Vector<2>{0, 0}, Vector<2>{0.3, 0.3}, Vector<2>{0.3, std::nextafter(0.3, 1)}, Vector<2>{0.3, 1}));
}

TEST(Crossings, OfAnEdgeAndAFaceWithACommonVertexNeedACommonPlane) {
    const Vector<3> v{1, 1, 1}, b{2, 1, 1}, c{1, 2, 1};
    EXPECT_FALSE(segment_overlaps_triangle(v, {1.2, 1.2, 1.1}, b, c));  // off the plane
    EXPECT_TRUE(segment_overlaps_triangle(v, {1.2, 1.2, 1}, b, c));     // into the face
    EXPECT_TRUE(segment_overlaps_triangle(v, {5, 6, 1}, b, c));         // through the face
    EXPECT_TRUE(segment_overlaps_triangle(v, {1.5, 1, 1}, b, c));       // along a side
    EXPECT_FALSE(segment_overlaps_triangle(v, {0, 1, 1}, b, c));        // in the plane, elsewhere
    EXPECT_FALSE(segment_overlaps_triangle(v, {0.5, 3, 1}, b, c));
    EXPECT_FALSE(segment_overlaps_triangle(v, v, b, c));
    EXPECT_TRUE(segment_overlaps_triangle(v, {3, 1, 1}, b, {1.5, 1, 1}));  // faces without an area
    EXPECT_FALSE(segment_overlaps_triangle(v, {0, 1, 1}, b, {1.5, 1, 1}));
    EXPECT_FALSE(segment_overlaps_triangle(v, {1, 2, 1}, b, b));
}

/// All pairs, without a tree.
std::vector<std::array<int, 5>> all_pairs(const Soup<3>& soup) {
    std::vector<std::array<int, 5>> out;
    const auto at = [&](int v) { return soup.x[static_cast<std::size_t>(v)]; };
    for (const auto& e : soup.edges)
        for (const auto& f : soup.faces) {
            const int a = soup.body[static_cast<std::size_t>(e[0])], b = soup.body[static_cast<std::size_t>(f[0])];
            if (!soup.view().may_collide(a, b)) continue;
            std::vector<int> shared, rest;
            for (const int v : f) (v == e[0] || v == e[1] ? shared : rest).push_back(v);
            const bool hit = shared.empty()       ? segment_meets_triangle(at(e[0]), at(e[1]), at(f[0]), at(f[1]), at(f[2]))
                             : shared.size() == 1 ? segment_overlaps_triangle(at(shared[0]), at(e[0] + e[1] - shared[0]),
                                                                              at(rest[0]), at(rest[1]))
                                                  : false;
            if (hit) out.push_back({e[0], e[1], f[0], f[1], f[2]});
        }
    return out;
}

std::vector<std::array<int, 4>> all_pairs(const Soup<2>& soup) {
    std::vector<std::array<int, 4>> out;
    const auto at = [&](int v) { return soup.x[static_cast<std::size_t>(v)]; };
    for (std::size_t i = 0; i < soup.edges.size(); ++i)
        for (std::size_t j = i + 1; j < soup.edges.size(); ++j) {
            const auto &e = soup.edges[i], &f = soup.edges[j];
            if (!soup.view().may_collide(soup.body[static_cast<std::size_t>(e[0])],
                                         soup.body[static_cast<std::size_t>(f[0])]))
                continue;
            bool hit = false, shared = false;
            for (std::size_t k = 0; k < 4; ++k)
                if (e[k % 2] == f[k / 2] && !shared) {
                    shared = true;
                    hit = e[1 - k % 2] != f[1 - k / 2] &&
                          segments_overlap<2>(at(e[k % 2]), at(e[1 - k % 2]), at(f[1 - k / 2]));
                }
            if (!shared) hit = segments_meet(at(e[0]), at(e[1]), at(f[0]), at(f[1]));
            if (hit) out.push_back({e[0], e[1], f[0], f[1]});
        }
    return out;
}

/// Triangles between random vertices near each other; some share vertices, some lie on a lattice.
Soup<3> random_soup(Random& random, int faces) {
    Soup<3> soup;
    const bool lattice = random.below(2) == 0;
    for (int body = 0; body < 3; ++body) {
        soup.add_body();
        const int first = static_cast<int>(soup.x.size());
        for (int i = 0; i < faces; ++i) {
            if (lattice)
                soup.vertex(small_integers<3>(random, 6));
            else
                soup.vertex({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
        }
        const int last = static_cast<int>(soup.x.size());
        for (int i = 0; i < faces; ++i) {
            const int a = first + random.below(last - first), b = first + random.below(last - first),
                      c = first + random.below(last - first);
            if (a != b && b != c && c != a) soup.face(a, b, c);
        }
    }
    soup.collide = {1, 1, 0, 1, 0, 1, 0, 1, 1};
    return soup;
}

TEST(Intersections, OfRandomTrianglesAreThoseOfAllPairs) {
    Random random(2);
    for (int run = 0; run < 20; ++run) {
        const Soup<3> soup = random_soup(random, 40);
        const auto expected = all_pairs(soup);
        const std::vector<Intersection> found = intersections<3>(soup.view(), soup.points(), 1000000);
        ASSERT_EQ(found.size(), expected.size());
        std::vector<std::array<int, 5>> vertices;
        for (const Intersection& one : found) {
            EXPECT_TRUE(one.found);
            EXPECT_EQ(one.body_a, soup.body[static_cast<std::size_t>(one.vertices[0])]);
            EXPECT_EQ(one.body_b, soup.body[static_cast<std::size_t>(one.vertices[2])]);
            vertices.push_back(one.vertices);
        }
        EXPECT_EQ(vertices, expected);
        const Intersection first = first_intersection<3>(soup.view(), soup.points());
        ASSERT_EQ(first.found, !expected.empty());
        if (first.found) { EXPECT_EQ(first.vertices, expected[0]); }
        EXPECT_EQ(intersections<3>(soup.view(), soup.points(), 7).size(), std::min<std::size_t>(7, expected.size()));
    }
}

TEST(Intersections, OfRandomEdgesInThePlaneAreThoseOfAllPairs) {
    Random random(3);
    for (int run = 0; run < 30; ++run) {
        Soup<2> soup;
        for (int body = 0; body < 3; ++body) {
            soup.add_body();
            for (int i = 0; i < 60; ++i) soup.vertex(small_integers<2>(random, 4 + 20 * (run % 3)));
            for (int i = 0; i < 60; ++i) {
                const int a = 60 * body + random.below(60), b = 60 * body + random.below(60);
                if (a != b) soup.edge(a, b);
            }
        }
        soup.collide = {1, 1, 0, 1, 0, 1, 0, 1, 1};
        const auto expected = all_pairs(soup);
        std::vector<std::array<int, 4>> found;
        for (const Intersection& one : intersections<2>(soup.view(), soup.points(), 1000000)) {
            EXPECT_EQ(one.vertices[4], -1);
            found.push_back({one.vertices[0], one.vertices[1], one.vertices[2], one.vertices[3]});
            // The point that it names is on both edges.
            const Vector<2> where{one.where.x, one.where.z};
            const auto at = [&](std::size_t k) { return soup.x[static_cast<std::size_t>(one.vertices[k])]; };
            EXPECT_LT((point_edge<2>(where, at(0), at(1)).squared), 1e-24 * 1e4);
            EXPECT_LT((point_edge<2>(where, at(2), at(3)).squared), 1e-24 * 1e4);
        }
        EXPECT_EQ(found, expected);
    }
}

TEST(Intersections, AreTheSameOnAnyNumberOfThreads) {
    Random random(4);
    const Soup<3> soup = random_soup(random, 1500);
    std::vector<std::vector<std::array<int, 5>>> results;
    std::vector<std::array<int, 5>> firsts;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        results.emplace_back();
        for (const Intersection& one : intersections<3>(soup.view(), soup.points(), 1000))
            results.back().push_back(one.vertices);
        firsts.push_back(first_intersection<3>(soup.view(), soup.points()).vertices);
    }
    set_thread_count(1);
    EXPECT_EQ(results[0].size(), 1000U);
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
    EXPECT_EQ(firsts[0], results[0][0]);
    EXPECT_EQ(firsts[1], firsts[0]);
    EXPECT_EQ(firsts[2], firsts[0]);
}

TEST(Intersections, OfCubesBeginWhenTheyTouch) {
    for (const double offset : {0.0, 1e6}) {
        const auto found = [&](const Vector<3>& second) {
            Soup<3> soup;
            soup.add(cube(), {offset, 0, 0});
            soup.add(cube(), second + Vector<3>{offset, 0, 0});
            return first_intersection<3>(soup.view(), soup.points());
        };
        EXPECT_FALSE(found({1 + 1e-9, 0, 0}).found);
        EXPECT_TRUE(found({1, 0, 0}).found);       // faces on faces
        EXPECT_TRUE(found({0.25, 0.5, 1}).found);  // a face on a face, other edges
        EXPECT_TRUE(found({1, 1, 1}).found);       // corners
        EXPECT_TRUE(found({0, 0, 0}).found);       // all the same
        const Intersection through = found({0.5, 0.25, 0.75});
        EXPECT_TRUE(through.found);
        EXPECT_GE(through.where.x, offset + 0.49);
        EXPECT_LE(through.where.x, offset + 1.51);
        EXPECT_EQ(through.body_a + through.body_b, 1);
    }
}

TEST(Intersections, AClosedMeshDoesNotCrossItself) {
    for (const double scale : {1e-6, 1.0, 1e6}) {
        Soup<3> soup;
        soup.add(sphere(30, 1), {0, 0, 0}, scale);
        soup.add(cube(), {3 * scale, 0, 0}, scale);  // faces of a side lie in one plane
        EXPECT_FALSE(first_intersection<3>(soup.view(), soup.points()).found);
    }
    Soup<2> plane;
    plane.add(square(), {0, 0});
    EXPECT_FALSE(first_intersection<2>(plane.view(), plane.points()).found);
}

TEST(Intersections, ASurfaceFoldedFlatOntoItselfCrosses) {
    Soup<3> soup;
    soup.add_body();
    for (const Vector<3>& v : {Vector<3>{0, 0, 0}, Vector<3>{1, 0, 0}, Vector<3>{0, 1, 0}, Vector<3>{0.4, 0.5, 0}})
        soup.vertex(v);
    soup.face(0, 1, 2);
    soup.face(1, 0, 3);  // over the first; without the fold it would be at y < 0
    EXPECT_TRUE(first_intersection<3>(soup.view(), soup.points()).found);
    soup.x[3] = {0.4, -0.5, 0};
    EXPECT_FALSE(first_intersection<3>(soup.view(), soup.points()).found);
    soup.x[3] = {0.4, 0.5, 1e-300};
    EXPECT_FALSE(first_intersection<3>(soup.view(), soup.points()).found);
}

TEST(Intersections, WhereLiesOnTheEdgeAndOnTheFace) {
    Random random(5);
    for (int run = 0; run < 10; ++run) {
        const Soup<3> soup = random_soup(random, 20);
        for (const Intersection& one : intersections<3>(soup.view(), soup.points(), 1000)) {
            const auto at = [&](std::size_t k) { return soup.x[static_cast<std::size_t>(one.vertices[k])]; };
            const Vector<3> where{one.where.x, one.where.y, one.where.z};
            EXPECT_LT(point_edge<3>(where, at(0), at(1)).squared, 1e-22);
            bool shared = false;
            for (std::size_t k = 2; k < 5; ++k)
                shared = shared || one.vertices[k] == one.vertices[0] || one.vertices[k] == one.vertices[1];
            if (!shared) { EXPECT_LT(point_triangle(where, at(2), at(3), at(4)).squared, 1e-22); }
        }
    }
}

TEST(Intersections, OfNothingAreNone) {
    const Soup<3> nothing;
    EXPECT_FALSE(first_intersection<3>(nothing.view(), nothing.points()).found);
    EXPECT_FALSE(first_intersection<2>(Soup<2>{}.view(), {}).found);
}

}  // namespace
}  // namespace asperity::ccd

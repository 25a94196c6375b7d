// Shared volumes of convex bodies against closed forms, finite differences and Monte Carlo.
#include "overlap_fixture.h"

namespace asperity::geometry {
namespace {

using Method = Overlap::Method;

TEST(Overlap, OfABoxInAHalfSpaceIsABox) {
    // Edges 2, 1, 0.6; 0.1 below the plane: a sheet 2 x 1 x 0.1.
    const Overlap o = shared(HalfSpace{}, {}, Box{{1, 0.5, 0.3}}, {{3, -2, 0.2}, {}});
    ASSERT_EQ(o.method, Method::Clipped);
    EXPECT_NEAR(o.volume, 0.2, 1e-15);
    expect_near(o.centre, {3, -2, -0.05}, 1e-14);
    expect_near(o.second_moment, (0.2 / 12) * Mat3::diagonal({4, 1, 0.01}), 1e-15);
    expect_near(o.gradient, {0, 0, -2}, 1e-14);
    expect_near(o.turning, {}, 1e-14);
    ASSERT_EQ(o.part_count, 1);
    expect_near(o.parts[0].normal, {0, 0, 1}, 1e-15);
    EXPECT_NEAR(o.parts[0].depth, 0.1, 1e-15);
}

TEST(Overlap, OfASphereInAHalfSpaceIsACap) {
    // R^2 V / M2 across the axis: 5.995, 5.974, 5.888, as printed with three decimals.
    const double expected[][2] = {{0.01, 5.995}, {0.05, 5.974}, {0.2, 5.888}};
    for (const auto& [ratio, k] : expected) {
        const double r = 0.5, h = ratio * r;
        const Pose plane{{1, 2, 3}, rotation({0.3, -0.5, 0.2})};
        const Vec3 n = rotate(plane.orientation, {0, 0, 1}), u = rotate(plane.orientation, {1, 0, 0});
        const Overlap o = shared(HalfSpace{}, plane, Sphere{r}, {plane.position + (r - h) * n, {}});
        ASSERT_EQ(o.method, Method::Closed);
        EXPECT_NEAR(o.volume, kPi * h * h * (3 * r - h) / 3, 1e-15);
        const double radius2 = 2 * r * h - h * h;
        EXPECT_NEAR(radius2 * o.volume / dot(u, o.second_moment * u), k, 5e-4);
        expect_near(o.gradient, -kPi * radius2 * n, 1e-15);
        // Centroid of a cap from the middle of the ball: 3 (2 r - h)^2 / (4 (3 r - h)).
        expect_near(o.centre, plane.position + (r - h - 3 * (2 * r - h) * (2 * r - h) / (4 * (3 * r - h))) * n, 1e-14);
        // Along the axis: int z^2 about the middle is pi [r^2 z^3/3 - z^5/5] from r - h to r.
        const auto zz = [&](double z) { return kPi * (r * r * z * z * z / 3 - z * z * z * z * z / 5); };
        const double c = 3 * (2 * r - h) * (2 * r - h) / (4 * (3 * r - h));
        EXPECT_NEAR(dot(n, o.second_moment * n), zz(r) - zz(r - h) - o.volume * c * c, 1e-15);
    }
}

TEST(Overlap, OfTwoSpheresIsALens) {
    const double ra = 0.7, rb = 0.4, d = 0.9;
    const Vec3 n = normalized(Vec3{1, 2, -2});
    const Overlap o = shared(Sphere{ra}, {{5, 5, 5}, {}}, Sphere{rb}, {Vec3{5, 5, 5} + d * n, {}});
    const double sum = ra + rb, depth = sum - d;
    EXPECT_NEAR(o.volume, kPi * depth * depth * (d * d + 2 * d * sum - 3 * (ra - rb) * (ra - rb)) / (12 * d), 1e-15);
    const double x = (d * d + ra * ra - rb * rb) / (2 * d);
    expect_near(o.gradient, -kPi * (ra * ra - x * x) * n, 1e-14);
    // A small ball against a huge one is a ball against a plane.
    const Overlap flat = shared(HalfSpace{}, {}, Sphere{0.1}, {{0, 0, 0.09}, {}});
    const Overlap huge = shared(Sphere{1e6}, {{0, 0, -1e6}, {}}, Sphere{0.1}, {{0, 0, 0.09}, {}});
    EXPECT_NEAR(huge.volume / flat.volume, 1, 1e-6);
    expect_near(huge.second_moment, flat.second_moment, 1e-6 * flat.volume * 0.01);
}

TEST(Overlap, OfASphereOnAFaceIsACapAndBeyondItIsNot) {
    const Shape box = Box{{1, 1, 0.2}}, hull = Hull{std::make_shared<Polyhedron>(box_polyhedron({1, 1, 0.2}))};
    const Pose ball{{0.5, 0, 0.29}, {}};
    const Overlap plane = shared(HalfSpace{}, {{0, 0, 0.2}, {}}, Sphere{0.1}, ball);
    for (const Shape& shape : {box, hull}) {
        const Overlap o = shared(shape, {}, Sphere{0.1}, ball);
        ASSERT_EQ(o.method, Method::Closed);
        EXPECT_NEAR(o.volume, plane.volume, 1e-18);
        expect_near(o.gradient, plane.gradient, 1e-17);
        const Overlap swapped = shared(Sphere{0.1}, ball, shape, {});
        expect_near(swapped.gradient, -o.gradient, 0);
        expect_near(swapped.parts[0].normal, {0, 0, -1}, 1e-15);
    }
    EXPECT_LT(shared(box, {}, Sphere{0.1}, {{0.99, 0, 0.29}, {}}).volume, 0.9 * plane.volume);
}

TEST(Overlap, OfTwoBoxesMatchesExactCases) {
    // Side by side, in the same axes: an intersection of intervals.
    const Overlap o = shared(Box{{0.5, 0.5, 0.5}}, {}, Box{{0.5, 0.5, 0.5}}, {{0.7, -0.2, 0.9}, {}});
    EXPECT_NEAR(o.volume, 0.3 * 0.8 * 0.1, 1e-15);
    expect_near(o.centre, {0.35, -0.1, 0.45}, 1e-14);
    expect_near(o.second_moment, (o.volume / 12) * Mat3::diagonal({0.09, 0.64, 0.01}), 1e-15);
    // At 45 degrees about z two unit squares share a regular octagon of area 2 sqrt(2) - 2 and inner radius 1/2. Its second
    // moment about any axis in the plane is A R^2/12 (2 + cos(45 deg)) with R = (1/2) / cos(22.5 deg).
    const Overlap turned = shared(Box{{0.5, 0.5, 0.5}}, {}, Box{{0.5, 0.5, 0.5}}, {{0, 0, 0.75}, rotation({0, 0, kPi / 4})});
    const double area = 2 * std::sqrt(2.0) - 2, R = 0.5 / std::cos(kPi / 8), inplane = R * R / 12 * (2 + std::cos(kPi / 4));
    EXPECT_NEAR(turned.volume, area / 4, 1e-15);
    expect_near(turned.second_moment, turned.volume * Mat3::diagonal({inplane, inplane, 1 / 192.0}), 1e-15);
    expect_near(turned.gradient, {0, 0, -area}, 1e-14);
    // A vertex with three equal edges, h deep in a face: a tetrahedron of volume h^3 sqrt(3)/2.
    const double h = 0.1;
    const Quat on_corner =
        rotation(std::acos(1 / std::sqrt(3.0)) * normalized(Vec3{1, -1, 0}));  // rotates (-1, -1, -1) down
    const Overlap corner =
        shared(Box{{1, 1, 1}}, {{0, 0, -1}, {}}, Box{{0.5, 0.5, 0.5}}, {{0, 0, std::sqrt(3.0) / 2 - h}, on_corner});
    EXPECT_NEAR(corner.volume, h * h * h * std::sqrt(3.0) / 2, 1e-15);
    expect_near(corner.parts[0].normal, {0, 0, 1}, 1e-12);
}

TEST(Overlap, OfHullsMatchesMonteCarlo) {
    Random random(3);
    for (int go = 0; go < 10; ++go) {
        const Hull a = random_hull(random, 20, 0.5), b = random_hull(random, 40, 0.6);
        const Pose pose_a = random_pose(random, 0.3), pose_b = random_pose(random, 0.3);
        const Overlap o = shared(a, pose_a, b, pose_b);
        const auto inside = [](const Hull& h, const Vec3& p) {
            for (const auto& f : h.polyhedron->faces)
                if (dot(f.normal, p) > f.offset) return false;
            return true;
        };
        const int samples = 200000;
        int hits = 0;
        Vec3 sum;
        for (int i = 0; i < samples; ++i) {
            const Vec3 p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            if (!inside(a, pose_a.to_local(p)) || !inside(b, pose_b.to_local(p))) continue;
            ++hits;
            sum += p;
        }
        const double share = static_cast<double>(hits) / samples, deviation = 8 * std::sqrt(share * (1 - share) / samples);
        EXPECT_NEAR(o.volume, 8 * share, 5 * deviation + 1e-6) << "pair " << go;  // five standard deviations
        if (hits > 1000) expect_near(o.centre, sum / hits, 5 * 0.6 / std::sqrt(hits), "centre");
    }
}

TEST(Overlap, GradientAndTurningMatchFiniteDifferences) {
    Random random(8);
    const Shape shapes[] = {Box{{0.4, 0.3, 0.5}}, random_hull(random, 30, 0.5), Box{{0.2, 0.6, 0.3}},
                            random_hull(random, 12, 0.6)};
    int checked = 0;
    for (int go = 0; go < 40; ++go) {
        const Shape &a = shapes[go % 4], &b = shapes[(go / 4) % 4];
        const Pose pose_a = random_pose(random, 0.35), pose_b = random_pose(random, 0.35);
        const Overlap o = shared(a, pose_a, b, pose_b);
        if (!o) continue;
        // Central differences: h^2/6 V''' + eps V/h with h = 1e-5 and derivatives of order 1. The second is V'' of a convex
        // pair, with kinks where features pass one another, hence the step itself instead of 1e-10.
        const Differences d = differences(a, pose_a, b, pose_b, o.centre, 1e-5);
        expect_near(o.gradient, d.gradient, 1e-5, "gradient");
        expect_near(o.turning, d.turning, 1e-5, "turning");
        ++checked;
    }
    EXPECT_GE(checked, 20);
}

TEST(Overlap, DoesNotDependOnWhereTheWorldIsNorOnTheOrderOfTheBodies) {
    Random random(11);
    for (int go = 0; go < 20; ++go) {
        const Shape a = random_hull(random, 16, 0.5), b = Box{{0.3, 0.4, 0.2}};
        const Pose pose_a = random_pose(random, 0.3), pose_b = random_pose(random, 0.3),
                   move{{20, -30, 10}, rotation({1, 2, -1})};
        const Overlap o = shared(a, pose_a, b, pose_b), moved = shared(a, move * pose_a, b, move * pose_b),
                      swapped = shared(b, pose_b, a, pose_a);
        const Mat3 r = matrix(move.orientation);
        // Rounding: coordinates of 40 m have a resolution of 7e-15 m, and the surface is 1 m^2.
        EXPECT_NEAR(moved.volume, o.volume, 1e-13);
        expect_near(moved.centre, move * o.centre, 1e-12);
        expect_near(moved.second_moment, r * o.second_moment * transposed(r), 1e-13);
        expect_near(moved.gradient, r * o.gradient, 1e-13);
        EXPECT_NEAR(swapped.volume, o.volume, 1e-15);
        expect_near(swapped.gradient, -o.gradient, 1e-14);
        expect_near(swapped.turning, -o.turning, 1e-14);
        if (o) expect_near(swapped.parts[0].normal, -o.parts[0].normal, 1e-12);
    }
}

TEST(Overlap, OfACylinderMatchesClosedFormsStandingAndLying) {
    const double r = 0.5, half = 0.3, h = 0.02;
    const Overlap standing = shared(HalfSpace{}, {}, Cylinder{r, half}, {{0, 0, half - h}, {}});
    EXPECT_NEAR(standing.volume, kPi * r * r * h, 1e-15);
    EXPECT_NEAR(standing.second_moment.r[0].x / (standing.volume * r * r / 4), 1, 1e-12);
    // Lying: 2 half times a circular segment, r^2 acos(1 - h/r) - (r - h) sqrt(2 r h - h^2).
    const double segment = r * r * std::acos(1 - h / r) - (r - h) * std::sqrt(2 * r * h - h * h);
    for (const double turn : {0.0, 0.1, 1.3}) {  // about its own axis: its sides must not matter
        const Quat lying = rotation({kPi / 2, 0, 0}) * rotation({0, 0, turn});
        const Overlap o = shared(HalfSpace{}, {}, Cylinder{r, half}, {{0, 0, r - h}, lying});
        EXPECT_NEAR(o.volume / (2 * half * segment), 1, 1e-9);
        EXPECT_EQ(o.parts[0].curvature, OverlapPart::Curvature::Line);
        expect_near(o.gradient / (4 * half * std::sqrt(2 * r * h - h * h)), {0, 0, -1}, 1e-9);
        expect_near(o.centre, {0, 0, o.centre.z}, 1e-9);
    }
    // On a box as on a plane, and two of them end to end.
    const Overlap on_box =
        shared(Box{{1, 1, 1}}, {{0, 0, -1}, {}}, Cylinder{r, half}, {{0, 0, r - h}, rotation({kPi / 2, 0, 0})});
    EXPECT_NEAR(on_box.volume / (2 * half * segment), 1, 1e-9);
    const Overlap ends = shared(Cylinder{r, half}, {{0, 0, -half}, {}}, Cylinder{0.3, half}, {{0.1, 0, half - h}, {}});
    EXPECT_NEAR(ends.volume, kPi * 0.09 * h, 1e-12);
    expect_near(ends.parts[0].normal, {0, 0, 1}, 1e-12);
}

TEST(Overlap, WithASkinTouchingFacesShareASheet) {
    const double skin = 1e-5;
    const OverlapOptions options{.skin = skin};
    const Shape box = Box{{0.5, 0.5, 0.5}}, hull = Hull{std::make_shared<Polyhedron>(box_polyhedron({0.5, 0.5, 0.5}))};
    for (const Shape& a : {box, hull, Shape{HalfSpace{}}}) {
        for (const Shape& b : {box, hull}) {
            const Pose below{{0, 0, std::holds_alternative<HalfSpace>(a) ? 0 : -0.5}, {}};
            const Overlap o = shared(a, below, b, {{0, 0, 0.5}, {}}, options);
            ASSERT_EQ(o.part_count, 1);
            EXPECT_DOUBLE_EQ(o.grown_a + o.grown_b, 2 * skin);
            EXPECT_NEAR(o.volume, 2 * skin, 1e-14);
            const PatchList list = patches(o);
            ASSERT_EQ(list.count, 1);
            EXPECT_NEAR(list.items[0].gap, 0, 1e-12);
            expect_near(list.items[0].centre, {0, 0, 0}, 1e-12);
            expect_near(list.items[0].normal, {0, 0, 1}, 1e-9);
            // Also 3 um apart or pressed together.
            EXPECT_NEAR(patches(shared(a, below, b, {{0, 0, 0.5 + 3e-6}, {}}, options)).items[0].gap, 3e-6, 1e-12);
            EXPECT_NEAR(patches(shared(a, below, b, {{0, 0, 0.5 - 3e-6}, {}}, options)).items[0].gap, -3e-6, 1e-12);
            EXPECT_FALSE(shared(a, below, b, {{0, 0, 0.5}, {}}));  // zero volume, no skin
        }
    }
    for (const Shape& round : {Shape{Sphere{0.5}}, Shape{Cylinder{0.5, 0.5}}}) {
        const Quat lying = rotation({kPi / 2, 0, 0});
        for (const double gap : {5e-6, 0.0, -1e-5}) {
            const PatchList list = patches(shared(HalfSpace{}, {}, round, {{0, 0, 0.5 + gap}, lying}, options));
            ASSERT_EQ(list.count, 1);
            // Mean depth of a cap h/2, of a circular segment 2h/3. The prism of 64 sides reproduces the depth of 25 um to
            // 2e-4.
            const double mean = gap > 0 ? gap : gap / (std::holds_alternative<Sphere>(round) ? 2 : 1.5);
            EXPECT_NEAR(list.items[0].gap, mean, 1e-8);
        }
    }
}

TEST(Overlap, DegeneratePairsHaveNoContactOrASoundOne) {
    const Shape box = Box{{0.5, 0.5, 0.5}};
    EXPECT_FALSE(shared(box, {}, Box{{0.1, 0.1, 0.1}}, {}));                                 // one inside the other
    EXPECT_FALSE(shared(Sphere{1}, {}, Sphere{0.2}, {{0.1, 0, 0}, {}}));                     // the same
    EXPECT_FALSE(shared(Sphere{1}, {}, Sphere{1}, {}));                                      // at the same position
    EXPECT_FALSE(shared(box, {}, box, {}));                                                  // the same
    EXPECT_FALSE(shared(HalfSpace{}, {}, HalfSpace{}, {{0, 0, 1}, rotation({kPi, 0, 0})}));  // infinite
    EXPECT_FALSE(shared(HalfSpace{}, {}, box, {{0, 0, -5}, {}}));                            // all of it below the ground
    EXPECT_FALSE(shared(box, {}, box, {{2, 0, 0}, {}}));
    EXPECT_FALSE(shared(box, {}, box, {{1, 0, 0}, {}}));  // touching without skin
    // A needle across an edge, a thousandth as wide as long; bodies of 1 : 1000; depths from 1e-9 to 0.3.
    Random random(4);
    const Shape pairs[][2] = {{Box{{1, 1e-3, 1e-3}}, box},
                              {Box{{500, 500, 500}}, box},
                              {Box{{1, 1, 1e-4}}, Box{{1e-3, 1e-3, 1e-3}}},
                              {Cylinder{1, 1e-3}, box},
                              {Cylinder{500, 500}, box}};
    for (const auto& [a, b] : pairs) {
        for (int go = 0; go < 50; ++go) {
            const Quat q = random_pose(random, 1).orientation;
            const double depth = std::pow(10, random.uniform(-9, -0.5));
            const Vec3 d = normalized(Vec3{random.normal(), random.normal(), random.normal()});
            const Vec3 top = support(a, d), bottom = rotate(q, support(b, rotate_inverse(q, -d)));
            const Overlap o = shared(a, {}, b, {top - bottom - depth * 1e-3 * d, q}, {.skin = 1e-7});
            for (int i = 0; i < o.part_count; ++i) {
                const OverlapPart& part = o.parts[static_cast<size_t>(i)];
                EXPECT_TRUE(is_finite(part.centre) && is_finite(part.normal) && part.volume > 0);
                EXPECT_NEAR(length(part.normal), 1, 1e-12);
                EXPECT_GT(dot(part.normal, -part.gradient), 0);
            }
            for (int i = 0; i < patches(o).count; ++i) {
                const Patch patch = patches(o).items[static_cast<size_t>(i)];
                EXPECT_TRUE(std::isfinite(patch.gap) && is_finite(patch.centre) && is_finite(patch.u));
                EXPECT_NEAR(dot(patch.u, patch.normal), 0, 1e-12);
            }
        }
    }
}

}  // namespace
}  // namespace asperity::geometry

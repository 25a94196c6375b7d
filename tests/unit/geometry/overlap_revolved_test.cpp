// Balls, cylinders and capsules: closed forms on planes and faces; all else against random points.
#include "overlap_fixture.h"

namespace asperity::geometry {
namespace {

using Method = Overlap::Method;

// 12 Gauss points along the axis leave 1e-9.
TEST(OverlapRevolved, OfALyingCapsuleIsASegmentAndACap) {
    const double r = 0.2, half = 0.4;
    for (const double h : {1e-5, 0.03, 0.2, 0.3}) {
        const double root = std::sqrt(2 * r * h - h * h);
        const double segment = r * r * std::acos(1 - h / r) - (r - h) * root, cap = kPi * h * h * (3 * r - h) / 3;
        const Overlap o = shared(HalfSpace{}, {}, Capsule{r, half}, {{0, 0, r - h}, rotation({kPi / 2, 0, 0})});
        ASSERT_EQ(o.method, Method::Closed);
        // acos loses digits for small h.
        EXPECT_NEAR(o.volume / (2 * half * segment + cap), 1, h < 1e-3 ? 1e-7 : 1e-8) << h;
        expect_near(o.gradient, {0, 0, -(4 * half * root + kPi * root * root)}, 1e-8 * root);
        expect_near(o.centre, {0, 0, o.centre.z}, 1e-9);
        EXPECT_EQ(o.parts[0].curvature, OverlapPart::Curvature::Line);
        expect_near(o.parts[0].normal, {0, 0, 1}, 1e-12);
    }
}

TEST(OverlapRevolved, OfACapsuleOnItsEndIsTheCapOfABall) {
    for (const double lean : {0.0, 1e-9, 0.3, 1.2}) {
        const Pose pose{{0, 0, 0.2 - 0.01 + 0.4 * std::cos(lean)}, rotation({0, lean, 0})};
        const Overlap o = shared(HalfSpace{}, {}, Capsule{0.2, 0.4}, pose),
                      ball = shared(HalfSpace{}, {}, Sphere{0.2}, {{-0.4 * std::sin(lean), 0, 0.19}, {}});
        // Slices that shrink towards the pole of the ball: 12 Gauss points have an error of 3e-7.
        EXPECT_NEAR(o.volume / ball.volume, 1, 1e-6) << lean;
        expect_near(o.centre, ball.centre, 1e-7);
        expect_near(o.second_moment, ball.second_moment, 1e-5 * ball.volume * 0.004);
        expect_near(o.gradient, ball.gradient, 1e-6 * length(ball.gradient));
    }
}

// A wedge cut off at the rim of a cylinder (an "ungula") that just reaches the middle of its base: V = 2/3 r^2 d with the
// height d over the rim.
TEST(OverlapRevolved, OfALeaningCylinderIsAnUngula) {
    const double r = 0.5, lean = 0.7, height = r * std::tan(lean);
    const Vec3 base = rotate(rotation({0, lean, 0}), {0, 0, -0.3});
    const Overlap o = shared(HalfSpace{}, {}, Cylinder{r, 0.3}, {-base, rotation({0, lean, 0})});
    ASSERT_LT(height, 0.6);
    EXPECT_NEAR(o.volume / (2.0 / 3 * r * r * height), 1, 1e-8);
}

TEST(OverlapRevolved, OfAStandingCylinderIsADiscAtAnyLean) {
    for (const double lean : {0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.03}) {
        // The plane through the axis at h above the base covers all of the base while r tan(lean) < h. Then V = pi r^2 h for
        // any lean.
        const double r = 0.5, half = 0.3, h = 0.02;
        const Vec3 at = rotate(rotation({0, lean, 0}), {0, 0, half - h});
        const Overlap o = shared(HalfSpace{}, {}, Cylinder{r, half}, {at, rotation({0, lean, 0})});
        EXPECT_NEAR(o.volume / (kPi * r * r * h), 1, 1e-8) << lean;
        EXPECT_NEAR(length(o.gradient) / (kPi * r * r / std::cos(lean)), 1, 1e-8) << lean;
    }
}

struct Inside {
    const Vec3& p;
    bool operator()(const Sphere& s) const { return length(p) < s.radius; }
    bool operator()(const Capsule& c) const {
        return length(p - Vec3{0, 0, clamp(p.z, -c.half_length, c.half_length)}) < c.radius;
    }
    bool operator()(const Cylinder& c) const { return std::hypot(p.x, p.y) < c.radius && std::fabs(p.z) < c.half_height; }
    bool operator()(const Box& b) const {
        return std::fabs(p.x) < b.half.x && std::fabs(p.y) < b.half.y && std::fabs(p.z) < b.half.z;
    }
    bool operator()(const Hull& h) const {
        for (const Polyhedron::Face& f : h.polyhedron->faces)
            if (dot(f.normal, p) > f.offset) return false;
        return true;
    }
    template <class Other>
    bool operator()(const Other&) const {
        return false;
    }
};
bool inside(const Shape& shape, const Vec3& p) { return std::visit(Inside{p}, shape); }

/// The volume by random points in the box of the round body.
double thrown(const Shape& round, const Pose& pose, const Shape& other, const Pose& other_pose, int count,
              double& deviation) {
    Random random(17);
    const Aabb box = bounds(round, pose);
    int hits = 0;
    for (int i = 0; i < count; ++i) {
        const Vec3 p{random.uniform(box.low.x, box.high.x), random.uniform(box.low.y, box.high.y),
                     random.uniform(box.low.z, box.high.z)};
        hits += inside(round, pose.to_local(p)) && inside(other, other_pose.to_local(p));
    }
    const Vec3 size = box.high - box.low;
    const double share = static_cast<double>(hits) / count, all = size.x * size.y * size.z;
    deviation = all * std::sqrt(share * (1 - share) / count);
    return share * all;
}

TEST(OverlapRevolved, BeyondAFaceMatchesPointsThrownAtRandom) {
    Random random(5);
    std::vector<Vec3> cloud;
    for (int i = 0; i < 16; ++i) cloud.push_back(0.4 * normalized(Vec3{random.normal(), random.normal(), random.normal()}));
    const Shape flat[] = {Box{{0.3, 0.4, 0.25}}, convex_hull(cloud), Cylinder{0.35, 0.3}};
    const Shape round[] = {Sphere{0.3}, Capsule{0.15, 0.25}, Cylinder{0.2, 0.25}};
    int sliced = 0;
    for (const Shape& a : flat)
        for (const Shape& b : round)
            for (int go = 0; go < 8; ++go) {
                const Pose pose_a = random_pose(random, 0), turn = random_pose(random, 0);
                const Vec3 d = normalized(Vec3{random.normal(), random.normal(), random.normal()});
                const Vec3 top = rotate(pose_a.orientation, support(a, rotate_inverse(pose_a.orientation, d))),
                           low = rotate(turn.orientation, support(b, rotate_inverse(turn.orientation, -d)));
                const Pose pose_b{top - low - random.uniform(0.03, 0.12) * d, turn.orientation};
                const Overlap o = shared(a, pose_a, b, pose_b);
                if (!o) continue;
                sliced += o.method == Method::Slices;
                double deviation = 0;
                const double volume = thrown(b, pose_b, a, pose_a, 40000, deviation);
                EXPECT_NEAR(o.volume, volume, 4 * deviation + o.error + 1e-3 * volume)
                    << a.index() << " " << b.index() << " " << go;
                EXPECT_GT(dot(o.parts[0].normal, -o.gradient), 0);
            }
    EXPECT_GE(sliced, 15);
}

TEST(OverlapRevolved, CapsulesOnOneAnotherMatchRays) {
    Random random(8);
    for (int go = 0; go < 12; ++go) {
        const Shape a = Capsule{0.2, 0.3}, b = go % 2 ? Shape{Capsule{0.15, 0.2}} : Shape{Sphere{0.25}};
        const Pose pose_a = random_pose(random, 0), turn = random_pose(random, 0);
        const Vec3 d = normalized(Vec3{random.normal(), random.normal(), random.normal()});
        const Vec3 top = rotate(pose_a.orientation, support(a, rotate_inverse(pose_a.orientation, d))),
                   low = rotate(turn.orientation, support(b, rotate_inverse(turn.orientation, -d)));
        const Pose pose_b{top - low - 0.05 * d, turn.orientation};
        const Overlap o = shared(a, pose_a, b, pose_b),
                      rays = shared(a, pose_a, b, pose_b, {.resolution = 96, .only_rays = true});
        if (!rays) continue;
        EXPECT_NEAR(o.volume / rays.volume, 1, 0.01) << go;
        expect_near(o.gradient / length(rays.gradient), rays.gradient / length(rays.gradient), 0.03);
    }
}

}  // namespace
}  // namespace asperity::geometry

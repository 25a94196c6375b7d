// Volumes and inertias against closed forms, each other and Monte Carlo.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/random.h"
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

void expect_near(const Mat3& a, const Mat3& b, double tolerance) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(a.r[i][j], b.r[i][j], tolerance) << "entry " << i << ", " << j;
    }
}
void expect_near(const VolumeIntegrals& a, const VolumeIntegrals& b, double tolerance) {
    EXPECT_NEAR(a.volume, b.volume, tolerance);
    EXPECT_LE(length(a.center - b.center), tolerance);
    expect_near(a.inertia, b.inertia, tolerance);
}

TEST(Volume, OfPrimitivesMatchesTextbooks) {
    expect_near(volume_integrals(Sphere{2}), {32 * kPi / 3, {}, Mat3::diagonal(32 * kPi / 3 * 1.6 * Vec3{1, 1, 1})}, 1e-13);
    // Edges 2, 4, 6: V = 48, I_xx = 48/12 (16 + 36), ...
    expect_near(volume_integrals(Box{{1, 2, 3}}), {48, {}, Mat3::diagonal({208, 160, 80})}, 1e-12);
    // r = 2, height 6: V = 24 pi, I_zz = V r^2/2, I_xx = V (3 r^2 + height^2)/12
    expect_near(volume_integrals(Cylinder{2, 3}), {24 * kPi, {}, Mat3::diagonal(24 * kPi * Vec3{4, 4, 2})}, 1e-12);
    EXPECT_EQ(volume_integrals(HalfSpace{}).volume, 0);
    EXPECT_EQ(length(volume_integrals(HalfSpace{}).inertia.r[0]), 0);
}

TEST(Volume, OfACapsuleIsThatOfItsPartsAndOfABallWithoutSide) {
    const double r = 0.3, h = 0.8;
    expect_near(volume_integrals(Capsule{r, 0}), volume_integrals(Sphere{r}), 1e-16);
    // A half ball: V = 2/3 pi r^3, centroid 3/8 r above its disc; inertia about the disc's centre half that of a ball of
    // twice the mass. Transferred to its own centroid by Steiner's theorem.
    const double v = 2 * kPi / 3 * r * r * r, offset = 3.0 / 8 * r;
    const double about_disc = 0.4 * v * r * r, across = about_disc - v * offset * offset;
    const VolumeIntegrals cap{v, {0, 0, offset}, Mat3::diagonal({across, across, about_disc})};
    const VolumeIntegrals parts[] = {volume_integrals(Cylinder{r, h}), transformed(cap, {{0, 0, h}, {}}),
                                     transformed(cap, {{0, 0, -h}, rotation({kPi, 0, 0})})};
    expect_near(volume_integrals(Capsule{r, h}), sum(parts), 1e-15);
}

TEST(Volume, OfABoxHullFarAwayMatchesTheMovedBox) {
    const Vec3 half{0.5, 0.7, 0.2};
    const Pose pose{{20, -30, 10}, rotation({0.4, -1.1, 0.6})};
    std::vector<Vec3> points;  // 11 x 11 x 11, most of them inside, on faces or on edges
    for (int i = 0; i <= 10; ++i) {
        for (int j = 0; j <= 10; ++j) {
            for (int k = 0; k <= 10; ++k) points.push_back(pose * scaled(half, {i / 5.0 - 1, j / 5.0 - 1, k / 5.0 - 1}));
        }
    }
    const Hull hull = convex_hull(points);
    EXPECT_EQ(hull.polyhedron->faces.size(), 6u);
    // Coordinates near 40 are rounded by 4e-15; integrals of size 1 have a few times that error.
    expect_near(volume_integrals(hull), transformed(volume_integrals(Box{half}), pose), 1e-13);
}

TEST(Volume, IsInvariantUnderSplittingABox) {
    // Eight octants of a box, each moved into position and rotated by half turns that map it to itself.
    const Vec3 half{0.5, 0.7, 0.2};
    std::vector<VolumeIntegrals> octants;
    for (int k = 0; k < 8; ++k) {
        const Vec3 place = 0.5 * scaled(half, {k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
        octants.push_back(transformed(volume_integrals(Box{0.5 * half}), {place, rotation(kPi * Vec3{0, k % 2 * 1.0, 0})}));
    }
    expect_near(sum(octants), volume_integrals(Box{half}), 1e-15);
    EXPECT_EQ(sum({}).volume, 0);
}

TEST(Volume, TransformedComposesLikePoses) {
    const VolumeIntegrals box = volume_integrals(Box{{0.5, 0.7, 0.2}});
    const Pose a{{1, 2, 3}, rotation({0.4, -1.1, 0.6})}, b{{-2, 0.5, 1}, rotation({2, 0.1, -0.3})};
    expect_near(transformed(transformed(box, b), a), transformed(box, a * b), 1e-14);
}

TEST(Volume, OfAnOddHullMatchesMonteCarlo) {
    Random random(5);
    std::vector<Vec3> points;
    for (int i = 0; i < 14; ++i) points.push_back({random.uniform(-1, 2), random.uniform(-0.5, 1), random.uniform(0, 1.5)});
    const Hull hull = convex_hull(points);
    const Aabb box = bounds(hull, {});
    const Vec3 size = box.high - box.low;
    const double box_volume = size.x * size.y * size.z;

    const int samples = 400000;
    double inside = 0;
    Vec3 first;
    Mat3 second = Mat3::diagonal({0, 0, 0});
    for (int i = 0; i < samples; ++i) {
        const Vec3 p = box.low + scaled(size, {random.uniform(), random.uniform(), random.uniform()});
        bool within = true;
        for (const Polyhedron::Face& f : hull.polyhedron->faces) within = within && dot(f.normal, p) <= f.offset;
        if (!within) continue;
        inside += 1;
        first += p;
        second = second + outer(p, p);
    }
    const VolumeIntegrals exact = volume_integrals(hull);
    const double volume = box_volume * inside / samples;
    const Vec3 center = first / inside;
    const Mat3 central = (1 / inside) * second + -1.0 * outer(center, center);
    const double trace = central.r[0].x + central.r[1].y + central.r[2].z;
    const Mat3 inertia = Mat3::diagonal({trace, trace, trace}) + -1.0 * central;  // per unit volume
    // Five standard errors: of a proportion p, sqrt(p (1-p) / n) < 8e-4 of the box; of means of spreads below 1, under 4e-3.
    EXPECT_NEAR(exact.volume, volume, 5 * 8e-4 * box_volume);
    EXPECT_LE(length(exact.center - center), 5 * 4e-3);
    expect_near((1 / exact.volume) * exact.inertia, inertia, 5 * 4e-3);
}

}  // namespace
}  // namespace asperity::geometry

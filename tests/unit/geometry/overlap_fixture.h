// Shared parts of the tests of shared volumes.
#pragma once
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/random.h"
#include "asperity/geometry/shared_volume/make_patch.h"
#include "tests/support/random_direction.h"

namespace asperity::geometry {

constexpr double kPi = std::numbers::pi;

inline Overlap shared(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const OverlapOptions& options = {}) {
    Overlap out;
    overlap(a, pose_a, b, pose_b, options, out);
    return out;
}
inline PatchList patches(const Overlap& overlap, const PatchOptions& options = {}) {
    PatchList out;
    make_patches(overlap, options, out);
    return out;
}

inline void expect_near(const Vec3& a, const Vec3& b, double tolerance, const char* what = "") {
    EXPECT_LE(length(a - b), tolerance) << what << ": (" << a.x << ", " << a.y << ", " << a.z << ") should be (" << b.x
                                        << ", " << b.y << ", " << b.z << ")";
}
inline void expect_near(const Mat3& a, const Mat3& b, double tolerance, const char* what = "") {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(a.r[i][j], b.r[i][j], tolerance) << what << ", entry " << i << ", " << j;
}

inline Pose random_pose(Random& random, double spread) {
    const Vec3 at{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    return {spread * at, rotation({random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)})};
}

/// The hull of fourteen points on an ellipsoid of these half axes.
inline Hull stretched_hull(Random& random, const Vec3& half_axes) {
    std::vector<Vec3> cloud;
    for (int i = 0; i < 14; ++i) cloud.push_back(scaled(half_axes, random_direction(random)));
    return convex_hull(cloud);
}
/// Half axes of two such hulls: needles, plates, balls and size ratios of one to a thousand.
inline std::vector<std::pair<Vec3, Vec3>> extreme_sizes() {
    const Vec3 needle{1, 1e-3, 1e-3}, plate{1, 1, 1e-3}, ball{1, 1, 1}, mountain{1000, 1000, 1000};
    return {{needle, needle}, {needle, plate},  {plate, plate},  {ball, needle},
            {ball, plate},    {mountain, ball}, {ball, mountain}};
}

inline Hull random_hull(Random& random, int points, double size) {
    std::vector<Vec3> cloud;
    for (int i = 0; i < points; ++i) cloud.push_back(size * random_direction(random));
    return convex_hull(cloud);
}

/// Derivatives of the volume with respect to a translation of B along each axis and a rotation about `pivot`, by central
/// differences.
struct Differences {
    Vec3 gradient, turning;
};
inline Differences differences(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& pivot,
                               double step, const OverlapOptions& options = {}) {
    Differences d;
    for (int k = 0; k < 3; ++k) {
        double moved[2], turned[2];
        for (int s = 0; s < 2; ++s) {
            Vec3 e;
            e[k] = s == 0 ? step : -step;
            moved[s] = shared(a, pose_a, b, {pose_b.position + e, pose_b.orientation}, options).volume;
            const Quat q = rotation(e);
            turned[s] =
                shared(a, pose_a, b, {pivot + rotate(q, pose_b.position - pivot), q * pose_b.orientation}, options).volume;
        }
        d.gradient[k] = (moved[0] - moved[1]) / (2 * step);
        d.turning[k] = (turned[0] - turned[1]) / (2 * step);
    }
    return d;
}

}  // namespace asperity::geometry

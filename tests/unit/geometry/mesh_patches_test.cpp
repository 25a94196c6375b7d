// Patches of two touching meshes, and the nearest points of approaching ones: against closed forms, brute force and the
// exact shared volume.
#include "asperity/geometry/shared_volume/mesh_patches.h"
#include "asperity/geometry/mesh/bumpy_box.h"
#include "asperity/geometry/mesh_contact/nearest_parts.h"
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"
#include "meshes.h"
#include "overlap_fixture.h"

namespace asperity::geometry {
namespace {

Mesh meshed_box(const Vec3& half) { return make_mesh(box_data(half)); }

struct Found {
    PatchList patches;
    ContactList points;
};
Found meet(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request) {
    Found found;
    patches_of_meshes(a, pose_a, b, pose_b, request, found.patches, found.points);
    return found;
}

TEST(NearestParts, NearestPointsOfTrianglesAreThoseOfDenseSamples) {
    Random random(3);
    for (int go = 0; go < 60; ++go) {
        Vec3 p[3], q[3];
        for (int i = 0; i < 3; ++i) {
            p[i] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, -0.1)};
            q[i] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 1)};
        }
        TriangleGap gap;
        nearest_points(p, q, gap);
        EXPECT_NEAR(length(gap.on_q - gap.on_p), std::sqrt(gap.distance_squared), 1e-12);
        constexpr int n = 24;
        double sampled = 1e300;
        const auto at = [](const Vec3 t[3], int i, int k) {
            return (1 - (i + k) / double(n)) * t[0] + i / double(n) * t[1] + k / double(n) * t[2];
        };
        for (int i = 0; i <= n; ++i)
            for (int k = 0; i + k <= n; ++k)
                for (int j = 0; j <= n; ++j)
                    for (int l = 0; j + l <= n; ++l) sampled = std::min(sampled, length(at(p, i, k) - at(q, j, l)));
        EXPECT_LE(std::sqrt(gap.distance_squared), sampled + 1e-12);
        // Sides are up to 2.9 long: no point is farther than that over n from a sample of its triangle.
        EXPECT_GE(std::sqrt(gap.distance_squared), sampled - 2.9 * 2 / n);
    }
}

TEST(NearestParts, EachFootThatComesDownHasItsOwn) {
    // An upturned bench: two feet of 0.1 m at x = -0.45 and 0.45, 0.2 m below its seat.
    const Mesh bench =
        prism({{-0.5, -0.1}, {-0.4, -0.1}, {-0.4, 0.1}, {0.4, 0.1}, {0.4, -0.1}, {0.5, -0.1}, {0.5, 0.2}, {-0.5, 0.2}},
              {{0, 1, 2}, {0, 2, 7}, {2, 3, 6}, {2, 6, 7}, {3, 4, 5}, {3, 5, 6}}, 0.2);
    const Mesh floor = meshed_box({2, 2, 0.5});
    const Pose below{{0, 0, -0.5}, {}}, above{{0, 0, 0.13}, rotation({0, 0.01, 0})};
    const Found found = meet(floor, below, bench, above, {.skin = 1e-5, .margin = 0.1, .ahead = 0.1});
    EXPECT_EQ(found.patches.count, 0);
    double left = 1, right = 1;
    for (int i = 0; i < found.points.count; ++i) {
        const auto& item = found.points.items[i];
        expect_near(item.normal, {0, 0, 1}, 1e-9, "normal");
        (item.point.on_b.x < 0 ? left : right) = std::min(item.point.on_b.x < 0 ? left : right, item.point.gap);
    }
    // The lowest vertices of the feet; the first search may be off by a fifth.
    const double c = std::cos(0.01), s = std::sin(0.01), low_right = 0.13 - 0.1 * c - 0.5 * s,
                 low_left = 0.13 - 0.1 * c + 0.4 * s;
    EXPECT_GE(right, low_right - 1e-12);
    EXPECT_LE(right, low_right / 0.8);
    EXPECT_GE(left, low_left - 1e-12);
    EXPECT_LE(left, low_left / 0.8);
}

TEST(MeshPatches, AFaceOnAFaceIsOnePatchWithItsOutlineAndDepth) {
    const Mesh floor = meshed_box({1, 1, 0.5}), block = meshed_box({0.2, 0.3, 0.1});
    for (const double depth : {-1e-5, 0.0, 1e-3, 8e-3}) {
        for (const bool swapped : {false, true}) {
            const Pose below{{0, 0, -0.5}, {}}, above{{0.1, -0.2, 0.1 - depth}, {}};
            const MeshPatchRequest request{.skin = 1e-5, .margin = 0.01};
            const Found found =
                swapped ? meet(block, above, floor, below, request) : meet(floor, below, block, above, request);
            ASSERT_EQ(found.patches.count, 1) << depth;
            const Patch& patch = found.patches.items[0];
            expect_near(patch.normal, {0, 0, swapped ? -1.0 : 1.0}, 1e-9, "normal");
            EXPECT_NEAR(patch.gap, -depth, 1e-9);
            const auto* region = std::get_if<PolygonRegion>(&patch.region);
            ASSERT_TRUE(region);
            EXPECT_EQ(region->count, 4);
            for (int i = 0; i < region->count; ++i) {
                const Vec3 corner = patch.centre + region->corners[static_cast<size_t>(i)].x * patch.u +
                                    region->corners[static_cast<size_t>(i)].y * patch.w() - Vec3{0.1, -0.2, 0};
                EXPECT_NEAR(std::fabs(corner.x), 0.2, 1e-9);
                EXPECT_NEAR(std::fabs(corner.y), 0.3, 1e-9);
            }
            ASSERT_EQ(found.points.count, 4);
            for (int i = 0; i < found.points.count; ++i) {
                const auto& item = found.points.items[i];
                EXPECT_LT(item.point.feature, kDeepPointsOfPatch);
                EXPECT_NEAR(item.point.gap, -depth, 1e-9);
                EXPECT_NEAR(dot(item.point.on_b - item.point.on_a, item.normal), -depth, 1e-9);
            }
        }
    }
}

TEST(MeshPatches, GrooveAndInnerCornerKeepTheirSeveralPatches) {
    const Mesh groove = prism({{-1, -0.5}, {1, -0.5}, {1, 0.5}, {0.5, 0.5}, {0, 0}, {-0.5, 0.5}, {-1, 0.5}},
                              {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}}, 1);
    const Mesh cube = meshed_box({0.2, 0.2, 0.2});
    const double across = 0.2 * std::numbers::sqrt2;
    const Found in_groove =
        meet(groove, {}, cube, {{0, 0, across - 1e-3}, rotation({0, kPi / 4, 0})}, {.skin = 1e-5, .margin = 0.01});
    ASSERT_EQ(in_groove.patches.count, 2);
    for (int i = 0; i < 2; ++i) {
        const Patch& patch = in_groove.patches.items[static_cast<size_t>(i)];
        EXPECT_NEAR(patch.normal.z, std::sqrt(0.5), 1e-3);
        EXPECT_NEAR(std::fabs(patch.normal.x), std::sqrt(0.5), 1e-3);
    }
    EXPECT_LT(in_groove.patches.items[0].normal.x * in_groove.patches.items[1].normal.x, 0);

    const Mesh corner =
        prism({{-1, -1}, {2, -1}, {2, 0}, {0, 0}, {0, 2}, {-1, 2}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}}, 1);
    const Found in_corner = meet(corner, {}, cube, {{0.2 - 5e-4, 0, 0.2 - 5e-4}, {}}, {.skin = 1e-5, .margin = 0.01});
    ASSERT_EQ(in_corner.patches.count, 2);
    EXPECT_GT(std::max(in_corner.patches.items[0].normal.x, in_corner.patches.items[1].normal.x), 0.99);
    EXPECT_GT(std::max(in_corner.patches.items[0].normal.z, in_corner.patches.items[1].normal.z), 0.99);
}

TEST(MeshPatches, BumpsOfAFaceAreOnePatch) {
    const Mesh bumpy = make_bumpy_box({{0.5, 0.5, 0.5}, 0.02, 4, 32}), floor = meshed_box({2, 2, 0.5});
    const Found found = meet(floor, {{0, 0, -0.5}, {}}, bumpy, {{0.1, 0, 0.5 - 1e-4}, rotation({0, 0, 0.3})},
                             {.skin = 1e-5, .margin = 0.01});
    ASSERT_EQ(found.patches.count, 1);
    EXPECT_GT(found.patches.items[0].normal.z, 1 - 1e-6);
    const auto* region = std::get_if<PolygonRegion>(&found.patches.items[0].region);
    ASSERT_TRUE(region);
    double size = 0;
    for (int i = 0; i < region->count; ++i) size = std::max(size, length(region->corners[static_cast<size_t>(i)]));
    EXPECT_GT(size, 0.3);  // spans the outer bumps of the face, not one of them
}

TEST(MeshPatches, VolumeAndGradientAreThoseOfTheExactOne) {
    const Mesh other = make_bumpy_box({{0.4, 0.4, 0.3}, 0.01, 5, 20}),
               bumpy = make_bumpy_box({{0.3, 0.3, 0.3}, 0.01, 4, 24});
    Random random(8);
    int compared = 0;
    for (int go = 0; go < 30; ++go) {
        const double depth = random.uniform(1e-4, 4e-3);
        const Pose below{{}, rotation({0.3, 0.1, 0})};
        const Pose above =
            below * Pose{{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.6 - depth},
                         rotation({0.01 * random.uniform(-1, 1), 0.01 * random.uniform(-1, 1), random.uniform(-3, 3)})};
        Overlap exact, facing;
        overlap(other, below, bumpy, above, {.skin = 1e-5}, exact);
        ASSERT_TRUE(detail::overlap_facing(other, below, bumpy, above, 1e-5, 0.5 * depth, facing));
        EXPECT_EQ(exact.part_count > 0, facing.part_count > 0);
        if (!exact) continue;
        double volume = 0;
        Vec3 gradient;
        for (int i = 0; i < facing.part_count; ++i) {
            volume += facing.parts[static_cast<size_t>(i)].volume;
            gradient += facing.parts[static_cast<size_t>(i)].gradient;
        }
        // The prisms of one part are aligned with its own direction, which cuts the borders of the shared volume slightly
        // askew, most if little is shared. Largest errors of these poses: 0.92 % of the volume and 0.45 % of the gradient.
        // Allowed: ten times the latter, and less than ten times the former, since the largest error of any pose tried is
        // 2.3 %.
        EXPECT_NEAR(volume, exact.volume, 0.05 * exact.volume) << go;
        EXPECT_LE(length(gradient - exact.gradient), 0.045 * length(exact.gradient)) << go;
        ++compared;
    }
    EXPECT_GE(compared, 10);
}

TEST(MeshPatches, DeepOverlapsAreFoundFromAnyGuess) {
    const Mesh floor = meshed_box({1, 1, 0.5}), block = meshed_box({0.2, 0.2, 0.2});
    for (const double depth : {1e-3, 0.01, 0.1})  // the last uses the exact volume
        for (const double guess : {0.0, 0.5 * depth, 2 * depth}) {
            const Found found = meet(floor, {{0, 0, -0.5}, {}}, block, {{0, 0, 0.2 - depth}, {}},
                                     {.skin = 1e-5, .margin = 0.01, .deep = guess});
            ASSERT_EQ(found.patches.count, 1);
            EXPECT_NEAR(found.patches.items[0].gap, -depth, 1e-9) << guess;
        }
}

}  // namespace
}  // namespace asperity::geometry

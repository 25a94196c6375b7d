// Shared volumes by rays: exact if the grid fits; otherwise within their own error estimate of the exact ones.
#include "asperity/core/parallel.h"
#include "meshes.h"
#include "overlap_fixture.h"

namespace asperity::geometry {
namespace {

using Method = Overlap::Method;

OverlapOptions rays(int resolution, double skin = 0) { return {.skin = skin, .resolution = resolution, .only_rays = true}; }

/// A ball as a mesh: a cube of n x n cells per side, projected to the radius.
MeshData ball_data(int n, double radius) {
    MeshData data;
    for (int face = 0; face < 6; ++face)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const auto corner = [&](int di, int dj) {
                    const double u = 2.0 * (i + di) / n - 1, w = 2.0 * (j + dj) / n - 1;
                    Vec3 p;
                    const int k = face / 2;
                    p[k] = face % 2 ? -1 : 1;
                    p[(k + 1) % 3] = face % 2 ? w : u;
                    p[(k + 2) % 3] = face % 2 ? u : w;
                    return radius * normalized(p);
                };
                const auto first = static_cast<std::uint32_t>(data.positions.size());
                for (const Vec3& p : {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)}) data.positions.push_back(p);
                for (const std::uint32_t v : {0u, 1u, 2u, 0u, 2u, 3u}) data.triangles.push_back(first + v);
            }
    return data;
}

TEST(OverlapRays, AreExactForBoxesAlongTheGridAtAnyResolution) {
    const Pose world{{3, -1, 2}, rotation({0.3, 0.8, -0.4})};
    const Shape meshed = make_mesh(box_data({0.2, 0.3, 0.5}));
    for (const int resolution : {2, 5, 16, 33}) {
        for (const Shape& b : {Shape{Box{{0.2, 0.3, 0.5}}}, meshed}) {
            const Overlap o = shared(Box{{0.5, 0.4, 0.3}}, world, b, world * Pose{{0.35, 0.2, -0.1}, {}}, rays(resolution));
            ASSERT_EQ(o.method, Method::Rays);
            // x from 0.15 to 0.5, y from -0.1 to 0.4, z from -0.3 to 0.3
            EXPECT_NEAR(o.volume, 0.35 * 0.5 * 0.6, 1e-14) << resolution;
            expect_near(o.centre, world * Vec3{0.325, 0.15, 0}, 1e-14);
            const Mat3 r = matrix(world.orientation);
            expect_near(o.second_moment, r * ((o.volume / 12) * Mat3::diagonal({0.1225, 0.25, 0.36})) * transposed(r),
                        1e-14);
            expect_near(o.gradient, r * Vec3{-0.3, -0.21, 0}, 1e-14);
            EXPECT_LT(o.error, 1e-14);
            EXPECT_EQ(o.skipped_rays, 0);
        }
    }
}

TEST(OverlapRays, AgreeWithClippingAndConvergeToIt) {
    Random random(31);
    double coarse = 0, fine = 0;
    int checked = 0;
    for (int go = 0; go < 30; ++go) {
        const Shape a = random_hull(random, 20, 0.5),
                    b = go % 2 ? Shape{random_hull(random, 12, 0.5)} : Shape{Box{{0.3, 0.2, 0.4}}};
        const Pose pose_a = random_pose(random, 0.25), pose_b = random_pose(random, 0.25);
        const Overlap exact = shared(a, pose_a, b, pose_b);
        if (exact.volume < 1e-3) continue;
        const Overlap low = shared(a, pose_a, b, pose_b, rays(16)), high = shared(a, pose_a, b, pose_b, rays(64));
        coarse += std::fabs(low.volume / exact.volume - 1);
        fine += std::fabs(high.volume / exact.volume - 1);
        ++checked;
        // The three axes see the same volume through different grids: their spread measures the error to within a factor of
        // a few.
        EXPECT_LT(std::fabs(high.volume - exact.volume), 4 * high.error + 1e-4 * exact.volume);
        expect_near(high.centre, exact.centre, 2e-3, "centre");
        expect_near(high.gradient, exact.gradient, 0.02 * std::cbrt(exact.volume * exact.volume), "gradient");
        expect_near(high.second_moment, exact.second_moment, 0.02 * exact.volume * std::cbrt(exact.volume * exact.volume),
                    "moment");
    }
    ASSERT_GT(checked, 15);
    EXPECT_LT(fine / checked, 2e-3);
    EXPECT_LT(fine, 0.4 * coarse);  // four times as many rays per side: between 1/4 (edges) and 1/16 (smooth)
}

TEST(OverlapRays, OfRoundShapesMatchClosedForms) {
    // A lying capsule in the ground: a circular segment times the length, plus a cap.
    const double r = 0.2, half = 0.4, h = 0.03;
    const double segment = r * r * std::acos(1 - h / r) - (r - h) * std::sqrt(2 * r * h - h * h),
                 cap = kPi * h * h * (3 * r - h) / 3;
    const Overlap capsule = shared(HalfSpace{}, {}, Capsule{r, half}, {{0, 0, r - h}, rotation({kPi / 2, 0, 0})}, rays(48));
    ASSERT_EQ(capsule.method, Method::Rays);
    EXPECT_NEAR(capsule.volume / (2 * half * segment + cap), 1, 5e-3);
    expect_near(capsule.parts[0].normal, {0, 0, 1}, 1e-3);
    // A sphere in the edge of a box: a quarter of a ball if its centre is on the edge.
    const Overlap quarter = shared(Box{{1, 1, 1}}, {{-1, 0, -1}, {}}, Sphere{0.3}, {});
    EXPECT_NEAR(quarter.volume / (kPi / 3 * 0.027), 1, 5e-3);
    expect_near(normalized(quarter.gradient), {-std::sqrt(0.5), 0, -std::sqrt(0.5)}, 1e-2);
    // Rays against the closed forms of other methods.
    const Overlap lens = shared(Sphere{0.4}, {}, Sphere{0.3}, {{0.1, 0.5, 0.2}, {}}, rays(64)),
                  exact = shared(Sphere{0.4}, {}, Sphere{0.3}, {{0.1, 0.5, 0.2}, {}});
    EXPECT_NEAR(lens.volume / exact.volume, 1, 5e-3);
    const Overlap roll =
        shared(Box{{1, 1, 1}}, {{0, 0, -1}, {}}, Cylinder{0.5, 0.3}, {{0, 0, 0.47}, rotation({kPi / 2, 0.3, 0})}, rays(64));
    EXPECT_NEAR(
        roll.volume /
            shared(Box{{1, 1, 1}}, {{0, 0, -1}, {}}, Cylinder{0.5, 0.3}, {{0, 0, 0.47}, rotation({kPi / 2, 0.3, 0})}).volume,
        1, 1e-2);
}

TEST(OverlapRays, OfMeshesMatchTheExactMethods) {
    const Mesh ball = make_mesh(ball_data(12, 0.4));
    ASSERT_EQ(ball.triangles->report.boundary_edges, 0);
    Random random(2);
    for (int go = 0; go < 8; ++go) {
        const Pose pose = random_pose(random, 0.2), other = random_pose(random, 0.4);
        const Shape box = Box{{0.3, 0.3, 0.3}}, meshed_box = make_mesh(box_data({0.3, 0.3, 0.3}));
        const Overlap exact = shared(ball, pose, box, other), by_rays = shared(ball, pose, box, other, rays(64));
        if (exact.volume < 1e-4) continue;
        EXPECT_NEAR(by_rays.volume / exact.volume, 1, 5e-3);
        EXPECT_EQ(by_rays.skipped_rays, 0);
        const Overlap both = shared(ball, pose, meshed_box, other, rays(64));
        EXPECT_NEAR(both.volume / exact.volume, 1, 5e-3);
        expect_near(both.gradient, exact.gradient, 0.02 * length(exact.gradient) + 1e-3);
        expect_near(shared(meshed_box, other, ball, pose, rays(64)).gradient, -both.gradient, 1e-12);
        const Overlap in_pairs = shared(ball, pose, meshed_box, other);
        ASSERT_EQ(in_pairs.method, Method::Shadows);
        EXPECT_NEAR(in_pairs.volume, exact.volume, 1e-13);
        expect_near(in_pairs.centre, exact.centre, 1e-10);
        expect_near(in_pairs.second_moment, exact.second_moment, 1e-13);
        expect_near(in_pairs.gradient, exact.gradient, 1e-12);
        expect_near(in_pairs.turning, exact.turning, 1e-12);
    }
}

TEST(OverlapRays, ThroughEdgesAndCornersOfAClosedMeshComeOutAgain) {
    // 8 cells per side, vertices on multiples of 1/8: half or a quarter of a cell's size puts rays on diagonals.
    MeshData data;
    const MeshData cube = box_data({0.5, 0.5, 0.5});
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            for (int k = 0; k < 8; ++k) {
                if ((i + j + k) % 2) continue;  // a checkerboard of cubes that touch at their edges
                const auto first = static_cast<std::uint32_t>(data.positions.size());
                for (const Vec3& p : cube.positions) data.positions.push_back((p + Vec3{i + 0.5, j + 0.5, k + 0.5}) / 8);
                for (const std::uint32_t v : cube.triangles) data.triangles.push_back(first + v);
            }
    const Mesh chequer = make_mesh(data);
    for (const int resolution : {8, 16, 32}) {
        const Overlap o = shared(chequer, {}, Box{{0.5, 0.5, 0.5}}, {{0.5, 0.5, 0.9375}, {}}, rays(resolution));
        EXPECT_EQ(o.skipped_rays, 0) << resolution;
        EXPECT_NEAR(o.volume, 0.5 * 0.5625, 1e-12) << resolution;
    }
    // Diagonals of a ball under rays through its poles.
    const Mesh ball = make_mesh(ball_data(8, 0.5));
    for (const int resolution : {3, 5, 7, 9, 31}) {
        const Overlap o = shared(ball, {}, Box{{0.5, 0.5, 0.5}}, {}, rays(resolution));
        EXPECT_EQ(o.skipped_rays, 0) << resolution;
    }
}

TEST(OverlapRays, OpenMeshesLoseRaysAndNothingElse) {
    MeshData data = ball_data(8, 0.5);
    data.triangles.resize(data.triangles.size() - 30);
    const Mesh open = make_mesh(data), ball = make_mesh(ball_data(8, 0.5));
    ASSERT_GT(open.triangles->report.boundary_edges, 0);
    const Pose aside{{0.3, 0.2, 0.6}, {}};
    const Overlap o = shared(open, {}, ball, aside, rays(48)), whole = shared(ball, {}, ball, aside, rays(48));
    EXPECT_TRUE(o.open);
    EXPECT_GT(shared(open, {}, ball, {{0, 0, -0.6}, {}}, rays(48)).skipped_rays, 0);  // the hole is there
    EXPECT_NEAR(o.volume / whole.volume, 1, 0.1);
    EXPECT_LE(o.volume, whole.volume + 1e-12);
}

TEST(OverlapRays, SkinsOfMeshesThatTouchShareASheet) {
    const Mesh box = make_mesh(box_data({0.5, 0.5, 0.5}));
    for (const bool only_rays : {false, true}) {
        const Overlap o =
            shared(box, {{0, 0, -0.5}, {}}, box, {{0.2, 0.1, 0.5}, {}}, {.skin = 1e-4, .only_rays = only_rays});
        ASSERT_EQ(o.part_count, 1);
        EXPECT_NEAR(o.volume, 0.8 * 0.9 * 2e-4, 1e-12);
        const Patch patch = patches(o).items[0];
        expect_near(patch.normal, {0, 0, 1}, 1e-9);
        expect_near(patch.centre, {0.1, 0.05, 0}, 1e-9);
        EXPECT_NEAR(patch.gap, 0, 1e-9);
        const auto& region = std::get<PolygonRegion>(patch.region);
        double reach = 0;
        for (int i = 0; i < region.count; ++i) {
            const Vec2 c = region.corners[static_cast<size_t>(i)];
            reach = larger(reach, (patch.centre + c.x * patch.u + c.y * patch.w()).x);
        }
        EXPECT_NEAR(reach, 0.5, 1e-9);  // rays along x end there exactly
    }
}

TEST(OverlapRays, AHeightFieldIsSolidBelow) {
    const Mesh flat = height_field(8, 8, {4, 4}, [](double, double) { return 0.0; });
    const Overlap o = shared(flat, {}, Sphere{0.3}, {{0.2, 0.1, 0.25}, {}});
    const double h = 0.05;
    EXPECT_NEAR(o.volume / (kPi * h * h * (0.9 - h) / 3), 1, 5e-3);
    expect_near(o.parts[0].normal, {0, 0, 1}, 1e-2);
}

TEST(OverlapRays, AndShadowsHaveTheSameBitsOnAnyNumberOfThreads) {
    const Mesh ball = make_mesh(ball_data(40, 0.4));
    const Pose pose{{0.1, 0.2, 0.35}, rotation({0.4, 0.1, 0.9})};
    const auto both = [&] { return std::pair(shared(ball, {}, ball, pose, rays(48)), shared(ball, {}, ball, pose)); };
    const auto [rays_1, shadows_1] = both();
    set_thread_count(3);
    const auto [rays_3, shadows_3] = both();
    set_thread_count(1);
    for (const auto& [one, three] : {std::pair(rays_1, rays_3), std::pair(shadows_1, shadows_3)}) {
        EXPECT_GT(one.volume, 0);
        EXPECT_EQ(one.volume, three.volume);
        EXPECT_EQ(one.centre, three.centre);
        EXPECT_EQ(one.gradient, three.gradient);
        EXPECT_EQ(one.parts[0].points, three.parts[0].points);
    }
}

}  // namespace
}  // namespace asperity::geometry

// Shared volumes with meshes: against the exact ones of convex bodies and finite differences; patches of known contacts.
#include "asperity/geometry/mesh/bumpy_box.h"
#include "asperity/geometry/shape/shape.h"
#include "meshes.h"
#include "overlap_fixture.h"

namespace asperity::geometry {
namespace {

using Method = Overlap::Method;

Mesh mesh_of(const Polyhedron& p) {
    MeshData data;
    data.positions = p.vertices;
    for (const Polyhedron::Face& face : p.faces)
        for (int i = 1; i + 1 < face.count; ++i)
            for (const int k : {0, i, i + 1})
                data.triangles.push_back(static_cast<std::uint32_t>(p.loop[static_cast<size_t>(face.first + k)]));
    return make_mesh(data);
}

/// A block 2 x 2 x 1 with a V-shaped groove of 90 degrees along y, 0.5 deep, its bottom at the origin.
Mesh groove() {
    return prism({{-1, -0.5}, {1, -0.5}, {1, 0.5}, {0.5, 0.5}, {0, 0}, {-0.5, 0.5}, {-1, 0.5}},
                 {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}}, 1);
}
/// An inner corner: floor z = 0 for x > 0, wall x = 0 for z > 0.
Mesh inner_corner() {
    return prism({{-1, -1}, {2, -1}, {2, 0}, {0, 0}, {0, 2}, {-1, 2}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}}, 1);
}

void expect_same(const Overlap& o, const Overlap& exact, double tolerance, const char* what) {
    EXPECT_NEAR(o.volume, exact.volume, tolerance) << what;
    if (exact.volume < 1e-6 || !exact) return;
    expect_near(o.centre, exact.centre, tolerance / exact.volume, what);
    expect_near(o.second_moment, exact.second_moment, tolerance, what);
    expect_near(o.gradient, exact.gradient, 10 * tolerance, what);
    expect_near(o.turning, exact.turning, 10 * tolerance, what);
}

TEST(OverlapMesh, OfAMeshedHullIsThatOfTheHull) {
    Random random(21);
    int checked = 0;
    for (int go = 0; go < 40; ++go) {
        const Hull hull = random_hull(random, 30, 0.5);
        const Mesh mesh = mesh_of(*hull.polyhedron);
        ASSERT_EQ(mesh.triangles->report.boundary_edges, 0);
        const Shape others[] = {Box{{0.3, 0.5, 0.2}}, random_hull(random, 15, 0.5), HalfSpace{}};
        for (const Shape& other : others) {
            const Pose pose_a = random_pose(random, 0.3), pose_b = random_pose(random, 0.3);
            const Overlap exact = shared(hull, pose_a, other, pose_b), o = shared(mesh, pose_a, other, pose_b);
            expect_same(o, exact, 1e-13, name(other).c_str());
            const Overlap swapped = shared(other, pose_b, mesh, pose_a);
            expect_near(swapped.gradient, -o.gradient, 0);
            EXPECT_TRUE(!o || o.method == Method::Shadows);
            checked += exact.part_count;
        }
    }
    EXPECT_GT(checked, 60);
}

TEST(OverlapMesh, GradientOfANonConvexMeshMatchesFiniteDifferences) {
    Random random(5);
    const Mesh corner = inner_corner();
    int checked = 0;
    for (int go = 0; go < 20; ++go) {
        const Shape box = Box{{0.4, 0.3, 0.5}};
        const Pose pose{{random.uniform(-0.2, 0.4), random.uniform(-0.5, 0.5), random.uniform(-0.2, 0.4)},
                        random_pose(random, 0).orientation};
        const Overlap o = shared(corner, {}, box, pose);
        if (!o) continue;
        const Differences d = differences(corner, {}, box, pose, o.centre, 1e-5);
        expect_near(o.gradient, d.gradient, 1e-5, "gradient");  // kinks of the second derivative times the step
        expect_near(o.turning, d.turning, 1e-5, "turning");
        ++checked;
    }
    EXPECT_GE(checked, 15);
}

TEST(OverlapMesh, ABoxInAGrooveHasTwoPatches) {
    const Mesh mesh = groove();
    const double half = 0.3, sink = 1e-3;
    const Pose pose{{0, 0.2, half * std::sqrt(2.0) - sink * std::sqrt(2.0)}, rotation({0, kPi / 4, 0})};
    const OverlapOptions options{.skin = 1e-5};
    for (const bool mesh_first : {true, false}) {
        const Overlap o = mesh_first ? shared(mesh, {}, Box{{half, 0.25, half}}, pose, options)
                                     : shared(Box{{half, 0.25, half}}, pose, mesh, {}, options);
        ASSERT_EQ(o.part_count, 2);
        const PatchList list = patches(o);
        ASSERT_EQ(list.count, 2);
        for (int i = 0; i < 2; ++i) {
            const Patch& patch = list.items[static_cast<size_t>(i)];
            const double sign = mesh_first ? 1 : -1;
            EXPECT_NEAR(sign * patch.normal.z, std::sqrt(0.5), 1e-3);
            EXPECT_NEAR(std::fabs(patch.normal.x), std::sqrt(0.5), 1e-3);
            EXPECT_NEAR(sign * patch.normal.x * (patch.centre.x < 0 ? 1 : -1), std::sqrt(0.5), 1e-3);
            EXPECT_NEAR(patch.gap, -sink, 2e-5);
            EXPECT_NEAR(patch.centre.y, 0.2, 1e-6);
        }
    }
}

TEST(OverlapMesh, FloorAndWallAreTwoPatchesAndTheFloorAloneIsOne) {
    const Mesh corner = inner_corner();
    const OverlapOptions options{.skin = 1e-5};
    const Overlap both = shared(corner, {}, Box{{0.3, 0.3, 0.3}}, {{0.3, 0, 0.3}, {}}, options);
    ASSERT_EQ(both.part_count, 2);
    for (int i = 0; i < 2; ++i) {
        const Patch patch = patches(both).items[static_cast<size_t>(i)];
        EXPECT_NEAR(patch.gap, 0, 1e-8);
        EXPECT_NEAR(larger(patch.normal.x, patch.normal.z), 1, 1e-6);
    }
    EXPECT_EQ(shared(corner, {}, Box{{0.3, 0.3, 0.3}}, {{0.4, 0, 0.3}, {}}, options).part_count, 1);
}

TEST(OverlapMesh, ATableOfOneMeshStandsOnTheOutlineOfItsFeet) {
    // Four feet as one mesh, not joined, yet closed.
    MeshData data;
    for (const double x : {-0.5, 0.5})
        for (const double y : {-0.3, 0.3}) {
            const MeshData leg = box_data({0.02, 0.02, 0.4});
            const auto first = static_cast<std::uint32_t>(data.positions.size());
            for (const Vec3& p : leg.positions) data.positions.push_back(p + Vec3{x, y, 0.4});
            for (const std::uint32_t i : leg.triangles) data.triangles.push_back(first + i);
        }
    const Mesh table = make_mesh(data);
    for (const Shape& floor : {Shape{HalfSpace{}}, Shape{Box{{2, 2, 1}}}}) {
        const Pose pose{{0, 0, std::holds_alternative<HalfSpace>(floor) ? 0.0 : -1.0}, {}};
        const Overlap o = shared(floor, pose, table, {}, {.skin = 1e-6});
        ASSERT_EQ(o.part_count, 1);
        EXPECT_NEAR(o.volume, 4 * 0.04 * 0.04 * 2e-6, 1e-15);
        const Patch patch = patches(o).items[0];
        const auto& region = std::get<PolygonRegion>(patch.region);
        ASSERT_EQ(region.count, 4);
        for (int i = 0; i < 4; ++i) {
            const Vec2 c = region.corners[static_cast<size_t>(i)];
            const Vec3 at = patch.centre + c.x * patch.u + c.y * patch.w();
            EXPECT_NEAR(std::fabs(at.x), 0.52, 1e-9);
            EXPECT_NEAR(std::fabs(at.y), 0.32, 1e-9);
        }
        EXPECT_NEAR(patch.gap, 0, 1e-10);
    }
}

TEST(OverlapMesh, ABumpyBoxHasOneContactWithWhateverItStandsOn) {
    const Mesh bumpy = make_bumpy_box({{0.5, 0.5, 0.5}, 0.01, 8, 64});
    ASSERT_EQ(bumpy.triangles->report.boundary_edges, 0);
    EXPECT_EQ(bumpy.triangles->triangles.size(), 12u * 64 * 64);
    const Shape block = Box{{1, 1, 0.5}}, meshed_block = make_mesh(box_data({1, 1, 0.5}));
    for (const double depth : {0.0, 1e-4, 3e-3, 8e-3}) {
        const Pose on_top{{0.1, 0.2, 0.5 - depth}, rotation({0, 0, 0.4})}, below{{0, 0, -0.5}, {}};
        const OverlapOptions options{.skin = 1e-5};
        const Overlap plane = shared(HalfSpace{}, {}, bumpy, on_top, options),
                      box = shared(block, below, bumpy, on_top, options),
                      mesh = shared(meshed_block, below, bumpy, on_top, options);
        for (const Overlap* o : {&plane, &box, &mesh}) {
            ASSERT_EQ(o->part_count, 1) << depth;
            EXPECT_NEAR(o->volume / plane.volume, 1, 1e-9) << depth;
            expect_near(o->centre, plane.centre, 1e-9);
            const Patch patch = patches(*o).items[0];
            expect_near(patch.normal, {0, 0, 1}, 1e-9);
            // The tips of the outermost bumps are at 7/16 of the inner edge; deeper in, more of the bumps counts.
            const Vec3 x = rotate(on_top.orientation, {1, 0, 0});
            const auto& region = std::get<PolygonRegion>(patch.region);
            double reach = 0;
            for (int i = 0; i < region.count; ++i) {
                const Vec2 c = region.corners[static_cast<size_t>(i)];
                reach = larger(reach, dot(patch.centre + c.x * patch.u + c.y * patch.w() - on_top.position, x));
            }
            EXPECT_GT(reach, 0.49 * 7 / 8);
            EXPECT_LT(reach, 0.49);
        }
        EXPECT_TRUE(depth > 0 || std::fabs(patches(plane).items[0].gap) < 1e-9);
    }
}

TEST(OverlapMesh, ASpikeIsOneContactAndMeshesInAGrooveAreTwo) {
    // A cube standing on a vertex, as a mesh: three faces at right angles, and one contact point.
    const Mesh cube = make_mesh(box_data({0.5, 0.5, 0.5})), block = make_mesh(box_data({1, 1, 1}));
    const Quat on_corner = rotation(std::acos(1 / std::sqrt(3.0)) * normalized(Vec3{1, -1, 0}));
    for (const double h : {1e-5, 1e-3, 0.1}) {
        for (const Shape& ground : {Shape{block}, Shape{Box{{1, 1, 1}}}}) {
            const Overlap o = shared(ground, {{0, 0, -1}, {}}, cube, {{0, 0, std::sqrt(3.0) / 2 - h}, on_corner});
            ASSERT_EQ(o.part_count, 1);
            EXPECT_NEAR(o.volume / (h * h * h * std::sqrt(3.0) / 2), 1, 1e-6);
            expect_near(o.parts[0].normal, {0, 0, 1}, 1e-6);
            EXPECT_NEAR(o.parts[0].depth / h, 1, 1e-6);
        }
    }
    const double half = 0.3, sink = 1e-3;
    const Mesh box = make_mesh(box_data({half, 0.25, half}));
    const Overlap two =
        shared(groove(), {}, box, {{0, 0.2, (half - sink) * std::sqrt(2.0)}, rotation({0, kPi / 4, 0})}, {.skin = 1e-5});
    ASSERT_EQ(two.part_count, 2);
    for (int i = 0; i < 2; ++i) {
        const Patch patch = patches(two).items[static_cast<size_t>(i)];
        EXPECT_NEAR(std::fabs(patch.normal.x), std::sqrt(0.5), 1e-3);
        EXPECT_NEAR(patch.normal.z, std::sqrt(0.5), 1e-3);
        EXPECT_NEAR(patch.gap, -sink, 2e-5);
    }
}

TEST(OverlapMesh, GradientOfTwoMeshesMatchesFiniteDifferences) {
    Random random(9);
    const Mesh corner = inner_corner(), bumpy = make_bumpy_box({{0.3, 0.3, 0.3}, 0.03, 2, 12});
    int checked = 0;
    for (int go = 0; go < 12; ++go) {
        const Pose pose{{random.uniform(0, 0.4), random.uniform(-0.5, 0.5), random.uniform(0, 0.4)},
                        random_pose(random, 0).orientation};
        const Overlap o = shared(corner, {}, bumpy, pose);
        if (!o) continue;
        const Differences d = differences(corner, {}, bumpy, pose, o.centre, 1e-5);
        expect_near(o.gradient, d.gradient, 1e-5, "gradient");
        expect_near(o.turning, d.turning, 1e-5, "turning");
        const Overlap swapped = shared(bumpy, pose, corner, {});
        EXPECT_NEAR(swapped.volume, o.volume, 1e-12);
        expect_near(swapped.gradient, -o.gradient, 1e-11);
        ++checked;
    }
    EXPECT_GE(checked, 8);
}

TEST(OverlapMesh, OpenMeshesAreReportedAndSheetsShareNothing) {
    MeshData data = box_data({0.5, 0.5, 0.5});
    data.triangles.resize(data.triangles.size() - 3);  // one triangle less
    const Mesh open = make_mesh(data);
    for (const double z : {0.45, 0.0, -0.45}) {
        const Overlap o = shared(HalfSpace{}, {}, open, {{0, 0, z}, {}});
        EXPECT_TRUE(o.open);
        EXPECT_TRUE(std::isfinite(o.volume) && is_finite(o.centre));
        EXPECT_LE(o.volume, 1.0 + 1e-9);
    }
    const Mesh sheet = make_mesh(flat_data(4, 1));
    ASSERT_FALSE(sheet.triangles->solid());
    EXPECT_FALSE(shared(sheet, {}, Box{{0.1, 0.1, 0.1}}, {}));
}

TEST(OverlapMesh, AHeightFieldIsSolidBelow) {
    const Mesh flat = height_field(8, 8, {4, 4}, [](double, double) { return 0.0; });
    const Overlap o = shared(flat, {}, Box{{0.5, 0.4, 0.3}}, {{0.2, 0.1, 0.25}, {}});
    EXPECT_NEAR(o.volume, 1.0 * 0.8 * 0.05, 1e-14);
    expect_near(o.gradient, {0, 0, -0.8}, 1e-13);
    ASSERT_EQ(o.part_count, 1);
    expect_near(o.parts[0].normal, {0, 0, 1}, 1e-9);
    // A slope, and a box tilted with it, half of it beyond the edge of a cell.
    const Mesh slope = height_field(10, 10, {4, 4}, [](double x, double) { return 0.5 * x; });
    const Quat tilt = rotation({0, -std::atan(0.5), 0});
    const Overlap tilted = shared(slope, {}, Box{{0.5, 0.4, 0.3}}, {rotate(tilt, {0.1, 0, 0.29}), tilt});
    EXPECT_NEAR(tilted.volume, 0.8 * 0.01, 1e-13);
}

}  // namespace
}  // namespace asperity::geometry

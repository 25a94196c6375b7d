// A settled step allocates nothing. Counts every call of the global operator new, in all its forms and from every thread,
// during 50 steps. Does not count the thread library's own task objects, which it takes from malloc.
#include "asperity/core/parallel.h"
#include "asperity/geometry/mesh/bumpy_box.h"
#include "asperity/geometry/shared_volume/make_patch.h"
#include "tests/determinism/grain_worlds.h"
#include "tests/support/allocations.h"
#include "tests/verify/piles.h"

namespace asperity {
namespace {

template <class Work>
long allocations_in(const Work& work) {
    const long before = testing_support::allocation_count();
    work();
    return testing_support::allocation_count() - before;
}
long allocations_in(sim::World& world, int steps) {
    return allocations_in([&] {
        for (int i = 0; i < steps; ++i) sim::step(world, 0.01);
    });
}

class Allocations : public testing::TestWithParam<int> {
  protected:
    Allocations() { set_thread_count(GetParam()); }
    ~Allocations() override { set_thread_count(1); }
};

TEST_P(Allocations, SharedVolumesAllocateNothingOnceTheirScratchMemoryHasGrown) {
    using namespace geometry;
    const Mesh bumpy = make_bumpy_box({{0.5, 0.5, 0.5}, 0.02, 4, 32});
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.4});
    const Shape shapes[] = {
        Box{{0.5, 0.5, 0.5}}, convex_hull(corners), Cylinder{0.5, 0.5}, Sphere{0.5}, Capsule{0.3, 0.2}, HalfSpace{}, bumpy};
    const auto go = [&] {
        int found = 0;
        for (const Shape& a : shapes)
            for (const Shape& b : shapes) {
                const Pose below{{0, 0, std::holds_alternative<HalfSpace>(a) ? 0.5 : 0}, {}};
                const bool flipped = std::holds_alternative<HalfSpace>(b);
                const Pose above{{0, 0, flipped ? 0.45 : 0.9},
                                 flipped ? rotation({3.141592653589793, 0, 0}) : rotation({0, 0, 0.3})};
                Overlap o;
                PatchList list;
                overlap(a, below, b, above, {.skin = 1e-5, .resolution = 16}, o);
                make_patches(o, {}, list);
                found += list.count;
            }
        return found;
    };
    EXPECT_GE(go(), 48);  // all pairs except two half-spaces
    EXPECT_EQ(allocations_in(go), 0);
}

TEST_P(Allocations, CounterSeesAnAllocation) {
    const auto work = [] {
        const std::vector<double> some(100);
        EXPECT_EQ(some.size(), 100u);
    };
    EXPECT_EQ(allocations_in(work), 1);
}

TEST_P(Allocations, SettledStackHasNone) {
    sim::World world = verify::world_with(verify::coulomb(0.5));
    verify::add_ground(world);
    for (int i = 0; i < 10; ++i)
        verify::add(world, fmt::format("box{}", i), geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.1 + 0.2 * i}, {}});
    verify::run(world, 0.01, 50);
    EXPECT_EQ(allocations_in(world, 50), 0);
}

TEST_P(Allocations, SettledStackOfPatchesHasNone) {
    sim::World world = verify::world_with(verify::coulomb(0.5));
    world.model.settings.contact_model = surface::ContactModel::Patches;
    verify::add_ground(world);
    for (int i = 0; i < 10; ++i)
        verify::add(world, fmt::format("box{}", i), geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.1 + 0.2 * i}, {}});
    verify::run(world, 0.01, 50);
    EXPECT_EQ(allocations_in(world, 50), 0);
    EXPECT_EQ(world.state.active.patches.size(), 10u);
}

TEST_P(Allocations, SettledMeshesThatTouchInPatchesHaveNone) {
    const geometry::Mesh bumpy = geometry::make_bumpy_box({{0.1, 0.1, 0.1}, 0.005, 4, 16});
    // With OverlapBy::Volume the position pass computes shared volumes of its own.
    for (const auto overlap : {surface::OverlapBy::Points, surface::OverlapBy::Volume})
        for (const double compliance : {0.0, 1e-7}) {
            sim::World world = verify::world_with(verify::coulomb(0.5));
            world.model.settings.contact_model = surface::ContactModel::Patches;
            world.model.settings.stabilisation = {overlap, 0.0, compliance};
            verify::add_ground(world);
            for (int i = 0; i < 3; ++i)
                verify::add(world, fmt::format("box{}", i), bumpy, {{0.01 * i, 0, 0.1 + 0.2 * i}, {}});
            verify::run(world, 0.01, 200);
            EXPECT_EQ(allocations_in(world, 30), 0) << compliance;
            EXPECT_GE(world.state.active.patches.size(), 3u);
            int of_meshes = 0;
            for (const contact::PatchContact& p : world.state.active.patches) of_meshes += p.from_volume && p.at.body_a != 0;
            EXPECT_GE(of_meshes, 2);
        }
}

TEST_P(Allocations, SettledPileWithJointsHasNone) {
    sim::World world = verify::pile(60, 3);
    world.model.settings.solve = {1e-6, 50};
    for (int i = 0; i < 5; ++i) {
        const BodyId a{1 + 6 * i}, b{2 + 6 * i};
        const Vec3 at = world.state.bodies.pose[static_cast<size_t>(a.index)].position;
        world.add_joint(rigid::joint_at(fmt::format("joint{}", i), a, b, {at, {}}, rigid::Ball{}, world.state.bodies));
    }
    verify::run(world, 0.01, 1000);
    EXPECT_EQ(allocations_in(world, 50), 0);
}

TEST_P(Allocations, NoKindOfGrainFieldHasAny) {
    for (const std::string& kind : verify::kFieldKinds) {
        sim::World world = verify::boxes_on(kind, 0.02);
        verify::run(world, 0.01, 60);
        EXPECT_EQ(allocations_in(world, 50), 0) << kind;
    }
}

TEST_P(Allocations, SettledPileThatPloughsHasNone) {
    for (const bool rays : {false, true}) {
        // Balls roll on for ever, and a step in which one hits something may need Newton iterations, which allocate. With
        // this seed no such step is among these.
        sim::World world = verify::ploughing_pile(
            40, 2, rays ? 4 : 16,
            rays ? surface::FootprintSettings::Frame::AlongSlip : surface::FootprintSettings::Frame::Axis, rays);
        world.model.settings.solve = {1e-6, 50};
        verify::run(world, 0.01, 1000);
        EXPECT_EQ(allocations_in(world, 50), 0) << rays;
    }
}

INSTANTIATE_TEST_SUITE_P(Threads, Allocations, testing::Values(1, 2));

}  // namespace
}  // namespace asperity

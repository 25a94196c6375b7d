// Bitwise equal results: for one and two threads, for two runs, and after saving and restoring a state.
#include <algorithm>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/mesh/bumpy_box.h"
#include "tests/verify/piles.h"

namespace asperity {
namespace {

using verify::Body;

/// A pile of 100 bodies with every kind of joint between neighbours in a layer.
sim::World jointed_pile(const std::string& solver = "prox") {
    sim::World world = verify::pile(100, 7);
    world.model.settings.solve = {1e-6, 40};
    world.model.settings.solver = solver == "patches" ? "prox" : solver;
    if (solver == "patches") {  // one wrench per pair, and islands that fall asleep
        world.model.settings.contact_model = surface::ContactModel::Patches;
        world.model.settings.sleep_speed = 0.1;
        world.model.settings.sleep_time = 0.1;
    }
    if (solver == "fast") {  // with all options for large piles
        world.model.settings.contact_reuse = 1e-3;
        world.model.settings.sleep_speed = 0.1;
        world.model.settings.sleep_time = 0.1;
    }
    const rigid::JointKind kinds[] = {
        rigid::Ball{},
        rigid::Hinge{.limits = rigid::Limits{-0.5, 0.5}, .drive = rigid::Drive{[](double) { return 0.2; }, 3, 0.1}},
        rigid::Weld{},
        rigid::Slider{.limits = rigid::Limits{-0.1, 0.1},
                      .motor = rigid::Motor{[](double t) { return std::sin(9 * t); }, 5}},
        rigid::Distance{[](double t) { return 0.3 + 0.05 * std::sin(5 * t); }, true},
        rigid::PointSpring{50, 1, 20}};
    for (int i = 0; i < 12; ++i) {
        const BodyId a{1 + 6 * i}, b{2 + 6 * i};
        const Vec3 middle = 0.5 * (world.state.bodies.pose[static_cast<size_t>(a.index)].position +
                                   world.state.bodies.pose[static_cast<size_t>(b.index)].position);
        world.add_joint(rigid::joint_at(fmt::format("joint{}", i), a, b, {middle, {}}, kinds[i % 6], world.state.bodies));
    }
    return world;
}

class Threads : public testing::Test {
  protected:
    ~Threads() override { set_thread_count(1); }
};

std::vector<std::string> hashes(int threads, int steps, const std::string& solver = "prox") {
    set_thread_count(threads);
    sim::World world = jointed_pile(solver);
    std::vector<std::string> result;
    for (int i = 0; i < steps; ++i) {
        sim::step(world, 0.01);
        result.push_back(world.state_hash());
    }
    return result;
}

TEST_F(Threads, OneAndTwoGiveTheSameHashAfterEveryOfTwoHundredSteps) {
    const std::vector<std::string> one = hashes(1, 200), two = hashes(2, 200);
    for (size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one[i], two[i]) << "step " << i + 1;
    EXPECT_NE(one[198], one[199]);  // the hash does depend on the state
}

TEST_F(Threads, OneAndTwoGiveTheSameHashWithTheFastSolver) {
    const std::vector<std::string> one = hashes(1, 200, "fast"), two = hashes(2, 200, "fast");
    for (size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one[i], two[i]) << "step " << i + 1;
}

TEST_F(Threads, OneAndTwoGiveTheSameHashWherePilesPlough) {
    using Frame = surface::FootprintSettings::Frame;
    const auto ploughed = [](int threads, int directions, Frame frame) {
        set_thread_count(threads);
        sim::World world = verify::ploughing_pile(60, 5, directions, frame, false);
        world.model.settings.solve = {1e-6, 40};
        std::vector<std::string> result;
        for (int i = 0; i < 120; ++i) sim::step(world, 0.01), result.push_back(world.state_hash());
        return result;
    };
    EXPECT_EQ(ploughed(1, 16, Frame::Axis), ploughed(2, 16, Frame::Axis));
    EXPECT_EQ(ploughed(1, 4, Frame::AlongSlip), ploughed(2, 4, Frame::AlongSlip));
}

TEST_F(Threads, OneAndTwoGiveTheSameHashWithPatches) {
    const std::vector<std::string> one = hashes(1, 100, "patches"), two = hashes(2, 100, "patches");
    for (size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one[i], two[i]) << "step " << i + 1;
}

/// Bumpy boxes that fall on each other and touch in patches, either compliant or with overlap correction by volume.
sim::World mesh_heap(bool soft) {
    sim::World world = verify::world_with(verify::coulomb(0.5));
    world.model.settings.contact_model = surface::ContactModel::Patches;
    world.model.settings.stabilisation = {soft ? surface::OverlapBy::Points : surface::OverlapBy::Volume, 0.0,
                                          soft ? 1e-6 : 0.0};
    world.model.settings.solve = {1e-6, 100};
    verify::add_ground(world);
    const geometry::Mesh bumpy = geometry::make_bumpy_box({{0.1, 0.15, 0.1}, 0.01, 4, 16});
    for (int i = 0; i < 8; ++i)
        verify::add(world, fmt::format("box{}", i), bumpy,
                    {{0.05 * (i % 3), 0.04 * (i % 2), 0.2 + 0.25 * i}, rotation({0.3 * i, 0.2 * i, 0.1})});
    return world;
}

TEST_F(Threads, OneAndTwoGiveTheSameHashWithMeshesThatTouchInPatches) {
    for (const bool soft : {false, true}) {
        std::vector<std::string> result[2];
        for (const int threads : {1, 2}) {
            set_thread_count(threads);
            sim::World world = mesh_heap(soft);
            for (int i = 0; i < 80; ++i) sim::step(world, 0.01), result[threads - 1].push_back(world.state_hash());
            EXPECT_GT(world.state.active.patches.size(), 6u);
        }
        EXPECT_EQ(result[0], result[1]);
    }
}

TEST_F(Threads, MeshesThatTouchInPatchesGoOnFromASavedStateAsIfNothingHadHappened) {
    set_thread_count(2);
    sim::World world = mesh_heap(true);
    const auto overlaps_of = [](const sim::World& w) {
        return std::ranges::count_if(w.state.active.contacts, [](const contact::Contact& c) { return c.gap < 0; });
    };
    for (int i = 0; i < 60 || (i < 100 && overlaps_of(world) == 0); ++i) sim::step(world, 0.01);
    const std::string saved = world.save_state();
    const auto overlaps = overlaps_of(world);
    verify::run(world, 0.01, 30);
    sim::World other = mesh_heap(true);
    other.restore_state(saved);
    EXPECT_EQ(overlaps_of(other), overlaps);  // the next step depends on it
    EXPECT_GT(overlaps, 0);
    verify::run(other, 0.01, 30);
    EXPECT_EQ(other.state_hash(), world.state_hash());
}

TEST_F(Threads, TwoRunsOfTheSameWorldAgree) { EXPECT_EQ(hashes(2, 60), hashes(2, 60)); }

TEST_F(Threads, SavingAndRestoringInTheMiddleChangesNoBit) {
    for (const auto& [threads, solver] : {std::pair{1, "prox"}, {2, "prox"}, {1, "fast"}, {2, "fast"}, {2, "patches"}}) {
        set_thread_count(threads);
        sim::World world = jointed_pile(solver);
        verify::run(world, 0.01, 90);
        const std::string saved = world.save_state(), hash = world.state_hash();
        verify::run(world, 0.01, 60);

        sim::World other = jointed_pile(solver);  // a fresh world, whose broad phase and caches have another history
        other.restore_state(saved);
        EXPECT_EQ(other.state_hash(), hash);
        EXPECT_EQ(other.state.steps_done, 90);
        verify::run(other, 0.01, 60);
        EXPECT_EQ(other.state_hash(), world.state_hash()) << threads << " threads";

        world.restore_state(saved);  // restores an earlier state in a world that has advanced
        verify::run(world, 0.01, 60);
        EXPECT_EQ(world.state_hash(), other.state_hash()) << threads << " threads";
    }
}

TEST(SavedState, IsRefusedWhenItIsCutOffOrFromAnotherScene) {
    sim::World world = jointed_pile();
    verify::run(world, 0.01, 3);
    const std::string saved = world.save_state(), hash = world.state_hash();
    for (const size_t size : {size_t{0}, size_t{7}, size_t{40}, saved.size() / 2, saved.size() - 1})
        EXPECT_THROW(world.restore_state(saved.substr(0, size)), InputError) << size;
    EXPECT_THROW(world.restore_state(saved + "x"), InputError);
    EXPECT_THROW(world.restore_state(verify::pile(99, 7).save_state()), InputError);
    EXPECT_EQ(world.state_hash(), hash);  // a refused state changes nothing
}

TEST(StateHash, SeesTheLastBitOfEveryBody) {
    sim::World world = jointed_pile();
    verify::run(world, 0.01, 3);
    const std::string hash = world.state_hash();
    for (const int i : {1, 50, 100}) {
        double& x = world.state.bodies.velocity[static_cast<size_t>(i)].y;
        const double kept = x;
        x = std::nextafter(x, 1e9);
        EXPECT_NE(world.state_hash(), hash) << i;
        x = kept;
    }
    EXPECT_EQ(world.state_hash(), hash);
}

}  // namespace
}  // namespace asperity

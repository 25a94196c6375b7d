// Snapshots, and the same bits on any number of threads.
#include <gtest/gtest.h>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "tests/unit/implicit/bodies.h"

namespace asperity::implicit::testing {
namespace {

/// A thin bar that is folded until it touches itself, over a cube that falls on it.
World<3> folded_bar(Integrator integrator) {
    World<3> world;
    world.model.settings.integrator = integrator;
    world.model.gravity = {0, 0, -9.81};
    const deform::Elasticity rubber{deform::Hyperelastic::NeoHookean, 1e5, 0.3};
    const int bar = world.add(soft_box<3>("bar", {0.5, 0.06, 0.03}, {20, 2, 1}, {0, 0, 0}, rubber));
    world.prescribe(
        bar, "left", [](const Vector<3>& x) { return x[0] < -0.25 + 1e-9; },
        [](const Vector<3>& x, double t) {
            return Vector<3>{x[0] + 0.9 * t, x[1], x[2]};
        });
    world.prescribe(
        bar, "right", [](const Vector<3>& x) { return x[0] > 0.25 - 1e-9; },
        [](const Vector<3>& x, double t) {
            return Vector<3>{x[0] - 0.9 * t, x[1], x[2]};
        });
    world.add(soft_box<3>("cube", {0.1, 0.1, 0.1}, {3, 3, 3}, {0, 0.01, 0.12}, rubber));
    return world;
}

class Snapshots : public ::testing::TestWithParam<Integrator> {};
INSTANTIATE_TEST_SUITE_P(Save, Snapshots,
                         ::testing::Values(Integrator::BackwardEuler, Integrator::Newmark, Integrator::Bdf2),
                         [](const auto& one) { return std::string(name(one.param)); });

TEST_P(Snapshots, GoOnWithTheSameBitsOnOneAndTwoThreads) {
    set_thread_count(1);
    World<3> whole = folded_bar(GetParam());
    std::string saved;
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(step(whole, 0.01).done);
        if (i == 11) saved = whole.save_state();
    }
    for (const int threads : {1, 2}) {
        set_thread_count(threads);
        World<3> resumed = folded_bar(GetParam());
        resumed.restore_state(saved);
        for (int i = 12; i < 20; ++i) ASSERT_TRUE(step(resumed, 0.01).done);
        EXPECT_EQ(resumed.state_hash(), whole.state_hash()) << threads << " threads";
    }
    set_thread_count(2);
    World<3> both = folded_bar(GetParam());
    ASSERT_TRUE(run(both, 0.2, 0.01));
    EXPECT_EQ(both.state_hash(), whole.state_hash());
    set_thread_count(1);
}

TEST(Save, RefusesBytesOfAnotherWorldAndDamagedOnes) {
    World<3> world = folded_bar(Integrator::BackwardEuler);
    ASSERT_TRUE(step(world, 0.01).done);
    const std::string saved = world.save_state();
    World<3> other;
    other.add(affine_box("box", {0.1, 0.1, 0.1}, 1000, {}));
    EXPECT_THROW(other.restore_state(saved), InputError);
    for (const std::size_t size : {std::size_t{0}, std::size_t{3}, saved.size() / 2, saved.size() - 1})
        EXPECT_THROW(world.restore_state(saved.substr(0, size)), InputError) << size;
    EXPECT_THROW(world.restore_state(saved + "x"), InputError);
    EXPECT_NO_THROW(world.restore_state(saved));
}

}  // namespace
}  // namespace asperity::implicit::testing

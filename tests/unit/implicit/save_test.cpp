// Snapshots, and the same bits on any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "tests/unit/implicit/bodies.h"

namespace asperity::implicit::testing {
namespace {

/// A bar bent to an arch with two legs 1 cm apart, that swing together, and a cube that falls on it.
World<3> arch_with_legs(Integrator integrator) {
    World<3> world;
    world.model.settings.integrator = integrator;
    world.model.gravity = {0, 0, -9.81};
    const deform::Elasticity rubber{deform::Hyperelastic::NeoHookean, 1e5, 0.3};
    const double radius = 0.02, leg = 0.2, bend = 0.5 * std::numbers::pi * radius;
    SoftDesc<3> arch = soft_box<3>("arch", {2 * (leg + bend), 0.06, 0.03}, {32, 2, 1}, {0, 0, 0}, rubber);
    for (Vector<3>& p : arch.mesh.points) {
        const double s = p[0], r = radius + p[2], side = s < 0 ? -1 : 1, beyond = std::fabs(s) - bend;
        p[0] = beyond > 0 ? side * r : r * std::sin(s / radius);
        p[2] = beyond > 0 ? -beyond : r * std::cos(s / radius);
    }
    world.add(arch);
    for (std::size_t i = 0; i < world.state.nodes.x.size(); ++i) {
        const Vector<3>& x = world.state.nodes.x[i];
        world.state.nodes.v[i][0] = (x[0] < 0 ? 1 : -1) * std::max(0.0, -x[2]);
    }
    world.add(soft_box<3>("cube", {0.1, 0.1, 0.1}, {3, 3, 3}, {0, 0.01, 0.09}, rubber));
    return world;
}

bool touches_itself(const World<3>& world) {
    for (const ContactForce& c : world.contacts())
        if (c.body_a == 0 && c.body_b == 0) return true;
    return false;
}

class Snapshots : public ::testing::TestWithParam<Integrator> {};
INSTANTIATE_TEST_SUITE_P(Save, Snapshots,
                         ::testing::Values(Integrator::BackwardEuler, Integrator::Newmark, Integrator::Bdf2),
                         [](const auto& one) { return std::string(name(one.param)); });

TEST_P(Snapshots, GoOnWithTheSameBitsOnOneAndTwoThreads) {
    set_thread_count(1);
    World<3> whole = arch_with_legs(GetParam());
    std::string saved;
    for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(step(whole, 0.01).done);
        if (i != 3) continue;
        saved = whole.save_state();
        EXPECT_TRUE(touches_itself(whole));
    }
    for (const int threads : {1, 2}) {
        set_thread_count(threads);
        World<3> resumed = arch_with_legs(GetParam());
        resumed.restore_state(saved);
        for (int i = 4; i < 12; ++i) ASSERT_TRUE(step(resumed, 0.01).done);
        EXPECT_EQ(resumed.state_hash(), whole.state_hash()) << threads << " threads";
    }
    set_thread_count(2);
    World<3> both = arch_with_legs(GetParam());
    ASSERT_TRUE(run(both, 0.12, 0.01));
    EXPECT_EQ(both.state_hash(), whole.state_hash());
    set_thread_count(1);
}

TEST(Save, RefusesBytesOfAnotherWorldAndDamagedOnes) {
    World<3> world = arch_with_legs(Integrator::BackwardEuler);
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

// A capsule between a wall and a finger that pushes with a force F. The two contacts carry it while m g <= 2 mu F; beyond,
// it accelerates at g - 2 mu F/m.
#include "worlds.h"

namespace asperity::verify {
namespace {

constexpr double kMass = 0.045, kMu = 0.7, kRadius = 0.01;

struct Grasp {
    sim::World world = world_with(coulomb(kMu));
    int pill;
    explicit Grasp(double force) {
        world.add_body({.name = "wall",
                        .motion = rigid::Motion::Fixed,
                        .colliders = {{geometry::Box{{0.01, 0.05, 1}}, {}, {}}},
                        .pose = {{-kRadius - 0.01, 0, 0}, {}}});
        pill = add(world, "pill", geometry::Capsule{kRadius, 0.025}, {}, kMass);
        const int finger = add(world, "finger", geometry::Box{{0.01, 0.05, 1}}, {{kRadius + 0.01, 0, 0}, {}}, 0.2);
        const Quat towards_wall = rotation({0, -pi / 2, 0});  // maps z to -x
        world.add_joint(rigid::joint_at("slide", {}, BodyId{finger}, {{kRadius + 0.01, 0, 0}, towards_wall},
                                        rigid::Slider{.motor = rigid::Motor{[](double) { return 0.1; }, force}},
                                        world.state.bodies));
    }
};

TEST(Grasp, HoldsOnePerCentAboveTheLeastForce) {
    Grasp grasp(1.01 * kMass * kGravity / (2 * kMu));
    Body pill(grasp.world, grasp.pill);
    double fastest = 0;
    run(grasp.world, 0.01, 6000, [&] { fastest = std::fmax(fastest, length(pill.velocity())); });
    measured("creep", fastest), measured("moved", length(pill.position()));
    EXPECT_LT(fastest, 1e-9);  // in every step of a minute
    EXPECT_LT(length(pill.position()), 1e-9);
}

TEST(Grasp, SlidesAtTheClosedFormOnePerCentBelowIt) {
    const double force = 0.99 * kMass * kGravity / (2 * kMu), expected = kGravity - 2 * kMu * force / kMass;  // 0.098 m/s^2
    Grasp grasp(force);
    Body pill(grasp.world, grasp.pill);
    run(grasp.world, 0.01, 200);
    measured("relative_error", -pill.velocity().z / grasp.world.state.time / expected - 1);
    // 1e-10 m/s in each of 200 steps, relative to 0.2 m/s
    EXPECT_NEAR(-pill.velocity().z / grasp.world.state.time / expected, 1, 1e-7);
    EXPECT_LT(length(pill.spin()), 1e-6);
}

}  // namespace
}  // namespace asperity::verify

// Bodies that turn while they touch: the contact moves over them within a step, and energy must not notice.
#include "worlds.h"

namespace asperity::verify {
namespace {

/// Energy at the end over that at the start, less 1.
double drift(const geometry::Shape& shape, const Pose& pose, const Vec3& velocity, const Vec3& spin, double mu, double dt, double duration) {
    sim::World world = world_with(coulomb(mu));
    add_ground(world);
    Body body(world, add(world, "body", shape, pose));
    body.velocity() = velocity;
    body.spin() = spin;
    const double start = energy(world);
    run(world, dt, static_cast<int>(std::lround(duration / dt)));
    return energy(world) / start - 1;
}

// A capsule wobbles on one end on a floor without friction, 16 rad/s: nothing gives or takes energy. With contacts as they are at the start of a
// step it won 250 % in four seconds at dt = 1/60 s, and that to first order in dt. It lands at 0.08 m/s first, which costs 0.3 %.
TEST(Wobble, CapsuleOnItsEndKeepsItsEnergyToSecondOrder) {
    const auto after = [](double dt) {
        const Quat turned = normalized(Quat{-0.67768, -0.56666, 0.46781, -0.02822});
        return drift(geometry::Capsule{0.133, 0.0822}, {{0, 0, 0.1395258}, turned}, {0, 0, -0.0815}, {-6.2729, -9.7518, -10.6757}, 0, dt, 4);
    };
    const double fine = after(0.0005), errors[] = {after(1.0 / 60) - fine, after(0.01) - fine, after(0.005) - fine};
    for (const double error : errors) measured(fmt::format("error_{:.4f}", error), error);
    const double w = 16;
    EXPECT_LT(std::fabs(errors[0]), std::pow(w / 60, 2));   // (w dt)^2 of the energy, as a second-order step may
    EXPECT_LT(std::fabs(errors[1]), std::pow(w * 0.01, 2));
    EXPECT_GT(order(errors[1], errors[2]), 1.5);
}

// A thick coin rolls round on its rim and sticks: friction does no work either. The contact runs round at about 20 rad/s.
TEST(Wobble, CoinThatRollsRoundOnItsRimKeepsItsEnergy) {
    const Quat turned = normalized(Quat{-0.6985884022146097, -0.146916992225134, -0.16343365122290063, -0.6809398529493703});
    for (const double dt : {0.01, 0.005}) {
        const double error = drift(geometry::Cylinder{0.189, 0.0896}, {{0, 0, 0.16198380322815925}, turned}, {-0.1145, -0.2515, -0.1009},
                                   {-5.4131, -0.9704, 8.5046}, 0.57, dt, 1);
        measured(fmt::format("error_{}", dt), error);
        EXPECT_LT(std::fabs(error), std::pow(10.1 * dt, 2));   // (w dt)^2
    }
}

}  // namespace
}  // namespace asperity::verify

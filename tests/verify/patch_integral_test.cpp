// Patches that feel the law at each of their cells, against an integration over the plate of this file's own.
#include <numbers>

#include "asperity/scene/run.h"
#include "asperity/solvers/problem/solver.h"
#include "worlds.h"

namespace asperity::verify {
namespace {

/// Coefficients along x and y at a height y of the ground.
using Coefficients = std::function<Vec2(double y)>;

struct Plane {
    Vec2 place;
    double angle = 0;
};

/// A square plate that slides at 2 m/s along x: each of 60 x 60 points rubs by the law of most dissipation. Its load is
/// linear in the plate's axes, with the centre of pressure that balances the moment of the friction at half its thickness.
Plane slide(const Coefficients& mu, double time) {
    constexpr int kPoints = 60;
    constexpr double side = 0.4, half_height = 0.01, dt = 2e-4, still = 1e-9;
    Plane at;
    Vec2 v{2, 0}, force;
    double spin = 0;
    for (int step = 0; step < static_cast<int>(std::lround(time / dt)); ++step) {
        const double c = std::cos(at.angle), s = std::sin(at.angle), moment = side * side / 12;
        const Vec2 aside = (-half_height / kGravity) * force,
                   tilt{(c * aside.x + s * aside.y) / moment, (c * aside.y - s * aside.x) / moment};
        Vec2 sum;
        double torque = 0;
        for (int i = 0; i < kPoints; ++i)
            for (int k = 0; k < kPoints; ++k) {
                const Vec2 own{side * ((i + 0.5) / kPoints - 0.5), side * ((k + 0.5) / kPoints - 0.5)};
                const Vec2 r{c * own.x - s * own.y, s * own.x + c * own.y}, slip{v.x - spin * r.y, v.y + spin * r.x};
                const Vec2 m = mu(at.place.y + r.y);
                const double drag = std::hypot(m.x * slip.x, m.y * slip.y) + still;
                const double share = kGravity / (kPoints * kPoints) * (1 + dot(tilt, own));
                const Vec2 f{-share * m.x * m.x * slip.x / drag, -share * m.y * m.y * slip.y / drag};
                sum = sum + f;
                torque += cross(r, f);
            }
        force = sum;
        v = v + dt * sum;
        spin += dt * torque / (2 * moment);
        at.place = at.place + dt * v;
        at.angle += dt * spin;
        if (length(v) < 2e-3 && std::fabs(spin) < 1e-2) break;
    }
    return at;
}

Plane run_plate(const std::string& scene, const std::string& solver, double time) {
    scene::Scene s = load(scene, {set_solver(solver), set("step.duration", time)});
    sim::World& world = s.world;
    for (int i = 0; i < static_cast<int>(std::lround(time / s.dt)); ++i) {
        const sim::StepReport report = sim::step(world, s.dt);
        EXPECT_LT(report.residual, 1e-8) << scene << " " << solver << " step " << i;
    }
    const Pose& pose = world.state.bodies.pose.back();
    return {{pose.position.x, pose.position.y}, 2 * std::atan2(pose.orientation.z, pose.orientation.w)};
}

class PatchIntegralScenes : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, PatchIntegralScenes, testing::Values("prox", "newton", "auto"),
                         [](const auto& p) { return p.param; });

/// 2 degrees and 1 % are what the field would notice; measured with 36 cells: 1.1 degrees and 0.2 %.
TEST_P(PatchIntegralScenes, APlateOverTwoGrainsTurnsAsItsAreaSays) {
    const Coefficients mu = [](double y) { return y < 0 ? Vec2{0.1, 0.5} : Vec2{0.5, 0.1}; };
    for (const double time : {0.4, 1.5}) {
        const Plane exact = slide(mu, time), ours = run_plate("sixd/two_grains", GetParam(), time);
        EXPECT_NEAR(ours.angle, exact.angle, radians(2)) << time;
        EXPECT_NEAR(ours.place.x, exact.place.x, 0.01 * exact.place.x) << time;
        measured(fmt::format("yaw_{}", time), (ours.angle - exact.angle) * 180 / pi);
    }
}

/// The plate rests on two patches, whose loads follow from their compliance: one answer of all solvers.
TEST_P(PatchIntegralScenes, APlateOnTwoBoardsTurnsAsItsAreaSays) {
    const Plane exact = slide(
                    [](double y) {
                        return y < 0 ? Vec2{0.1, 0.1} : Vec2{0.5, 0.5};
                    },
                    0.4),
                ours = run_plate("sixd/two_boards", GetParam(), 0.4);
    EXPECT_NEAR(ours.angle, exact.angle, radians(2));
    EXPECT_NEAR(ours.place.x, exact.place.x, 0.01 * exact.place.x);
    measured("yaw", (ours.angle - exact.angle) * 180 / pi);
}

}  // namespace
}  // namespace asperity::verify

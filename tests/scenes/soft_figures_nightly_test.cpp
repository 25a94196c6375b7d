// The gripper of Figure 6 of the Matchstick source on soft bodies: at which squeeze the gel falls along and across its
// grain, and at which angle it falls when the grain is turned while it is held. The statics of the pads: three fingers that
// press with N each carry 3 N times the limit of the ellipse upwards.
#include <cmath>
#include <numbers>

#include "asperity/scene/implicit_run.h"
#include "run_scene.h"

namespace asperity::scene {
namespace {

constexpr double kAlong = 0.12, kAcross = 0.7;
constexpr double kRelease = 0.3;  // share of the squeeze that is given up [1/s]

/// Largest vertical force of a finger over its normal force, for a grain at this angle from the horizontal.
double vertical_limit(double angle) { return 1 / std::hypot(std::sin(angle) / kAlong, std::cos(angle) / kAcross); }

struct Fall {
    double time = -1;     ///< when the gel begins to slip down [s]
    double pressing = 0;  ///< mean normal force of a finger then [N]
    double before = 0;    ///< the same at the beginning of the release or the turn
    double weight = 0;    ///< of the gel [N]
};
constexpr double kFalls = 5e-3;  // the gel is slower than its fingers by this [m/s]
/// Steps the scene until the gel falls.
Fall until_it_falls(const std::vector<Override>& overrides, double begin, double end) {
    Scene scene = load(scenes_folder() / "soft/gripper_turn.toml", overrides);
    const int gel = scene.world.find_body("gel").index;
    Fall fall;
    fall.weight = scene.world.model.bodies.mass[static_cast<size_t>(gel)] * 9.81;
    while (scene.world.state.time < end) {
        const implicit::StepReport report = scene.implicit->step(scene.world, scene.dt);
        EXPECT_TRUE(report.done) << report.trouble;
        if (!report.done) return fall;
        double pressing = 0;
        for (const record::ForceSample& f : scene.implicit->forces()) {
            if (f.body_a != gel && f.body_b != gel) continue;
            for (int i = 0; i < 3; ++i) {
                const int finger = scene.world.find_body(fmt::format("finger_{}", i)).index;
                if (f.body_a != finger && f.body_b != finger) continue;
                const double angle = 2 * std::numbers::pi * i / 3;
                pressing += std::fabs(f.force.x * std::cos(angle) + f.force.y * std::sin(angle)) / 3;
            }
        }
        if (scene.world.state.time < begin + 0.5 * scene.dt) {
            fall.before = pressing;
            continue;
        }
        if (scene.world.state.bodies.velocity[static_cast<size_t>(gel)].z < -kFalls) {
            fall.time = scene.world.state.time;
            fall.pressing = pressing;
            return fall;
        }
    }
    return fall;
}
Override set(const std::string& key, double value) { return {"params." + key, fmt::format("{:.17g}", value)}; }

// The fingers open slowly. Faster than by 1 mm/s the gel, which gets its shape back, goes down by some mm/s before it slips.
TEST(SoftGripper, DropsTheGelAtTheSqueezeOfTheStatics) {
    for (const double deg : {90.0, 0.0}) {
        const double squeeze = deg == 0 ? 0.0006 : 0.0026;
        const Fall fall = until_it_falls(
            {set("start_deg", deg), set("turn_rate", 0), set("release_rate", kRelease), set("squeeze", squeeze)}, 1.2, 3.2);
        ASSERT_GT(fall.time, 1.25) << deg;  // held at first
        const double statics = fall.weight / (3 * vertical_limit(deg * std::numbers::pi / 180));
        RecordProperty(fmt::format("grain_{:.0f}", deg),
                       fmt::format("N {:.4f} for {:.4f}, before {:.4f}, squeeze left {:.4f} mm", fall.pressing, statics,
                                   fall.before, 1e3 * squeeze * (1 - kRelease * (fall.time - 1.2))));
        // from the limit on the gel gains speed as g 0.3 t^2/2: 5 mm/s after 60 ms, in which N falls by 2 %
        EXPECT_NEAR(fall.pressing, statics, 0.05 * statics) << deg;
        // and the squeeze: between the two that were measured N is linear in it
        const double left = squeeze * (1 - kRelease * (fall.time - 1.2)),
                     expected = left + (statics - fall.pressing) * (squeeze - left) / (fall.before - fall.pressing);
        EXPECT_NEAR(left, expected, 0.05 * expected) << deg;
    }
}

TEST(SoftGripper, DropsTheGelAtTheAngleOfTheLaw) {
    for (const double squeeze : {0.0006, 0.001}) {
        const Fall fall = until_it_falls({set("squeeze", squeeze)}, 1.2, 4);
        ASSERT_GT(fall.time, 1.25);
        const double angle = 25 * (fall.time - 1.2), ratio = 3 * fall.pressing / fall.weight;
        const double sine =
            std::sqrt((ratio * ratio - 1 / (kAcross * kAcross)) / (1 / (kAlong * kAlong) - 1 / (kAcross * kAcross)));
        const double expected = std::asin(sine) * 180 / std::numbers::pi;
        RecordProperty(fmt::format("squeeze_{:.1f}_mm", 1e3 * squeeze),
                       fmt::format("{:.2f} for {:.2f} degrees, N {:.4f}", angle, expected, fall.pressing));
        EXPECT_NEAR(angle, expected, 2) << squeeze;
    }
}

}  // namespace
}  // namespace asperity::scene

// The figures of "Coupling Friction with Visual Appearance" beyond what its scenes say of themselves: sweeps, other maps, other frames.
#include <cmath>

#include "asperity/sim/step.h"
#include "run_scene.h"

namespace asperity::scene {
namespace {

Override set(const std::string& key, double value) { return {key, fmt::format("{:.17g}", value)}; }

/// The force of the spring when a box has moved by 0.1 mm [N], in steps of rate dt.
double slip_force(const std::string& box, const std::vector<Override>& overrides) {
    Scene scene = load(scenes_folder() / "mesoscale/sawtooth_drag.toml", overrides);
    const auto body = static_cast<size_t>(scene.world.find_body(box).index);
    const Vec3 start = scene.world.bodies.pose[body].position;
    const double rate = scene.params.at("rate");
    while (scene.world.time < 10) {
        sim::step(scene.world, scene.dt);
        if (length(scene.world.bodies.pose[body].position - start) > 1e-4) return rate * scene.world.time;
    }
    return std::numeric_limits<double>::infinity();
}

// The force is affine in k_A with the slope of the teeth's average: mu_0 m g + k_A (0.131) m g against the gentle sides.
TEST(MesoscaleFigures, SlipForceGrowsWithTheStrengthOfTheGround) {
    const double weight = 2 * 9.81, gentle = 0.131;
    for (const double k : {0.0, 1.0, 2.0, 4.0}) {
        const double force = slip_force("box_1", {set("params.k_a", k)});
        // the flanks end on texel borders, so the average is off by up to 0.5/4.3 of the steep flank's width; 10 N/s x 10 ms; 0.1 mm of spring
        EXPECT_NEAR(force, (0.2 + k * gentle) * weight, 0.03 * k * gentle * weight + 0.15) << k;
        EXPECT_NEAR(slip_force("box_2", {set("params.k_a", k)}), 0.2 * weight, 0.05 * 0.2 * weight + 0.1) << "along the ridges, k_A " << k;
    }
}

TEST(MesoscaleFigures, WormStaysWithASymmetricMap) {
    expect_good({"mesoscale/worm.toml", {set("params.gentle_deg", 30), set("params.steep_deg", 30)}});
}

TEST(MesoscaleFigures, BoxesKeepTheirDistancesWithRaysAndWithABox) {
    expect_good({"mesoscale/boxes_on_materials.toml", {{"world.default.sampling", "\"rays\""}}});
    expect_good({"mesoscale/boxes_on_materials.toml", {{"world.default.directions", "4"}}});
    expect_good({"mesoscale/boxes_on_materials.toml", {set("params.v0", 1.5), set("params.k", 1), set("params.mu_0", 0.3)}});
}

TEST(MesoscaleFigures, ANutThatIsOnlyPulledHolds) { expect_good({"mesoscale/nut_and_bolt.toml", {set("params.torque", 0)}}); }

}  // namespace
}  // namespace asperity::scene

// Figures of "Coupling Friction with Visual Appearance" beyond the expectations of their scenes: parameter sweeps, other
// maps, other frames.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/sim/step.h"
#include "run_scene.h"

namespace asperity::scene {
namespace {

Override set(const std::string& key, double value) { return {key, fmt::format("{:.17g}", value)}; }

/// Spring force at which a box has moved by 0.1 mm [N]; resolution: force rate times dt.
double slip_force(const std::string& box, const std::vector<Override>& overrides) {
    Scene scene = load(scenes_folder() / "mesoscale/sawtooth_drag.toml", overrides);
    const auto body = static_cast<size_t>(scene.world.find_body(box).index);
    const Vec3 start = scene.world.state.bodies.pose[body].position;
    const double rate = scene.params.at("rate");
    while (scene.world.state.time < 10) {
        sim::step(scene.world, scene.dt);
        if (length(scene.world.state.bodies.pose[body].position - start) > 1e-4) return rate * scene.world.state.time;
    }
    return std::numeric_limits<double>::infinity();
}

// The force is affine in k_A; its slope is the average of the teeth. Against the gentle flanks: mu_0 m g + k_A (0.131) m g.
TEST(MesoscaleFigures, SlipForceGrowsWithTheStrengthOfTheGround) {
    const double weight = 2 * 9.81, gentle = 0.131;
    for (const double k : {0.0, 1.0, 2.0, 4.0}) {
        const double force = slip_force("box_1", {set("params.k_a", k)});
        // Flanks end on texel borders, so the average is off by up to 0.5/4.3 of the steep flank's width. Force steps are
        // 10 N/s x 10 ms; 0.1 mm of spring is allowed.
        EXPECT_NEAR(force, (0.2 + k * gentle) * weight, 0.03 * k * gentle * weight + 0.15) << k;
        EXPECT_NEAR(slip_force("box_2", {set("params.k_a", k)}), 0.2 * weight, 0.05 * 0.2 * weight + 0.1)
            << "along the ridges, k_A " << k;
    }
}

/// Slip forces divided by the weight in eight directions, with the teeth at 45 degrees to the world's axes: [0] is a pull
/// along +x, [1] across the ridges, [3] along them.
std::vector<double> slip_in_eight_directions(std::vector<Override> how) {
    how.push_back(set("params.ground_deg", 45));
    // As in the source: equal in opposite directions, at most 0.7908, so that no box topples.
    how.push_back({"pair.ground-box.weight", "projected"});
    std::vector<double> force;
    for (int i = 0; i < 8; ++i) {
        std::vector<Override> overrides = how;
        overrides.push_back(set("params.pull_deg", 45 * i));
        force.push_back(slip_force("box_1", overrides) / (2 * 9.81));
    }
    return force;
}
double spread_of(const std::vector<double>& force) {
    const auto [low, high] = std::minmax_element(force.begin(), force.end());
    return *high / *low;
}

// Let T = (2/pi) k tan a tan b/(tan a + tan b) = 0.5908 for teeth whose ridges run at 135 degrees. A pull at the angle p
// from the direction across the ridges must overcome:
//     polygon           mu_0/|sin p| or T |cos p| + sqrt(mu_0^2 - T^2 sin^2 p), as in the scene       0.2, 0.283, 0.791
//     box along slip    mu(d) of the pull itself, mu_0 + T |cos p|                                    0.2, 0.618, 0.791
//     box in the axes   all four sides lie at a = mu_0 + T/sqrt 2: a along the axes, a sqrt 2 along both diagonals, the
//                       one along the ridges and the one across
// So a box in world axes is as isotropic as a square can be: the ratio over directions is sqrt 2, with teeth or without.
// (The source's "isotropic" cannot be less.) Force steps are 0.1 N and 0.1 mm of spring is 0.02 N: together 0.006 of the
// weight. Flanks end on texel borders, so T is accurate to 1 %.
TEST(MesoscaleFigures, OnlyFramesThatFollowTheSlipOrPolygonsFeelTurnedRidges) {
    const double mu_0 = 0.2, T = 4 * 0.14770, a = mu_0 + T / std::numbers::sqrt2, within = 0.015;
    const auto expect_forces = [&](const std::vector<double>& force, double axis, double across, double along,
                                   const char* what) {
        for (const int i : {0, 2, 4, 6})
            EXPECT_NEAR(force[static_cast<size_t>(i)], axis, within) << what << ", " << 45 * i << " degrees";
        for (const int i : {1, 5})
            EXPECT_NEAR(force[static_cast<size_t>(i)], across, within) << what << ", across the ridges";
        for (const int i : {3, 7}) EXPECT_NEAR(force[static_cast<size_t>(i)], along, within) << what << ", along the ridges";
    };
    const std::vector<double> world = slip_in_eight_directions({{"pair.ground-box.directions", "4"}});
    expect_forces(world, a, a * std::numbers::sqrt2, a * std::numbers::sqrt2, "box in world axes");
    EXPECT_NEAR(spread_of(world), std::numbers::sqrt2, 0.04);
    const std::vector<double> slip =
        slip_in_eight_directions({{"pair.ground-box.directions", "4"}, {"pair.ground-box.frame", "slip"}});
    expect_forces(slip, a, mu_0 + T, mu_0, "box along the slip");
    EXPECT_GT(spread_of(slip), 1.5);
    const std::vector<double> polygon = slip_in_eight_directions({});
    expect_forces(polygon, mu_0 * std::numbers::sqrt2, mu_0 + T, mu_0, "polygon");
    EXPECT_GT(spread_of(polygon), 1.5);
}

TEST(MesoscaleFigures, SawtoothHoldsAsTheSceneSaysWhereverItIsTurned) {
    for (const auto& [ground, pull] : {std::pair{45, 0}, {0, 45}, {45, 45}, {90, 0}, {0, 180}})
        expect_good({"mesoscale/sawtooth_drag.toml", {set("params.ground_deg", ground), set("params.pull_deg", pull)}});
}

TEST(MesoscaleFigures, ASmoothRodLosesTheBolas) { expect_good({"mesoscale/bolas.toml", {set("params.ra_mm", 0.01)}}); }

TEST(MesoscaleFigures, StacksMoveByAClosedFormWhenPushedGently) {
    expect_good({"mesoscale/stacks.toml", {set("params.impulse", 1)}});
}

TEST(MesoscaleFigures, HeadsSlideOverASlopeWithoutAnEmblem) {
    expect_good({"mesoscale/emblem.toml", {set("params.bevel_deg", 0)}});
}

TEST(MesoscaleFigures, WormStaysWithASymmetricMap) {
    expect_good({"mesoscale/worm.toml", {set("params.gentle_deg", 30), set("params.steep_deg", 30)}});
}

TEST(MesoscaleFigures, BoxesKeepTheirDistancesWithRaysAndWithABox) {
    expect_good({"mesoscale/boxes_on_materials.toml", {{"world.default.sampling", "\"rays\""}}});
    expect_good({"mesoscale/boxes_on_materials.toml", {{"world.default.directions", "4"}}});
    expect_good({"mesoscale/boxes_on_materials.toml", {set("params.v0", 1.5), set("params.k", 1), set("params.mu_0", 0.3)}});
}

TEST(MesoscaleFigures, ANutThatIsOnlyPulledHolds) {
    expect_good({"mesoscale/nut_and_bolt.toml", {set("params.torque", 0)}});
}

}  // namespace
}  // namespace asperity::scene

// Every file below scenes/ loads, runs and meets its expectations. Variants: the stack with mass ratios at which solvers
// fail, the grasp with other forces, the car on another road, patches with other models and at the limits of their params.
#include "run_scene.h"

#include <algorithm>

namespace asperity::scene {
namespace {

namespace fs = std::filesystem;

/// Patch scenes at the limits of their closed forms: opposite direction, no friction, no size, no motion.
std::vector<Variant> at_their_edges() {
    const std::pair<const char*, std::vector<Override>> cases[] = {
        {"table", {{"params.lean", "-0.8"}}},  // tips over feet that stick
        {"cubes_on_edge", {{"step.dt", "0.02"}}},
        {"spinning_sphere", {{"params.omega0", "-10"}}},
        {"spinning_sphere", {{"params.omega0", "0"}}},
        {"spinning_sphere", {{"params.mu", "0"}}},
        {"spinning_sphere", {{"params.patch_radius", "0"}, {"params.omega0", "-3"}}},
        {"spinning_sphere", {{"params.mu", "0.001"}}},  // still spinning at the end
        {"rolling_sphere", {{"params.angle_deg", "-10"}}},
        {"rolling_sphere", {{"params.angle_deg", "-10"}, {"params.mu", "0.05"}}},
        {"rolling_sphere", {{"params.angle_deg", "-30"}, {"params.patch_radius", "0"}}},
        {"rolling_sphere", {{"params.angle_deg", "120"}}},
        {"polisher", {{"params.omega", "0"}}},
        {"polisher", {{"params.omega", "0"}, {"params.pull", "-2"}}},
        {"polisher", {{"params.omega", "-20"}}},
        {"polisher", {{"params.pull", "-0.5"}}},
        {"polisher", {{"params.mu", "0"}}},
        {"polisher", {{"params.radius", "0.02"}}},
        {"disc", {{"params.mu", "0"}, {"params.v0", "-1"}}},
        {"octagon", {{"params.v0", "-1"}}},
        {"octagon", {{"params.v0", "10"}}},
        {"octagon", {{"params.mu", "0"}}},
        {"groove", {{"params.slope_deg", "-25"}}},
        {"groove", {{"params.slope_deg", "60"}}},
        {"bumpy_cube", {{"params.cells", "32"}, {"params.v0", "-2"}}},
        {"bumpy_cube", {{"params.cells", "32"}, {"params.v0", "0"}}},
        {"bumpy_cube", {{"params.cells", "32"}, {"params.mu", "0"}}},
        {"cubes_on_edge", {{"params.a", "0.7"}, {"params.c", "0.3"}, {"params.d", "1"}}},
        {"cubes_on_edge", {{"params.c", "0.51"}, {"step.duration", "0.5"}}},
        {"pinched_ruler", {{"params.grip", "0"}}},
        {"pinched_ruler", {{"params.mu", "0.05"}}},
        {"pinched_ruler", {{"params.patch_radius", "0.003"}}},
        {"nested_stack", {{"params.wall", "0.013"}, {"params.tumblers", "1"}}},
        {"coin", {{"params.mu", "0"}}},
        {"coin", {{"params.mu", "0"}, {"params.lean_deg", "-75"}}},
    };
    std::vector<Variant> variants;
    for (const auto& [scene, overrides] : cases) variants.push_back({fmt::format("sixd/{}.toml", scene), overrides});
    return variants;
}

/// All scene files, collected at program start; piles are made smaller here.
std::vector<Variant> all_variants() {
    std::vector<Variant> variants;
    for (const auto& entry : fs::recursive_directory_iterator(scenes_folder())) {
        if (entry.path().extension() != ".toml") continue;
        Variant variant{fs::relative(entry.path(), scenes_folder()).string(), {}};
        if (variant.file == "box_pile.toml" || variant.file == "capsule_pile.toml")
            variant.overrides = {{"params.count", "100"}, {"step.duration", "2"}};
        if (variant.file == "hopper_1000.toml") variant.overrides = {{"params.count", "150"}, {"step.duration", "6"}};
        if (variant.file == "mixed_pile.toml") variant.overrides = {{"params.count", "48"}};
        if (variant.file == "sixd/salad.toml") variant.overrides = {{"params.count", "4"}, {"step.duration", "1.4"}};
        variants.push_back(variant);
    }
    std::sort(variants.begin(), variants.end(), [](const Variant& a, const Variant& b) { return a.file < b.file; });
    variants.push_back({"stack10.toml", {{"params.top_ratio", "20"}}});
    variants.push_back({"stack10.toml", {{"params.alternating_ratio", "20"}}});
    variants.push_back({"pinch_grasp.toml", {{"params.grip", "12"}}});
    variants.push_back({"pinch_grasp.toml", {{"params.grip", "60"}}});
    variants.push_back({"car.toml", {{"params.v", "6"}, {"params.mu", "0.5"}}});
    variants.push_back({"sixd/nested_stack.toml", {{"step.dt", "0.01"}, {"params.drop", "0.004"}}});
    variants.push_back({"sixd/pinched_ruler.toml", {{"params.patch_radius", "0"}}});
    variants.push_back({"sixd/rolling_sphere.toml", {{"params.angle_deg", "2"}}});
    variants.push_back({"sixd/spinning_sphere.toml", {{"params.spin_model", "\"four_corner\""}}});
    // rigid scenes in the implicit world, with their own expectations
    for (const char* scene : {"matchstick/channeling.toml", "matchstick/slalom.toml", "matchstick/spreading.toml",
                              "mesoscale/boxes_on_materials.toml"})
        variants.push_back({scene, {{"step.method", "\"implicit\""}}});
    variants.push_back({"fan.toml", {{"step.method", "\"implicit\""}, {"step.integrator", "\"bdf2\""}}});
    variants.push_back(
        {"conveyor.toml",
         {{"step.method", "\"implicit\""}, {"step.integrator", "\"bdf2\""}, {"step.contact_distance", "1e-5"}}});
    for (const char* scene : {"card_house.toml", "stack10.toml"})
        variants.push_back({scene, {{"step.method", "\"implicit\""}, {"step.contact_distance", "1e-5"}}});
    variants.push_back(
        {"slope.toml", {{"step.method", "\"implicit\""}, {"step.tolerance", "1e-10"}, {"step.friction_tolerance", "1e-9"}}});
    variants.push_back({"soft/arch.toml", {{"params.thickness", "0.09"}, {"step.duration", "1"}}});
    variants.push_back({"soft/card_pair.toml", {{"params.share", "0.99"}}});
    variants.push_back({"soft/stroked_pad.toml", {{"params.turn_deg", "90"}}});
    variants.push_back({"soft/tread_in_groove.toml", {{"params.share", "1.2"}}});
    variants.push_back({"soft/worm.toml", {{"params.gentle_deg", "30"}, {"params.steep_deg", "30"}}});
    variants.push_back({"soft/gripper.toml", {{"params.grain_deg", "90"}}});
    variants.push_back({"soft/soft_slope.toml", {{"params.friction", "\"smooth\""}}});
    variants.push_back({"soft/soft_slope.toml", {{"params.friction", "\"velocity\""}, {"step.duration", "4"}}});
    variants.push_back({"soft/soft_slope.toml", {{"params.angle_deg", "25"}, {"step.duration", "1"}}});
    variants.push_back({"soft/soft_slope.toml", {{"params.psi_deg", "70"}, {"params.young", "1e7"}}});
    return variants;
}

class EveryScene : public testing::TestWithParam<Variant> {};

TEST_P(EveryScene, RunsAndMeetsItsExpectations) { expect_good(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Found, EveryScene, testing::ValuesIn(all_variants()),
                         [](const auto& p) { return p.param.label(); });
INSTANTIATE_TEST_SUITE_P(Edges, EveryScene, testing::ValuesIn(at_their_edges()),
                         [](const auto& p) { return p.param.label(); });

TEST(Scenes, ThoseThatTheProjectPromisesAreThere) {
    for (const char* name : {"slope",    "slope_elliptic", "fan",         "stack10", "arch",          "card_house",
                             "dominoes", "conveyor",       "pendulums",   "chain",   "spinning_tops", "capsule_pile",
                             "box_pile", "wall_hit",       "marble_run",  "car",     "pinch_grasp",   "screw_conveyor",
                             "linkage",  "mixed_pile",     "hopper_1000", "dunes",   "creature_drop"})
        EXPECT_TRUE(fs::exists(scenes_folder() / (std::string(name) + ".toml"))) << name;
}

TEST(Scenes, FailAnExpectationThatCannotHold) {
    Scene scene = load(scenes_folder() / "slope.toml", {{"step.duration", "0.1"}});
    Expectation impossible;
    impossible.name = "stands still";
    impossible.body = "block";
    impossible.observable = "speed";
    impossible.below = 1e-6;
    scene.expectations = {impossible};
    EXPECT_EQ(name(run(scene).status), "expect_failed");
}

}  // namespace
}  // namespace asperity::scene

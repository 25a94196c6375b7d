// Figure 9 of the Matchstick source, the dear one: jam against flow from five starts.
#include "run_scene.h"

#include <cmath>

namespace asperity::scene {
namespace {

struct Poured {
    double out = 0;   ///< capsules that touched the floor
    double tilt = 0;  ///< mean angle of their axes from the vertical [deg]
};
Poured pour(const std::string& which, std::uint64_t seed) {
    Scene scene = load(scenes_folder() / ("matchstick/hopper_" + which + ".toml"), {}, seed);
    const RunResult result = run(scene);
    for (const ExpectResult& e : result.expect)
        EXPECT_TRUE(e.ok) << which << ", seed " << seed << ": " << e.name << ": " << e.value << " " << e.bound;
    Poured poured{100 * result.expect.at(0).value, 0};
    int count = 0;
    for (int b = 0; b < scene.world.bodies.count(); ++b) {
        const auto i = static_cast<size_t>(b);
        if (!scene.world.bodies.name[i].starts_with("pill")) continue;
        const double up = std::fabs(rotate(scene.world.bodies.pose[i].orientation, {0, 0, 1}).z);
        poured.tilt += degrees(std::acos(std::fmin(up, 1)));
        ++count;
    }
    poured.tilt /= count;
    return poured;
}

TEST(HopperFigure, ConcentricGrainJamsAndGrainDownTheWallFlows) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Poured jam = pour("jam", seed), flow = pour("flow", seed);
        RecordProperty(fmt::format("seed_{}", seed), fmt::format("jam {:.0f} out, tilt {:.1f}; flow {:.0f} out, tilt {:.1f}", jam.out, jam.tilt, flow.out, flow.tilt));
        EXPECT_GE(flow.out, 3 * jam.out) << "seed " << seed;
        EXPECT_GT(flow.tilt - jam.tilt, 10) << "seed " << seed << ": " << flow.tilt << " and " << jam.tilt;
    }
}

}  // namespace
}  // namespace asperity::scene

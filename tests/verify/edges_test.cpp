// Contact of nearly parallel edges: an overlap is removed and does not return.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asperity/scene/scene.h"
#include "asperity/sim/step.h"

namespace asperity::verify {
namespace {

// The position pass removes a fifth of an overlap per step, so at most 0.8^k of it remains. The bound is twice that, because
// the plank also falls onto the edge while it rocks, plus 0.1 um for the error of a converged step. After two seconds
// everything is at rest.
TEST(Edges, NearlyParallelOnesPartAndRest) {
    scene::Scene s = scene::load(fmt::format("{}/tests/verify/edges.toml", ASPERITY_SOURCE_DIR));
    double start = 0, share = 1, kinetic = 0;
    for (int k = 0; k < 200; ++k, share *= 0.8) {
        const sim::StepReport report = sim::step(s.world, s.dt);
        if (k == 0) start = report.penetration;
        EXPECT_LE(report.penetration, 2 * share * start + 1e-7) << "step " << k + 1;
        kinetic = report.kinetic_energy;
    }
    EXPECT_GT(start, 3e-3);
    EXPECT_LT(kinetic, 1e-12);
}

}  // namespace
}  // namespace asperity::verify

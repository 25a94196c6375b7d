#include <gtest/gtest.h>

#include "patch_heaps.h"

namespace asperity::soak {
namespace {

TEST(PatchHeaps, KeepTogetherAndGainNothing) { EXPECT_EQ(run_heaps(1, 100).failures, ""); }

// What the nightly set has found: the bumps of a mesh beside the nearest had no rows, and the position pass lifted it over
// them for nothing (110, 149, 613, 1122); chips that were set whirling ended steps with their centre under the floor (143,
// 652, 873, 899, 1043).
TEST(PatchHeaps, ThatOnceFailedDoNot) {
    HeapReport report;
    for (const int seed : {110, 143, 149, 613, 652, 873, 899, 1043, 1122}) run_heap(seed, {}, report);
    EXPECT_EQ(report.failures, "");
}

// These five solve what can be solved: 300 iterations to 1e-8 m/s leave 0 to 19 of the 10,480 steps of a hundred heaps.
// Before a disc of no size was projected onto to rounding, and points were solved with the patches that they share a load
// with, it was up to 120 with fewer discs.
TEST(PatchHeaps, AreSolved) {
    for (const char* solver : {"prox", "prox_coloured", "newton", "newton_fb", "auto"}) {
        HeapReport report;
        for (int seed = 101; seed <= 200; ++seed) run_heap(seed, {.solver = solver}, report);
        const HeapTally& tally = report.by_solver[solver];
        EXPECT_EQ(report.failures, "");
        EXPECT_LT(tally.unsolved, 2e-3 * tally.steps) << solver << ", worst " << tally.worst << " m/s";
        RecordProperty(std::string("unsolved_") + solver, tally.unsolved);
    }
}

}  // namespace
}  // namespace asperity::soak

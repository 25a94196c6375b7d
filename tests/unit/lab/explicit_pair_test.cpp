// The thesis' explicit scheme: its collision pair, and its agreement with the implicit world on a small pair.
#include "asperity/lab/faithful/explicit_pair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/lab/tribometer/experiment.h"

namespace asperity::lab {
namespace {

// The three rows of section 5.3 of the specification: Kc 1e-3, H .01, h 1e-3, m_C 1, m_edge 2. Its field has no cut-off.
TEST(PairImpulse, GivesTheFieldsEnergyToTheMotion) {
    const double m = 1 / (1.0 + 0.5), far = 1e9;
    const PairImpulse approaching = pair_impulse(0.03, -1, m, 1e-3, 0.01, far, 1e-3);
    EXPECT_NEAR(approaching.work, -2.63158e-3, 5e-9);
    EXPECT_NEAR(approaching.impulse, 2.636793e-3, 5e-10);
    EXPECT_NEAR(-1 + approaching.impulse / m, -0.996045, 5e-7);
    const PairImpulse stopped = pair_impulse(0.0105, -0.3, m, 1e-3, 0.01, far, 1e-3);
    EXPECT_TRUE(stopped.kill);
    EXPECT_NEAR(stopped.impulse, 0.2, 1e-15);
    const PairImpulse leaving = pair_impulse(0.02, 0.5, m, 1e-3, 0.01, far, 1e-3);
    EXPECT_NEAR(leaving.work, 4.761905e-3, 5e-10);
    EXPECT_NEAR(leaving.impulse, 9.391509e-3, 5e-10);
    EXPECT_NEAR(0.5 * m * (std::pow(0.5 + leaving.impulse / m, 2) - 0.25), leaving.work, 1e-12);
    EXPECT_GT(pair_impulse(0.02, 0, m, 1e-3, 0.01, far, 1e-3).impulse, 0);     // from rest too
    EXPECT_NEAR(pair_impulse(1, 0.5, m, 1e-3, 0.01, 1, 1e-9).work, 0, 1e-20);  // at the cut-off only dx^2 is left
}

/// Teeth in teeth: the upper block must climb their flanks.
Experiment small_pair() {
    Experiment e;
    e.face.kind = FaceDesc::Kind::Sawtooth;
    e.face.period = 12;
    e.face.slope_up = e.face.slope_down = 0.25;
    e.lower = {60, 8, 0, 0, {}};
    e.upper = {24, 6, 18, 0, {}};
    e.lower.solid = e.upper.solid = {3e4, 0.25, 0.5, 2e-3};
    e.gap = 0.2;
    e.dhat = 0.1;
    e.drive.rate = 0.02;
    e.drive.slide = 3;
    return e;
}

TEST(Faithful, AgreesWithTheImplicitWorldOnLoadAndFirstSlip) {
    Experiment e = small_pair();
    const ExperimentResult ours = run(e);
    const double distance = 1;
    const double slip = mu_at(ours.curve, distance, false);
    FaithfulSettings settings;
    settings.rest_gap = 0.02;
    settings.ramp = e.drive.rate;
    const FaithfulResult theirs = run_faithful(describe(e), settings, distance);
    std::printf(
        "%d triangles; implicit: N/W %.4f, first slip %.4f, %.2f s; explicit: N/W %.4f, first slip %.4f, %lld steps of "
        "%.1e s, %.2f s, smallest distance %.4f\n",
        theirs.triangles, ours.normal_over_weight, slip, ours.cpu_s, theirs.normal_over_weight, theirs.first_slip,
        static_cast<long long>(theirs.steps), theirs.dt, theirs.cpu_s, theirs.deepest);
    EXPECT_NEAR(theirs.normal_over_weight, 1, 0.05);
    EXPECT_NEAR(theirs.first_slip, slip, 0.05 * slip);
    EXPECT_GT(theirs.deepest, 0);
}

}  // namespace
}  // namespace asperity::lab

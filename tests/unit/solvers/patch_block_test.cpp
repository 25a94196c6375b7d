// One patch alone: the wrenches of the source's examples; and a zero of the natural map for every W, region, friction and
// free velocity.
#include "asperity/solvers/problem/patch_block.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/random.h"

namespace asperity::solvers {
namespace {

using friction::Ellipse;
using friction::PatchLimits;
using friction::PressureRegion;
using friction::SpinModel;

PressureRegion ellipse(double a, double b) {
    PressureRegion r;
    r.a = a;
    r.b = b;
    return r;
}
PressureRegion rectangle(double a, double b) {
    PressureRegion r;
    r.count = 4;
    r.corners[0] = {-a, -b}, r.corners[1] = {a, -b}, r.corners[2] = {a, b}, r.corners[3] = {-a, b};
    return r;
}

/// W of one free body with the patch at `arm` from its centre, axes n, t, b = z, x, y, angular rows times 1 m.
SymBlock matrix_of(double mass, const Mat3& inertia, const Vec3& arm) {
    const Mat3 inverse_inertia = asperity::inverse(inertia);
    const Vec3 axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    Vec3 linear[6], angular[6];
    for (int i = 0; i < 3; ++i) {
        linear[i] = axes[i];
        angular[i] = cross(arm, axes[i]);
        angular[3 + i] = axes[i];
    }
    SymBlock w;
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            w.m[i][k] = dot(linear[i], linear[k]) / mass + dot(angular[i], inverse_inertia * angular[k]);
    return w;
}

struct Solved {
    double lambda[6] = {};
    double centre_t, centre_b;
};
Solved solve(const PatchLimits& limits, const SymBlock& w, const std::array<double, 6>& c) {
    Solved s;
    EXPECT_TRUE(solve_patch(limits, patch_steps(w), PatchMatrix(w), c.data(), s.lambda));
    const Vec2 d = centre_of_pressure(limits, s.lambda);
    s.centre_t = d.x;
    s.centre_b = d.y;
    return s;
}

// Sphere of radius 0.5 and mass 1 on a slope of 30 degrees, per unit of time, u downslope along t. Rows: f_n, f_t, f_b,
// tau_n, tau_t, tau_b.
struct Sphere {
    double r = 0.5, down = 9.81 * 0.5, into = 9.81 * std::cos(std::numbers::pi / 6);
    SymBlock w = matrix_of(1, Mat3::diagonal({0.1, 0.1, 0.1}), {0, 0, -0.5});
    std::array<double, 6> c{-into, down, 0, 0, 0, 0};
};

TEST(PatchBlock, StickingSphereHasItsCentreOfPressureBelowItsCentre) {
    const Sphere s;
    const Solved a = solve({ellipse(1, 1), Ellipse{2, 2}, SpinModel::Uniform, 0, 1}, s.w, s.c);
    EXPECT_NEAR(a.lambda[0], 8.4957, 5e-5);
    EXPECT_NEAR(a.lambda[1], -4.905, 1e-12);
    EXPECT_NEAR(a.lambda[5], -2.4525, 1e-12);
    // r tan(30 deg): on the vertical through the centre
    EXPECT_NEAR(a.centre_t, 0.5 * std::tan(std::numbers::pi / 6), 1e-12);
}

TEST(PatchBlock, SlidingSphereIsHeldFromTurning) {
    const Sphere s;
    const Solved none = solve({ellipse(1, 1), Ellipse{0, 0}, SpinModel::Uniform, 0, 1}, s.w, s.c);
    EXPECT_NEAR(none.lambda[0], s.into, 1e-12);
    for (int i = 1; i < 6; ++i) EXPECT_NEAR(none.lambda[i], 0, 1e-12) << i;
    const Solved some = solve({ellipse(1, 1), Ellipse{0.2, 0.2}, SpinModel::Uniform, 0, 1}, s.w, s.c);
    EXPECT_NEAR(some.lambda[1], -1.6991, 5e-5);
    EXPECT_NEAR(some.lambda[5], -0.8496, 5e-5);
    EXPECT_NEAR(some.centre_t, 0.1, 1e-12);  // mu r
}

TEST(PatchBlock, PointOfNoSizeRolls) {
    const Sphere s;
    const Solved a = solve({ellipse(0, 0), Ellipse{0.5, 0.5}, SpinModel::Uniform, 0, 1}, s.w, s.c);
    EXPECT_NEAR(a.lambda[0], s.into, 1e-12);
    EXPECT_NEAR(a.lambda[1], -2.0 / 7 * s.down, 1e-12);  // -1.4014
    for (int i = 2; i < 6; ++i) EXPECT_NEAR(a.lambda[i], 0, 1e-12) << i;
    // it slides below the friction that rolling needs, (2/7) tan(30 deg) = 0.164957
    const Solved b = solve({ellipse(0, 0), Ellipse{0.1, 0.1}, SpinModel::Uniform, 0, 1}, s.w, s.c);
    EXPECT_NEAR(b.lambda[1], -0.1 * s.into, 1e-12);
}

TEST(PatchBlock, PushedCubePressesTowardsThePush) {
    const SymBlock w = matrix_of(1, Mat3::diagonal({1.0 / 6, 1.0 / 6, 1.0 / 6}), {0, 0, -0.5});
    for (const auto& [push, centre] : {std::pair{4.0, 0.203874}, {9.81, 0.5}, {12.0, 0.5}}) {
        // at 9.81 N the pressure is at the edge; at 12 N the body tips over it
        const Solved a = solve({rectangle(0.5, 0.5), Ellipse{2, 2}, SpinModel::Uniform, 0, 1}, w, {-9.81, push, 0, 0, 0, 0});
        EXPECT_NEAR(a.centre_t, centre, 5e-7) << push;
        if (push <= 9.81) {
            EXPECT_NEAR(a.lambda[0], 9.81, 1e-12);
            EXPECT_NEAR(a.lambda[1], -push, 1e-12);
        }
    }
}

// Locked rotations (zero inverse inertia) leave a point contact of three rows.
TEST(PatchBlock, LockedRotationsLeaveAPoint) {
    SymBlock w;
    for (int i = 0; i < 3; ++i) w.m[i][i] = 2;
    for (const PressureRegion& region : {ellipse(0.5, 0.5), rectangle(0.3, 0.1), ellipse(0, 0)}) {
        const Solved a = solve({region, Ellipse{0.5, 0.5}, SpinModel::Uniform, 0, 1}, w, {-1, 3, 0, 0, 0, 0});
        EXPECT_NEAR(a.lambda[0], 0.5, 1e-12);
        EXPECT_NEAR(a.lambda[1], -0.25, 1e-12);
    }
}

// A line patch can carry pressure anywhere between its ends and tips freely about itself.
TEST(PatchBlock, LineTipsAboutItself) {
    PressureRegion line;
    line.count = 2;
    line.corners[0] = {-0.5, 0}, line.corners[1] = {0.5, 0};
    const SymBlock w = matrix_of(1, Mat3::diagonal({0.1, 0.2, 0.3}), {0.2, 0.1, -0.3});  // the weight acts beside the line
    const Solved a = solve({line, Ellipse{5, 5}, SpinModel::Uniform, 0, 1}, w, {-9.81, 0, 0, 0, 0, 0});
    EXPECT_NEAR(a.lambda[4], 0, 1e-12);  // no torque about the line
    EXPECT_LT(a.lambda[0], 9.81);
    EXPECT_NEAR(a.centre_b, 0, 1e-12);
}

// The power, the sum of force times velocity over the patch, does not depend on the point about which moments are taken.
TEST(PatchBlock, PowerIsThatOfPressingAndRubbing) {
    Random random(2);
    const PatchLimits limits(ellipse(1, 2), Ellipse{1, 1}, SpinModel::Uniform, 0.4, 1);
    for (int trial = 0; trial < 100; ++trial) {
        double lambda[6], u[6], power = 0;
        for (int i = 0; i < 6; ++i) {
            lambda[i] = random.uniform(0.1, 1);
            u[i] = random.uniform(-1, 1);
            power += lambda[i] * u[i];
        }
        const Vec2 d = centre_of_pressure(limits, lambda);
        const double press = lambda[0] * u[0] + lambda[4] * u[4] + lambda[5] * u[5];
        const double rub = lambda[1] * (u[1] - u[3] * d.y) + lambda[2] * (u[2] + u[3] * d.x) +
                           (lambda[3] - (d.x * lambda[2] - d.y * lambda[1])) * u[3];
        EXPECT_NEAR(press + rub, power, 1e-14);
    }
}

struct Tally {
    int solved = 0, refused = 0, open = 0, stick = 0, slide = 0, edge = 0;
    double worst = 0;
};
/// `light`: impulses of a thousandth of those that slide and spin. `rolls`: round bodies.
Tally solve_many(SpinModel model, double largest_mu, double tallest, bool rolls, bool light) {
    Random random(11);
    Tally tally;
    for (int trial = 0; trial < 4000; ++trial) {
        const Vec3 moments{random.uniform(0.05, 0.3), random.uniform(0.05, 0.3), random.uniform(0.05, 0.3)};
        const SymBlock w = matrix_of(random.uniform(0.5, 2), Mat3::diagonal(moments),
                                     {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), -random.uniform(0.05, tallest)});
        const double a = random.uniform(0.01, 1), b = random.uniform(0.01, 1);
        PressureRegion region = trial % 4 == 0   ? ellipse(a, a)
                                : trial % 4 == 1 ? ellipse(a, b)
                                : trial % 4 == 2 ? rectangle(a, b)
                                                 : ellipse(0, 0);
        region.rolls = rolls;
        const double mu = random.uniform(0.01, largest_mu), angle = random.uniform(-1, 1);
        const Ellipse set = trial % 3 == 0 ? Ellipse{mu, 0.5 * mu} : Ellipse{mu, mu};
        std::array<friction::PatchCell, friction::kMostCells> cells{};
        const int count = friction::make_cells(region, cells);
        for (friction::PatchCell& cell : cells) cell.set = cell.at.x < 0.1 * a ? set : Ellipse{set.b, 0.3 * set.t};
        const PatchLimits limits =
            model == SpinModel::Integral && count > 0
                ? PatchLimits(region, set, std::span(cells.data(), static_cast<size_t>(count)), angle, 1)
                : PatchLimits(region, set, model == SpinModel::Integral ? SpinModel::Contensou : model, angle, 1);
        double c[6], lambda[6] = {}, u[6];
        for (double& x : c) x = random.uniform(-1, 1);
        c[0] = (light ? 1e-3 : 1) * random.uniform(-1, 0.3);
        const PatchSteps steps = patch_steps(w);
        const bool found = solve_patch(limits, steps, PatchMatrix(w), c, lambda);
        ++(found ? tally.solved : tally.refused);
        for (int i = 0; i < 6; ++i) {
            u[i] = c[i];
            for (int k = 0; k < 6; ++k) u[i] += w.m[i][k] * lambda[k];
        }
        if (!found) continue;
        tally.worst = std::fmax(tally.worst, patch_natural_map(limits, steps, lambda, u));
        const Vec2 d = lambda[0] > 0 ? Vec2{-lambda[5], lambda[4]} / lambda[0] : Vec2{};
        ++(lambda[0] == 0                        ? tally.open
           : limits.gauge_of(d) > 1 - 1e-9       ? tally.edge
           : std::hypot(u[1], u[2], u[3]) < 1e-9 ? tally.stick
                                                 : tally.slide);
    }
    return tally;
}

TEST(PatchBlock, IsSolvedToRoundingWhateverItsShape) {
    for (const SpinModel model : {SpinModel::Uniform, SpinModel::FourCorner, SpinModel::Contensou})
        for (const bool rolls : {false, true}) {
            const Tally t = solve_many(model, 0.6, 0.3, rolls, false);
            EXPECT_EQ(t.refused, 0);
            EXPECT_LT(t.worst, 1e-13);  // ten times the measured value
            for (const int some : {t.open, t.stick, t.slide, t.edge}) EXPECT_GT(some, 10);
        }
}

TEST(PatchBlock, IsSolvedWhereItHardlyTouches) {
    for (const SpinModel model : {SpinModel::Uniform, SpinModel::FourCorner, SpinModel::Contensou})
        for (const bool rolls : {false, true}) {
            const Tally t = solve_many(model, 0.6, 0.3, rolls, true);
            // Away from the centre, friction and rolling resistance can press the bodies together more than they separate
            // (Painleve). A contact of 1e-3 then jams at 0.4 N s, or no solution exists. This happens in 2, 5 and 2 of 4000
            // trials. Without the gripping stage of solve_patch() 18 more would fail.
            EXPECT_LE(t.refused, rolls ? 6 : 0);
            EXPECT_LT(t.worst, 3e-11);  // ten times the measured value; most are at 1e-14
            for (const int some : {t.open, t.slide, t.edge}) EXPECT_GT(some, 10);
        }
}

TEST(PatchBlock, IsSolvedWithAnIntegralOverItsRegion) {
    for (const bool rolls : {false, true})
        for (const bool light : {false, true}) {
            const Tally t = solve_many(SpinModel::Integral, 0.6, 0.3, rolls, light);
            EXPECT_LE(t.refused, rolls && light ? 6 : 0);  // as above
            EXPECT_LT(t.worst, 2e-13);                     // ten times the measured value
            for (const int some : {t.open, t.slide, t.edge}) EXPECT_GT(some, 10);
        }
}

// A ball that is set down while spinning: friction moves the centre of pressure to where the slip is zero. All around this
// point it slides fully in one direction or another, and Newton's method fails even from 300 random starts.
TEST(PatchBlock, SpinningBallFindsThePlaceWhereItDoesNotSlide) {
    // unit: rotations then have the same inertia as translations
    const double mass = 2.55, r = 0.0835, unit = std::sqrt(0.4) * r;
    SymBlock w = matrix_of(mass, (0.4 * mass * r * r) * Mat3::diagonal({1, 1, 1}), {0, 0, -r});
    for (int i = 3; i < 6; ++i)
        for (int k = 0; k < 6; ++k) w.m[i][k] *= unit, w.m[k][i] *= unit;
    PressureRegion region = ellipse(0.0093, 0.0093);
    region.rolls = true;
    const PatchLimits limits(region, Ellipse{0.98, 0.98}, SpinModel::Uniform, 0, unit);
    const double c[6] = {-6.2e-5, 0.00897, -0.00484, -0.184, 0, 0};
    double lambda[6] = {}, u[6];
    EXPECT_TRUE(solve_patch(limits, patch_steps(w), PatchMatrix(w), c, lambda));
    for (int i = 0; i < 6; ++i) {
        u[i] = c[i];
        for (int k = 0; k < 6; ++k) u[i] += w.m[i][k] * lambda[k];
    }
    const Vec2 d = centre_of_pressure(limits, lambda);
    EXPECT_NEAR(u[1] - u[3] * d.y, 0, 1e-15);
    EXPECT_NEAR(u[2] + u[3] * d.x, 0, 1e-15);
    EXPECT_LT(limits.gauge_of(d), 0.5);
}

}  // namespace
}  // namespace asperity::solvers

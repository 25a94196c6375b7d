// The Matchstick law: coefficients over the angle between the grains, invariances, zero and partial grains, frame
// memory, smoothness.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/friction/law.h"

namespace asperity::friction {
namespace {

using std::numbers::pi;

LimitSurface cone_of(const Law& law, const ConeInput& in) {
    LimitSurface out;
    generate(law, {&in, 1}, {&out, 1});
    return out;
}
Ellipse ellipse(const LimitSurface& s) { return std::get<Ellipse>(s.set); }
/// Sum of (semi-axis)^2 axis axis^T; equal for frames that describe the same set.
Mat3 form(const LimitSurface& s) {
    const Ellipse e = ellipse(s);
    return e.t * e.t * outer(s.t, s.t) + e.b * e.b * outer(s.b, s.b);
}
double difference(const Mat3& a, const Mat3& b) {
    double largest = 0;
    for (int i = 0; i < 3; ++i) largest = std::fmax(largest, max_component(abs(a.r[i] - b.r[i])));
    return largest;
}
/// Grains at these angles in the plane z = 0, with these strengths.
ConeInput flat(double a, double b, double strength_a = 1, double strength_b = 1) {
    ConeInput in;
    in.normal = {0, 0, 1};
    in.grain_a = strength_a * Vec3{std::cos(a), std::sin(a), 0};
    in.grain_b = strength_b * Vec3{std::cos(b), std::sin(b), 0};
    return in;
}
const Law kLaw{Matchstick{0.5, 0.1, 0.9}};
Law with(GrainBlend blend, LoneGrain lone = LoneGrain::Anisotropic) { return {Matchstick{0.5, 0.1, 0.9, {}, lone, blend}}; }

TEST(Matchstick, CoefficientsAreLinearInTheAngleBetweenTheGrains) {
    for (int i = 0; i <= 90; i += 5) {
        const double theta = radians(i), d = 1 - i / 90.0;
        const LimitSurface s = cone_of(kLaw, flat(0.3, 0.3 + theta));
        EXPECT_NEAR(ellipse(s).t, d * 0.1 + (1 - d) * 0.5, 1e-15) << i;
        EXPECT_NEAR(ellipse(s).b, d * 0.9 + (1 - d) * 0.5, 1e-15) << i;
        if (i < 90) {
            EXPECT_NEAR(length(s.t - Vec3{std::cos(0.3 + theta / 2), std::sin(0.3 + theta / 2), 0}), 0, 1e-15) << i;
        }
    }
    // the values of the source's Figure 2
    EXPECT_NEAR(ellipse(cone_of(kLaw, flat(0, 0))).b, 0.9, 1e-15);
    EXPECT_NEAR(ellipse(cone_of(kLaw, flat(0, pi / 4))).t, 0.3, 1e-15);
    EXPECT_NEAR(ellipse(cone_of(kLaw, flat(0, pi / 2))).t, 0.5, 1e-15);
}

TEST(Matchstick, SmallAnglesKeepTheirDigits) {  // acos of 1 - 5e-17 would be zero
    EXPECT_NEAR((ellipse(cone_of(kLaw, flat(0, 1e-8))).t - 0.1) / (0.4 * 2 / pi * 1e-8), 1, 1e-6);
}

// Signs of the grains, exchange of the bodies and rotation of the whole contact change nothing. Grains need not be
// tangential.
TEST(Matchstick, IsIntrinsic) {
    Random random(5);
    const auto any = [&] { return Vec3{random.normal(), random.normal(), random.normal()}; };
    for (int k = 0; k < 500; ++k) {
        const Law law = with(k % 2 == 0 ? GrainBlend::Linear : GrainBlend::DoubleAngle);
        ConeInput in;
        in.normal = normalized(any());
        in.grain_a = random.uniform(0.2, 1) * normalized(any());
        in.grain_b = k % 7 == 0 ? Vec3{} : k % 3 == 0 ? normalized(any()) : random.uniform(0.2, 1) * normalized(any());
        const Mat3 before = form(cone_of(law, in));
        ConeInput other = in;
        other.grain_a = -in.grain_a;
        EXPECT_LT(difference(form(cone_of(law, other)), before), 1e-14);
        other = in;
        std::swap(other.grain_a, other.grain_b);
        other.normal = -in.normal;
        EXPECT_LT(difference(form(cone_of(law, other)), before), 1e-14);
        const Quat q = normalized(Quat{random.normal(), random.normal(), random.normal(), random.normal()});
        other = in;
        for (Vec3* v : {&other.normal, &other.grain_a, &other.grain_b}) *v = rotate(q, *v);
        const Mat3 r = matrix(q);
        EXPECT_LT(difference(form(cone_of(law, other)), r * before * transposed(r)), 1e-14);
    }
}

TEST(Matchstick, OneZeroGrainFollowsThePolicyAndTwoKeepTheFrame) {
    ConeInput in = flat(0.7, 0);
    in.grain_b = {};
    const LimitSurface follows = cone_of(kLaw, in);
    EXPECT_NEAR(ellipse(follows).t, 0.1, 1e-15);
    EXPECT_NEAR(ellipse(follows).b, 0.9, 1e-15);
    EXPECT_NEAR(length(follows.t - in.grain_a), 0, 1e-15);
    EXPECT_EQ(ellipse(cone_of(with(GrainBlend::Linear, LoneGrain::Isotropic), in)).b, 0.5);
    in.grain_a = {0, 0, 1};  // along the normal: counts as no grain
    in.previous_t = {0.6, 0.8, 0.1};
    const LimitSurface round = cone_of(kLaw, in);
    EXPECT_EQ(ellipse(round).t, 0.5);
    EXPECT_EQ(ellipse(round).b, 0.5);
    EXPECT_NEAR(length(round.t - Vec3{0.6, 0.8, 0}), 0, 1e-15);
}

// At 90 degrees t jumps by a quarter turn, but the set does not.
TEST(Matchstick, TheConeIsContinuousWhereTheGrainsCross) {
    for (const double delta : {1e-3, 1e-6, 1e-9}) {
        const LimitSurface before = cone_of(kLaw, flat(0, pi / 2 - delta)), after = cone_of(kLaw, flat(0, pi / 2 + delta));
        EXPECT_LT(std::fabs(dot(before.t, after.t)), 0.1);
        EXPECT_LT(difference(form(before), form(after)), 2 * delta);
    }
}

// One-sided derivatives of the set at 0 and 90 degrees: equal for the double-angle blend, different for the linear one
// (except at 90 degrees if mu is the mean of the other two).
TEST(Matchstick, DoubleAngleBlendHasNoKinks) {
    const double h = 1e-5;
    for (const double theta : {0.0, pi / 2}) {
        const auto kink = [&](GrainBlend blend) {
            const Law law{Matchstick{0.3, 0.1, 0.9, {}, LoneGrain::Anisotropic, blend}};
            const Mat3 low = form(cone_of(law, flat(0, theta - h))), mid = form(cone_of(law, flat(0, theta))),
                       high = form(cone_of(law, flat(0, theta + h)));
            return difference((1 / h) * (high + -1.0 * mid), (1 / h) * (mid + -1.0 * low));
        };
        EXPECT_LT(kink(GrainBlend::DoubleAngle), 1e-3);  // a second derivative of order 10, times h
        EXPECT_GT(kink(GrainBlend::Linear), 0.1);
    }
    for (const double theta : {0.0, pi / 4, pi / 2})
        EXPECT_LT(
            difference(form(cone_of(with(GrainBlend::DoubleAngle), flat(0, theta))), form(cone_of(kLaw, flat(0, theta)))),
            1e-15);
}

TEST(Matchstick, StrengthBlendsTowardsASurfaceWithoutGrain) {
    const Law follows = kLaw, isotropic = with(GrainBlend::Linear, LoneGrain::Isotropic);
    // a single grain: d is its strength
    EXPECT_NEAR(ellipse(cone_of(follows, flat(0, 0, 0.25, 0))).b, 0.5 + 0.25 * 0.4, 1e-15);
    // parallel grains, with the policy that ignores a single grain: both sides have a grain on the fraction s_A s_B
    EXPECT_NEAR(ellipse(cone_of(isotropic, flat(0, 0, 0.5, 0.5))).b, 0.5 + 0.25 * 0.4, 1e-15);
    // with the other policy the fraction is 1 - (1 - s_A)(1 - s_B)
    EXPECT_NEAR(ellipse(cone_of(follows, flat(0, 0, 0.5, 0.5))).b, 0.5 + 0.75 * 0.4, 1e-15);
    // continuous at both ends
    for (const Law& law : {follows, isotropic}) {
        for (const double theta : {0.0, 0.4, 1.2}) {
            EXPECT_LT(difference(form(cone_of(law, flat(0.2, 0.2 + theta, 1, 1 - 1e-6))),
                                 form(cone_of(law, flat(0.2, 0.2 + theta)))),
                      1e-5);
            EXPECT_LT(difference(form(cone_of(law, flat(0.2, 0.2 + theta, 1, 2e-6))),
                                 form(cone_of(law, flat(0.2, 0.2 + theta, 1, 0)))),
                      1e-5);
        }
    }
}

TEST(Matchstick, DrillingLengthIsInterpolatedToo) {
    Law law{Matchstick{0.5, 0.1, 0.9, 0.03}, 0.01};
    EXPECT_NEAR(std::get<Ellipsoid>(cone_of(law, flat(0, 0)).set).drill, 0.03, 1e-16);
    EXPECT_NEAR(std::get<Ellipsoid>(cone_of(law, flat(0, pi / 4)).set).drill, 0.02, 1e-16);
    EXPECT_NEAR(std::get<Ellipsoid>(cone_of(law, flat(0, pi / 2)).set).drill, 0.01, 1e-16);
    law.drilling = 0;  // only parallel grains resist drilling; the set stays three-dimensional
    EXPECT_EQ(dimension(cone_of(law, flat(0, pi / 2)).set), 3);
}

TEST(Matchstick, RefusesGrainsThatSlideMoreEasilyAcross) {
    EXPECT_NO_THROW(check(kLaw));
    EXPECT_THROW(check({Matchstick{0.5, 0.9, 0.1}}), InputError);
    EXPECT_THROW(check({Matchstick{0.5, 0.1, 0.9, -1}}), InputError);
    EXPECT_THROW(check({Matchstick{-0.5, 0.1, 0.9}}), InputError);
}

TEST(LoadCurve, InterpolatesInTheLogarithmOfTheLoad) {
    Law law{Coulomb{0.5}};
    law.load_curve = LoadCurve{{{1, 2}, {100, 1}}, 4};
    ConeInput in = flat(0, 0);
    in.normal_force = 10;  // halfway in the logarithm
    EXPECT_NEAR(scale(law, in), 1.5, 1e-15);
    in.normal_force = 0.1;
    EXPECT_EQ(scale(law, in), 2);
    in.normal_force = 1e4;
    in.slip = {0, 0.5, 0};
    EXPECT_EQ(scale(law, in), 1 + 4 * 0.25);
    EXPECT_NO_THROW(check(law));
    law.load_curve->points = {{1, 2}, {1, 3}};
    EXPECT_THROW(check(law), InputError);
    law.load_curve->points = {};
    EXPECT_THROW(check(law), InputError);
}

}  // namespace
}  // namespace asperity::friction

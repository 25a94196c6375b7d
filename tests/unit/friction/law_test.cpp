// Laws: frames, wrapper formulas, batches, and parameter checks. Also counts allocations: a step must not make any.
#include <gtest/gtest.h>

#include <limits>

#include "asperity/core/error.h"
#include "asperity/friction/law.h"
#include "sets.h"
#include "tests/support/allocations.h"

namespace asperity::friction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3 random_unit(Random& random) { return normalized(Vec3{random.normal(), random.normal(), random.normal()}); }

ConeInput random_input(Random& random) {
    ConeInput in;
    in.point = {random.normal(), random.normal(), random.normal()};
    in.normal = random_unit(random);
    in.grain_a = random.below(3) == 0 ? Vec3{} : random_unit(random);
    in.grain_b = random.below(3) == 0 ? Vec3{} : random_unit(random);
    in.slip = random.uniform(0, 0.02) * any_tangent(in.normal);
    in.normal_force = log_uniform(random, 1e-9, 1e6);
    in.previous_t = random.below(3) == 0 ? Vec3{} : random_unit(random);
    return in;
}

LimitSurface generate_one(const Law& law, const ConeInput& in) {
    LimitSurface out;
    generate(law, {&in, 1}, {&out, 1});
    return out;
}

std::vector<Law> all_laws() {
    Law wrapped{Elliptic{0.2, 0.8}, 0.01, StaticKinetic{1.4, 1e-3}, Stribeck{1.5, 0.01, 2, 0.1}, LoadScaling{10, 2.0 / 3}};
    return {Law{Coulomb{0.5}},
            Law{Elliptic{0.2, 0.8}},
            Law{Coulomb{0.5}, 0.02},
            Law{Matchstick{0.5, 0.1, 0.9}},
            Law{Matchstick{0.5, 0.1, 0.9, 0.03, LoneGrain::Isotropic, GrainBlend::DoubleAngle}, 0.02},
            Law{FrictionTensor{{0.2, 0.6}, {0.1, 0.3}}},
            Law{FrictionTensor{{0.2, 0.6, 0.1, -0.1}, {0.1, 0.3}, 0.7, TensorForm::Direct}},
            wrapped};
}

/// The quadratic form of an elliptic set in world axes; equal for frames that describe the same set.
Mat3 world_form(const LimitSurface& s) {
    const Ellipse& e = std::get<Ellipse>(s.set);
    return e.t * e.t * outer(s.t, s.t) + e.b * e.b * outer(s.b, s.b);
}

TEST(Law, FramesAreOrthonormalAndRightHanded) {
    Random random(41);
    for (const Law& law : all_laws()) {
        for (int k = 0; k < 2000; ++k) {
            ConeInput in = random_input(random);
            if (k % 5 == 0) in.grain_a = in.previous_t = normalized(in.normal + 1e-5 * random_unit(random));  // nearly none
            if (k % 5 == 1) in.grain_a = in.grain_b = in.previous_t = in.normal;                              // no direction
            const LimitSurface s = generate_one(law, in);
            EXPECT_NEAR(length(s.t), 1, 1e-15);
            EXPECT_NEAR(length(s.b), 1, 1e-15);
            EXPECT_NEAR(dot(s.t, in.normal), 0, 4e-16);
            EXPECT_NEAR(dot(s.t, s.b), 0, 4e-16);
            EXPECT_NEAR(dot(cross(in.normal, s.t), s.b), 1, 2e-15);
        }
    }
}

TEST(Law, CoulombKeepsItsAxesStill) {
    ConeInput in;
    in.normal = {0, 0, 1};
    in.grain_a = {0, 1, 0};  // not used by a circle
    in.previous_t = {0.6, 0.8, 0.3};
    const LimitSurface s = generate_one(Law{Coulomb{0.5}}, in);
    EXPECT_NEAR(length(s.t - Vec3{0.6, 0.8, 0}), 0, 1e-15);
    EXPECT_EQ(std::get<Ellipse>(s.set).t, 0.5);
    EXPECT_EQ(std::get<Ellipse>(s.set).b, 0.5);
    in.previous_t = {};
    EXPECT_EQ(generate_one(Law{Coulomb{0.5}}, in).t, any_tangent(in.normal));
}

// 2e-15: ten rounding errors; the series is used up to 1 - |t|^2 = 1e-5
TEST(Law, AKeptTangentIsUnitAndPerpendicularHoweverFarTheNormalHasTurned) {
    Random random(3);
    for (int n = 0; n < 20000; ++n) {
        const Vec3 normal = normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
        const Vec3 before = any_tangent(normal), axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const Vec3 now = rotate(rotation(std::pow(10, random.uniform(-8, 0)) * axis), normal);
        const Vec3 t = kept_tangent(before, now);
        EXPECT_NEAR(length(t), 1, 2e-15);
        EXPECT_NEAR(dot(t, now), 0, 2e-15);
        EXPECT_GT(dot(t, before), 0);
    }
}

TEST(Law, EllipticFollowsTheGrainOfAThenOfBThenThePastAxis) {
    const Law law{Elliptic{0.2, 0.8}};
    ConeInput in;
    in.normal = {0, 0, 1};
    in.grain_a = {0.6, 0.8, 0};
    in.grain_b = {0, 1, 0};
    in.previous_t = {-1, 0, 0};
    EXPECT_NEAR(length(generate_one(law, in).t - in.grain_a), 0, 1e-15);
    in.grain_a = {};
    EXPECT_EQ(generate_one(law, in).t, in.grain_b);
    in.grain_b = {0, 0, 1};  // along the normal: counts as no grain
    EXPECT_EQ(generate_one(law, in).t, in.previous_t);
    in.previous_t = {};
    EXPECT_EQ(generate_one(law, in).t, any_tangent(in.normal));
    EXPECT_EQ(std::get<Ellipse>(generate_one(law, in).set).t, 0.2);
    EXPECT_EQ(std::get<Ellipse>(generate_one(law, in).set).b, 0.8);
}

TEST(Law, TheSignOfTheGrainMeansNothing) {
    Random random(42);
    for (int k = 0; k < 500; ++k) {
        const ConeInput in = random_input(random);
        ConeInput flipped = in;
        flipped.grain_a = -in.grain_a;
        flipped.grain_b = -in.grain_b;
        const Law law{Elliptic{0.2, 0.8}};
        const Mat3 a = world_form(generate_one(law, in)), b = world_form(generate_one(law, flipped));
        for (int i = 0; i < 3; ++i) EXPECT_EQ(a.r[i], b.r[i]);  // negation is exact
    }
}

TEST(Law, ScaleFollowsTheFormulasOfItsWrappers) {
    ConeInput in;
    in.normal = {0, 0, 1};
    Law law{Coulomb{0.4}};
    EXPECT_EQ(scale(law, in), 1);

    law.static_kinetic = StaticKinetic{1.5, 1e-3};
    in.slip = {0.6e-3, 0.7e-3, 0};  // 0.92e-3 m/s
    EXPECT_EQ(scale(law, in), 1.5);
    in.slip = {1e-3, 0, 0};
    EXPECT_EQ(scale(law, in), 1);
    law.static_kinetic.reset();

    law.stribeck = Stribeck{1.8, 0.01, 2, 3.0};
    in.slip = {};
    EXPECT_NEAR(scale(law, in), 1.8, 1e-15);
    in.slip = {0.003, 0.004, 0};  // half the Stribeck speed
    EXPECT_NEAR(scale(law, in), 1 + 0.8 * std::exp(-0.25) + 3.0 * 0.005, 1e-15);
    in.slip = {10, 0, 0};
    EXPECT_NEAR(scale(law, in), 31, 1e-13);
    law.stribeck.reset();

    // friction force mu f_n scale grows as f_n^(2/3): 8 times the load, 4 times the force
    law.load = LoadScaling{10, 2.0 / 3, 1e-6};
    in.normal_force = 10;
    EXPECT_EQ(scale(law, in), 1);
    in.normal_force = 80;
    EXPECT_NEAR(scale(law, in) * 80, 40, 1e-13);
    in.normal_force = 0;
    EXPECT_EQ(scale(law, in), 1);  // no load yet
    in.normal_force = 1e-9;        // below the floor
    EXPECT_NEAR(scale(law, in), std::pow(1e-7, -1.0 / 3), 1e-10);
}

TEST(Law, WrappersMultiplyTheWholeSetDrillingIncluded) {
    Random random(43);
    const Law law = all_laws().back();
    for (int k = 0; k < 200; ++k) {
        const ConeInput in = random_input(random);
        Law sk = law, st = law, ld = law;
        sk.stribeck.reset(), sk.load.reset();
        st.static_kinetic.reset(), st.load.reset();
        ld.static_kinetic.reset(), ld.stribeck.reset();
        const double s = scale(law, in);
        EXPECT_NEAR(s, scale(sk, in) * scale(st, in) * scale(ld, in), 1e-14 * s);
        const Ellipsoid e = std::get<Ellipsoid>(generate_one(law, in).set);
        EXPECT_EQ(e.t, s * 0.2);
        EXPECT_EQ(e.b, s * 0.8);
        EXPECT_EQ(e.drill, s * 0.01);
    }
}

TEST(Law, ABatchIsTheSameAsOneByOne) {
    Random random(44);
    std::vector<ConeInput> in;
    for (int k = 0; k < 100; ++k) in.push_back(random_input(random));
    for (const Law& law : all_laws()) {
        std::vector<LimitSurface> out(in.size());
        generate(law, in, out);
        for (size_t i = 0; i < in.size(); ++i) {
            const LimitSurface one = generate_one(law, in[i]);
            EXPECT_EQ(out[i].t, one.t);
            EXPECT_EQ(out[i].b, one.b);
            ASSERT_EQ(out[i].set.index(), one.set.index());
            EXPECT_EQ(support(out[i].set, {1, 2, 3}), support(one.set, {1, 2, 3}));
        }
    }
}

// Laws must not read inputs that they do not need: infinities there change nothing.
TEST(Law, UnusedInputsDoNotMatter) {
    ConeInput in;
    in.normal = {0, 0, 1};
    in.point = in.grain_b = in.slip = {kInfinity, kInfinity, kInfinity};
    in.grain_a = {0, 1, 0};
    in.normal_force = kInfinity;
    EXPECT_EQ(generate_one(Law{Elliptic{0.2, 0.8}}, in).t, in.grain_a);
    EXPECT_EQ(scale(Law{Elliptic{0.2, 0.8}}, in), 1);
}

/// Expects check() to name the key, the value and the allowed range.
void expect_rejected(const Law& law, const std::string& key, const std::string& value) {
    try {
        check(law);
        ADD_FAILURE() << key << " = " << value << " was accepted";
    } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find(key + " = " + value), std::string::npos) << message;
        EXPECT_NE(message.find("must be a finite number >"), std::string::npos) << message;
    }
}

TEST(Law, CheckNamesTheKeyTheValueAndTheRange) {
    for (const Law& law : all_laws()) EXPECT_NO_THROW(check(law));
    EXPECT_NO_THROW(check(Law{Coulomb{0}}));
    const std::pair<double, std::string> bad[] = {
        {-0.5, "-0.5"}, {std::numeric_limits<double>::quiet_NaN(), "nan"}, {kInfinity, "inf"}};
    for (const auto& entry : bad) {
        const double x = entry.first;
        const std::string& text = entry.second;
        Law law = all_laws().back();
        expect_rejected(Law{Coulomb{x}}, "mu", text);
        expect_rejected(Law{Elliptic{x, 1}}, "mu_t", text);
        expect_rejected(Law{Elliptic{1, x}}, "mu_b", text);
        expect_rejected(Law{Coulomb{1}, x}, "drilling", text);
        const auto wrap = [&](auto& wrapper, double& number, const std::string& key) {
            const auto good = wrapper;
            number = x;
            expect_rejected(law, key, text);
            wrapper = good;
        };
        wrap(law.static_kinetic, law.static_kinetic->ratio, "static_kinetic.ratio");
        wrap(law.static_kinetic, law.static_kinetic->speed, "static_kinetic.speed");
        wrap(law.stribeck, law.stribeck->ratio, "stribeck.ratio");
        wrap(law.stribeck, law.stribeck->speed, "stribeck.speed");
        wrap(law.stribeck, law.stribeck->exponent, "stribeck.exponent");
        wrap(law.stribeck, law.stribeck->viscous, "stribeck.viscous");
        wrap(law.load, law.load->reference, "load.reference");
        wrap(law.load, law.load->exponent, "load.exponent");
        wrap(law.load, law.load->floor, "load.floor");
        EXPECT_NO_THROW(check(law));
    }
    Law law = all_laws().back();
    law.stribeck->speed = 0;  // a divisor
    expect_rejected(law, "stribeck.speed", "0");
}

TEST(Law, NothingInAStepAllocates) {
    Random random(45);
    std::vector<Vec2> storage;
    const std::vector<LimitSet> sets = random_sets(random, 100, storage);
    const std::vector<Law> laws = all_laws();
    std::vector<ConeInput> in(50);
    for (ConeInput& i : in) i = random_input(random);
    std::vector<LimitSurface> out(in.size());
    std::array<Vec2, 64> corners;

    const long before = testing_support::allocation_count();
    for (const Law& law : laws) generate(law, in, out);
    double sum = 0;
    for (const LimitSet& set : sets) {
        const Vec3 p{1, 2, 3};
        sum += project(set, p, 0.1).x + support(set, p) + support_point(set, p).x + gauge(set, p) + area(set);
        sum += gauge_derivatives(set, p).value + gauge(scaled(set, 2), p) + facets(set, 8, Fit::Inscribed, corners);
        sum += contains(set, p, 1) ? 1 : 0;
    }
    EXPECT_EQ(testing_support::allocation_count(), before);
    EXPECT_TRUE(std::isfinite(sum));
    std::vector<double> canary(10);  // shows that allocations are counted
    EXPECT_GT(testing_support::allocation_count(), before);
}

}  // namespace
}  // namespace asperity::friction

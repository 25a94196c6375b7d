// Formulas by themselves: values, names, functions of time, and refused formulas.
#include "asperity/scene/formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/allocations.h"

namespace asperity::scene {
namespace {

struct FormulaTest : testing::Test {
    Random random{7};
    Formulas formulas{random};
    FormulaTest() {
        formulas.set_names(
            [](const std::string& name) -> std::optional<double> {
                if (name == "mu") return 0.25;
                if (name == "angle_deg") return 30;
                return {};
            },
            {"mu", "angle_deg"});
    }
    std::string refusal(const std::string& text) {
        try {
            formulas.evaluate(text);
        } catch (const FormulaError& error) { return error.what(); }
        return "";
    }
};

TEST_F(FormulaTest, FollowTheUsualPrecedence) {
    EXPECT_EQ(formulas.evaluate("1 + 2*3^2"), 19);
    EXPECT_EQ(formulas.evaluate("-2^2"), -4);
    EXPECT_EQ(formulas.evaluate("2^3^2"), 512);
    EXPECT_EQ(formulas.evaluate("3 > 2 && 1 <= 1 ? 5 : 6"), 5);
    EXPECT_EQ(formulas.evaluate("1e-3 + 2E+2"), 200.001);
}

TEST_F(FormulaTest, KnowParamsConstantsAndFunctions) {
    EXPECT_DOUBLE_EQ(formulas.evaluate("sin(rad(angle_deg)) - mu*cos(rad(angle_deg))"), 0.5 - 0.25 * std::sqrt(0.75));
    EXPECT_DOUBLE_EQ(formulas.evaluate("2*pi"), 2 * std::numbers::pi);
    EXPECT_DOUBLE_EQ(formulas.evaluate("deg(pi)"), 180);
    EXPECT_EQ(formulas.evaluate("mod(7, 3)"), 1);
    EXPECT_EQ(formulas.evaluate("mod(-1, 3)"), 2);
    EXPECT_EQ(formulas.evaluate("floor(-1.5) + ceil(1.2) + min(4, 3) + max(1, 2)"), 5);
}

TEST_F(FormulaTest, DrawTheSameNumbersFromTheSameSeedInTheOrderOfEvaluation) {
    Random same(7);
    EXPECT_EQ(formulas.evaluate("uniform(2, 4)"), same.uniform(2, 4));
    EXPECT_EQ(formulas.evaluate("normal(1, 0.5)"), 1 + 0.5 * same.normal());
    EXPECT_EQ(formulas.evaluate("uniform(0, 1)"), same.uniform(0, 1));
}

TEST_F(FormulaTest, DrawAnewForEachTurnOfALoopThoughTheFormulaIsCompiledOnce) {
    formulas.set_indices({0, 0, 0, 2});
    const double first = formulas.evaluate("uniform(0, 1) + 0*i");
    formulas.set_indices({1, 0, 0, 2});
    EXPECT_NE(formulas.evaluate("uniform(0, 1) + 0*i"), first);
    EXPECT_EQ(formulas.evaluate("i + count"), 3);
}

// Terms are not rearranged: in rows of ten, cell n lies in row n/10 exactly, for all n.
TEST_F(FormulaTest, AreCalculatedInTheOrderInWhichTheyStand) {
    for (int i = 0; i < 100; ++i) {
        formulas.set_indices({static_cast<double>(i), 0, 0, 100});
        EXPECT_EQ(formulas.evaluate("floor((6*i + 4)/10)"), (6 * i + 4) / 10) << i;
    }
}

TEST_F(FormulaTest, RefuseWhatHasNoFiniteValue) {
    EXPECT_EQ(refusal("1/0"), "the formula gives infinity");
    EXPECT_EQ(refusal("sqrt(-1)"), "the formula gives NaN");
}

TEST_F(FormulaTest, RefuseUnknownNamesWithTheNearestKnownOne) {
    EXPECT_EQ(refusal("2*anlge_deg"), "unknown name 'anlge_deg'; did you mean 'angle_deg'?");
    EXPECT_EQ(refusal("csos(1)"), "unknown function 'csos'; did you mean 'cos'?");
    EXPECT_NE(refusal("i + 1").find("only known inside [[generate]]"), std::string::npos);
    EXPECT_NE(refusal("2*t").find("is the time"), std::string::npos);
}

TEST_F(FormulaTest, RefuseBadSyntaxAssignmentsListsAndNovels) {
    EXPECT_NE(refusal("(1 + 2"), "");
    EXPECT_NE(refusal("1 +"), "");
    EXPECT_NE(refusal(""), "");
    EXPECT_NE(refusal("1, 2").find("one value"), std::string::npos);
    EXPECT_NE(refusal("mu = 3").find("cannot assign"), std::string::npos);
    EXPECT_EQ(refusal("mu == 3 || mu != 2 || mu <= 1 || mu >= 1"), "");
    EXPECT_NE(refusal(std::string(2000, '1')).find("at most 1000 characters"), std::string::npos);
}

TEST_F(FormulaTest, OfTimeFollowTAndKeepTheIndexTheyWereMadeWith) {
    formulas.set_indices({3, 0, 0, 5});
    const auto f = formulas.of_time("0.1*sin(2*pi*t) + i + mu", {0});
    formulas.set_indices({4, 0, 0, 5});
    EXPECT_DOUBLE_EQ(f(0.25), 3.35);
    EXPECT_DOUBLE_EQ(f(0), 3.25);
}

TEST_F(FormulaTest, OfTimeAreRefusedWhenRandomOrNotFiniteAtAProbe) {
    EXPECT_THROW(formulas.of_time("uniform(0, 1)*t", {0}), FormulaError);
    EXPECT_THROW(formulas.of_time("1/(t - 2)", {0, 2}), FormulaError);
    EXPECT_NO_THROW(formulas.of_time("1/(t - 2)", {0, 1}));
}

TEST_F(FormulaTest, OfTimeDoNotAllocateWhenCalled) {
    const auto f = formulas.of_time("t > 1 ? min(t, 4, mu) : 0.1*sin(2*pi*t) + mod(t, 2) + atan2(t, 1)", {0});
    double sum = f(0.5) + f(2);
    const long before = testing_support::allocation_count();
    for (int n = 0; n < 1000; ++n) sum += f(0.002 * n);
    EXPECT_EQ(testing_support::allocation_count(), before) << sum;
}

}  // namespace
}  // namespace asperity::scene

// Worlds that are refused, and the messages about steps that fail for good.
#include <gtest/gtest.h>

#include "asperity/core/error.h"
#include "tests/unit/implicit/bodies.h"

namespace asperity::implicit::testing {
namespace {

const deform::Elasticity kRubber{deform::Hyperelastic::NeoHookean, 1e5, 0.4};

template <class F>
std::string message_of(const F& f) {
    try {
        f();
    } catch (const InputError& error) { return error.what(); }
    return "";
}

TEST(Trouble, BodiesThatIntersectAtTheStartAreNamed) {
    World<3> world;
    world.add(soft_box<3>("lower", {0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0, 0}, kRubber));
    world.add(soft_box<3>("upper", {0.2, 0.2, 0.2}, {2, 2, 2}, {0.03, 0.02, 0.15}, kRubber));
    const std::string message = message_of([&] { world.prepare(); });
    EXPECT_NE(message.find("'lower' and 'upper'"), std::string::npos) << message;
}

TEST(Trouble, ABodyBelowTheGroundAtTheStartIsNamed) {
    World<3> world;
    add_ground(world);
    world.add(soft_box<3>("cube", {0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0, 0.05}, kRubber));
    const std::string message = message_of([&] { world.prepare(); });
    EXPECT_NE(message.find("'cube'"), std::string::npos) << message;
    EXPECT_NE(message.find("'ground'"), std::string::npos) << message;
}

TEST(Trouble, ABodyInsideAnotherAtTheStartIsNamed) {
    World<3> world;
    world.add(soft_box<3>("outer", {0.4, 0.4, 0.4}, {4, 4, 4}, {0, 0, 0}, kRubber));
    world.add(soft_box<3>("inner", {0.1, 0.1, 0.1}, {2, 2, 2}, {0.01, 0.02, 0.03}, kRubber));
    const std::string message = message_of([&] { world.prepare(); });
    EXPECT_NE(message.find("'inner'"), std::string::npos) << message;
}

/// Two walls close on a stiff body that cannot give way: the step fails for good, names the pair and says what to do.
TEST(Trouble, APrescribedMotionThatCannotBeFollowedIsExplained) {
    World<3> world;
    world.model.settings.max_halvings = 3;
    world.model.settings.max_iterations = 60;
    world.add(affine_box("victim", {0.1, 0.1, 0.1}, 1000, {0, 0, 0}));
    for (const double side : {-1.0, 1.0}) {
        ObstacleDesc<3> wall;
        wall.name = side < 0 ? "left" : "right";
        wall.skin = affine_box("", {0.05, 0.3, 0.3}, 1, {}).skin;
        wall.path = [side](double t) { return Pose{{side * (0.16 - 2 * t), 0.013 * side, 0.007}, {}}; };
        world.add(wall);
    }
    StepReport report;
    for (int i = 0; i < 20 && report.done; ++i) report = step(world, 0.01);
    ASSERT_FALSE(report.done);
    EXPECT_NE(report.failure, Failure::None);
    EXPECT_NE(report.trouble.find("victim"), std::string::npos) << report.trouble;
    for (const Vector<3>& x : world.state.nodes.x) EXPECT_TRUE(x.allFinite());
    EXPECT_LT(world.state.time, 0.1);  // the state is that of the last good part
}

/// Without contacts the message names the body that the last iteration would still move most.
TEST(Trouble, OfABodyInFreeFlightNamesIt) {
    World<3> world;
    world.model.settings.max_halvings = 0;
    world.model.settings.max_iterations = 1;
    world.add(soft_box<3>("calm", {0.1, 0.1, 0.1}, {1, 1, 1}, {0, 0, 0}, kRubber));
    world.add(soft_box<3>("stretched", {0.1, 0.1, 0.1}, {2, 2, 2}, {0.5, 0, 0}, kRubber));
    for (Vector<3>& x : world.state.nodes.x)
        if (x[0] > 0.3) x[2] *= 1.5;
    const StepReport report = step(world, 0.01);
    ASSERT_EQ(report.failure, Failure::Iterations);
    EXPECT_NE(report.trouble.find("'stretched'"), std::string::npos) << report.trouble;
}

TEST(Trouble, BodiesCloserThanTheirThicknessAtTheStartAreNamed) {
    World<3> world;
    for (int i = 0; i < 2; ++i) {
        SoftDesc<3> desc = soft_box<3>("box" + std::to_string(i), {0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0, 0.21 * i}, kRubber);
        desc.thickness = 0.011;
        world.add(desc);
    }
    const std::string message = message_of([&] { world.prepare(); });
    EXPECT_NE(message.find("'box0' and 'box1'"), std::string::npos) << message;
    EXPECT_NE(message.find("thickness"), std::string::npos) << message;
}

TEST(Trouble, EdgesShorterThanTheThicknessOfABodyAreRefused) {
    World<3> world;
    SoftDesc<3> desc = soft_box<3>("fine", {0.2, 0.2, 0.2}, {4, 4, 4}, {0, 0, 0}, kRubber);
    desc.thickness = 0.06;
    world.add(desc);
    EXPECT_NE(message_of([&] { world.prepare(); }).find("'fine'"), std::string::npos);
    world.set_self_contact(0, false);
    EXPECT_EQ(message_of([&] { world.prepare(); }), "");
}

TEST(Trouble, ExplicitStepsThatAreTooLongAreCalledUnstable) {
    World<3> world;
    world.model.settings.integrator = Integrator::SymplecticEuler;
    const int cube =
        world.add(soft_box<3>("cube", {0.1, 0.1, 0.1}, {4, 4, 4}, {0, 0, 0}, {deform::Hyperelastic::NeoHookean, 1e7, 0.3}));
    for (Vector<3>& x : world.state.nodes.x) x *= 1.05;
    (void)cube;
    StepReport report;
    for (int i = 0; i < 200 && report.done; ++i) report = step(world, 0.01);
    EXPECT_FALSE(report.done);
    EXPECT_TRUE(report.failure == Failure::Unstable || report.failure == Failure::NotFinite);
}

TEST(Trouble, NumbersOutOfRangeAreRefused) {
    World<3> world;
    SoftDesc<3> desc = soft_box<3>("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, {0, 0, 0}, kRubber);
    desc.density = 0;
    EXPECT_NE(message_of([&] { world.add(desc); }).find("density"), std::string::npos);
    desc.density = 1000;
    desc.elasticity.poisson = 0.5;
    EXPECT_NE(message_of([&] { world.add(desc); }).find("poisson"), std::string::npos);
    // lambda/2 (J - 1)^2 with a negative lambda: a collision in the soak ended at -1e12 J
    desc.elasticity = {deform::Hyperelastic::FixedCorotated, 1e6, -0.1};
    EXPECT_NE(message_of([&] { world.add(desc); }).find("poisson"), std::string::npos);
    desc.elasticity = {deform::Hyperelastic::NeoHookean, -1, 0.3};
    EXPECT_NE(message_of([&] { world.add(desc); }).find("young"), std::string::npos);
}

}  // namespace
}  // namespace asperity::implicit::testing

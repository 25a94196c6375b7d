// Observables, and expectations on them.
#include "asperity/scene/watch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/scene/pattern.h"
#include "scenes.h"

namespace asperity::scene {
namespace {

const std::string kTwoBlocks = kGround + R"toml([[generate]]
name = "block"
count = 2
body = { shape = { box = [1, 1, 1] }, mass = 2, position = ["3*i", 0, 2] }
)toml";

// Sets the pose of a body directly: observables do not need a step.
void move(Scene& scene, Observer& observer, const std::string& body, const Vec3& to, const Quat& turn = {}) {
    const auto b = index_of(scene, body);
    scene.world.state.bodies.pose[b] = {to, turn};
    sim::StepReport report;
    report.kinetic_energy = scene.world.kinetic_energy();
    report.potential_energy = scene.world.potential_energy();
    report.penetration = 0.001;
    report.residual = 1e-9;
    report.contacts = 4;
    report.sweeps = 12;
    observer.after_step(scene, report);
}

struct ExpectTest : testing::Test {
    Scene scene = read(kTwoBlocks);
    Observer observer{scene};
    double value(const std::string& observable, const std::string& body = "block_0") {
        return observer.body_value(observable, static_cast<int>(index_of(scene, body)), scene);
    }
    ExpectResult demand(const Expectation& e) {
        scene.expectations = {e};
        return check(scene, observer).at(0);
    }
};

TEST_F(ExpectTest, ObservesWhereABodyIsAndHowFarItCame) {
    move(scene, observer, "block_0", {3, 4, 2});
    move(scene, observer, "block_0", {0, 4, 1}, rotation({radians(20), 0, 0}));
    move(scene, observer, "block_0", {-1, 0, 2}, rotation({0, radians(-10), 0}));
    EXPECT_DOUBLE_EQ(value("x"), -1);
    EXPECT_DOUBLE_EQ(value("travel"), 1);
    EXPECT_DOUBLE_EQ(value("travel_x"), -1);
    EXPECT_DOUBLE_EQ(value("heading_deg"), 180);
    EXPECT_DOUBLE_EQ(value("displacement_max"), 5);
    EXPECT_DOUBLE_EQ(value("sway_max"), 5);
    EXPECT_DOUBLE_EQ(value("height_max"), 2);
    EXPECT_DOUBLE_EQ(value("path_length"), 5 + std::sqrt(10) + std::sqrt(18));
    EXPECT_NEAR(value("tilt_deg"), 10, 1e-12);
    EXPECT_NEAR(value("tilt_max_deg"), 20, 1e-12);
}

TEST_F(ExpectTest, ObservesTurnsSeenFromAbove) {
    move(scene, observer, "block_0", {0, 0, 2}, rotation({0, 0, radians(-150)}));
    move(scene, observer, "block_0", {0, 0, 2}, rotation({0, 0, radians(-200)}));  // equals 160
    move(scene, observer, "block_0", {0, 0, 2}, rotation({0, 0, radians(30)}));
    EXPECT_NEAR(value("yaw_deg"), 30, 1e-12);
    EXPECT_NEAR(value("yaw_max_deg"), 160, 1e-12);
}

TEST_F(ExpectTest, ObservesWhoWasTouchedAndByWhom) {
    const int ground = scene.world.find_body("ground").index, first = scene.world.find_body("block_0").index;
    Observer by_ground(scene, ground);
    contact::Contact c;
    c.body_a = first;
    c.body_b = scene.world.find_body("block_1").index;
    c.normal = {0, 0, 1};
    const auto look = [&](const Vec3& impulse) {
        c.impulse = impulse;
        scene.world.state.active.contacts = {c};
        observer.after_step(scene, {});
        by_ground.after_step(scene, {});
    };
    look({0, 0, 0});  // near, but without load
    EXPECT_EQ(value("touched"), 0);
    look({0.1, 0, 1});
    EXPECT_EQ(value("touched"), 1);
    EXPECT_EQ(value("touched", "block_1"), 1);
    EXPECT_EQ(by_ground.body_value("touched", first, scene), 0);
    c.body_b = ground;
    look({0.1, 0, 1});
    look({0, 0, 0});
    EXPECT_EQ(by_ground.body_value("touched", first, scene), 1);
    EXPECT_EQ(by_ground.body_value("touched", scene.world.find_body("block_1").index, scene), 0);
}

// Eight balls on a spiral with steps of 60 degrees about the axis of a lying rod. The test sets which of them are in
// contact.
TEST_F(ExpectTest, FollowsARowOfBodiesRoundARod) {
    Scene rod = read(R"toml(
[[body]]
name = "rod"
shape = { cylinder = [0.1, 2] }
fixed = true
position = [1, 2, 3]
roll_deg = 90
[[generate]]
name = "bead"
count = 8
body = { shape = { sphere = 0.02 }, position = ["1 + 0.12*cos(rad(60*i + 20))", "2 + 0.05*i",
         "3 - 0.12*sin(rad(60*i + 20))"] }
[world]
default = { mu = 0.1 }
)toml");
    const auto wrapped = [&](std::vector<int> pressing, double impulse = 1) {
        rod.world.state.active.contacts.clear();
        for (const int i : pressing) {
            contact::Contact c;
            c.body_a = rod.world.find_body("rod").index;
            c.body_b = rod.world.find_body("bead_" + std::to_string(i)).index;
            if (i % 2) std::swap(c.body_a, c.body_b);
            c.normal = {0, 0, 1};
            c.impulse = {0, 0, impulse};
            rod.world.state.active.contacts.push_back(c);
        }
        Expectation e{.body = "bead_*", .observable = "wrap_deg", .by = "rod"};
        return observed(e, Observer(rod), rod);
    };
    EXPECT_NEAR(wrapped({0, 1, 2, 3, 4, 5, 6, 7}), 420, 1e-9);
    EXPECT_NEAR(wrapped({6, 1}), 300, 1e-9) << "those between need not press";
    EXPECT_NEAR(wrapped({3}), 0, 1e-9);
    EXPECT_EQ(wrapped({}), 0);
    EXPECT_EQ(wrapped({0, 7}, 0), 0) << "near, without pressing";
}

TEST_F(ExpectTest, ObservesVelocities) {
    const auto b = index_of(scene, "block_0");
    scene.world.state.bodies.velocity[b] = {3, 0, 4};
    scene.world.state.bodies.angular_velocity[b] = {0, 2, 0};
    move(scene, observer, "block_0", {0, 0, 2});
    scene.world.state.bodies.velocity[b] = {0, 0, 1};
    EXPECT_EQ(value("speed"), 1);
    EXPECT_EQ(value("speed_max"), 5);
    EXPECT_EQ(value("vz"), 1);
    EXPECT_EQ(value("spin"), 2);
    EXPECT_EQ(value("wy"), 2);
    scene.world.state.bodies.angular_velocity[b] = {1, 0, 0};
    move(scene, observer, "block_0", {0, 0, 2});
    EXPECT_EQ(value("spin_max"), 2);
}

TEST_F(ExpectTest, ObservesTheWholeWorld) {
    move(scene, observer, "block_0", {0, 0, 3});  // one metre up: 2 kg * 9.81 * 1 m
    move(scene, observer, "block_0", {0, 0, 1});
    move(scene, observer, "block_0", {0, 0, 1.5});
    move(scene, observer, "block_0", {0, 0, 1});
    EXPECT_NEAR(observer.world_value("energy_gain_max", scene), 19.62, 1e-12);
    EXPECT_NEAR(observer.world_value("energy_rise_max", scene), 19.62, 1e-12);
    EXPECT_NEAR(observer.world_value("energy_drift", scene), -19.62 / 78.48, 1e-14);
    EXPECT_EQ(observer.world_value("contacts_max", scene), 4);
    EXPECT_EQ(observer.world_value("sweeps_max", scene), 12);
    EXPECT_EQ(observer.world_value("penetration_max", scene), 0.001);
    EXPECT_EQ(observer.world_value("residual_max", scene), 1e-9);
    scene.world.state.bodies.velocity[1] = {0, 3, 0};
    EXPECT_DOUBLE_EQ(observer.world_value("momentum_drift", scene), 6);
    EXPECT_DOUBLE_EQ(observer.world_value("kinetic_energy", scene), 9);
}

TEST_F(ExpectTest, EveryListedObservableHasAValue) {
    for (const std::string& name : body_observables()) EXPECT_TRUE(std::isfinite(value(name))) << name;
    for (const std::string& name : world_observables())
        EXPECT_TRUE(std::isfinite(observer.world_value(name, scene))) << name;
    EXPECT_THROW(value("spede"), InputError);
    EXPECT_THROW(observer.world_value("enrgy", scene), InputError);
}

TEST_F(ExpectTest, TakesSeveralBodiesTogether) {
    move(scene, observer, "block_0", {0, 1, 2});
    move(scene, observer, "block_1", {3, 3, 2});
    const auto over = [&](const std::string& how) {
        return demand({.name = "n", .body = "block_*", .observable = "travel", .over = how, .below = 0.0}).value;
    };
    EXPECT_DOUBLE_EQ(over("max"), 3);
    EXPECT_DOUBLE_EQ(over("min"), 1);
    EXPECT_DOUBLE_EQ(over("mean"), 2);
    EXPECT_DOUBLE_EQ(over("spread"), 2);
    EXPECT_DOUBLE_EQ(over("deviation"), 1);
}

TEST_F(ExpectTest, DemandsHoldUpToTheirBounds) {
    move(scene, observer, "block_0", {0, 2, 2});
    const Expectation travel{.name = "n", .body = "block_0", .observable = "travel"};
    Expectation e = travel;
    e.below = 2;
    EXPECT_TRUE(demand(e).ok);
    EXPECT_EQ(demand(e).bound, "<= 2");
    e.below = 1.999;
    EXPECT_FALSE(demand(e).ok);
    e = travel;
    e.above = 2.001;
    EXPECT_FALSE(demand(e).ok);
    e.above = 1;
    e.below = 3;
    EXPECT_EQ(demand(e).bound, "<= 3 and >= 1");
    e = travel;
    e.equals = 2.1;
    e.within = 0.2;
    EXPECT_TRUE(demand(e).ok);
    EXPECT_EQ(demand(e).bound, "= 2.1 +- 0.2");
    e.within = 0.05;
    EXPECT_FALSE(demand(e).ok);
    e.within_percent = 5;  // 0.105 of 2.1
    EXPECT_TRUE(demand(e).ok);
    e.within_percent = 4;
    EXPECT_FALSE(demand(e).ok);
}

TEST_F(ExpectTest, HeadingsAreComparedRoundTheCircle) {
    move(scene, observer, "block_0", {-1, -1e-6, 2});
    EXPECT_TRUE(demand({.name = "n", .body = "block_0", .observable = "heading_deg", .equals = 180.0, .within = 0.01}).ok);
}

TEST_F(ExpectTest, ANumberThatIsNoneMeetsNoDemand) {
    scene.world.state.bodies.pose[index_of(scene, "block_1")].position.x = std::nan("");
    EXPECT_FALSE(demand({.name = "n", .body = "block_*", .observable = "x", .below = 1e9}).ok);
    EXPECT_FALSE(demand({.name = "n", .body = "block_*", .observable = "x", .above = -1e9}).ok);
}

TEST_F(ExpectTest, SavedExtremesGoOnInAnotherObserver) {
    move(scene, observer, "block_0", {0, 5, 2});
    const std::string bytes = observer.save();
    Observer other(scene);
    other.restore(bytes);
    const int b = static_cast<int>(index_of(scene, "block_0"));
    for (const std::string& name : body_observables()) EXPECT_EQ(other.body_value(name, b, scene), value(name)) << name;
    for (const std::string& name : world_observables())
        EXPECT_EQ(other.world_value(name, scene), observer.world_value(name, scene)) << name;
    EXPECT_EQ(other.save(), bytes);
    EXPECT_THROW(other.restore(bytes.substr(8)), InputError);
    EXPECT_THROW(other.restore(""), InputError);
}

TEST_F(ExpectTest, SceneExpectationsAreReadWithFormulasAndNames) {
    const Scene given = read(kTwoBlocks + R"toml([[expect]]
body = "block_*"
observable = "speed"
over = "mean"
equals = "g*duration"
within_percent = 1
[[expect]]
name = "no jump"
observable = "penetration_max"
below = 1e-3
[[expect]]
body = "block_*"
observable = "touched"
by = "ground"
over = "deviation"
below = 1
)toml");
    ASSERT_EQ(given.expectations.size(), 3u);
    EXPECT_EQ(given.expectations[0].name, "block_* speed");
    EXPECT_DOUBLE_EQ(*given.expectations[0].equals, 9.81 * 5);
    EXPECT_EQ(given.expectations[0].over, "mean");
    EXPECT_EQ(given.expectations[1].name, "no jump");
    EXPECT_EQ(given.expectations[2].by, "ground");
    EXPECT_EQ(given.expectations[2].over, "deviation");
}

TEST_F(ExpectTest, WhoTouchesMustExistAndBelongsToTouched) {
    const std::string expect = kTwoBlocks + "[[expect]]\nbody = \"block_0\"\nbelow = 1\n";
    EXPECT_EQ(complaint(expect + "observable = \"touched\"\nby = \"ground\"\n"), "");
    EXPECT_NE(complaint(expect + "observable = \"touched\"\nby = \"grond\"\n").find("ground"), std::string::npos);
    EXPECT_NE(complaint(expect + "observable = \"x\"\nby = \"ground\"\n").find("touched"), std::string::npos);
    EXPECT_EQ(complaint(expect + "observable = \"wrap_deg\"\nby = \"ground\"\n"), "");
    EXPECT_NE(complaint(expect + "observable = \"wrap_deg\"\n").find("needs `by`"), std::string::npos);
    EXPECT_NE(complaint(expect + "observable = \"wrap_deg\"\nby = \"ground\"\nover = \"min\"\n").find("together"),
              std::string::npos);
}

// Moves block_0 by 1 m per step along x, with steps of 0.5 s.
struct WatchTest : testing::Test {
    Scene scene = read(kTwoBlocks);
    void expect(double from, std::optional<double> until, const std::string& observable = "travel_x") {
        Expectation e{.name = "e", .body = "block_0", .observable = observable, .above = -1e9};
        e.from = from;
        e.until = until;
        scene.expectations.push_back(e);
    }
    void walk(Watch& watch, int steps) {
        for (int i = 0; i < steps; ++i) {
            Vec3& x = scene.world.state.bodies.pose[index_of(scene, "block_0")].position;
            x.x += 1;
            scene.world.state.bodies.velocity[index_of(scene, "block_0")] = {x.x, 0, 0};
            scene.world.state.time += scene.dt;
            watch.after_step(scene, {});
        }
    }
    WatchTest() { scene.dt = 0.5; }
};

TEST_F(WatchTest, LooksAtAPartOfTheRunAsIfItWereTheWhole) {
    expect(0, {});
    expect(2, {});
    expect(0, 3);
    expect(2, 3);
    expect(2, 3, "path_length");
    expect(0, 1.5, "vx");
    expect(99, {});
    const double start = scene.world.state.bodies.pose[index_of(scene, "block_0")].position.x;
    Watch watch(scene);
    walk(watch, 10);
    const std::vector<ExpectResult> result = watch.check(scene);
    EXPECT_DOUBLE_EQ(result[0].value, 10);
    EXPECT_DOUBLE_EQ(result[1].value, 6);
    EXPECT_DOUBLE_EQ(result[2].value, 6);
    EXPECT_DOUBLE_EQ(result[3].value, 2);
    EXPECT_DOUBLE_EQ(result[4].value, 2);
    EXPECT_DOUBLE_EQ(result[5].value, start + 3);
    EXPECT_TRUE(std::isnan(result[6].value));  // an interval that was never reached meets no expectation
    EXPECT_FALSE(result[6].ok);
    EXPECT_TRUE(result[5].ok);
}

TEST_F(WatchTest, GoesOnWhereItWasSaved) {
    expect(2, {});
    expect(1, 3);
    expect(4, {});
    Watch watch(scene);
    walk(watch, 5);
    Watch other(scene);
    other.restore(watch.save(), scene);
    EXPECT_EQ(other.save(), watch.save());
    walk(other, 5);
    const std::vector<ExpectResult> result = other.check(scene);
    EXPECT_DOUBLE_EQ(result[0].value, 6);
    EXPECT_DOUBLE_EQ(result[1].value, 4);
    EXPECT_DOUBLE_EQ(result[2].value, 2);
    const std::string bytes = other.save();
    EXPECT_THROW(other.restore(bytes.substr(0, bytes.size() - 1), scene), InputError);
}

// Real steps: which bodies touch the ground, and when.
TEST_F(WatchTest, SeesTouchesByOneBodyInAPartOfTheRun) {
    for (const auto& [body, from] : {std::pair{"block_0", 0.0}, {"block_1", 0.0}, {"block_0", 1.0}}) {
        Expectation e{.name = "e", .body = body, .observable = "touched", .by = "ground", .above = 1.0};
        e.from = from;
        scene.expectations.push_back(e);
    }
    contact::Contact c;
    c.body_a = scene.world.find_body("ground").index;
    c.body_b = scene.world.find_body("block_0").index;
    c.normal = c.impulse = {0, 0, 1};
    Watch watch(scene);
    scene.world.state.active.contacts = {c};
    walk(watch, 1);
    scene.world.state.active.contacts.clear();
    walk(watch, 3);
    const std::vector<ExpectResult> result = watch.check(scene);
    EXPECT_TRUE(result[0].ok);
    EXPECT_FALSE(result[1].ok);
    EXPECT_FALSE(result[2].ok);  // it touched before that interval
    Watch other(scene);
    other.restore(watch.save(), scene);
    EXPECT_EQ(other.check(scene)[0].value, 1);
}

TEST(Pattern, MatchesStarsAnywhere) {
    EXPECT_TRUE(matches("block_*", "block_12"));
    EXPECT_TRUE(matches("*_1*", "block_12"));
    EXPECT_TRUE(matches("*", ""));
    EXPECT_TRUE(matches("a*b*c", "a_b_b_c"));
    EXPECT_FALSE(matches("block", "block_1"));
    EXPECT_FALSE(matches("a*b", "a_bc"));
    EXPECT_FALSE(matches("", "x"));
}

}  // namespace
}  // namespace asperity::scene

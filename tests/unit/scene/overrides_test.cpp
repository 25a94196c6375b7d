// --set: values by path, words as text, and error messages that name the override.
#include <gtest/gtest.h>

#include "scenes.h"

namespace asperity::scene {
namespace {

const std::string kScene = R"toml(
[params]
mu = 0.5
twice = "2*mu"
[world]
default = { mu = "mu" }
[material.oak]
[[body]]
name = "ground"
shape = { half_space = true }
fixed = true
[[body]]
name = "block"
shape = { box = [1, 1, 1] }
position = [0, 0, 2]
[[generate]]
name = "ball"
count = 2
body = { shape = { sphere = 0.1 }, position = ["i", 0, 5] }
[[joint]]
name = "hub"
kind = "hinge"
b = "block"
at = [0, 0, 2]
[[expect]]
name = "slow"
body = "block"
observable = "speed"
below = 1
)toml";

TEST(Override, ChangesAParamAndWhatDependsOnIt) {
    const Scene scene = read(kScene, {{"params.mu", "0.3"}});
    EXPECT_EQ(scene.params.at("mu"), 0.3);
    EXPECT_EQ(scene.params.at("twice"), 0.6);
}

TEST(Params, MayBeWordsThatKeysChooseFrom) {
    const std::string text = R"toml(
params = { model = "points", spin = "uniform", radius = "model_is_patches ? 0.25 : 0" }
step = { contact_model = "model" }
world = { default = { mu = 0.5, spin_model = "spin", patch_radius = "radius" } }
[[body]]
name = "block"
shape = { box = [1, 1, 1] }
)toml";
    EXPECT_EQ(read(text).world.model.settings.contact_model, surface::ContactModel::Points);
    const Scene scene = read(text, {{"params.model", "patches"}, {"params.spin", "contensou"}});
    EXPECT_EQ(scene.world.model.settings.contact_model, surface::ContactModel::Patches);
    EXPECT_EQ(scene.params.at("radius"), 0.25);
    EXPECT_EQ(scene.words.at("spin"), "contensou");
    EXPECT_NE(complaint(text, {{"params.radius", "model"}})
                  .find("unknown name 'points': a formula uses the param model as a number"),
              std::string::npos)
        << complaint(text, {{"params.radius", "model"}});
    EXPECT_NE(complaint(text, {{"params.spin", "points"}}).find("must be one of uniform, four_corner, contensou"),
              std::string::npos);
}

TEST(Override, SetsAKeyThatTheFileDoesNotGive) {
    const Scene scene = read(kScene, {{"step.tolerance", "1e-6"}, {"body.block.mass", "2"}, {"title", "Another"}});
    EXPECT_EQ(scene.world.model.settings.solve.tolerance, 1e-6);
    EXPECT_EQ(scene.world.model.bodies.mass[index_of(scene, "block")], 2);
    EXPECT_EQ(scene.title, "Another");
}

TEST(Override, FindsListItemsByNameOrIndex) {
    EXPECT_EQ(read(kScene, {{"expect.slow.below", "7"}}).expectations[0].below, 7);
    EXPECT_EQ(read(kScene, {{"expect.0.below", "7"}}).expectations[0].below, 7);
    const Scene scene =
        read(kScene, {{"body.1.position.2", "3"}, {"generate.ball.body.mass", "9"}, {"generate.ball.count", "1"}});
    EXPECT_EQ(scene.world.state.bodies.pose[index_of(scene, "block")].position.z, 3);
    EXPECT_EQ(scene.world.model.bodies.mass[index_of(scene, "ball_0")], 9);
    EXPECT_EQ(scene.world.model.bodies.count(), 3);
}

TEST(Override, TakesBareWordsAsTextAndTheRestAsFormulas) {
    const Scene scene = read(kScene, {{"body.block.material", "oak"}, {"material.oak.density", "100*twice"}});
    const auto block = index_of(scene, "block");
    EXPECT_EQ(
        scene.world.model.materials[static_cast<std::size_t>(scene.world.model.bodies.colliders[block].material.index)].name,
        "oak");
    EXPECT_DOUBLE_EQ(scene.world.model.bodies.mass[block], 100);
}

TEST(Override, TakesListsAndTables) {
    const Scene scene =
        read(kScene, {{"world.gravity", "[0, 0, -1.62]"}, {"joint.hub.motor", "{ speed = \"2*t\", max_effort = 3 }"}});
    EXPECT_EQ(scene.world.model.settings.gravity.z, -1.62);
    EXPECT_EQ(std::get<rigid::Hinge>(scene.world.model.joints[0].kind).motor->speed(2), 4);
}

TEST(Override, OfASubtableThatIsMissingMakesIt) {
    const Scene scene = read(kScene, {{"joint.hub.motor.speed", "1"}, {"joint.hub.motor.max_effort", "2"}});
    EXPECT_EQ(std::get<rigid::Hinge>(scene.world.model.joints[0].kind).motor->max_effort.at(0), 2);
}

TEST(Override, ThatLeadsNowhereSaysWhatIsKnown) {
    EXPECT_EQ(complaint(kScene, {{"params.foo", "1"}}), "--set params.foo=1: no such key; known: mu, twice");
    EXPECT_EQ(complaint(kScene, {{"params.twic", "1"}}), "--set params.twic=1: no such key; did you mean 'twice'?");
    EXPECT_EQ(complaint(kScene, {{"mu", "1"}}), "--set mu=1: no such key; did you mean 'params.mu'?");
    EXPECT_EQ(complaint(kScene, {{"dt", "1"}}), "--set dt=1: no such key; did you mean 'step.dt'?");
    EXPECT_EQ(complaint(kScene, {{"body.blck.mass", "1"}}), "--set body.blck.mass=1: no 'blck'; did you mean 'block'?");
    EXPECT_EQ(complaint(kScene, {{"body.9.mass", "1"}}), "--set body.9.mass=1: no item 9; this list has 2, counted from 0");
    EXPECT_EQ(complaint(kScene, {{"body.block.mas", "1"}}), "--set body.block.mas=1: no such key; did you mean 'mass'?");
    EXPECT_NE(complaint(kScene, {{"material.oack.mu", "1"}}).find("did you mean 'oak'?"), std::string::npos);
    EXPECT_NE(complaint(kScene, {{"", "1"}}).find("--set =1: no such key"), std::string::npos);
    EXPECT_NE(complaint(kScene, {{"body.block.mass.x", "1"}}).find("the scene has no 'mass'"), std::string::npos);
    EXPECT_NE(complaint(kScene, {{"params.mu.x", "1"}}).find("'mu' has no parts"), std::string::npos);
    EXPECT_NE(complaint(kScene, {{"params.mu", ""}}).find("no value"), std::string::npos);
}

TEST(Override, WithAWrongValueIsNamedInTheComplaint) {
    EXPECT_EQ(complaint(kScene, {{"body.block.mass", "-1"}}),
              "--set body.block.mass=-1: body.block.mass = -1: must be between 1e-12 and 1e+15");
    EXPECT_EQ(
        complaint(kScene, {{"params.mu", "wood"}}),
        "--set params.mu=wood: params.mu = \"wood\": unknown name 'wood': a formula uses the param mu as a number; to test "
        "for the word: 'mu_is_wood' is 1 or 0");
    const std::string message = complaint(kScene, {{"body.block.shape", "{ spere = 1 }"}});
    EXPECT_NE(
        message.find("--set body.block.shape={ spere = 1 }: body.block.shape.spere: unknown key; did you mean 'sphere'?"),
        std::string::npos)
        << message;
}

TEST(Override, OfTheSeedChangesTheDraws) {
    const std::string text = "[params]\nx = \"uniform(0, 1)\"\n" + kBlock;
    const double one = read(text).params.at("x");
    EXPECT_EQ(read(text).params.at("x"), one);
    EXPECT_NE(read(text, {{"seed", "2"}}).params.at("x"), one);
    EXPECT_EQ(parse(text, "test.toml", {}, 2).params.at("x"), read(text, {{"seed", "2"}}).params.at("x"));
}

}  // namespace
}  // namespace asperity::scene

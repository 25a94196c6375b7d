// Wrong scenes: each gives one InputError that names position, key, value, and the allowed values or the nearest name.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scenes.h"

namespace asperity::scene {
namespace {

struct Wrong {
    std::string text;
    std::vector<std::string> fragments;  ///< must all occur in the message
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.text; }

struct WrongScene : testing::TestWithParam<Wrong> {};

TEST_P(WrongScene, IsRefusedWithAMessageThatHelps) {
    const std::string message = complaint(GetParam().text);
    EXPECT_TRUE(message.starts_with("test.toml:")) << message;
    for (const std::string& fragment : GetParam().fragments)
        EXPECT_NE(message.find(fragment), std::string::npos) << fragment << " | " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_LT(message.size(), 500u);
}

const std::string kBody =
    "[[body]]\nname = \"block\"\nshape = { box = [1, 1, 1] }\n";  // three lines; added text starts on line 4

const std::string kPlank = "[[body]]\nname = \"plank\"\nshape = { box = [9, 9, 1] }\n";

const Wrong kDocuments[] = {
    {"", {"no [[body]]", "at least one body"}},
    {"title = \"x\"\n[[bdoy]]\n", {"test.toml:2:3: bdoy: unknown key; did you mean 'body'?"}},
    {"a = [1,\n", {"test.toml:1:9: not TOML: ", "end-of-file"}},
    {"view = { eye = [1, 1, 1],\n target = [0, 0, 0] }\n", {"test.toml:1:26: not TOML: ", "must be on one line"}},
    {"a = \"\xff\"\n", {"test.toml:1:", "not TOML", "utf-8"}},
    {"title = 3\n" + kBody, {"test.toml:1:9: title = 3: expected a text in quotes, found a number"}},
    {"seed = -1\n" + kBody, {"test.toml:1:8: seed = -1: must be a whole number >= 0"}},
    {"body = 3\n", {"test.toml:1:8: body = 3: expected [[body]] tables"}},
    {"material = 3\n" + kBody, {"material = 3: expected a table [material] of names"}},
    {std::string("a") +
         [] {
             std::string s;
             for (int i = 0; i < 200000; ++i) s += ".a";
             return s;
         }() +
         " = 1\n",
     {"test.toml:1:", "more than 32 parts"}}};
const Wrong kParams[] = {
    {"[params]\nmu = \"nu\"\nnux = 1\n" + kBody, {"test.toml:2:6: params.mu = \"nu\": unknown name 'nu'; did you mean "}},
    {"[params]\na = \"b\"\nb = \"a\"\n" + kBody, {"test.toml:3:5: params.b = \"a\": 'a' depends on itself"}},
    {"[params]\npi = 3\n" + kBody, {"test.toml:2:6: params.pi = 3: 'pi' has a meaning in formulas already"}},
    {"[params]\na = true\n" + kBody, {"test.toml:2:5: params.a = true: expected a number or a formula"}},
    {"[params]\na = nan\n" + kBody, {"test.toml:2:5: params.a = nan: must be a finite number"}},
    {"[params]\na = \"1/0\"\n" + kBody, {"params.a = \"1/0\": the formula gives infinity"}},
    {"[world]\ngravity = [0, 0, \"-g\"]\n" + kBody, {"test.toml:2:18: world.gravity.2 = \"-g\": 'g' depends on itself"}}};
const Wrong kStep[] = {
    {"[step]\ndt = 0\n" + kBody, {"test.toml:2:6: step.dt = 0: must be between 1e-09 and 1"}},
    {"[step]\ndt = -1e-3\n" + kBody, {"step.dt = -0.001: must be between"}},
    {"[step]\nsolver = \"prx\"\n" + kBody,
     {"test.toml:2:10: step.solver = \"prx\": must be one of ", "did you mean 'prox'?"}},
    {"[step]\nsubsteps = 1.5\n" + kBody, {"step.substeps = 1.5: must be a whole number"}},
    {"[step]\nduraton = 1\n" + kBody, {"test.toml:2:1: step.duraton: unknown key; did you mean 'duration'?"}},
    {"[world]\ngravity = [0, 0]\n" + kBody,
     {"test.toml:2:11: world.gravity = [0, 0]: expected a list of 3 numbers, found 2 items"}},
    {"[world]\ncombine = \"median\"\n" + kBody,
     {"world.combine = \"median\": must be one of geometric, mean, min, max, product"}},
    {"[step]\npatch_overlap = \"volumes\"\n" + kBody,
     {"test.toml:2:17: step.patch_overlap = \"volumes\": must be one of points, volume"}},
    {"[step]\npatch_overlap = \"points\"\ntarget_volume = 1\n" + kBody,
     {"test.toml:3:17: step.target_volume = 1: belongs to patch_overlap = \"volume\""}},
    {"[world]\ndefault = { mu = 1, contact_model = \"points\", patch_compliance = 1 }\n" + kBody,
     {"patch_compliance = 1: belongs to contact_model = \"patches\""}},
    {"[view]\neye = [1, 1, 1]\n" + kBody, {"test.toml:1:1: view.target: missing"}},
    {"[view]\neye = [1, 1, 1]\ntarget = [1, 1, 1]\n" + kBody, {"eye and target are the same point"}}};
const Wrong kSurfaces[] = {
    {"[material.oak]\ndensty = 1\n" + kBody, {"test.toml:2:1: material.oak.densty: unknown key; did you mean 'density'?"}},
    {"[material.oak]\ndensity = 0\n" + kBody, {"test.toml:2:11: material.oak.density = 0: must be between"}},
    {"[material.oak]\nmu = -0.1\n" + kBody, {"test.toml:2:6: material.oak.mu = -0.1: must be between 0 and"}},
    {"[material.oak]\ncolor = \"okk\"\n" + kBody, {"material.oak.color = \"okk\"", "did you mean 'oak'?"}},
    {"[material.oak]\ncolor = \"#12345\"\n" + kBody, {"six digits"}},
    {"[material.oak]\ngrain = [0, 0, 0]\n" + kBody, {"the grain needs a direction"}},
    {"[material.oak]\ntexture = \"nowhere.png\"\n" + kBody,
     {"test.toml:2:11: material.oak.texture = \"nowhere.png\": no such file"}},
    {"[material.oak]\n[pair.oak-stel]\nmu = 1\n[material.steel]\n" + kBody,
     {"test.toml:2:1: pair.oak-stel", "did you mean 'oak-steel'?"}},
    {"[material.oak]\n[pair.oak-default]\nmu = 1\n[pair.default-oak]\nmu = 1\n" + kBody,
     {"test.toml:4:1:", "the same pair as 'oak-default'"}},
    {"[material.a]\n[material.a-b]\n[material.b-c]\n[material.c]\n[pair.a-b-c]\nmu = 1\n" + kBody, {"several pairs"}},
    {"[material.oak]\n[pair.oak-oak]\nmu = -1\n" + kBody, {"test.toml:3:6: pair.oak-oak.mu = -1: must be between 0"}},
    {"[material.oak]\n[pair.oak-oak]\nrestitution = 0.5\n" + kBody, {"test.toml:2:1: pair.oak-oak.mu: missing"}},
    {"[material.oak]\n[pair.oak-oak]\nlaw = \"eliptic\"\n" + kBody, {"did you mean 'elliptic'?"}},
    {"[material.oak]\n[pair.oak-oak]\nlaw = \"elliptic\"\nmu = 1\n" + kBody, {"mu_t (along the grain)"}},
    {"[material.oak]\n[pair.oak-oak]\nmu = 1\nmu_t = 1\n" + kBody,
     {"test.toml:4:8: pair.oak-oak.mu_t = 1: belongs to law = \"elliptic\""}},
    {"[material.oak]\n[pair.oak-oak]\nmu = 1\nstribeck = { ratio = 2 }\n" + kBody,
     {"pair.oak-oak.stribeck.speed: missing"}}};
const Wrong kBodies[] = {
    {"[[joint]]\nkind = \"revolute\"\na = \"block\"\n" + kBody, {"test.toml:2:8", "did you mean 'hinge'?"}},
    {"[material.oak]\n" + kBody + "material = \"oak\"\n" + kPlank, {"test.toml:1:", "material.oak: no friction is given"}},
    {"[[body]]\nshape = { sphere = 1 }\n", {"test.toml:1:1: body.0.name: missing"}},
    {"[[body]]\nname = \"a*b\"\nshape = { sphere = 1 }\n", {"'a*b' is not a valid name"}},
    {"[[body]]\nname = \"world\"\nshape = { sphere = 1 }\n", {"'world' is reserved"}},
    {"[[body]]\nname = \"a\"\n", {"test.toml:1:1: body.a", "needs either shape"}},
    {"[[body]]\nname = \"a\"\nshapes = []\n", {"body.a.shapes = []: an empty list"}},
    {"[[body]]\nname = \"a\"\nshape = { }\n", {"exactly one of sphere, box"}},
    {"[[body]]\nname = \"a\"\nshape = { sphere = 1, box = [1, 1, 1] }\n", {"exactly one of sphere, box"}},
    {"[[body]]\nname = \"a\"\nshape = { sphere = 0 }\n",
     {"test.toml:3:20: body.a.shape.sphere = 0: must be between 1e-06 and 1e+06"}},
    {"[[body]]\nname = \"a\"\nshape = { box = [1, -1, 1] }\n", {"test.toml:3:21: body.a.shape.box.1 = -1: must be between"}},
    {"[[body]]\nname = \"a\"\nshape = { box = [1, \"2-2\", 1] }\n",
     {"body.a.shape.box.1 = \"2-2\": the formula gives 0; must be between"}},
    {"[[body]]\nname = \"a\"\nshape = { hull = [[0,0,0],[1,0,0],[0,1,0],[1,1,0]] }\n",
     {"test.toml:3:18: body.a.shape.hull: "}},
    {"[[body]]\nname = \"a\"\nshape = { half_space = true }\n", {"test.toml:1:1: body.a: "}},
    {"[[body]]\nname = \"a\"\nshape = { mesh = \"nowhere.obj\" }\n",
     {"test.toml:3:18: body.a.shape.mesh = \"nowhere.obj\": no such file: nowhere.obj; paths start at the scene's folder"}},
    {"[[body]]\nname = \"a\"\nshape = { sphere = 1, scale = 2 }\n",
     {"test.toml:3:31: body.a.shape.scale = 2: belongs to mesh and hull_of"}},
    {kBody + kBody, {"test.toml:4:1: body.block", "two bodies are called 'block'"}},
    {kBody + "mass = 0\n", {"test.toml:4:8: body.block.mass = 0: must be between"}},
    {kBody + "mass = -2\n", {"test.toml:4:8: body.block.mass = -2: must be between"}},
    {kBody + "mass = \"inf\"\n", {"body.block.mass = \"inf\": unknown name 'inf'"}},
    {kBody + "mass = inf\n", {"body.block.mass = inf: must be a finite number"}},
    {kBody + "mass = [1]\n", {"body.block.mass = [1]: expected a number or a formula, found a list"}},
    {kBody + "rotation = [0, 0, 1]\n",
     {"body.block.rotation: unknown key; did you mean 'roll_deg', 'pitch_deg', 'yaw_deg', 'quaternion'?"}},
    {kBody + "yaw = 1\n", {"body.block.yaw: unknown key; did you mean 'yaw_deg'?"}},
    {kBody + "friction = 0.5\n", {"test.toml:4:1: body.block.friction: unknown key; friction is given to a material"}},
    {kBody + "mas = 1\n", {"test.toml:4:1: body.block.mas: unknown key; did you mean 'mass'?"}},
    {kBody + "material = \"oack\"\n[material.oak]\n",
     {"test.toml:4:12: body.block.material = \"oack\": no material 'oack'; did you mean 'oak'?"}},
    {kBody + "on = \"blok\"\n", {"test.toml:4:6: body.block.on = \"blok\": no body 'blok' so far"}},
    {kBody + "quaternion = [0, 0, 0, 0]\n", {"test.toml:4:14:", "zero quaternion"}},
    {kBody + "quaternion = [1, 0, 0, 0]\nyaw_deg = 3\n", {"give one orientation"}},
    {kBody + "fixed = 1\n", {"test.toml:4:9: body.block.fixed = 1: expected true or false"}},
    {kBody + "fixed = true\nvelocity = [1, 0, 0]\n", {"test.toml:5:12: body.block.velocity", "do not take a velocity"}},
    {kBody + "fixed = true\nkinematic = { yaw_deg = 1 }\n", {"either fixed or kinematic"}},
    {kBody + "kinematic = { position = [\"sin(x)\", 0, 0] }\n",
     {"test.toml:4:27: body.block.kinematic.position.0 = \"sin(x)\": unknown name 'x'"}},
    {kBody + "kinematic = { yaw_deg = \"1/t\" }\n", {"no finite number at t = 0"}},
    {kBody + "position = [0, 0, 1e20]\n", {"test.toml:4:19: body.block.position.2 = 1e+20: must be between"}},
    {kBody +
         "position = [0, 0, 0]\n[[body]]\nname = \"ball\"\nshape = { sphere = 0.1 }\nposition = [3, 0, 0]\non = \"block\"\n",
     {"test.toml:9:6: body.ball.on = \"block\": moved along -z of 'block', this body never touches it"}},
    {kBody + "[[body]]\nname = \"other\"\nshape = { sphere = 1 }\nposition = [3, 0, 0]\n",
     {"test.toml:1:1: body.block: no friction is given between"}}};
const Wrong kJoints[] = {
    {kBody + "[[joint]]\nkind = \"bal\"\nb = \"block\"\n",
     {"test.toml:5:8: joint.0.kind = \"bal\": must be one of ball, hinge", "did you mean 'ball'?"}},
    {kBody + "[[joint]]\nkind = \"ball\"\nb = \"blck\"\n",
     {"test.toml:6:5: joint.0.b = \"blck\": no body 'blck'", "did you mean 'block'?"}},
    {kBody + "[[joint]]\nkind = \"ball\"\nb = \"block\"\n", {"test.toml:4:1: joint.0.at: missing"}},
    {kBody + "[[joint]]\nkind = \"ball\"\nat = [0, 0, 0]\n", {"joint.0.b: missing"}},
    {kBody + "[[joint]]\nkind = \"weld\"\na = \"block\"\nb = \"block\"\n", {"two different bodies"}},
    {kBody + "[[joint]]\nkind = \"weld\"\na = \"block\"\nb = \"world\"\n", {"b is a body"}},
    {kBody + "[[joint]]\nkind = \"ball\"\nb = \"block\"\nat = [0, 0, 0]\nlimits = [0, 1]\n",
     {"test.toml:8:1: joint.0.limits: a ball has no such key"}},
    {kBody + "[[joint]]\nkind = \"hinge\"\nb = \"block\"\nat = [0, 0, 0]\naxis = [0, 0, 0]\n",
     {"the axis needs a direction"}},
    {kBody + "[[joint]]\nkind = \"hinge\"\nb = \"block\"\nat = [0, 0, 0]\nlimits_deg = [10, -10]\n", {"low <= high"}},
    {kBody + "[[joint]]\nkind = \"hinge\"\nb = \"block\"\nat = [0, 0, 0]\nmotor = { sped = 1 }\n",
     {"joint.0.motor.sped: unknown key; did you mean 'speed'?"}},
    {kBody + "[[joint]]\nkind = \"hinge\"\nb = \"block\"\nat = [0, 0, 0]\nbrake = { max_effort = -1 }\n",
     {"test.toml:8:24: joint.0.brake.max_effort = -1: must be between 0 and 1e+15"}},
    {kBody + "[[joint]]\nkind = \"ball\"\nb = \"block\"\nat = [0, 0, 0]\nbrake = {}\n",
     {"test.toml:8:1: joint.0.brake: a ball has no such key"}},
    {kBody + "[[joint]]\nkind = \"distance\"\nb = \"block\"\n", {"joint.0.at_a: missing; the world needs a point"}},
    {kBody + "[[joint]]\nkind = \"distance\"\nb = \"block\"\nat = [0, 0, 1]\n", {"both anchors are at the same point"}},
    {kBody + "[[joint]]\nkind = \"spring\"\nb = \"block\"\nat_a = [0, 0, 1]\n", {"joint.0.stiffness: missing"}},
    {kBody + "fixed = true\n[[joint]]\nkind = \"weld\"\nb = \"block\"\n", {"test.toml:5:1: joint.0: "}},
    {kBody + "[[joint]]\nname = \"x\"\nkind = \"weld\"\nb = \"block\"\n[[joint]]\nname = \"x\"\nkind = \"weld\"\nb = "
             "\"block\"\n",
     {"test.toml:8:1:", "two joints are called 'x'"}}};
const Wrong kGenerators[] = {
    {"[[generate]]\nname = \"a\"\ncount = 3\n", {"test.toml:1:1: generate.a", "needs body"}},
    {"[[generate]]\nname = \"a\"\nbody = { shape = { sphere = 1 } }\n", {"generate.a.count: missing"}},
    {"[[generate]]\nname = \"a\"\ncount = 1000000\nbody = { shape = { sphere = 1 } }\n",
     {"test.toml:3:9: generate.a.count = 1000000: must be between 0 and 200000"}},
    {"[[generate]]\nname = \"a\"\ncount = [1000, 1000, 1000]\nbody = { shape = { sphere = 1 } }\n", {"more than 200000"}},
    {"[[generate]]\nname = \"a\"\ncount = 5\nbody = { shape = { sphere = \"1/(i-3)\" } }\n",
     {"generate.a.body.shape.sphere", "i = 0", "must be between"}},
    {"[[generate]]\nname = \"a\"\ncount = 5\nbody = { name = \"x\", shape = { sphere = 1 } }\n",
     {"named after their [[generate]]"}},
    {"[[generate]]\nname = \"a\"\ncount = 5\nbody = { shape = { sphere = 1 }, on = \"a_{i-1}\" }\n",
     {"no body 'a_-1' so far"}},
    {"[[generate]]\nname = \"a\"\ncount = 5\nbody = { shape = { sphere = 1 }, on = \"a_{i/2}x\" }\n", {"no body 'a_0x'"}},
    {"[[generate]]\nname = \"a\"\ncount = 5\nbody = { shape = { sphere = 1 }, on = \"a_{i\" }\n",
     {"a '{' without a closing '}'"}},
    {"[world]\ndefault = { mu = 0 }\n[[generate]]\nname = \"a\"\ncount = 2\nbody = { shape = { sphere = 1 }, position = "
     "[\"3*i\", 0, 0] }\njoint = { kind = \"ball\", a = \"a_{i}\", b = \"a_{i+1}\", at = [0, 0, 0] }\n",
     {"no body 'a_2'"}}};
const Wrong kExpectations[] = {
    {kBody + "[[expect]]\nbody = \"block\"\nobservable = \"spede\"\nbelow = 1\n",
     {"test.toml:6:14: expect.0.observable = \"spede\": unknown observable; did you mean 'speed'?"}},
    {kBody + "[[expect]]\nbody = \"blok\"\nobservable = \"speed\"\nbelow = 1\n",
     {"test.toml:5:8: expect.0.body = \"blok\": no body of this name; did you mean 'block'?"}},
    {kBody + "[[expect]]\nbody = \"x_*\"\nobservable = \"speed\"\nbelow = 1\n", {"no body of this name"}},
    {kBody + "[[expect]]\nobservable = \"speed\"\nbelow = 1\n", {"expect.0.body: missing"}},
    {kBody + "[[expect]]\nbody = \"block\"\nobservable = \"energy\"\nbelow = 1\n", {"observable of the whole world"}},
    {kBody + "[[expect]]\nbody = \"block\"\nobservable = \"speed\"\n", {"test.toml:4:1: expect.0", "has no bound"}},
    {kBody + "[[expect]]\nbody = \"block\"\nobservable = \"speed\"\nbelow = 1\nwithin = 1\n",
     {"test.toml:8:10:", "tolerance of `equals`"}},
    {kBody + "[[expect]]\nbody = \"block\"\nobservable = \"speed\"\nequals = 1\nwithin = -1\n", {"must be >= 0"}}};
INSTANTIATE_TEST_SUITE_P(Documents, WrongScene, testing::ValuesIn(kDocuments));
INSTANTIATE_TEST_SUITE_P(Params, WrongScene, testing::ValuesIn(kParams));
INSTANTIATE_TEST_SUITE_P(Step, WrongScene, testing::ValuesIn(kStep));
INSTANTIATE_TEST_SUITE_P(Surfaces, WrongScene, testing::ValuesIn(kSurfaces));
INSTANTIATE_TEST_SUITE_P(Bodies, WrongScene, testing::ValuesIn(kBodies));
INSTANTIATE_TEST_SUITE_P(Joints, WrongScene, testing::ValuesIn(kJoints));
INSTANTIATE_TEST_SUITE_P(Generators, WrongScene, testing::ValuesIn(kGenerators));
INSTANTIATE_TEST_SUITE_P(Expectations, WrongScene, testing::ValuesIn(kExpectations));

TEST(SceneFile, TheTableOfWrongScenesStartsFromAGoodOne) { EXPECT_EQ(complaint(kBody), ""); }

TEST(SceneFile, ThatIsMissingOrAFolderIsRefused) {
    EXPECT_THROW(load("/nowhere/scene.toml"), InputError);
    EXPECT_THROW(load(std::filesystem::temp_directory_path()), InputError);
}

TEST(SceneFile, LargerThanSixteenMegabytesIsRefusedUnread) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("asperity_noise_" + std::to_string(::getpid()) + ".toml");
    {
        std::ofstream out(path, std::ios::binary);
        const std::string block(1 << 20, '\x9b');
        for (int i = 0; i < 17; ++i) out << block;
    }
    try {
        load(path);
        FAIL() << "17 MB of noise is no scene";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("larger than 16777216 bytes"), std::string::npos) << error.what();
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace asperity::scene

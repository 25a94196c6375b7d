// The schema is the list of all keys: the reader reads each of them, and docs/scene-format.md describes exactly these.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <regex>
#include <set>

#include "asperity/scene/expect.h"
#include "asperity/scene/formula.h"
#include "asperity/scene/schema.h"
#include "scenes.h"

namespace asperity::scene {
namespace {

std::string document() {
    std::ifstream in(std::string(ASPERITY_SOURCE_DIR) + "/docs/scene-format.md");
    return {std::istreambuf_iterator<char>(in), {}};
}

// First cells of the tables' rows: | `body.mass` | ...
std::set<std::string> documented_keys() {
    std::set<std::string> keys;
    const std::string text = document();
    const std::regex row(R"(\n\| `([a-z0-9_.]+)` \|)");
    for (auto match = std::sregex_iterator(text.begin(), text.end(), row); match != std::sregex_iterator(); ++match)
        keys.insert((*match)[1]);
    return keys;
}

TEST(SceneFormat, DocumentationDescribesEveryKeyAndNoOther) {
    const std::set<std::string> documented = documented_keys();
    std::set<std::string> known;
    for (const std::string& key : known_keys()) known.insert(key);
    for (const std::string& key : known) EXPECT_TRUE(documented.contains(key)) << key << " is not described";
    for (const std::string& key : documented) EXPECT_TRUE(known.contains(key)) << key << " does not exist";
}

TEST(SceneFormat, DocumentationNamesEveryObservableAndFunction) {
    const std::string text = document();
    for (const auto& names :
         {body_observables(), force_observables(), row_observables(), world_observables(), Formulas::function_names()})
        for (const std::string& name : names) EXPECT_NE(text.find("`" + name + "`"), std::string::npos) << name;
}

TEST(SceneFormat, ExamplesInTheDocumentationAreGoodScenes) {
    const std::string text = document();
    int examples = 0;
    const std::string fence = "```toml\n";
    for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1)) {
        const std::size_t start = at + fence.size();
        const std::string example = text.substr(start, text.find("```", start) - start);
        EXPECT_EQ(complaint(example), "") << example;
        ++examples;
    }
    EXPECT_GT(examples, 5);
}

// The start of a scene of the implicit world.
const std::string kSoftWorld = "[step]\nmethod = \"implicit\"\n[material.gel]\nmu = 0\n";

// A scene with one table left open at its end, so that any key can be added. `keys`: all its keys except the tested one.
struct OpenTable {
    std::string table, before, keys, after;
};
const OpenTable kOpenTables[] = {
    {"", "", "", kBlock},
    {"step", "[step]\n", "", kBlock},
    {"world", "[[body]]\nname = \"a\"\nshape = { sphere = 1 }\n[world]\n", "", ""},
    {"material", kBlock + "[material.oak]\n", "", ""},
    {"pair", kBlock + "[material.oak]\n[pair.oak-oak]\n", "mu = 1\nstatic_ratio = 2\n", ""},
    {"pair.stribeck", kBlock + "[material.oak]\n[pair.oak-oak]\nmu = 1\n[pair.oak-oak.stribeck]\n", "ratio = 1\nspeed = 1\n",
     ""},
    {"pair.load", kBlock + "[material.oak]\n[pair.oak-oak]\nmu = 1\n[pair.oak-oak.load]\n", "reference = 1\nexponent = 1\n",
     ""},
    {"pair.load_curve", kBlock + "[material.oak]\n[pair.oak-oak]\nmu = 1\n[pair.oak-oak.load_curve]\n",
     "points = [[1, 1], [10, 0.5]]\n", ""},
    {"grain_field", kBlock + "[material.oak.grain_field]\n", "kind = \"spiral\"\nangle_deg = 30\n", ""},
    {"normal_map", kBlock + "[material.oak.normal_map]\n", "gaussian = 1\nsize = [4, 4]\n", ""},
    {"shape", kBlock + "[[body]]\nname = \"x\"\n[body.shape]\n", "sphere = 1\n", ""},
    {"shape.height_field", kBlock + "[[body]]\nname = \"x\"\nfixed = true\n[body.shape.height_field]\n",
     "heights = \"x*y\"\ncells = [2, 2]\nsize = [1, 1]\n", ""},
    {"shape.bumpy_box", kBlock + "[[body]]\nname = \"x\"\n[body.shape.bumpy_box]\n",
     "size = [1, 1, 1]\nbumps = 2\ncells = 8\n", ""},
    {"body", kBlock + "[[body]]\n", "name = \"x\"\nshape = { sphere = 1 }\n", ""},
    {"body.kinematic", kBlock + "[[body]]\nname = \"x\"\nshape = { sphere = 1 }\n[body.kinematic]\n", "", ""},
    {"joint", kBlock + "[[joint]]\n", "kind = \"hinge\"\nb = \"block\"\nat = [0, 0, 0]\n", ""},
    {"joint.motor", kBlock + "[[joint]]\nkind = \"hinge\"\nb = \"block\"\nat = [0, 0, 0]\n[joint.motor]\n", "speed = 1\n",
     ""},
    {"joint.drive", kBlock + "[[joint]]\nkind = \"hinge\"\nb = \"block\"\nat = [0, 0, 0]\n[joint.drive]\n",
     "target = 1\nstiffness = 1\n", ""},
    {"joint.brake", kBlock + "[[joint]]\nkind = \"hinge\"\nb = \"block\"\nat = [0, 0, 0]\n[joint.brake]\n", "", ""},
    {"generate", kBlock + "[[generate]]\n",
     "name = \"x\"\ncount = 1\nbody = { shape = { sphere = 1 }, on = \"block\" }\njoint = { kind = \"weld\", b = \"x_0\" "
     "}\n",
     ""},
    {"expect", kBlock + "[[expect]]\n", "body = \"block\"\nobservable = \"x\"\nequals = 1\n", ""},
    {"body.soft", kSoftWorld + "[[body]]\nname = \"x\"\nshape = { box = [1, 1, 1] }\nmaterial = \"gel\"\n[body.soft]\n",
     "young = 1e5\npoisson = 0.3\n", ""},
    {"soft.hold",
     kSoftWorld + "[[body]]\nname = \"x\"\nshape = { box = [1, 1, 1] }\nmaterial = \"gel\"\n[body.soft]\nyoung = 1e5\n"
                  "poisson = 0.3\n[[body.soft.hold]]\n",
     "box = [[-1, -1, -1], [1, 1, 0]]\nroll_deg = 0\n", ""},
    {"soft.load",
     kSoftWorld + "[[body]]\nname = \"x\"\nshape = { box = [1, 1, 1] }\nmaterial = \"gel\"\n[body.soft]\nyoung = 1e5\n"
                  "poisson = 0.3\n[[body.soft.load]]\n",
     "box = [[-1, -1, -1], [1, 1, 1]]\npressure = 1\n", ""},
    {"view", kBlock + "[view]\n", "eye = [1, 0, 0]\ntarget = [0, 0, 0]\n", ""}};

std::string without(const std::string& keys, const std::string& key) {
    std::string out;
    std::istringstream in(keys);
    for (std::string line; std::getline(in, line);)
        if (!line.starts_with(key + " ")) out += line + "\n";
    return out;
}

// No key accepts a date. So a date would pass only for a key of the schema that the reader never reads.
TEST(SceneFormat, ReaderReadsEveryKeyThatItAccepts) {
    std::set<std::string> tested;
    for (const OpenTable& place : kOpenTables) {
        ASSERT_EQ(complaint(place.before + place.keys + place.after), "") << place.table;
        for (const std::string& known : known_keys()) {
            const std::size_t dot = known.rfind('.');
            if ((dot == std::string::npos ? "" : known.substr(0, dot)) != place.table) continue;
            const std::string key = known.substr(dot + 1);
            tested.insert(known);
            std::string body = place.before + without(place.keys, key) + key + " = 2020-02-02\n" + place.after;
            if (place.after.find("[" + key + "]") != std::string::npos)
                body = key + " = 2020-02-02\n";  // the tables [[body]] and [world] follow
            const auto swap = [&](const std::string& from, const std::string& to) {
                if (const std::size_t at = body.find(from); at != std::string::npos) body.replace(at, from.size(), to);
            };
            if (place.table == "joint" && (known.find("at_") != std::string::npos || key == "length" || key == "rope"))
                swap("\"hinge\"", "\"distance\"");
            if (place.table == "joint" && (key == "stiffness" || key == "damping" || key == "max_force"))
                swap("\"hinge\"", "\"spring\"");
            if (place.table == "joint" && (key == "stiffness" || key == "damping" || key == "max_force"))
                swap("b = \"block\"", "b = \"block\"\nat_b = [1, 0, 0]");
            if (place.table == "joint" && (key == "damping" || key == "max_force"))
                swap("b = \"block\"", "b = \"block\"\nstiffness = 1");
            if (place.table == "joint" && key == "limits") swap("\"hinge\"", "\"slider\"");
            if (place.table == "joint.drive" && key == "target_deg") swap("target = 1\n", "");
            if (place.table == "pair" && (key == "mu_t" || key == "mu_b"))
                swap("mu = 1\n", key == "mu_t" ? "law = \"elliptic\"\n" : "law = \"elliptic\"\nmu_t = 1\n");
            for (const std::string name : {"mu_along", "mu_across", "lone_grain", "blend", "drilling_parallel"})
                if (place.table == "pair" && key == name)
                    swap("mu = 1\n", "law = \"matchstick\"\nmu = 1\n" + without("mu_along = 1\nmu_across = 1\n", key));
            for (const std::string name : {"tensor", "tensor_b", "kappa", "form"})
                if (place.table == "pair" && key == name)
                    swap("mu = 1\n", "law = \"tensor\"\n" + without("tensor = [1, 1]\n", key));
            if (key == "tensor_b") swap("oak-oak]", "oak-default]");
            if (place.table == "grain_field" && key == "angle") swap("kind = \"spiral\"\nangle_deg = 30\n", "");
            for (const std::string name :
                 {"texture", "encoding", "rotation_deg", "strength", "tile_size", "tiles_per_face", "footprint"})
                if (place.table == "grain_field" && key == name)
                    swap("kind = \"spiral\"\nangle_deg = 30\n",
                         "kind = \"texture\"\n" + without("texture = \"no.png\"\n", key));
            if (place.table == "shape" &&
                (key == "box" || key == "capsule" || key == "cylinder" || key == "half_space" || key == "hull" ||
                 key == "mesh" || key == "hull_of" || key == "height_field" || key == "bumpy_box"))
                swap("sphere = 1\n", "");
            if (key == "image") swap("heights = \"x*y\"\n", "");
            if (place.table == "body" && key == "shapes") swap("shape = { sphere = 1 }\n", "");
            for (const std::string name :
                 {"integrator", "contact_distance", "contact_stiffness", "affine_stiffness", "newton_iterations", "halvings",
                  "check", "friction", "friction_tolerance", "friction_passes", "eps_v"})
                if (place.table == "step" && key == name) swap("[step]\n", "[step]\nmethod = \"implicit\"\n");
            if (place.table == "world" && key == "dimension") swap("[[body]]", "[step]\nmethod = \"implicit\"\n[[body]]");
            if (place.table == "body" && (key == "thickness" || key == "ignore"))
                swap(kBlock, kBlock + "[step]\nmethod = \"implicit\"\n");
            if (place.table == "body.soft" && key == "plane")
                swap("[material.gel]", "[world]\ndimension = 2\n[material.gel]");
            if (place.table == "soft.load" && key == "force") swap("pressure = 1\n", "");
            const std::string message = complaint(body);
            EXPECT_NE(message.find("2020-02-02"), std::string::npos) << known << ": " << message << "\n" << body;
            EXPECT_NE(message.find(key), std::string::npos) << known << ": " << message;
        }
    }
    EXPECT_EQ(tested.size(), known_keys().size());
}

}  // namespace
}  // namespace asperity::scene

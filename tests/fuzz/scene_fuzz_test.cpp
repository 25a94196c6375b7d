// Damaged scenes. For any bytes, reading must end in a scene or in an InputError on one line: no crash, no other exception,
// no sanitizer report. A seeded generator makes the mutants from real scenes, so failures are reproducible.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/scene/reader.h"

namespace asperity::scene {
namespace {

constexpr int kMutants = 800;  // the same on every machine; some 20 s of CPU time under the sanitizers

// Each key and shape at least once, in few bytes.
const char* const kBuiltIn[] = {
    R"toml(title = "all"
seed = 3
[params]
a = 0.5
b = "2*a + uniform(0, 1)"
[step]
dt = 1e-3
duration = 1
solver = "prox"
[world]
gravity = [0, 0, "-9.81*a"]
default = { mu = 0.5, stribeck = { ratio = 1.5, speed = 0.1 } }
[material.oak]
density = 700
grain = [1, 0, 0]
color = "#c8a16b"
normal_map = { sawtooth = [15, "30*a"], period = 4, size = [8, 8], tile_size = 0.5 }
[pair.oak-oak]
law = "elliptic"
mu_t = 0.3
mu_b = "b"
[[body]]
name = "ground"
shape = { half_space = true }
material = "oak"
fixed = true
pitch_deg = "deg(atan(a))"
[[body]]
name = "block"
shape = { box = [1, "a", 0.2] }
material = "oak"
on = "ground"
position = [0, 0, 1]
[[body]]
name = "mixed"
shapes = [ { sphere = 0.1 },
  { cylinder = [0.1, 0.3], position = [0.2, 0, 0], yaw_deg = 20 }, { capsule = [0.1, 0.2], pitch_deg = 90 } ]
quaternion = [1, 0.2, 0, 0]
on = "block"
[[joint]]
kind = "hinge"
a = "block"
b = "mixed"
at = [0, 0, 1]
axis = [0, 1, 0]
limits_deg = [-90, 90]
motor = { speed = "sin(t)", max_effort = 3 }
[[expect]]
body = "bl*"
observable = "speed"
below = "g*duration"
[view]
eye = [3, 3, 3]
target = [0, 0, 0]
)toml",
    R"toml([world]
default = { mu = 0.4 }
[[body]]
name = "tray"
shape = { box = [2, 2, 0.1] }
kinematic = { position = ["0.1*sin(2*pi*t)", 0, 0], yaw_deg = "30*t" }
[[generate]]
name = "stone"
count = 5
first_on = "tray"
body = { shape = { hull = [[0,0,0],[1,0,0],[0,1,0],["0.1*i",0,1]] }, on = "stone_{i-1}", mass = "1 + i" }
joint_count = 4
joint = { kind = "spring", a = "stone_{i}", b = "stone_{i+1}", stiffness = 10 }
[[generate]]
name = "grid"
count = [2, 2, 2]
body = { shape = { capsule = [0.1, 0.2] }, position = ["i", "j", "5 + k"], random_orientation = true }
[[joint]]
kind = "distance"
b = "grid_0_0_0"
at_a = [0, 0, 9]
length = "4 + 0.1*t"
)toml"};

std::vector<std::string> corpus() {
    std::vector<std::string> scenes(std::begin(kBuiltIn), std::end(kBuiltIn));
    std::vector<std::filesystem::path> files;
    const std::filesystem::path folder = std::filesystem::path(ASPERITY_SOURCE_DIR) / "scenes";
    if (std::filesystem::is_directory(folder))
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& path : files) {
        std::ifstream in(path, std::ios::binary);
        scenes.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return scenes;
}

struct Span {
    std::size_t first, count;
};

// A word, a number or a single other character.
Span token_at(const std::string& text, std::size_t at) {
    const auto inside = [&](std::size_t i) {
        const auto c = static_cast<unsigned char>(text[i]);
        return std::isalnum(c) || c == '_' || c == '.' || c == '-';
    };
    if (!inside(at)) return {at, 1};
    std::size_t first = at, end = at;
    while (first > 0 && inside(first - 1)) --first;
    while (end < text.size() && inside(end)) ++end;
    return {first, end - first};
}

Span line_at(const std::string& text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t first = before == std::string::npos ? 0 : before + 1, end = text.find('\n', first);
    return {first, (end == std::string::npos ? text.size() : end + 1) - first};
}

const char* const kNasty[] = {"0",
                              "-1",
                              "1e308",
                              "-1e308",
                              "1e-320",
                              "nan",
                              "inf",
                              "-inf",
                              "9223372036854775807",
                              "-9223372036854775808",
                              "1e9",
                              "1e-9",
                              "true",
                              "\"\"",
                              "[]",
                              "{}",
                              "[0, 0, 0]",
                              "\"1/0\"",
                              "\"t\"",
                              "\"i\"",
                              "\"uniform(0,1)\"",
                              "2020-02-02",
                              "\"world\"",
                              "\"{i-1}\"",
                              "\"((((((1\"",
                              "\"a ? b : c\"",
                              "\"min()\"",
                              "1e-6",
                              "1e6",
                              "\"*\"",
                              "[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]",
                              "\"sin\"",
                              "\"\\u0000\""};

void mutate(std::string& text, Random& random) {
    if (text.empty()) return;
    const auto any = [&](std::size_t size) { return static_cast<std::size_t>(random.below(static_cast<int>(size))); };
    const std::size_t at = any(text.size());
    switch (random.below(11)) {
        case 0: text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1u << random.below(8))); break;
        case 1: text[at] = static_cast<char>(random.below(256)); break;
        case 2: text.erase(at, 1 + any(std::min<std::size_t>(20, text.size()))); break;
        case 3: text.insert(any(text.size()), text.substr(at, 1 + any(40))); break;
        case 4: {  // replaces a token by another token of the file
            const Span from = token_at(text, any(text.size()));
            const std::string word = text.substr(from.first, from.count);
            const Span to = token_at(text, at);
            text.replace(to.first, to.count, word);
            break;
        }
        case 5: {  // replaces a token by an extreme value
            const Span to = token_at(text, at);
            text.replace(to.first, to.count, kNasty[any(std::size(kNasty))]);
            break;
        }
        case 6:
        case 7:
        case 8: {  // replaces a value by an extreme one, or by a number of random magnitude
            std::size_t from = text.find_first_of("=[,", at);
            if (from == std::string::npos || from + 1 >= text.size()) break;
            from = text.find_first_not_of(' ', from + 1);
            if (from == std::string::npos) break;
            const Span to = token_at(text, from);
            const bool extreme = random.below(4) == 0;
            const double number = (random.below(4) ? 1 : -1) * std::pow(10, random.uniform(-8, 8));
            text.replace(to.first, to.count, extreme ? kNasty[any(std::size(kNasty))] : fmt::format("{:.3g}", number));
            break;
        }
        case 9: {
            const Span line = line_at(text, at);
            text.erase(line.first, line.count);
            break;
        }
        default: {
            const Span line = line_at(text, at);
            const std::string copy = text.substr(line.first, line.count);
            text.insert(line_at(text, any(text.size())).first, copy);
            break;
        }
    }
}

// Reads the text: returns "" for a scene, else the error message.
std::string outcome(const std::string& text, const std::vector<Override>& overrides) {
    ReadLimits limits;
    limits.bodies = 300;
    limits.hull_points = 100;
    limits.map_texels = 1 << 16;
    try {
        parse_within(text, "fuzz.toml", overrides, {}, limits);
    } catch (const InputError& error) { return error.what(); }
    return "";
}

void save_failure(const std::string& text) { std::ofstream("scene_fuzz_failure.toml", std::ios::binary) << text; }

std::string expect_good_outcome(const std::string& text, const std::vector<Override>& overrides, const std::string& label) {
    try {
        const std::string message = outcome(text, overrides);
        const bool good = message.find('\n') == std::string::npos && message.size() < 500;
        if (!good) save_failure(text);
        EXPECT_TRUE(good) << label << ": " << message;
        return message;
    } catch (const std::exception& error) {
        save_failure(text);
        ADD_FAILURE() << label << ": " << error.what() << "; the scene is in scene_fuzz_failure.toml";
    } catch (...) {
        save_failure(text);
        ADD_FAILURE() << label << ": something that is no std::exception; the scene is in scene_fuzz_failure.toml";
    }
    return "?";
}

TEST(SceneFuzz, CorpusIsGoodBeforeItIsDamaged) {
    for (const char* scene : kBuiltIn) EXPECT_EQ(outcome(scene, {}), "");
}

TEST(SceneFuzz, DamagedScenesAreReadOrRefusedCleanly) {
    const std::vector<std::string> scenes = corpus();
    int good = 0;
    for (int mutant = 0; mutant < kMutants; ++mutant) {
        Random random(static_cast<std::uint64_t>(mutant) + 1);
        std::string text = scenes[static_cast<std::size_t>(random.below(static_cast<int>(scenes.size())))];
        for (int m = random.below(2) ? 1 : 1 + random.below(4); m > 0; --m) mutate(text, random);
        good += expect_good_outcome(text, {}, "mutant " + std::to_string(mutant)).empty();
        if (HasFailure()) return;
    }
    std::printf("%d mutants of %zu scenes, %d of them still scenes\n", kMutants, scenes.size(), good);
    EXPECT_GT(good, kMutants / 50);  // else the mutations are too coarse to reach the deeper checks
}

TEST(SceneFuzz, DamagedOverridesAreAppliedOrRefusedCleanly) {
    const char* const paths[] = {"params.a",
                                 "step.dt",
                                 "body.block.mass",
                                 "body.0.position.2",
                                 "joint.0.motor.speed",
                                 "generate.x.body.mass",
                                 "expect.0.below",
                                 "material.oak.color",
                                 "pair.oak-oak.mu_b",
                                 "view.eye",
                                 "world.default.stribeck.ratio",
                                 "body.mixed.shapes.1.yaw_deg",
                                 "title"};
    for (int n = 0; n < 500; ++n) {
        Random random(static_cast<std::uint64_t>(n) + 100000);
        Override o{paths[random.below(static_cast<int>(std::size(paths)))],
                   kNasty[random.below(static_cast<int>(std::size(kNasty)))]};
        for (int m = random.below(3); m > 0; --m) mutate(random.below(2) ? o.key : o.value, random);
        expect_good_outcome(kBuiltIn[0], {o}, "override " + std::to_string(n) + ": " + o.key + "=" + o.value);
    }
}

TEST(SceneFuzz, NoiseIsRefused) {
    for (int n = 0; n < 200; ++n) {
        Random random(static_cast<std::uint64_t>(n) + 200000);
        std::string text(static_cast<std::size_t>(random.below(2000)), ' ');
        for (char& c : text) c = static_cast<char>(n % 2 ? random.below(256) : 32 + random.below(95));
        EXPECT_NE(expect_good_outcome(text, {}, "noise " + std::to_string(n)), "");
    }
}

TEST(SceneFuzz, DeepNestingIsRefused) {
    for (const int depth : {100, 10000, 1000000}) {
        const auto n = static_cast<std::size_t>(depth);
        std::string dotted = "a";
        for (std::size_t i = 0; i < n; ++i) dotted += ".a";
        for (const std::string& text :
             {dotted + " = 1", "[" + dotted + "]", "x = " + std::string(n, '['), "x = \"" + std::string(n, '(') + "\"",
              "[params]\nx = \"" + std::string(n, '-') + "1\"", "\"#\"." + dotted + " = 1"})
            EXPECT_NE(outcome(text, {}), "") << depth;
    }
    std::string chain = "[params]\n";
    for (int i = 0; i < 900; ++i) chain += "p" + std::to_string(i) + " = \"p" + std::to_string(i + 1) + "\"\n";
    EXPECT_NE(outcome(chain + "p900 = 1\n[[body]]\nname = \"a\"\nshape = { sphere = 1 }\n", {}), "");
}

}  // namespace
}  // namespace asperity::scene

// Runs as a user sees them: files, JSON, exit codes, interruption and resuming.
#include "program.h"

#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "tests/unit/record/deformable_sample.h"

namespace asperity::cli {
namespace {

using Json = nlohmann::json;
class Run : public Program {};

TEST_F(Run, JsonIsAloneOnStdoutAndHasEveryPromisedName) {
    const Outcome outcome = run({"run", "scenes/slope.toml", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Json summary = Json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(summary.is_discarded()) << outcome.out.substr(0, 300);
    for (const char* name : {"status", "steps", "sim_time", "wall_s", "state_hash", "residual_max", "penetration_max",
                             "contacts_max", "seed", "expect"})
        EXPECT_TRUE(summary.contains(name)) << name;
    EXPECT_EQ(summary["status"], "ok");
    EXPECT_EQ(summary["steps"], 200);
    ASSERT_FALSE(summary["expect"].empty());
    for (const char* name : {"name", "value", "bound", "ok"}) EXPECT_TRUE(summary["expect"][0].contains(name)) << name;
}

TEST_F(Run, WritesEveryFileWithItsColumns) {
    EXPECT_EQ(run({"run", "slope", "--set", "params.mu=0.3", "--contacts", "--out", out(), "--quiet"}).code, 0);
    for (const char* file : {"summary.json", "steps.csv", "bodies.csv", "contacts.csv", "pairs.csv", "motion.glb",
                             "recording.asp", "checkpoint"})
        EXPECT_TRUE(fs::file_size(fs::path(out()) / file) > 0) << file;
    const std::string bodies = read_file(out() + "/bodies.csv");
    EXPECT_TRUE(bodies.starts_with("time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"));
    EXPECT_EQ(std::count(bodies.begin(), bodies.end(), '\n'), 1 + 2 * (1 + 120));  // two bodies; the start and 2 s at 60 Hz
    EXPECT_TRUE(read_file(out() + "/motion.glb").starts_with("glTF"));
    EXPECT_EQ(Json::parse(read_file(out() + "/summary.json"))["params"]["mu"], 0.3);
}

TEST_F(Run, NotesAreInTheSummaryWhoeverIsQuiet) {
    write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\nf 4 3 4\n");
    const std::string scene = write("scene.toml",
                                    "step = { dt = 0.01, duration = 0.02 }\nworld = { default = { mu = 0.5 } }\n"
                                    "[[body]]\nname = \"sheet\"\nshape = { mesh = \"open.obj\" }\nfixed = true\n");
    const std::string note =
        "open.obj: 3 vertices, 1 triangles, a sheet; 1 vertices welded; 1 triangles without area removed; open: 3 boundary "
        "edges in 1 holes; "
        "without texture coordinates: seen along the nearest axis";
    EXPECT_EQ(run({"run", scene}).err.substr(0, note.size() + 7), "note: " + note + "\n");
    const Outcome json = run({"run", scene, "--json"});
    EXPECT_EQ(json.err, "");
    EXPECT_EQ(Json::parse(json.out)["notes"], Json::array({note}));
    const Outcome quiet = run({"run", scene, "--quiet", "--out", out()});
    EXPECT_EQ(quiet.err, "");
    EXPECT_EQ(quiet.out.find("open.obj"), std::string::npos) << quiet.out;
    EXPECT_EQ(Json::parse(read_file(out() + "/summary.json"))["notes"], Json::array({note}));
    EXPECT_EQ(Json::parse(run({"run", "slope", "--duration", "0.1", "--json"}).out)["notes"], Json::array());
}

/// Width and height of a PNG, from its first chunk.
std::pair<int, int> size_of(const std::string& png) {
    const auto number = [&](std::size_t at) {
        int n = 0;
        for (std::size_t i = 0; i < 4; ++i) n = n << 8 | static_cast<unsigned char>(png.at(at + i));
        return n;
    };
    return {number(16), number(20)};
}

TEST_F(Run, PicturesAreWideAndMomentsOfAStripAreNotNarrow) {
    const std::string picture = (folder_ / "a.png").string(), strip = (folder_ / "b.png").string();
    const auto render = [&](const std::vector<std::string>& more) {
        std::vector<std::string> args{"render", "slope",   "--picture", picture,     "--strip", strip,    "--strip-count",
                                      "4",      "--width", "160",       "--samples", "1",       "--quiet"};
        args.insert(args.end(), more.begin(), more.end());
        EXPECT_EQ(run(args).code, 0);
    };
    render({});
    EXPECT_EQ(size_of(read_file(picture)), std::pair(160, 90));
    EXPECT_EQ(size_of(read_file(strip)), std::pair(160, 30));
    render({"--height", "50"});
    EXPECT_EQ(size_of(read_file(picture)), std::pair(160, 50));
    EXPECT_EQ(size_of(read_file(strip)), std::pair(160, 50));
}

TEST_F(Run, ColoursOfDeformableBodiesComeWithTheirRange) {
    const std::string recording = (folder_ / "soft.asp").string(), picture = (folder_ / "a.png").string();
    record::save(record::deformable_recording(), recording);
    const auto render = [&](const std::vector<std::string>& more) {
        std::vector<std::string> args{"render", recording, "--picture", picture, "--width", "160", "--samples", "1"};
        args.insert(args.end(), more.begin(), more.end());
        return run(args);
    };
    const Outcome automatic = render({"--color-by", "von_mises"});
    EXPECT_EQ(automatic.code, 0) << automatic.err;
    EXPECT_NE(automatic.err.find("colours from 1000 to"), std::string::npos) << automatic.err;
    const std::string first = read_file(picture);
    EXPECT_EQ(render({"--color-by", "von_mises", "--color-range", "0", "1e5"}).err, "");
    EXPECT_NE(read_file(picture), first);
    expect_complaint(render({"--color-by", "von_mises", "--color-range", "2", "1"}), "larger");
    expect_complaint(render({"--margin"}), "--margin");
}

TEST_F(Run, MarginsColourContactPoints) {
    const std::string picture = (folder_ / "a.png").string();
    const auto render = [&](const std::vector<std::string>& more) {
        std::vector<std::string> args{"render", "slope",     "--picture", picture, "--width",
                                      "160",    "--samples", "1",         "--set", "step.duration=0.1"};
        args.insert(args.end(), more.begin(), more.end());
        return run(args).code;
    };
    ASSERT_EQ(render({}), 0);
    const std::string plain = read_file(picture);
    ASSERT_EQ(render({"--margin"}), 0);
    EXPECT_NE(read_file(picture), plain);
    EXPECT_EQ(render({"--margin", "--color-by", "displacement"}), 2);
}

TEST_F(Run, FailedExpectationHasItsOwnExitCode) {
    const Outcome outcome =
        run({"run", "scenes/stack10.toml", "--duration", "0.1", "--json", "--set", "world.gravity=[3,0,-9.81]"});
    const Json summary = Json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(summary.is_discarded()) << outcome.err;
    EXPECT_EQ(summary["status"], "expect_failed");
    EXPECT_EQ(outcome.code, 1);
}

TEST_F(Run, SameHashForOneAndTwoThreads) {
    const std::vector<std::string> args{"run",        "box_pile", "--set",  "params.count=60",
                                        "--duration", "0.5",      "--json", "--threads"};
    std::vector<std::string> hashes;
    for (const char* threads : {"1", "2"}) {
        std::vector<std::string> all = args;
        all.push_back(threads);
        hashes.push_back(Json::parse(run(all).out)["state_hash"]);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

// Resumes the interrupted run to some steps after the interruption. A second run goes to the same time without interruption.
TEST_F(Run, InterruptLeavesWholeFilesAndResumeGivesTheSameHash) {
    const std::vector<std::string> scene{"run", "box_pile", "--set", "params.count=100", "--json", "--out"};
    const auto arguments = [&](const std::string& folder, const std::vector<std::string>& more) {
        std::vector<std::string> args = scene;
        args.push_back(folder);
        args.insert(args.end(), more.begin(), more.end());
        return args;
    };
    const pid_t child = start(arguments(out(), {"--duration", "100000", "--record-hz", "20"}));
    // created after the signal handler is set
    while (!fs::exists(out())) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ::kill(child, SIGINT);
    const Outcome interrupted = finish(child);
    EXPECT_EQ(interrupted.code, 130) << interrupted.err;
    const Json first = Json::parse(interrupted.out, nullptr, false);
    ASSERT_FALSE(first.is_discarded());
    EXPECT_EQ(first["status"], "interrupted");
    for (const std::string& name : left()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
    for (const char* file : {"summary.json", "steps.csv", "bodies.csv", "motion.glb", "recording.asp", "checkpoint"})
        ASSERT_TRUE(fs::exists(fs::path(out()) / file)) << file;
    const std::string steps = read_file(out() + "/steps.csv");
    EXPECT_EQ(std::count(steps.begin(), steps.end(), '\n'), first["steps"].get<int>() + 1);
    EXPECT_EQ(Json::parse(read_file(out() + "/summary.json"))["state_hash"], first["state_hash"]);

    const std::string duration = fmt::format("{}", 0.01 * (first["steps"].get<int>() + 25));
    const Outcome resumed = run(arguments(out(), {"--duration", duration, "--record-hz", "20", "--resume"}));
    const Outcome whole = run(arguments((folder_ / "whole").string(), {"--duration", duration, "--record-hz", "20"}));
    EXPECT_EQ(Json::parse(resumed.out)["steps"], first["steps"].get<int>() + 25);
    EXPECT_EQ(Json::parse(resumed.out)["state_hash"], Json::parse(whole.out)["state_hash"]);
}

/// Boxes without positions, all at one place.
std::string heap_of_boxes(int count) {
    return fmt::format(
        "world = {{ default = {{ mu = 0.5 }} }}\n[[body]]\nname = \"ground\"\nfixed = true\nshape = {{ half_space = true "
        "}}\n"
        "[[generate]]\nname = \"b\"\ncount = {}\nbody = {{ shape = {{ box = [0.1, 0.1, 0.1] }} }}\n",
        count);
}

// A hundred million sweeps with a tolerance that no solve reaches: the first step would take days.
TEST_F(Run, InterruptInTheMiddleOfAStepKeepsTheLastWholeOne) {
    const std::string scene = write("heap.toml", heap_of_boxes(12) + "[step]\ntolerance = 1e-300\nmax_sweeps = 100000000\n");
    const std::vector<std::string> arguments{"run", scene, "--json", "--threads", "1", "--out", out()};
    const pid_t child = start(arguments);
    while (!fs::exists(out())) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ::kill(child, SIGINT);
    const Outcome outcome = finish(child);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    const Json summary = Json::parse(read_file(out() + "/summary.json"), nullptr, false);
    ASSERT_FALSE(summary.is_discarded());
    EXPECT_EQ(summary["status"], "interrupted");
    const std::string steps = read_file(out() + "/steps.csv");
    EXPECT_EQ(std::count(steps.begin(), steps.end(), '\n'), summary["steps"].get<int>() + 1);
    EXPECT_TRUE(fs::exists(out() + "/checkpoint"));
}

TEST_F(Run, OutOfMemoryIsAMessageAndAnExitCodeOfItsOwn) {
    const Outcome outcome = run({"run", write("heap.toml", heap_of_boxes(400)), "--threads", "1", "--quiet"}, [] {
        const rlimit most{400'000'000, 400'000'000};
        ::setrlimit(RLIMIT_AS, &most);
    });
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("asperity: out of memory")) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

// W of this scene alone would be 0.9 GB, and 4.1 GB with what is made of it.
TEST_F(Run, PalletOfNineHundredBoxesFitsIntoLittleMemory) {
    const std::string scene = write("pallet.toml", R"toml(
world = { default = { mu = 0.5 } }
[[body]]
name = "floor"
fixed = true
shape = { half_space = true }
[[body]]
name = "pallet"
shape = { box = [3.3, 3.3, 0.1] }
on = "floor"
mass = 0.5
velocity = [3, 1, 0]
angular_velocity = [0, 0, 1]
[[generate]]
name = "b"
count = [30, 30, 1]
body = { shape = { box = [0.1, 0.1, 0.1] }, on = "pallet", position = ["0.11*(i - 14.5)", "0.11*(j - 14.5)", 0] }
[step]
duration = 0.01
max_sweeps = 200
)toml");
    const Outcome outcome = run({"run", scene, "--threads", "1", "--quiet"}, [] {
        const rlimit most{600'000'000, 600'000'000};  // of addresses; the libraries take 350 MB of them
        ::setrlimit(RLIMIT_AS, &most);
    });
    EXPECT_EQ(outcome.code, 0) << outcome.err;
}

// W of these 40,000 contacts would be 4.6 GB.
TEST_F(Run, HeapInOnePlaceFitsIntoLittleMemoryWithAuto) {
    const std::string scene = write("heap.toml", heap_of_boxes(100) + "[step]\nduration = 0.01\nmax_sweeps = 20\n");
    const Outcome outcome = run({"run", scene, "--solver", "auto", "--threads", "1", "--quiet"}, [] {
        const rlimit most{900'000'000, 900'000'000};
        ::setrlimit(RLIMIT_AS, &most);
    });
    EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(Run, NamesBodiesThatOverlapAtTheStart) {
    const Outcome outcome = run({"run", write("heap.toml", heap_of_boxes(3)), "--duration", "0.02", "--json"});
    const Json summary = Json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(summary.is_discarded()) << outcome.err;
    EXPECT_NE(summary["notes"].dump().find("pairs of bodies overlap at the start, most of all 'b"), std::string::npos)
        << summary["notes"];
    const Outcome shown = run({"run", write("heap.toml", heap_of_boxes(3)), "--duration", "0.02"});
    EXPECT_NE(shown.err.find("note: "), std::string::npos) << shown.err;
    EXPECT_EQ(Json::parse(run({"run", "stack10", "--duration", "0.02", "--json"}).out)["notes"].size(), 0u);
}

TEST_F(Run, SaysWhyItIsSlowWhileItRuns) {
    const std::string scene = write("heap.toml", heap_of_boxes(6) + "[step]\ntolerance = 1e-300\nmax_sweeps = 150\n");
    const Outcome outcome = run({"run", scene, "--duration", "0.3", "--threads", "1"});
    EXPECT_NE(outcome.err.find(" sweeps a step (limit 150)"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("the solver takes"), outcome.err.rfind("the solver takes")) << "once";
    EXPECT_EQ(run({"run", "stack10", "--duration", "0.3"}).err.find("the solver takes"), std::string::npos);
}

TEST_F(Run, ListsScenesAsJson) {
    const Outcome outcome = run({"scenes", "--json"});
    EXPECT_EQ(outcome.code, 0);
    const Json list = Json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(list.is_discarded());
    const auto suzannes =
        std::find_if(list.begin(), list.end(), [](const Json& scene) { return scene["name"] == "suzanne_pile"; });
    ASSERT_NE(suzannes, list.end());
    EXPECT_NE(suzannes->value("notes", Json()).dump().find("suzanne.glb: "), std::string::npos) << *suzannes;
}

// ---- grain: texture and cone ----

class Grain : public Program {};

TEST_F(Grain, TextureComesFromAFormulaStrokesOrAPhotograph) {
    const std::string png = (folder_ / "g.png").string(), look = (folder_ / "look.png").string();
    const Outcome formula =
        run({"texture", "--formula", "30*sin(2*pi*y)", "--size", "64", "32", "--out", png, "--look", look});
    EXPECT_EQ(formula.code, 0) << formula.err;
    EXPECT_NE(formula.out.find("64 x 32 texels, mean strength 1.000"), std::string::npos) << formula.out;
    EXPECT_TRUE(read_file(png).starts_with("\x89PNG"));
    // A surface brushed along 90 degrees gives that grain back from its picture: red 1/2, green 1 or 0, mostly with a
    // direction.
    ASSERT_EQ(run({"texture", "--formula", "90", "--size", "64", "64", "--out", png, "--look", look}).code, 0);
    const Outcome photo = run({"texture", "--photo", look, "--out", png});
    EXPECT_EQ(photo.code, 0) << photo.err;
    EXPECT_NE(photo.out.find("mean strength 0.9"), std::string::npos) << photo.out;
    EXPECT_EQ(
        run({"texture", "--strokes", write("s.txt", "# a path\n0.2 0.1,0.1 0.9,0.5\n"), "--size", "64", "64", "--out", png})
            .code,
        0);

    expect_complaint(run({"texture", "--out", png}), "one of --formula, --photo and --strokes, for grain, or --normal-map");
    expect_complaint(run({"texture", "--formula", "sin(q)", "--out", png}), "unknown name 'q'");
    expect_complaint(run({"texture", "--strokes", write("s.txt", "0.2 0.1,0.1\n"), "--out", png}),
                     "s.txt:1: a stroke needs");
    expect_complaint(run({"texture", "--strokes", write("s.txt", "\n0.2 0.1,up 0.9,0.5\n"), "--out", png}),
                     "s.txt:2:9: expected a number");
    expect_complaint(run({"texture", "--photo", write("p.png", "no picture"), "--out", png}), "p.png: not a picture");
}

TEST_F(Grain, TextureWritesNormalMapsOfEightAndSixteenBits) {
    const std::string png = (folder_ / "n.png").string(), copy = (folder_ / "copy.png").string();
    const Outcome saw = run({"texture", "--normal-map", "sawtooth = [15, 60], period = 8, size = [64, 32]", "--out", png});
    EXPECT_EQ(saw.code, 0) << saw.err;
    EXPECT_NE(saw.out.find("64 x 32 texels, slopes of 0.7017 along u and 0 along v, steepest 61.7 degrees"),
              std::string::npos)
        << saw.out;
    EXPECT_EQ(read_file(png)[24], 16);  // bit depth, after signature, length, "IHDR", width and height
    const Outcome back = run({"texture", "--normal-map", png, "--bits", "8", "--out", copy});
    EXPECT_NE(back.out.find("64 x 32 texels, slopes of 0.7017 along u"), std::string::npos) << back.out << back.err;
    EXPECT_EQ(read_file(copy)[24], 8);
    const Outcome rough = run({"texture", "--normal-map", "ra_mm = 0.5, pixel_mm = 0.25", "--out", png});
    EXPECT_NE(rough.out.find("mm on texels of 0.25 mm (a tile of 0.064 m)"), std::string::npos) << rough.out;
    const Outcome coarse = run({"texture", "--normal-map", "gaussian = 0.01", "--bits", "8", "--out", png});
    EXPECT_EQ(coarse.code, 0);
    EXPECT_NE(coarse.err.find("8 bits change these slopes by 23 %"), std::string::npos) << coarse.err;

    expect_complaint(run({"texture", "--normal-map", "gausian = 1", "--out", png}), "did you mean 'gaussian'");
    expect_complaint(run({"texture", "--normal-map", "gaussian = 1", "--formula", "3", "--out", png}), "give one of");
    expect_complaint(run({"texture", "--normal-map", "gaussian = 1", "--gltf", "--out", png}), "are for grain");
    expect_complaint(run({"texture", "--normal-map", write("p.png", "no picture"), "--out", png}), "p.png: not a picture");
    EXPECT_NE(run({"texture", "--normal-map", "gaussian = 1", "--bits", "9", "--out", png}).code, 0);
}

TEST_F(Grain, ConePrintsAndDrawsAPairAndAContact) {
    const std::string svg = (folder_ / "c.svg").string();
    const std::string scene = write("s.toml", R"toml(
[material.oak]
grain = [1, 0, 0]
[pair.oak-oak]
law = "matchstick"
mu = 0.5
mu_along = 0.1
mu_across = 0.9
[[body]]
name = "ground"
shape = { half_space = true }
material = "oak"
fixed = true
[[body]]
name = "block"
shape = { box = [0.2, 0.2, 0.1] }
material = "oak"
yaw_deg = 45
on = "ground"
)toml");
    const Outcome pair = run({"cone", scene, "--pair", "oak-oak", "--angle", "45", "--out", svg});
    EXPECT_EQ(pair.code, 0) << pair.err;
    EXPECT_NE(pair.out.find("ellipse mu_t 0.3, mu_b 0.7"), std::string::npos) << pair.out;
    EXPECT_TRUE(read_file(svg).starts_with("<svg"));
    const Outcome contact = run({"cone", scene, "--contact", "block", "ground", "--out", svg});
    EXPECT_EQ(contact.code, 0) << contact.err;
    EXPECT_NE(contact.out.find("ellipse mu_t 0.3, mu_b 0.7"), std::string::npos) << contact.out;
    expect_complaint(run({"cone", scene, "--pair", "oak-ash", "--out", svg}), "two materials of the scene");
    expect_complaint(run({"cone", scene, "--contact", "blok", "--out", svg}), "no body of this name");
    expect_complaint(run({"cone", scene, "--out", svg}), "either --pair A-B or --contact");
}

}  // namespace
}  // namespace asperity::cli

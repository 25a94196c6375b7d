// asperity lab run and lab study as a user sees them.
#include <chrono>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.h"

namespace asperity::cli {
namespace {

using Json = nlohmann::json;

class LabRun : public Program {
  protected:
    /// A tenth of the protocol's blocks, whose run takes a tenth of a second.
    const std::string small = R"(
[params]
young = 1e5
poisson = 0.25
damping = 0.2
density = 0.5
seed = 1
[material]
young = "young"
poisson = "poisson"
damping = "damping"
density = "density"
[lower]
length = 160
height = 30
[upper]
length = 80
height = 20
at = 30
bevel = 4
[surface]
kind = "pink"
f_min = "1/100"
f_max = "1/8"
sigma = 1
period = 512
seed = "seed"
[drive]
rate = 0.05
slide = 10
)";
};

TEST_F(LabRun, PrintsThePromisedNames) {
    const Outcome outcome = run({"lab", "run", write("small.toml", small), "--out", out(), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Json json = Json::parse(outcome.out);
    for (const char* name : {"mu_30", "mu_10", "mu_onset", "normal_over_weight", "triangles", "newton_iterations", "cpu_s"})
        EXPECT_TRUE(json.contains(name)) << name;
    EXPECT_TRUE(json["mu_30"].is_null());  // it slides 10
    EXPECT_GT(json["mu_10"], 0);
    EXPECT_NEAR(json["normal_over_weight"], 1, 5e-3);
    for (const char* file : {"result.json", "curve.csv", "mu.svg", "stress.svg"})
        EXPECT_GT(fs::file_size(fs::path(out()) / file), 500u) << file;
}

// E/rho invariance of the shipped run itself, shortened.
TEST_F(LabRun, TheShippedRunSeesModulusOverDensityAlone) {
    std::array<Json, 2> results;
    for (const int k : {0, 1}) {
        const Outcome outcome = run({"lab", "run", "lab/table41.toml", "--json", "--set", "drive.slide=0.5", "--set",
                                     k == 0 ? "params.young=5e4" : "params.young=1e5", "--set",
                                     k == 0 ? "params.density=0.5" : "params.density=1"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        results[static_cast<std::size_t>(k)] = Json::parse(outcome.out);
    }
    EXPECT_EQ(results[0]["curve"], results[1]["curve"]);
    EXPECT_EQ(results[0]["newton_iterations"], results[1]["newton_iterations"]);
    EXPECT_NEAR(results[0]["normal_over_weight"], 1, 5e-3);
    EXPECT_GE(results[0]["triangles"], 6700);
    EXPECT_GE(results[0]["base_edge"], 2 * results[0]["face_edge"].get<double>());
}

TEST_F(LabRun, RefusesWrongInputWithPlaceAndRemedy) {
    const auto refused = [&](const std::string& text, const std::string& expected) {
        const Outcome outcome = run({"lab", "run", write("wrong.toml", text)});
        EXPECT_EQ(outcome.code, 2) << text;
        EXPECT_NE(outcome.err.find(expected), std::string::npos) << outcome.err;
    };
    refused("[material]\nyung = 1\n", "wrong.toml:2:1: material.yung: ");
    refused("[material]\npoisson = 0.6\n", "wrong.toml:2:11: material.poisson = 0.6");
    refused("[surface]\nkind = \"flat\"\nsigma = 5\n", "has no effect with kind = \"flat\"");
    refused("[drive]\nkind = \"ramp\"\nspeed = 1\n", "has no effect with kind = \"ramp\"");
    refused("[contact]\nadhesion = 5\n", "has no effect with mu = 0");
    refused("[upper]\nat = 1200\n", "leaves the lower one");
    refused("[lower]\nheight = 1\n", "base");
    refused("[lower\n", "wrong.toml:1:");
    EXPECT_EQ(run({"lab", "run", "lab/table41.toml", "--set", "params.yong=1"}).code, 2);
    EXPECT_EQ(run({"lab", "run", "missing.toml"}).code, 2);
}

TEST_F(LabRun, AStudyGoesOnAfterItWasKilled) {
    write("small.toml", small);
    const std::string study =
        write("study.toml", "title = \"small\"\nrun = \"small.toml\"\nseeds = 4\n[sweep.young]\nyoung = [1e5, 4e5]\n");
    const std::vector<std::string> command{"lab", "study", study, "--out", out(), "--jobs", "2", "--json"};
    const pid_t child = start(command);
    for (int k = 0; k < 600 && !fs::exists(fs::path(out()) / "study.sqlite"); ++k)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ::kill(child, SIGKILL);
    finish(child);
    EXPECT_EQ(run(command).code, 2);  // something is there, and --resume was not given
    std::vector<std::string> resumed = command;
    resumed.push_back("--resume");
    const Outcome outcome = run(resumed);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json["done"], 8);
    EXPECT_EQ(json["failed"], 0);
    const Outcome again = run(resumed);
    EXPECT_EQ(Json::parse(again.out)["done_here"], 0);
    EXPECT_NE(read_file(out() + "/report.html").find("8 of 8 runs"), std::string::npos);
}

TEST_F(LabRun, AStudyNamesWhatIsWrongInItsFile) {
    write("small.toml", small);
    const auto refused = [&](const std::string& text, const std::string& expected) {
        const Outcome outcome = run({"lab", "study", write("wrong.toml", text), "--out", out()});
        EXPECT_EQ(outcome.code, 2) << text;
        EXPECT_NE(outcome.err.find(expected), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(fs::path(out()) / "study.sqlite"));
    };
    refused("run = \"none.toml\"\nseeds = 1\n[sweep.a]\nyoung = 1\n", "no such file");
    refused("run = \"small.toml\"\nseeds = 1\n[sweep.a]\nyong = 1\n", "did you mean 'young'");
    refused("run = \"small.toml\"\nseeds = [1, 1]\n[sweep.a]\nyoung = 1\n", "twice");
    refused("run = \"small.toml\"\nseeds = 1\n[sweep.a]\npoisson = 0.7\n", "the formula gives 0.7");
    refused("run = \"small.toml\"\nseeds = 1\n", "sweep");
}

}  // namespace
}  // namespace asperity::cli

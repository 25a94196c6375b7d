// asperity solve, and contact problems of our own scenes written to files and solved again.
#include "program.h"

#include <nlohmann/json.hpp>

#include "asperity/fclib/problem.h"

namespace asperity::cli {
namespace {

using Json = nlohmann::json;
class Solve : public Program {
  protected:
    static constexpr const char* kProblem = "tests/data/fclib/gen_arch_1-s0040-70.hdf5";
    static constexpr const char* kGlobal = "tests/data/fclib/gen_pyramid_1-2216.global.hdf5";
};

TEST_F(Solve, JsonHasEveryPromisedName) {
    const Outcome outcome = run({"solve", kProblem, "--solver", "newton", "--tol", "1e-8", "--time-limit", "60", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Json result = Json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(result.is_discarded()) << outcome.out.substr(0, 300);
    for (const char* name : {"status", "solver", "contacts", "iterations", "time_s", "error_siconos", "residual"})
        EXPECT_TRUE(result.contains(name)) << name;
    EXPECT_EQ(result["status"], "converged");
    EXPECT_EQ(result["solver"], "newton");
    EXPECT_EQ(result["contacts"], 70);
    EXPECT_LE(result["error_siconos"], 1e-8);
    EXPECT_GT(result["iterations"], 0);
}

TEST_F(Solve, GlobalProblemsMeetTheirOwnError) {
    const Outcome outcome = run({"solve", kGlobal, "--solver", "prox", "--tol", "1e-3", "--time-limit", "60", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Json result = Json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(result.is_discarded());
    EXPECT_LE(result["error_global"], 1e-3);
    EXPECT_EQ(result["contacts"], 2216);
}

TEST_F(Solve, SeveralFilesAndSolversGiveALineEachAndAPlot) {
    const std::string plot = (folder_ / "convergence.svg").string();
    const Outcome outcome = run({"solve", kProblem, "tests/data/fclib/gen_rocks_s_1-s0110-149.hdf5", "--solver",
                                 "prox,newton", "--tol", "1e-4", "--plot", plot});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 4) << outcome.out;
    EXPECT_NE(outcome.out.find("converged after"), std::string::npos);
    EXPECT_NE(read_file(plot).find("<svg"), std::string::npos);
}

TEST_F(Solve, SaysWhenItsLimitsAreTooTight) {
    const Outcome few = run({"solve", kProblem, "--solver", "prox", "--max-iterations", "3", "--json"});
    EXPECT_EQ(few.code, 1);
    EXPECT_EQ(Json::parse(few.out)["status"], "sweep_limit");
    const Outcome brief = run({"solve", kProblem, "--solver", "prox", "--tol", "1e-300", "--time-limit", "0.05", "--json"});
    EXPECT_EQ(brief.code, 1);
    EXPECT_NE(Json::parse(brief.out)["status"], "converged");
    EXPECT_LT(Json::parse(brief.out)["time_s"], 30) << "the limit was 0.05 s";
}

TEST_F(Solve, WrongInputIsOneLine) {
    expect_complaint(run({"solve", (folder_ / "nowhere.hdf5").string()}), "nowhere.hdf5");
    expect_complaint(run({"solve", write("text.hdf5", "not HDF5")}), "no HDF5 file");
    const std::string whole = read_file(fs::path(ASPERITY_SOURCE_DIR) / kProblem);
    expect_complaint(run({"solve", write("half.hdf5", whole.substr(0, whole.size() / 2))}), "half.hdf5");
    expect_complaint(run({"solve", kProblem, "--solver", "magic"}), "magic");
    expect_complaint(run({"solve", kProblem, "--measure", "inches"}), "must be siconos or natural");
    expect_complaint(run({"solve", kProblem, "--tol", "0"}), "--tol");
    expect_complaint(run({"solve", kProblem, "--time-limit", "-1"}), "--time-limit");
}

class Dump : public Program {
  protected:
    /// Dumps a problem. A fresh solve of the file gives the velocities of the step.
    void solves_dumped_problem(const std::string& scene, const std::string& step, const std::string& afresh = "1e-10",
                               const std::string& from_solution = "1e-9", const std::vector<std::string>& more = {}) {
        std::vector<std::string> args{"run", scene, "--duration", "0.5", "--dump-problem", step, "--out", out(), "--quiet"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome made = run(args);
        // A short run may fail expectations about the scene's end.
        ASSERT_TRUE(made.code == 0 || made.code == 1) << made.err;
        std::string file;
        for (const std::string& name : left())
            if (name.ends_with(".hdf5")) file = out() + "/" + name;
        ASSERT_FALSE(file.empty());
        const fclib::ProblemFile problem = fclib::read_problem(file);
        const auto& local = std::get<fclib::LocalProblem>(problem.problem);
        // The step's impulses satisfy the file's equations: u = W r + q, up to summation rounding (measured 2e-14).
        std::vector<double> u = local.W.multiply(problem.solution.r);
        for (size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i] + local.q[i], problem.solution.u[i], 1e-12) << "row " << i;
        const Outcome solved = run({"solve", file, "--measure", "natural", "--tol", afresh, "--solver", "prox", "--json"});
        EXPECT_EQ(solved.code, 0) << solved.out;
        // They also satisfy the tolerance of the step's solver: starting from them, one visit changes nothing.
        fclib::ProblemFile guess = problem;
        guess.guesses = {problem.solution};
        fclib::write_problem(file, guess);
        const Json warm = Json::parse(run({"solve", file, "--measure", "natural", "--tol", from_solution, "--solver", "prox",
                                           "--warm-start", "--json"})
                                          .out);
        EXPECT_EQ(warm["status"], "converged");
        EXPECT_LE(warm["iterations"], 2);
    }
};

TEST_F(Dump, OfCircularContacts) { solves_dumped_problem("slope", "20"); }
TEST_F(Dump, OfEllipses) { solves_dumped_problem("slope_elliptic", "20"); }
TEST_F(Dump, OfAnArch) { solves_dumped_problem("arch", "30"); }
/// The problem of a soft body on an elliptic law: W is dense, since each contact moves the whole body.
TEST_F(Dump, OfASoftBody) {
    solves_dumped_problem("soft/soft_slope", "20", "1e-9", "1e-9", {"--set", "params.friction=velocity"});
}
// Single precision: solutions are accurate to 1e-6 m/s, and rounded poses make the four gaps of a block slightly different.
TEST_F(Dump, OfAStepByASolverWithoutRows) {
    solves_dumped_problem("slope", "20", "1e-8", "1e-5", {"--solver", "fast", "--set", "step.max_sweeps=2000"});
}

TEST_F(Dump, RefusesWhatAFileCannotSay) {
    expect_complaint(run({"run", "slope", "--dump-problem", "0", "--quiet"}), "--dump-problem 0");
    expect_complaint(run({"run", "slope", "--dump-problem", "100000", "--quiet"}), "from 1 to 200");
    expect_complaint(run({"run", "car", "--duration", "0.1", "--dump-problem", "5", "--out", out(), "--quiet"}),
                     "joint 'front_axle_0'");
    expect_complaint(run({"run", "soft/soft_slope", "--dump-problem", "5", "--quiet"}), "velocity");
}

}  // namespace
}  // namespace asperity::cli

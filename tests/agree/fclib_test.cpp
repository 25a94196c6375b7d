// The problem files of tests/data/fclib with every solver that should solve them: Siconos' error at 1e-8, and equal
// velocities.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "asperity/fclib/assembled.h"
#include "asperity/fclib/reduce.h"

namespace asperity::fclib {
namespace {

struct Case {
    const char* file;
    std::vector<std::string> solvers;  ///< those fast enough for a test
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.file; }

class ProblemFiles : public testing::TestWithParam<Case> {};

solvers::AssembledProblem load(const char* name) {
    const ProblemFile file = read_problem(fmt::format("{}/tests/data/fclib/{}.hdf5", ASPERITY_SOURCE_DIR, name));
    if (const auto* global = std::get_if<GlobalProblem>(&file.problem)) return to_assembled(Reduction(*global).local());
    return to_assembled(without_equations(std::get<LocalProblem>(file.problem)));
}

TEST_P(ProblemFiles, AreSolvedByAllThatShould) {
    std::vector<double> first;
    for (const std::string& name : GetParam().solvers) {
        solvers::AssembledProblem problem = load(GetParam().file);
        std::vector<double> history;
        const solvers::SolveReport report = solvers::make_assembled_solver(name)->solve(
            problem, {1e-8, 10'000'000, 300, solvers::Measure::Siconos}, history);
        EXPECT_EQ(report.status, solvers::SolveStatus::Converged) << name << ": " << solvers::name(report.status);
        problem.refresh_velocities();
        EXPECT_LE(solvers::siconos_error(problem).value, 1e-8) << name;  // independent of the solver's own report
        EXPECT_FALSE(history.empty()) << name;
        if (first.empty()) first = problem.velocity;
        double difference = 0, size = 0;
        for (size_t i = 0; i < first.size(); ++i) {
            difference = std::max(difference, std::fabs(problem.velocity[i] - first[i]));
            size = std::max(size, std::fabs(problem.q[i]));
        }
        // The error scales u by the largest of q, r and u, so it bounds u less tightly than 1e-8. Tolerance: ten times the
        // worst case, 3.5e-6 (apgd on the tower, with heavy blocks on light ones).
        EXPECT_LE(difference, 3.5e-5 * size) << name << " against " << GetParam().solvers.front();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Fclib, ProblemFiles,
    testing::Values(Case{"gen_arch_1-s0040-70", {"auto", "prox", "newton", "newton_fb", "apgd", "admm"}},
                    Case{"gen_rocks_s_1-s0110-149", {"auto", "prox", "newton", "newton_fb", "pivot", "apgd", "admm"}},
                    Case{"gen_spheres_s_1-s0120-434", {"auto", "prox", "newton", "newton_fb", "apgd", "admm"}},
                    Case{"gen_wall_s_1-s0015-208", {"auto", "prox", "newton", "newton_fb", "apgd", "admm"}},
                    Case{"gen_tower100_1-s0040-39", {"auto", "newton", "newton_fb", "pivot", "apgd", "admm"}},
                    Case{"gen_spheres_l_1-s0130-925", {"auto", "prox"}},
                    Case{"gen_pyramid_1-2216.global", {"auto", "prox"}}),
    [](const auto& instance) {
        std::string name = instance.param.file;
        std::replace_if(
            name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
        return name;
    });

}  // namespace
}  // namespace asperity::fclib

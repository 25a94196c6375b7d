// Five hundred random small problems: redundant contacts, mass ratios of 1:1e4, mu up to 10, aspect ratios of 1:20,
// asymmetric polygons, joints.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "asperity/solvers/assembled/assembled_problem.h"
#include "tests/support/random_problem.h"

namespace asperity::solvers {
namespace {

constexpr int kProblems = 500;
constexpr double kTolerance = 1e-11;  // of the solvers; speeds are about 1 m/s
constexpr double kAgreement = 1e-6;   // relative
// If two answers both solve the problem to a residual at rounding level, they are two solutions.
constexpr double kSharpTolerance = 1e-12;

/// Solvers that use the exact friction sets, and `pivot` unless it cycles. Left out: `pgs`, which uses boxes, and `fast`,
/// which has seven digits. `lcp` is exact only for polygonal sets.
std::vector<std::string> comparable(SetKind set) {
    std::vector<std::string> names = exact_solver_names();
    std::erase(names, "pgs");
    names.push_back("pivot");
    if (set == SetKind::Rectangle || set == SetKind::Polygon) names.push_back("lcp");
    return names;
}

struct Answer {
    std::string solver;
    ContactProblem problem;
};

double distance(const ContactProblem& a, const ContactProblem& b) {
    double largest = 0, speed = 0;
    for (size_t i = 0; i < a.velocity.size(); ++i) {
        const Twist &u = a.velocity[i], &v = b.velocity[i];
        // arms are about half a metre
        largest = std::fmax(largest, length(u.linear - v.linear) + 0.5 * length(u.angular - v.angular));
        speed = std::fmax(speed, length(a.velocity[i].linear) + 0.5 * length(a.velocity[i].angular));
    }
    return largest / std::fmax(speed, 1);
}

/// Improves an answer as far as one of these solvers can: to kSharpTolerance, or to the smallest residual of all. Rounding
/// may end the improvement earlier: heavy bodies on light ones have impulses whose last digit exceeds the tolerance.
void sharpen(ContactProblem& p) {
    double best = natural_map_residual(p).value;
    for (const char* name : {"newton", "prox", "admm", "apgd"}) {
        ContactProblem trial = p;
        std::vector<double> history;
        const SolveReport report = make_solver(name)->solve(trial, {kSharpTolerance, 20000}, history);
        if (report.residual < best) {
            best = report.residual;
            p = trial;
        }
        if (report.status == SolveStatus::Converged) return;
    }
}

TEST(RandomProblems, ConvergedSolversAgreeOrTheProblemHasSeveralSolutions) {
    std::map<std::string, int> asked, converged;
    int several = 0, several_without_redundancy = 0, unexplained = 0, compared = 0;
    for (int number = 0; number < kProblems; ++number) {
        const RandomProblemOptions what = variation(number);
        Random random(static_cast<std::uint64_t>(1000 + number));
        const RandomProblem base = random_problem(random, what);
        std::vector<Answer> answers;
        for (const std::string& name : comparable(what.set)) {
            ContactProblem p = base.problem;
            p.prepare();
            std::vector<double> history;
            const SolveOptions options{kTolerance, 20000};
            const SolveReport report = make_solver(name)->solve(p, options, history);
            ++asked[name];
            if (report.status != SolveStatus::Converged) continue;
            ++converged[name];
            answers.push_back({name, p});
        }
        bool differ = false, explained = true;
        for (size_t i = 1; i < answers.size(); ++i) {
            ++compared;
            if (distance(answers[0].problem, answers[i].problem) <= kAgreement) continue;
            differ = true;
            // Both must be solutions to rounding level and stay apart. If the residual is small only because the problem is
            // ill-conditioned, sharpening would move one answer to the other.
            ContactProblem a = answers[0].problem, b = answers[i].problem;
            sharpen(a);
            sharpen(b);
            const bool apart = distance(a, b) > kAgreement;
            const bool moved =
                std::max(distance(a, answers[0].problem), distance(b, answers[i].problem)) > 0.1 * distance(a, b);
            if (apart && moved) {
                explained = false;
                ADD_FAILURE() << "problem " << number << " (" << describe(what) << "): " << answers[0].solver << " and "
                              << answers[i].solver << " differ by " << distance(answers[0].problem, answers[i].problem)
                              << ", and that is not two solutions";
            }
        }
        several += differ && explained;
        several_without_redundancy += differ && explained && !what.redundant;
        unexplained += !explained;
    }
    for (const auto& [name, count] : asked) fmt::print("{}: {} of {} converged\n", name, converged[name], count);
    fmt::print("{} comparisons; {} problems with several solutions ({} without redundant contacts), {} unexplained\n",
               compared, several, several_without_redundancy, unexplained);
    // If four points carry one face, their share of the load is not unique, and with friction it decides the rotation of the
    // face: a tenth of those problems shows it. Without redundancy only Painleve-like coupling remains, which needs a large
    // mu or a drilling axis.
    EXPECT_LE(several, 50);
    EXPECT_LE(several_without_redundancy, 5);
    EXPECT_EQ(unexplained, 0);
    // Ensures that enough answers were compared.
    for (const auto& [name, count] : asked) EXPECT_GE(converged[name], count * 95 / 100) << name;
}

}  // namespace
}  // namespace asperity::solvers

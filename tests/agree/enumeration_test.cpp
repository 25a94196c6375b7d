// Compares every solver with all solutions of tiny problems, found by enumeration of contact states.
#include <gtest/gtest.h>

#include "tests/support/enumerate.h"
#include "tests/support/random_problem.h"

namespace asperity::solvers {
namespace {

/// One or two bodies on the ground with one to three points, slightly compliant so that three points do not make W singular.
AssembledProblem tiny_problem(RandomProblem& storage, int number) {
    Random random(static_cast<std::uint64_t>(900 + number));
    RandomProblemOptions options;
    options.bodies = 1 + number % 2;
    options.contacts = 1 + number % 3;
    options.mu_max = number % 4 == 0 ? 10 : 1;
    options.aspect = number % 5 == 0 ? 20 : 3;
    options.set = std::array{SetKind::Circle, SetKind::Ellipse, SetKind::Rectangle,
                             SetKind::Polygon}[static_cast<size_t>(number / 3 % 4)];
    storage = random_problem(random, options);
    storage.problem.prepare();
    AssembledProblem p;
    assemble(storage.problem, p);
    for (int k = 0; k < p.block_count(); ++k)
        for (int e = p.W.row_start[static_cast<size_t>(k)]; e < p.W.row_start[static_cast<size_t>(k) + 1]; ++e)
            if (p.W.column[static_cast<size_t>(e)] == k)
                for (int r = 0; r < 3; ++r)
                    p.W.values[static_cast<size_t>(p.W.value_start[static_cast<size_t>(e)] + 4 * r)] += 0.05;
    p.prepare();
    return p;
}

// Tolerance: the residual of 1e-11 m/s, times the condition number of W (up to about 1e4), times ten.
constexpr double kSame = 1e-6;

TEST(Enumeration, HoldsTheAnswerOfEverySolver) {
    int several = 0, converged = 0, asked = 0;
    for (int number = 0; number < 60; ++number) {
        RandomProblem storage;
        const AssembledProblem problem = tiny_problem(storage, number);
        const std::vector<Enumerated> solutions = all_solutions(problem);
        ASSERT_FALSE(solutions.empty()) << "problem " << number;
        several += solutions.size() > 1;
        const bool polyhedral = number / 3 % 4 >= 2;
        for (const std::string& name : assembled_solver_names()) {
            const auto solver = make_assembled_solver(name);
            if (!solver->is_exact() && !polyhedral) continue;
            AssembledProblem p = problem;
            std::vector<double> history;
            const SolveReport report = solver->solve(p, {1e-11, 50000}, history);
            ++asked;
            if (report.status != SolveStatus::Converged) continue;
            ++converged;
            double nearest = std::numeric_limits<double>::infinity();
            for (const Enumerated& solution : solutions) {
                double difference = 0;
                for (size_t i = 0; i < p.velocity.size(); ++i)
                    difference = std::fmax(difference, std::fabs(p.velocity[i] - solution.velocity[i]));
                nearest = std::fmin(nearest, difference);
            }
            EXPECT_LT(nearest, kSame) << name << ", problem " << number << ", of " << solutions.size() << " solutions";
        }
    }
    RecordProperty("problems_with_several_solutions", several);
    RecordProperty("converged", converged);
    RecordProperty("asked", asked);
    EXPECT_GE(converged, asked * 95 / 100);  // solves that do not converge are not compared, so they must be rare
}

// A sliding contact whose friction couples to its normal force has three solutions: stick, slip and take-off.
TEST(Enumeration, FindsSeveralSolutionsWhereThereAre) {
    AssembledProblem p;
    Block block;
    block.kind = BlockKind::Contact;
    block.rows = 3;
    block.set = friction::Rectangle{2, 2, 2, 2};
    p.blocks = {block};
    p.W = {{0, 1}, {0}, {0}, {1, 0.9, 0, 0.9, 1, 0, 0, 0, 1}};
    p.q = {0.1, 1, 0};  // free flight is a solution; so is an impulse that stops the slip
    p.prepare();
    const auto solutions = all_solutions(p);
    EXPECT_GE(solutions.size(), 2u);
}

}  // namespace
}  // namespace asperity::solvers

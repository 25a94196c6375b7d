// Sweeps by colour: no two runs of a colour share a moving body, every block is visited once, and the result does not depend
// on the number of threads.
#include <gtest/gtest.h>

#include <set>

#include "asperity/core/parallel.h"
#include "asperity/solvers/sweeps/coloured_blocks.h"
#include "tests/support/random_problem.h"

namespace asperity::solvers {
namespace {

/// More blocks than the threshold for colours; some of them are joints.
ContactProblem large_problem(std::uint64_t seed) {
    Random random(seed);
    ContactProblem p =
        random_problem(random, {.bodies = 250, .contacts = 900, .joints = 20, .mu_max = 0.5, .redundant = true}).problem;
    p.prepare();
    return p;
}

TEST(ColouredBlocks, HaveNoBodyTwiceInAColourAndEveryBlockOnce) {
    const ContactProblem p = large_problem(1);
    ColouredBlocks blocks;
    blocks.arrange(p);
    std::set<int> seen;
    for (int colour = 0; colour < blocks.colour_count(); ++colour) {
        std::set<int> touched;
        for (const PairRange& run : blocks.runs(colour)) {
            for (const int group : {run.a, run.b}) {
                const bool shared = !touched.insert(group).second;
                EXPECT_FALSE(shared && blocks.moves(group) && !ColouredBlocks::is_serial(colour)) << "colour " << colour;
            }
            for (int k = run.first; k < run.first + run.count; ++k) {
                EXPECT_TRUE(seen.insert(k).second);
                EXPECT_EQ(p.blocks[static_cast<size_t>(k)].a, run.a);
                EXPECT_EQ(p.blocks[static_cast<size_t>(k)].b, run.b);
            }
        }
    }
    EXPECT_EQ(seen.size(), p.blocks.size());
}

TEST(ProxColoured, GivesTheSameBitsOnAnyNumberOfThreads) {
    for (const bool exact : {false, true}) {
        std::vector<ContactProblem> solved;
        for (const int threads : {1, 2, 4}) {
            set_thread_count(threads);
            solved.push_back(large_problem(2));
            std::vector<double> history;
            SolveOptions options{1e-30, 60};
            options.exact_contacts = exact;
            make_solver("prox_coloured")->solve(solved.back(), options, history);
        }
        set_thread_count(1);
        for (size_t i = 1; i < solved.size(); ++i) {
            EXPECT_EQ(solved[i].impulse, solved[0].impulse);
            for (size_t g = 0; g < solved[0].velocity.size(); ++g) {
                ASSERT_EQ(solved[i].velocity[g].linear, solved[0].velocity[g].linear);
                ASSERT_EQ(solved[i].velocity[g].angular, solved[0].velocity[g].angular);
            }
        }
    }
}

// Another order has the same fixed points: the solution of one solver is not changed by the other.
TEST(ProxColoured, StaysAtTheSolutionOfProx) {
    ContactProblem p = large_problem(3);
    std::vector<double> history;
    ASSERT_EQ(make_solver("prox")->solve(p, {1e-9, 20000}, history).status, SolveStatus::Converged);
    const std::vector<Twist> before = p.velocity;
    const SolveReport report = make_solver("prox_coloured")->solve(p, {1e-9, 20000}, history);
    EXPECT_EQ(report.status, SolveStatus::Converged);
    EXPECT_LE(report.sweeps, 4);
    // light bodies amplify the residual
    for (size_t g = 0; g < before.size(); ++g) EXPECT_LT(length(p.velocity[g].linear - before[g].linear), 1e-7);
}

TEST(ProxColoured, SolvesWhatProxSolves) {
    ContactProblem p = large_problem(4);
    std::vector<double> history;
    const SolveReport report = make_solver("prox_coloured")->solve(p, {1e-9, 20000}, history);
    EXPECT_EQ(report.status, SolveStatus::Converged) << report.residual;
}

}  // namespace
}  // namespace asperity::solvers

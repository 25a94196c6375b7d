#include "asperity/solvers/points_together.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/solvers/inner_forces.h"

namespace asperity::solvers {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// Work, in units of about a nanosecond. Measured on random scenes of 20 to 160 contacts, with joints and without.
constexpr double kSweepOfRow = 25;
constexpr double kIterationOfRow = 300;     // of Newton's method, beside the factorisation
constexpr double kWritingOutOfRow = 700;    // W and the order of elimination

constexpr int kWindow = 5;                  // passes over which the fall of the error is measured: acceleration goes in waves
constexpr int kFirstIterations = 64;         // a turn ends when it is solved, mostly after ten; one that is broken off has to find its weight alpha again
constexpr int kFewestIterations = 10;       // fewer seldom lead anywhere
constexpr double kAim = 0.1;                // of the tolerance: the last digit costs an iteration, and saves the next turn
constexpr double kShare = 2;                // of the sweeps' work since the last turn that failed
constexpr double kBudget = 6;               // work of all turns, in that of all sweeps;
constexpr double kPositionBudget = 24;      // without friction a sweep has a third of the rows, and nothing else keeps the poses apart

double rows_of(const std::vector<Block>& blocks) { return blocks.empty() ? 0 : blocks.back().first_row + blocks.back().rows; }

}  // namespace

void PointsTogether::start(const ContactProblem& problem, int max_sweeps) {
    passes_ = 0;
    best_ = last_best_ = inf;
    blocks_.iterations = kFirstIterations;
    sweep_work_ = kSweepOfRow * rows_of(problem.blocks);
    spent_ = wait_ = 0;
    iteration_of_row_ = kIterationOfRow;
    const bool patches = std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& b) { return b.kind == BlockKind::Patch; });
    const bool rubs = std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& b) { return b.kind == BlockKind::Contact && b.rows > 1; });
    budget_ = patches ? 0 : (rubs ? kBudget : kPositionBudget) * max_sweeps * sweep_work_;
}

void PointsTogether::put_off() {
    blocks_.iterations *= 2;
    wait_ = (kWritingOutOfRow * rows_of(blocks_.together.blocks) + blocks_.iterations * iteration_work_) / kShare;
}

double PointsTogether::expected_sweeps(double error, double tolerance) {
    best_ = std::min(best_, error);
    if (++passes_ % kWindow != 0) return 0;
    const double fall = std::log(last_best_ / best_), left = std::log(best_ / tolerance);
    last_best_ = best_;
    best_ = inf;
    return fall == inf ? 0 : fall > 0 ? 2 * kWindow * left / fall : inf;
}

void PointsTogether::choose_islands(const ContactProblem& problem, double tolerance) {
    unsolved_.assign(problem.velocity.size(), 0);
    for (const Block& block : problem.blocks)
        if (!(block_residual(problem, block) <= tolerance)) unsolved_[static_cast<size_t>(problem.island_of(block))] = 1;
    blocks_.chosen.clear();
    for (size_t k = 0; k < problem.blocks.size(); ++k)
        if (unsolved_[static_cast<size_t>(problem.island_of(problem.blocks[k]))]) blocks_.chosen.push_back(static_cast<int>(k));
}

bool PointsTogether::is_due(const ContactProblem& problem, double error, double tolerance) {
    const double sweeps_would_do = sweep_work_ * expected_sweeps(error, tolerance);
    // what no longer shows is left to the sweeps: a wall of 760 points paid 400 of them an iteration for 1.5e-10 m/s instead of 1e-10
    if (sweeps_would_do == 0 || error < Newton::kInvisible || spent_ < wait_ || budget_ <= 0) return false;
    // what a turn costs at least, before it is known how much the factors fill up
    choose_islands(problem, tolerance);
    double rows = 0;
    for (const int k : blocks_.chosen) rows += problem.blocks[static_cast<size_t>(k)].rows;
    const auto too_dear = [&](double iteration_work) {
        const double least = kWritingOutOfRow * rows + kFewestIterations * iteration_work;
        return least > sweeps_would_do || least > budget_;
    };
    if (blocks_.chosen.empty() || too_dear(iteration_of_row_ * rows)) return false;
    blocks_.write_out(problem);
    budget_ -= kWritingOutOfRow * rows;
    iteration_work_ = kIterationOfRow * rows + newton_.work_per_iteration(blocks_.together);
    iteration_of_row_ = iteration_work_ / rows;   // as far as is known from now on
    return !too_dear(iteration_work_);
}

PointsTogether::Energy PointsTogether::energy() const {
    const AssembledProblem& p = blocks_.together;
    Energy energy;
    for (int k = 0; k < p.block_count(); ++k) {
        const Block& block = p.blocks[static_cast<size_t>(k)];
        const SymBlock w = p.diagonal_block(k);
        for (int r = 0; r < block.rows; ++r) {
            const auto i = static_cast<size_t>(block.first_row + r);
            if (block.kind == BlockKind::Contact && block.rows > 1) energy.one_by_one += w.m[r][r] * p.impulse[i] * p.impulse[i];
            energy.together += 0.5 * p.impulse[i] * (p.q[i] + p.velocity[i]);
        }
    }
    return energy;
}

TurnTogether PointsTogether::improve(ContactProblem& problem, double tolerance, int most, double seconds) {
    blocks_.load(problem);
    const double before = natural_map_residual(blocks_.together).value;
    const Energy energy_before = energy();
    const int affordable = static_cast<int>(std::fmin(budget_ / iteration_work_, 1e6));
    const SolveReport report = newton_.solve(blocks_.together, {kAim * tolerance, std::min({most, affordable, blocks_.iterations}), seconds}, ignored_);
    spent_ = 0;
    budget_ -= report.sweeps * iteration_work_;
    best_ = last_best_ = inf;
    const Energy energy_after = energy();
    const double more = growth_of(energy_before.one_by_one, energy_after.one_by_one);
    const bool jammed = more > 0 && energy_after.together > energy_before.together - kWorth * more;
    const bool helped = !jammed && report.residual <= std::fmax(ChosenBlocks::kProgress * before, tolerance);
    helped ? blocks_.keep(problem, report.residual <= tolerance) : put_off();
    return {report.sweeps, helped};
}

}  // namespace asperity::solvers

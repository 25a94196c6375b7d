#include "asperity/solvers/sweeps/points_together.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/solvers/iteration/inner_forces.h"

namespace asperity::solvers {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// Work, in units of about a nanosecond. Measured on random scenes of 20 to 160 contacts, with joints and without.
constexpr double kSweepOfRow = 25;
constexpr double kIterationOfRow = 300;   // of Newton's method, beside the factorisation
constexpr double kWritingOutOfRow = 700;  // W and the order of elimination

// passes over which the fall of the error is measured: acceleration goes in waves
constexpr int kWindow = 5;
// a turn ends when it is solved, mostly after ten; one that is broken off has to find its weight alpha again
constexpr int kFirstIterations = 64;
constexpr int kFewestIterations = 10;  // fewer seldom lead anywhere
constexpr double kAim = 0.1;           // of the tolerance: the last digit costs an iteration, and saves the next turn
constexpr double kShare = 2;           // of the sweeps' work since the last turn that failed
constexpr double kBudget = 6;          // work of all turns, in that of all sweeps;
// without friction a sweep has a third of the rows, and nothing else keeps the poses apart
constexpr double kPositionBudget = 24;

double rows_of(const std::vector<Block>& blocks) {
    return blocks.empty() ? 0 : blocks.back().first_row + blocks.back().rows;
}

}  // namespace

void PointsTogether::start(const ContactProblem& problem, int max_sweeps) {
    passes_ = 0;
    best_ = last_best_ = inf;
    blocks_.iterations = kFirstIterations;
    sweep_work_ = kSweepOfRow * rows_of(problem.blocks);
    spent_ = wait_ = 0;
    known_rows_ = known_work_ = 0;
    const bool patches =
        std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& b) { return b.kind == BlockKind::Patch; });
    const bool rubs = std::any_of(problem.blocks.begin(), problem.blocks.end(),
                                  [](const Block& b) { return b.kind == BlockKind::Contact && b.rows > 1; });
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

double PointsTogether::least_work(double rows, double iteration) {
    return kWritingOutOfRow * rows + kFewestIterations * iteration;
}

double PointsTogether::expected_iteration(double rows) const {
    return known_rows_ > 0 && rows >= known_rows_ ? known_work_ / known_rows_ * rows : kIterationOfRow * rows;
}

double PointsTogether::choose_islands(const ContactProblem& problem, double tolerance, double affordable) {
    unsolved_.assign(problem.velocity.size(), 0);
    taken_.assign(problem.velocity.size(), 0);
    island_rows_.assign(problem.velocity.size(), 0);
    for (const Block& block : problem.blocks) {
        const auto name = static_cast<size_t>(problem.island_of(block));
        island_rows_[name] += block.rows;
        if (!(block_residual(problem, block) <= tolerance)) unsolved_[name] = 1;
    }
    islands_.clear();
    for (size_t name = 0; name < unsolved_.size(); ++name)
        if (unsolved_[name]) islands_.push_back({static_cast<int>(name), island_rows_[name]});
    std::sort(islands_.begin(), islands_.end(),
              [](const Island& p, const Island& q) { return p.rows < q.rows || (p.rows == q.rows && p.name < q.name); });
    double rows = 0, all = 0;
    for (const Island& island : islands_) all += island.rows;
    for (const Island& island : islands_) {
        if (least_work(rows + island.rows, expected_iteration(rows + island.rows)) > affordable) break;
        rows += island.rows;
        taken_[static_cast<size_t>(island.name)] = 1;
    }
    share_ = rows / all;
    blocks_.chosen.clear();
    for (size_t k = 0; k < problem.blocks.size(); ++k)
        if (taken_[static_cast<size_t>(problem.island_of(problem.blocks[k]))]) blocks_.chosen.push_back(static_cast<int>(k));
    return rows;
}

bool PointsTogether::is_due(const ContactProblem& problem, double error, double tolerance) {
    const double sweeps_would_do = sweep_work_ * expected_sweeps(error, tolerance);
    // what no longer shows is left to the sweeps: a wall of 760 points paid 400 of them an iteration for 1.5e-10 m/s instead
    // of 1e-10
    if (sweeps_would_do == 0 || error < Newton::kInvisible || spent_ < wait_ || budget_ <= 0) return false;
    const double rows = choose_islands(problem, tolerance, smaller(sweeps_would_do, budget_));
    if (blocks_.chosen.empty()) return false;
    blocks_.write_out(problem);
    budget_ -= kWritingOutOfRow * rows;
    iteration_work_ = kIterationOfRow * rows + newton_.work_per_iteration(blocks_.together);
    if (rows >= known_rows_) {
        known_rows_ = rows;
        known_work_ = iteration_work_;
    }
    return least_work(rows, iteration_work_) <= smaller(sweeps_would_do, budget_);
}

PointsTogether::Energy PointsTogether::energy() const {
    const AssembledProblem& p = blocks_.together;
    Energy energy;
    for (int k = 0; k < p.block_count(); ++k) {
        const Block& block = p.blocks[static_cast<size_t>(k)];
        const SymBlock w = p.diagonal_block(k);
        for (int r = 0; r < block.rows; ++r) {
            const auto i = static_cast<size_t>(block.first_row + r);
            if (block.kind == BlockKind::Contact && block.rows > 1)
                energy.one_by_one += w.m[r][r] * p.impulse[i] * p.impulse[i];
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
    // on a part of what is not solved an iteration is that part of a sweep: the rest must not be left with fewer
    const int most_of_part = static_cast<int>(std::fmin(most / share_, 1e6));
    const SolveReport report = newton_.solve(
        blocks_.together, {kAim * tolerance, std::min({most_of_part, affordable, blocks_.iterations}), seconds}, ignored_);
    spent_ = 0;
    budget_ -= report.sweeps * iteration_work_;
    best_ = last_best_ = inf;
    const Energy energy_after = energy();
    const double more = growth_of(energy_before.one_by_one, energy_after.one_by_one);
    const bool jammed = more > 0 && energy_after.together > energy_before.together - kWorth * more;
    const bool helped = !jammed && report.residual <= std::fmax(ChosenBlocks::kProgress * before, tolerance);
    helped ? blocks_.keep(problem, report.residual <= tolerance) : put_off();
    return {static_cast<int>(std::ceil(share_ * report.sweeps)), helped};
}

}  // namespace asperity::solvers

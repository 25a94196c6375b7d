#include "asperity/solvers/sweeps/island_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/solvers/iteration/inner_forces.h"

namespace asperity::solvers {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// Work per row, in units of about 1 ns. Measured on random scenes of 20 to 160 contacts, with and without joints.
constexpr double kSweepOfRow = 25;
constexpr double kIterationOfRow = 300;   // Newton iteration without its factorisation
constexpr double kWritingOutOfRow = 700;  // assembly of W and the elimination order

// passes per window in which the fall of the error is measured; fewer would see the waves of the acceleration
constexpr int kWindow = 5;
// Iterations of the first turn. Most turns are solved after ten; an interrupted one must find its proximal weight alpha
// again.
constexpr int kFirstIterations = 64;
constexpr int kFewestIterations = 10;  // fewer rarely succeed
constexpr double kToleranceFactor =
    0.1;                           // factor on the tolerance: the last digit costs one iteration and saves the next turn
constexpr double kMaxRunWork = 2;  // largest work of a turn after a failed one, relative to the sweeps since then
constexpr double kBudget = 6;      // work of all turns, relative to max_sweeps sweeps;
// more without friction: a sweep then has a third of the rows, and only the position pass keeps bodies apart
constexpr double kPositionBudget = 24;

double rows_of(const std::vector<Block>& blocks) {
    return blocks.empty() ? 0 : blocks.back().first_row + blocks.back().rows;
}

}  // namespace

void IslandNewton::start(const ContactProblem& problem, int max_sweeps) {
    passes_ = 0;
    best_ = last_best_ = inf;
    blocks_.iterations = kFirstIterations;
    sweep_work_ = kSweepOfRow * rows_of(problem.blocks);
    spent_ = wait_ = 0;
    known_rows_ = known_work_ = 0;
    const bool patches =
        std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& b) { return b.kind == BlockKind::Patch; });
    const bool has_friction_blocks = std::any_of(problem.blocks.begin(), problem.blocks.end(),
                                                 [](const Block& b) { return b.kind == BlockKind::Contact && b.rows > 1; });
    budget_ = patches ? 0 : (has_friction_blocks ? kBudget : kPositionBudget) * max_sweeps * sweep_work_;
}

void IslandNewton::record_failed_run() {
    blocks_.iterations *= 2;
    wait_ = (kWritingOutOfRow * rows_of(blocks_.together.blocks) + blocks_.iterations * iteration_work_) / kMaxRunWork;
}

double IslandNewton::expected_sweeps(double error, double tolerance) {
    best_ = std::min(best_, error);
    if (++passes_ % kWindow != 0) return 0;
    const double fall = std::log(last_best_ / best_), left = std::log(best_ / tolerance);
    last_best_ = best_;
    best_ = inf;
    return fall == inf ? 0 : fall > 0 ? 2 * kWindow * left / fall : inf;
}

double IslandNewton::least_work(double rows, double iteration) {
    return kWritingOutOfRow * rows + kFewestIterations * iteration;
}

double IslandNewton::expected_iteration(double rows) const {
    return known_rows_ > 0 && rows >= known_rows_ ? known_work_ / known_rows_ * rows : kIterationOfRow * rows;
}

double IslandNewton::choose_islands(const ContactProblem& problem, double tolerance, double affordable) {
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

bool IslandNewton::is_due(const ContactProblem& problem, double error, double tolerance) {
    const double sweeps_would_do = sweep_work_ * expected_sweeps(error, tolerance);
    // An invisible error is left to the sweeps. In a wall of 760 points an iteration costs as much as 400 sweeps, and would
    // only lower the error from 1.5e-10 to 1e-10 m/s.
    if (sweeps_would_do == 0 || error < Newton::kInvisible || spent_ < wait_ || budget_ <= 0) return false;
    const double affordable = smaller(sweeps_would_do, budget_), rows = choose_islands(problem, tolerance, affordable);
    if (blocks_.chosen.empty()) return false;
    cost_.count(problem, blocks_.chosen);
    if (const double most = most_work(rows, affordable); cost_.surely_exceeds(most)) {
        remember_iteration(rows, kIterationOfRow * rows + most / Newton::kDenseSpeed);
        return false;
    }
    if (!blocks_.assemble_matrix(problem)) return false;
    budget_ -= kWritingOutOfRow * rows;
    iteration_work_ = kIterationOfRow * rows + newton_.work_per_iteration(blocks_.together);
    remember_iteration(rows, iteration_work_);
    return least_work(rows, iteration_work_) <= smaller(sweeps_would_do, budget_) &&
           2 * cost_.values() + newton_.factor_values() <= MatrixCost::kMostValues;
}

double IslandNewton::most_work(double rows, double affordable) {
    const double iteration = (affordable - kWritingOutOfRow * rows) / kFewestIterations;
    return Newton::kDenseSpeed * larger(iteration - kIterationOfRow * rows, 0.0);
}

void IslandNewton::remember_iteration(double rows, double work) {
    if (rows < known_rows_) return;
    known_rows_ = rows;
    known_work_ = work;
}

IslandNewton::Energy IslandNewton::energy() const {
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

NewtonRun IslandNewton::improve(ContactProblem& problem, double tolerance, int most, double seconds) {
    blocks_.load(problem);
    const double before = natural_map_residual(blocks_.together).value;
    const Energy energy_before = energy();
    const int affordable = static_cast<int>(std::fmin(budget_ / iteration_work_, 1e6));
    // On a fraction of the unsolved rows an iteration counts as that fraction of a sweep, so that the rest keep their
    // sweeps.
    const int most_of_part = static_cast<int>(std::fmin(most / share_, 1e6));
    const SolveReport report = newton_.solve(
        blocks_.together, {kToleranceFactor * tolerance, std::min({most_of_part, affordable, blocks_.iterations}), seconds},
        ignored_);
    spent_ = 0;
    budget_ -= report.sweeps * iteration_work_;
    best_ = last_best_ = inf;
    const Energy energy_after = energy();
    const double more = added_energy(energy_before.one_by_one, energy_after.one_by_one);
    const bool jammed = more > 0 && energy_after.together > energy_before.together - kMinMeritGain * more;
    const bool helped = !jammed && report.residual <= std::fmax(BlockSubset::kProgress * before, tolerance);
    helped ? blocks_.keep(problem, report.residual <= tolerance) : record_failed_run();
    return {static_cast<int>(std::ceil(share_ * report.sweeps)), helped};
}

}  // namespace asperity::solvers

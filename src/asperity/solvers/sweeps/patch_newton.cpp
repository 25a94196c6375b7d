#include "asperity/solvers/sweeps/patch_newton.h"

#include <algorithm>
#include <numeric>

namespace asperity::solvers {
namespace {

// work in [multiplications]
constexpr double kWorkOfPatch = 15000;  // of a sweep's visit to a patch, which is a Newton solve of its own
constexpr double kWorkOfBlock = 200;
constexpr double kWorkOfDerivative = 3000;  // of a patch's derivatives by finite differences
constexpr int kFirstIterations = 20;
constexpr int kTurnsWithoutPoints = 3;  // the turns after that include the points
constexpr double kMaxRunWork = 4;       // largest work of a turn, relative to the sweeps before it
constexpr double kCheap = 10;           // sweeps: if an iteration costs less, the first turn does not wait

}  // namespace

void PatchNewton::start(const ContactProblem& problem, int max_sweeps) {
    blocks_.chosen.clear();
    points_ = turns_ = 0;
    any_patch_ = assembled_ = too_large_ = false;
    max_sweeps_ = max_sweeps;
    sweep_work_ = spent_ = 0;
    blocks_.iterations = kFirstIterations;
    for (size_t k = 0; k < problem.blocks.size(); ++k) {
        const BlockKind kind = problem.blocks[k].kind;
        any_patch_ |= kind == BlockKind::Patch;
        sweep_work_ += kind == BlockKind::Patch ? kWorkOfPatch : kWorkOfBlock;
        if (kind == BlockKind::Contact)
            ++points_;
        else
            blocks_.chosen.push_back(static_cast<int>(k));
    }
}

void PatchNewton::record_failed_run() {
    if (points_ > 0)
        include_points();
    else
        blocks_.iterations *= 2;
}

void PatchNewton::include_points() {
    const auto blocks = static_cast<int>(blocks_.chosen.size()) + points_;
    blocks_.chosen.resize(static_cast<size_t>(blocks));
    std::iota(blocks_.chosen.begin(), blocks_.chosen.end(), 0);
    points_ = 0;
    assembled_ = false;
    blocks_.iterations = kFirstIterations;
}

bool PatchNewton::assemble(const ContactProblem& problem) {
    rows_.clear();  // rows of blocks that are not open: half of the patches of a heap may be open
    iteration_work_ = 0;
    for (const int k : blocks_.chosen) {
        const Block& block = problem.blocks[static_cast<size_t>(k)];
        const bool open = (block.kind == BlockKind::Patch || block.kind == BlockKind::Contact) &&
                          problem.impulse[static_cast<size_t>(block.first_row)] == 0;
        rows_.push_back(open ? 0 : block.rows);
        if (!open) iteration_work_ += block.kind == BlockKind::Patch ? kWorkOfDerivative : kWorkOfBlock;
    }
    const double most = larger(kCheap, kMaxRunWork * max_sweeps_ / kFirstIterations) * sweep_work_;
    cost_.count(problem, blocks_.chosen, rows_);
    if (cost_.surely_exceeds(Newton::kDenseSpeed * most)) return false;
    if (!blocks_.assemble_matrix(problem)) return false;
    iteration_work_ += newton_.work_per_iteration(blocks_.together, rows_);
    return 2 * cost_.values() + newton_.factor_values() <= MatrixCost::kMostValues;
}

bool PatchNewton::is_due(const ContactProblem& problem) {
    if (!any_patch_) return false;
    if (blocks_.chosen.size() < 2 && points_ == 0) return false;  // a lone patch is solved exactly by its visit in a sweep
    if (points_ > 0 && (blocks_.chosen.size() < 2 || turns_ >= kTurnsWithoutPoints)) include_points();
    if (!assembled_) {
        assembled_ = true;
        too_large_ = !assemble(problem);
    }
    if (too_large_) return false;
    // with the last step's impulses as start, Newton's method usually converges within its first turn
    if (turns_ == 0 && iteration_work_ <= kCheap * sweep_work_) return spent_ > 0;
    return kMaxRunWork * spent_ >= blocks_.iterations * iteration_work_;
}

NewtonRun PatchNewton::improve(ContactProblem& problem, double tolerance, int most, double seconds) {
    spent_ = 0;
    ++turns_;
    blocks_.load(problem);
    const double before = natural_map_residual(blocks_.together).value;
    if (before <= tolerance) {  // the remaining error belongs to the points
        if (points_ > 0) include_points();
        return {};
    }
    const SolveReport report =
        newton_.solve(blocks_.together, {tolerance, std::min(most, blocks_.iterations), seconds}, ignored_);
    const bool helped = report.residual <= BlockSubset::kProgress * before;
    helped ? blocks_.keep(problem, report.residual <= tolerance) : record_failed_run();
    return {report.sweeps, helped};
}

}  // namespace asperity::solvers

#include "asperity/solvers/assembled/assembled_prox.h"

#include <algorithm>
#include <cmath>

#include "asperity/solvers/problem/patch_block.h"

namespace asperity::solvers {
namespace {

/// lambda_n <- P(lambda_n - r_n u_n), its effect on the friction rows, then lambda_f <- P(lambda_f - r_f u_f).
void projected_step(const Block& block, const SymBlock& w, double shrink, const double* r, double* u, double* lambda) {
    const int first_friction = block.kind == BlockKind::Ball ? 0 : 1;
    double z[kMaxBlockRows];
    if (first_friction == 1) {
        z[0] = lambda[0] - shrink * r[0] * u[0];
        z[0] = block.kind == BlockKind::Interval ? clamp(z[0], block.low, block.high) : larger(z[0], 0.0);
        for (int i = 1; i < block.rows; ++i) u[i] += w.m[i][0] * (z[0] - lambda[0]);
    }
    for (int i = first_friction; i < block.rows; ++i) z[i] = lambda[i] - shrink * r[i] * u[i];
    project_block(block, z[0], z);
    std::copy_n(z, block.rows, lambda);
}

}  // namespace

/// The map that AcceleratedSweeps iterates.
struct AssembledProx::Sweeps {
    AssembledProblem& problem;
    const std::vector<Visit>& visits;
    const SolveOptions& options;
    int next_look = 2;  // sweep at which Siconos's error, at the cost of half a sweep, is next computed

    static constexpr double kInvisible = 0;
    std::vector<double>& impulse() { return problem.impulse; }
    void refresh() {}  // velocities are computed on each visit
    struct NoTurn {
        int iterations = 0;
        bool helped = false;
    };
    NoTurn improve(double, int, double) { return {}; }  // `auto` alternates with Newton's method instead
    void undone() {}
    bool can_jam() const { return false; }  // impulses are not passed on from step to step
    // constant: a jump is judged by its error alone, which saves a product with W
    double merit() const { return 0; }
    void weights(std::vector<double>& out) const {
        out.clear();
        for (size_t k = 0; k < visits.size(); ++k)
            for (int i = 0; i < problem.blocks[k].rows; ++i) out.push_back(visits[k].r[i] > 0 ? 1 / visits[k].r[i] : 0);
    }
    bool is_solved(double error, int sweeps) {
        if (options.measure == Measure::NaturalMap ? error > options.tolerance : sweeps < next_look) return false;
        next_look = sweeps + 2 + sweeps / 10;
        problem.refresh_velocities();
        return residual(problem, options.measure).value <= options.tolerance;
    }
    double sweep(double shrink, bool forward) {
        double largest = 0;
        const int count = problem.block_count();
        for (int i = 0; i < count; ++i) {
            const double error = visit(forward ? i : count - 1 - i, shrink);
            if (!(error <= largest)) largest = error;  // keeps a NaN
        }
        return largest;
    }
    double visit(int k, double shrink) {
        const Block& block = problem.blocks[static_cast<size_t>(k)];
        const Visit& v = visits[static_cast<size_t>(k)];
        double* lambda = &problem.impulse[static_cast<size_t>(block.first_row)];
        double u[kMaxBlockRows], old[kMaxBlockRows];
        problem.multiply_row(k, problem.impulse, u);
        for (int i = 0; i < block.rows; ++i) {
            u[i] += problem.q[static_cast<size_t>(block.first_row + i)];
            old[i] = lambda[i];
        }
        if (block.kind == BlockKind::Bilateral) {
            for (int i = 0; i < block.rows; ++i)
                for (int c = 0; c < block.rows; ++c) lambda[i] -= v.inverse.m[i][c] * u[c];
        } else if (block.kind == BlockKind::Patch) {
            double free[kPatchRows];
            for (int i = 0; i < kPatchRows; ++i) {
                free[i] = u[i];
                for (int c = 0; c < kPatchRows; ++c) free[i] -= v.w.m[i][c] * lambda[c];
            }
            if (block.r_n > 0) solve_patch(*block.patch, {block.r_n, block.r_f}, PatchMatrix(v.w), free, lambda);
        } else {
            const bool solved = v.alone.is_set_up() && v.alone.move(u, lambda);
            if (!solved) projected_step(block, v.w, shrink * options.relaxation, v.r, u, lambda);
        }
        double error = 0;
        for (int i = 0; i < block.rows; ++i)
            if (v.r[i] > 0)
                if (const double e = std::fabs(lambda[i] - old[i]) / v.r[i]; !(e <= error)) error = e;
        return error;
    }
};

SolveReport AssembledProx::solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    history.clear();
    visits_.resize(problem.blocks.size());
    for (int k = 0; k < problem.block_count(); ++k) {
        const Block& block = problem.blocks[static_cast<size_t>(k)];
        Visit& v = visits_[static_cast<size_t>(k)];
        v.w = problem.diagonal_block(k);
        if (block.kind == BlockKind::Bilateral) v.inverse = asperity::inverse(v.w, block.rows);
        v.alone = {};
        const auto* ellipse = std::get_if<friction::Ellipse>(&block.set);
        if (options.exact_contacts && block.kind == BlockKind::Contact && block.rows == 3 && ellipse)
            v.alone.set_up(v.w, *ellipse);
        for (int i = 0; i < block.rows; ++i)
            v.r[i] = block.kind == BlockKind::Bilateral ? v.inverse.m[i][i] : block.step_length(i);
    }
    Sweeps sweeps{problem, visits_, options};
    SolveReport report = sweeps_.run(sweeps, options, history);
    conclude(report, problem, options);
    return report;
}

}  // namespace asperity::solvers

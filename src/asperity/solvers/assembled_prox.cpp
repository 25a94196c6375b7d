#include "asperity/solvers/assembled_prox.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/deadline.h"

namespace asperity::solvers {
namespace {

constexpr int kCheckEvery = 10;   // sweeps between two looks at the full residual, which costs as much as a sweep

}  // namespace

double AssembledProx::sweep(AssembledProblem& p, bool forward) {
    double largest = 0;
    const int count = p.block_count();
    for (int i = 0; i < count; ++i) {
        const int k = forward ? i : count - 1 - i;
        const Block& block = p.blocks[static_cast<size_t>(k)];
        double* lambda = &p.impulse[static_cast<size_t>(block.first_row)];
        double u[kMaxBlockRows], z[kMaxBlockRows];
        p.multiply_row(k, p.impulse, u);
        for (int r = 0; r < block.rows; ++r) u[r] += p.q[static_cast<size_t>(block.first_row + r)];
        const double error = natural_map(block, lambda, u);
        if (!(error <= largest)) largest = error;
        if (block.kind == BlockKind::Bilateral) {
            const SymBlock& inverse = inverse_[static_cast<size_t>(k)];
            for (int r = 0; r < block.rows; ++r)
                for (int c = 0; c < block.rows; ++c) lambda[r] -= inverse.m[r][c] * u[c];
            continue;
        }
        const bool contact = block.kind != BlockKind::Ball;
        double n = lambda[0];
        if (contact) {   // the normal first, and what it does to the friction rows before these move
            n = larger(lambda[0] - block.r_n * u[0], 0.0);
            if (block.kind == BlockKind::Interval) n = clamp(lambda[0] - block.r_n * u[0], block.low, block.high);
            if (block.rows > 1) {
                const SymBlock w = p.diagonal_block(k);
                for (int r = 1; r < block.rows; ++r) u[r] += w.m[r][0] * (n - lambda[0]);
            }
        }
        z[0] = n;
        for (int r = contact ? 1 : 0; r < block.rows; ++r) z[r] = lambda[r] - block.r_f * u[r];
        project_block(block, n, z);
        std::copy_n(z, block.rows, lambda);
    }
    return largest;
}

SolveReport AssembledProx::solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    const Deadline deadline(options.time_limit);
    history.clear();
    inverse_.resize(problem.blocks.size());
    for (int k = 0; k < problem.block_count(); ++k) {
        const Block& block = problem.blocks[static_cast<size_t>(k)];
        if (block.kind == BlockKind::Bilateral) inverse_[static_cast<size_t>(k)] = asperity::inverse(problem.diagonal_block(k), block.rows);
    }
    SolveReport report;
    while (report.sweeps < options.max_sweeps) {
        const double error = sweep(problem, report.sweeps % 2 == 0);
        ++report.sweeps;
        history.push_back(error);
        if (!std::isfinite(error)) break;
        if (deadline.passed()) {
            report.status = SolveStatus::TimeLimit;
            break;
        }
        if (options.measure == Measure::NaturalMap ? error > options.tolerance : report.sweeps % kCheckEvery != 0) continue;
        problem.refresh_velocities();
        if (residual(problem, options.measure).value <= options.tolerance) break;
    }
    conclude(report, problem, options);
    return report;
}

}  // namespace asperity::solvers

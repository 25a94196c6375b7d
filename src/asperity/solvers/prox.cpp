// Block Gauss-Seidel on the exact sets: per block one projected step, velocities kept current in between.
//     lambda_n <- max(0, lambda_n - r_n u_n);   lambda_f <- proj_{lambda_n K}(lambda_f - r_f u_f)            (M14)
// r is a scalar per contact, 1/W_nn and 1/eig_max(W_ff): any scalar has the same fixed points, so only speed depends on it.
// Joints are blocks that are solved exactly. The loop around the sweeps, with its acceleration: accelerated_sweeps.h.
// A sweep that looks converged is believed only after the full natural map agrees.
//
// Source: Erleben, Macklin, Andrews, Kry, "The Matchstick Model for Anisotropic Friction Cones", CGF 2020, Section 4.2.
#include "asperity/solvers/prox.h"

#include <cmath>

#include "asperity/solvers/relax.h"

namespace asperity::solvers {
namespace {

/// The velocities that the problem itself keeps.
struct KeptVelocities {
    ContactProblem& problem;
    Twist load(int group) const { return problem.velocity[static_cast<size_t>(group)]; }
    void store(int group, const Twist& v) const { problem.velocity[static_cast<size_t>(group)] = v; }
};

/// A pass over all blocks, forwards or backwards; returns the largest |change| / r.
double sweep(ContactProblem& problem, double shrink, bool forward) {
    const int count = static_cast<int>(problem.blocks.size());
    double error = 0;
    for (int i = 0; i < count; ++i) {
        const double e = relax(problem, KeptVelocities{problem}, problem.blocks[static_cast<size_t>(forward ? i : count - 1 - i)], shrink);
        if (!(e <= error)) error = e;   // NaN comes through
    }
    return error;
}

/// Changes are compared by the energy they carry: |change|^2 / r.
void energy_weights(const ContactProblem& problem, std::vector<double>& weight) {
    weight.resize(problem.impulse.size());
    for (const Block& block : problem.blocks)
        for (int i = 0; i < block.rows; ++i) {
            const SymBlock* inverse = block.kind == BlockKind::Bilateral ? &problem.inverse(block) : nullptr;
            const double r = inverse ? inverse->m[i][i] : i == 0 && block.kind != BlockKind::Ball ? block.r_n : block.r_f;
            weight[static_cast<size_t>(block.first_row + i)] = r > 0 ? 1 / r : 0;
        }
}

/// What AcceleratedSweeps iterates.
struct BodySweeps {
    ContactProblem& problem;
    double tolerance;
    Residual last;   // of the full natural map, when it was last asked

    static constexpr double kInvisible = 2e-8;   // [m/s]
    std::vector<double>& impulse() { return problem.impulse; }
    double sweep(double shrink, bool forward) { return solvers::sweep(problem, shrink, forward); }
    void refresh() { problem.refresh_velocities(); }
    void weights(std::vector<double>& out) const { energy_weights(problem, out); }
    bool is_solved(double error, int) {
        if (error > tolerance) return false;
        problem.refresh_velocities();   // free of accumulated rounding
        last = natural_map_residual(problem);
        return last.value <= tolerance;
    }
};

}  // namespace

SolveReport Prox::solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    history.clear();
    if (problem.blocks.empty()) return {};
    BodySweeps sweeps{problem, options.tolerance, {std::numeric_limits<double>::infinity(), -1}};
    SolveReport report = sweeps_.run(sweeps, options, history);
    const SolveStatus reason = report.status;
    if (!(sweeps.last.value <= options.tolerance)) {
        problem.refresh_velocities();
        sweeps.last = natural_map_residual(problem);
    }
    conclude(report, problem, sweeps.last, options.tolerance);
    if (report.status == SolveStatus::SweepLimit && reason != SolveStatus::Converged) report.status = reason;
    return report;
}

SolveReport Prox::correct(const ContactProblem& problem, std::span<const double> gap_rate, ContactProblem& positions,
                          const SolveOptions& options) {
    for (size_t i = 0; i < problem.contacts.size(); ++i) positions.add_normal_row(problem.contacts[i], gap_rate[i]);
    if (!any_broken(positions, options.tolerance)) return {};
    positions.prepare();
    return solve(positions, options, position_history_);
}

}  // namespace asperity::solvers

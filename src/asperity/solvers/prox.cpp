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

/// A contact solved alone; returns |change| / r, or a negative number where no solution was found.
double visit_exactly(ContactProblem& problem, const Block& block, const LocalContact& alone) {
    const KeptVelocities velocities{problem};
    Local local(problem, velocities, block);
    double u[3], next[3], error = 0;
    for (int i = 0; i < 3; ++i) {
        u[i] = local.u(i);
        next[i] = local.lambda(i);
    }
    if (!alone.move(u, next)) return -1;
    for (int i = 0; i < 3; ++i) {
        error = larger(error, std::fabs(next[i] - local.lambda(i)) / (i == 0 ? block.r_n : block.r_f));
        local.set_impulse(i, next[i]);
    }
    return error;
}

/// Changes are compared by the energy they carry: |change|^2 / r.
void energy_weights(const ContactProblem& problem, std::vector<double>& weight) {
    weight.resize(problem.impulse.size());
    for (const Block& block : problem.blocks)
        for (int i = 0; i < block.rows; ++i) {
            const SymBlock* inverse = block.kind == BlockKind::Bilateral ? &problem.inverse(block) : nullptr;
            const double r = inverse ? inverse->m[i][i] : block.step_length(i);
            weight[static_cast<size_t>(block.first_row + i)] = r > 0 ? 1 / r : 0;
        }
}

/// What AcceleratedSweeps iterates.
struct BodySweeps {
    ContactProblem& problem;
    std::span<const LocalContact> alone;   // of each block where contacts are solved exactly, else empty
    double tolerance, relaxation;
    Residual last;   // of the full natural map, when it was last asked

    static constexpr double kInvisible = 2e-8;   // [m/s]
    std::vector<double>& impulse() { return problem.impulse; }
    double sweep(double shrink, bool forward) {
        const size_t count = problem.blocks.size();
        double error = 0;
        for (size_t i = 0; i < count; ++i) {
            const double e = visit(forward ? i : count - 1 - i, shrink);
            if (!(e <= error)) error = e;   // NaN comes through
        }
        return error;
    }
    double visit(size_t k, double shrink) {
        const Block& block = problem.blocks[k];
        if (!alone.empty() && alone[k].is_set_up())
            if (const double error = visit_exactly(problem, block, alone[k]); !(error < 0)) return error;
        return relax(problem, KeptVelocities{problem}, block, shrink * relaxation);
    }
    void refresh() { problem.refresh_velocities(); }
    double merit() const { return problem.merit(); }
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
    alone_.clear();
    if (options.exact_contacts)
        for (const Block& block : problem.blocks) {
            const auto* ellipse = std::get_if<friction::Ellipse>(&block.set);
            LocalContact& local = alone_.emplace_back();
            if (block.kind == BlockKind::Contact && block.rows == 3 && ellipse) local.set_up(problem.diagonal_block(block), *ellipse);
        }
    BodySweeps sweeps{problem, alone_, options.tolerance, options.relaxation, {std::numeric_limits<double>::infinity(), -1}};
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

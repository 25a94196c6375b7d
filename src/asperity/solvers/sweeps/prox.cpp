// Block Gauss-Seidel on the exact sets: one projected step per block, after which the velocities are updated.
//     lambda_n <- max(0, lambda_n - r_n u_n);   lambda_f <- proj_{lambda_n K}(lambda_f - r_f u_f)    (equation 14)
// r is a scalar per contact, 1/W_nn and 1/eig_max(W_ff). Every scalar has the same fixed points; only the speed depends on
// it. Joints are blocks that are solved exactly. The loop around the sweeps, with its acceleration: accelerated_sweeps.h. A
// small error of a sweep ends the solve only if the full natural map is small too. `prox_coloured` visits the blocks colour
// by colour, those of one colour on all threads. They touch different bodies, so that the result is bitwise equal on any
// number of threads. Information travels more slowly through colours than along a stack, so small problems keep the order of
// the blocks.
//
// Source: Erleben, Macklin, Andrews, Kry, "The Matchstick Model for Anisotropic Friction Cones", CGF 2020, Section 4.2.
#include "asperity/solvers/sweeps/prox.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/solvers/iteration/relax.h"

namespace asperity::solvers {
namespace {

constexpr size_t kMinColouredBlocks = 400;  // blocks; with fewer, distributing the work costs more than it saves
constexpr int kRunsAtOnce = 16;             // per task: some microseconds of work

/// Access to the velocities stored in the problem.
struct KeptVelocities {
    ContactProblem& problem;
    // set if threads work concurrently: groups that cannot move are read by many blocks, and must not be written
    const ColouredBlocks* shared = nullptr;
    Twist load(int group) const { return problem.velocity[static_cast<size_t>(group)]; }
    void store(int group, const Twist& v) const {
        if (!shared || shared->moves(group)) problem.velocity[static_cast<size_t>(group)] = v;
    }
};

/// Solves one contact with all others fixed; returns |change| / r, or a negative number if no solution was found.
double visit_exactly(ContactProblem& problem, const KeptVelocities& velocities, const Block& block,
                     const LocalContact& alone) {
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

/// Weights that measure changes of impulses by their energy |change|^2 / r.
void energy_weights(const ContactProblem& problem, std::vector<double>& weight) {
    weight.resize(problem.impulse.size());
    for (const Block& block : problem.blocks)
        for (int i = 0; i < block.rows; ++i) {
            const SymBlock* inverse = block.kind == BlockKind::Bilateral ? &problem.inverse(block) : nullptr;
            const double r = inverse ? inverse->m[i][i] : block.step_length(i);
            weight[static_cast<size_t>(block.first_row + i)] = r > 0 ? 1 / r : 0;
        }
}

/// The map that AcceleratedSweeps iterates.
struct BodySweeps {
    ContactProblem& problem;
    std::span<const LocalContact> alone;  // per block, if contacts are solved exactly; else empty
    PatchNewton& patches;
    IslandNewton& points;
    double tolerance, relaxation;
    Residual last = {std::numeric_limits<double>::infinity(), -1};  // latest full natural map
    const ColouredBlocks* colours = nullptr;                        // these three only for prox_coloured
    Team* team = nullptr;
    std::vector<double>* chunk_error = nullptr;
    bool has_friction_blocks = false;  // has friction; false in the position pass

    static constexpr double kInvisible = Newton::kInvisible;
    std::vector<double>& impulse() { return problem.impulse; }
    double sweep(double shrink, bool forward) {
        patches.count_sweep();
        points.count_sweep();
        if (colours) return sweep_colours(shrink, forward);
        const size_t count = problem.blocks.size();
        double error = 0;
        for (size_t i = 0; i < count; ++i) {
            const double e = visit(forward ? i : count - 1 - i, shrink);
            if (!(e <= error)) error = e;  // keeps a NaN
        }
        return error;
    }
    double sweep_colours(double shrink, bool forward) {
        double error = 0;
        for (int i = 0; i < colours->colour_count(); ++i) {
            const int colour = forward ? i : colours->colour_count() - 1 - i;
            const std::span<const PairRange> runs = colours->runs(colour);
            const int count = static_cast<int>(runs.size()),
                      at_once = ColouredBlocks::is_serial(colour) ? std::max(count, 1) : kRunsAtOnce;
            const int chunks = (count + at_once - 1) / at_once;
            chunk_error->resize(std::max(chunk_error->size(), static_cast<size_t>(chunks)));
            team->stage(chunks, [&](int c) {
                double largest = 0;
                for (const PairRange& run : runs.subspan(static_cast<size_t>(c * at_once),
                                                         static_cast<size_t>(std::min(at_once, count - c * at_once))))
                    for (int k = 0; k < run.count; ++k) {
                        const double e = visit(static_cast<size_t>(run.first + (forward ? k : run.count - 1 - k)), shrink);
                        if (!(e <= largest)) largest = e;
                    }
                (*chunk_error)[static_cast<size_t>(c)] = largest;
            });
            for (int c = 0; c < chunks; ++c)
                if (const double e = (*chunk_error)[static_cast<size_t>(c)]; !(e <= error)) error = e;
        }
        return error;
    }
    double visit(size_t k, double shrink) {
        const Block& block = problem.blocks[k];
        const KeptVelocities velocities{problem, colours};
        if (!alone.empty() && alone[k].is_set_up())
            if (const double error = visit_exactly(problem, velocities, block, alone[k]); !(error < 0)) return error;
        return relax(problem, velocities, block, shrink * relaxation);
    }
    NewtonRun improve(double error, int most, double seconds) {
        if (most <= 0) return {};
        if (patches.is_due(problem)) return patches.improve(problem, tolerance, most, seconds);
        if (points.is_due(problem, error, tolerance)) return points.improve(problem, tolerance, most, seconds);
        return {};
    }
    void undone() {
        patches.record_failed_run();
        points.record_failed_run();
    }
    void refresh() { problem.refresh_velocities(); }
    double merit() const { return problem.merit(); }
    bool can_jam() const { return has_friction_blocks; }
    void weights(std::vector<double>& out) const { energy_weights(problem, out); }
    bool is_solved(double error, int) {
        if (error > tolerance) return false;
        problem.refresh_velocities();  // removes accumulated rounding errors
        last = natural_map_residual(problem);
        return last.value <= tolerance;
    }
};

}  // namespace

SolveReport Prox::solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    history.clear();
    if (problem.blocks.empty()) return {};
    local_contacts_.clear();
    if (options.exact_contacts)
        for (const Block& block : problem.blocks) {
            const auto* ellipse = std::get_if<friction::Ellipse>(&block.set);
            LocalContact& local = local_contacts_.emplace_back();
            if (block.kind == BlockKind::Contact && block.rows == 3 && ellipse)
                local.set_up(problem.diagonal_block(block), *ellipse);
        }
    patches_.start(problem, options.max_sweeps);
    points_.start(problem, options.max_sweeps);
    BodySweeps sweeps{problem, local_contacts_, patches_, points_, options.tolerance, options.relaxation};
    sweeps.has_friction_blocks = std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& b) {
        return b.kind == BlockKind::Patch || (b.kind == BlockKind::Contact && b.rows > 1);
    });
    SolveReport report;
    if (order_ == Order::Colours && problem.blocks.size() >= kMinColouredBlocks) {
        colours_.arrange(problem);
        sweeps.colours = &colours_;
        sweeps.chunk_error = &chunk_error_;
        Team::run([&](Team& team) {
            sweeps.team = &team;
            report = sweeps_.run(sweeps, options, history);
        });
    } else {
        report = sweeps_.run(sweeps, options, history);
    }
    const SolveStatus reason = report.status;
    if (!(sweeps.last.value <= options.tolerance)) {
        problem.refresh_velocities();
        sweeps.last = natural_map_residual(problem);
    }
    conclude(report, problem, sweeps.last, options.tolerance);
    if (report.status == SolveStatus::SweepLimit && reason != SolveStatus::Converged) report.status = reason;
    return report;
}

namespace {

constexpr double kMinMassRatio = 1e-3;  // smallest mass relative to a neighbour's

/// A light body squeezed by a heavy one is held by two large forces that must cancel to within the mass ratio. A tilt of
/// 1e-8 between them ejects a body of a millionth of the mass by metres; friction would hold it, but position correction has
/// none. Position correction does not need the true masses. So each body counts with at least a thousandth of its
/// neighbours' mass.
void raise_light_bodies(ContactProblem& positions) {
    const auto raise = [&](int light, int heavy) {
        double& w = positions.inverse_mass[static_cast<size_t>(light)];
        const double most = positions.inverse_mass[static_cast<size_t>(heavy)] / kMinMassRatio;
        if (!(most > 0 && w > most)) return;
        Mat3& inertia = positions.inverse_inertia[static_cast<size_t>(light)];
        inertia = (most / w) * inertia;
        w = most;
    };
    for (const Block& block : positions.blocks) {
        raise(block.a, block.b);
        raise(block.b, block.a);
    }
}

}  // namespace

SolveReport Prox::correct(const ContactProblem& problem, std::span<const double> gap_rate, ContactProblem& positions,
                          const SolveOptions& options) {
    for (size_t i = 0; i < problem.contacts.size(); ++i) positions.add_normal_row(problem.contacts[i], gap_rate[i]);
    if (!any_violated(positions, options.tolerance)) return {};
    raise_light_bodies(positions);
    positions.prepare();
    return solve(positions, options, position_history_);
}

}  // namespace asperity::solvers

// Block Gauss-Seidel on the exact sets: per block one projected step, velocities kept current in between.
//     lambda_n <- max(0, lambda_n - r_n u_n);   lambda_f <- proj_{lambda_n K}(lambda_f - r_f u_f)            (M14)
// r is a scalar per contact, 1/W_nn and 1/eig_max(W_ff): any scalar has the same fixed points, so only speed depends on it.
// Joints are blocks that are solved exactly. The loop around the sweeps, with its acceleration: accelerated_sweeps.h.
// A sweep that looks converged is believed only after the full natural map agrees.
// `prox_coloured` visits the blocks colour by colour, those of one colour on all threads: they touch different bodies, so
// that the bits are the same on any number of threads. News travel more slowly through colours than along a stack, so small
// problems keep the order of the blocks.
//
// Source: Erleben, Macklin, Andrews, Kry, "The Matchstick Model for Anisotropic Friction Cones", CGF 2020, Section 4.2.
#include "asperity/solvers/sweeps/prox.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/solvers/iteration/relax.h"

namespace asperity::solvers {
namespace {

constexpr size_t kWorthColours = 400;  // blocks: below, handing work over costs more than it saves
constexpr int kRunsAtOnce = 16;        // that a thread takes: some microseconds of work

/// The velocities that the problem itself keeps.
struct KeptVelocities {
    ContactProblem& problem;
    // where threads work at the same time: what does not move is read by many, and written by none
    const ColouredBlocks* shared = nullptr;
    Twist load(int group) const { return problem.velocity[static_cast<size_t>(group)]; }
    void store(int group, const Twist& v) const {
        if (!shared || shared->moves(group)) problem.velocity[static_cast<size_t>(group)] = v;
    }
};

/// A contact solved alone; returns |change| / r, or a negative number where no solution was found.
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
    std::span<const LocalContact> alone;  // of each block where contacts are solved exactly, else empty
    PatchesTogether& patches;
    PointsTogether& points;
    double tolerance, relaxation;
    Residual last = {std::numeric_limits<double>::infinity(), -1};  // of the full natural map, when it was last asked
    const ColouredBlocks* colours = nullptr;                        // and with them:
    Team* team = nullptr;
    std::vector<double>* chunk_error = nullptr;
    bool rubs = false;  // has friction, which the position pass has not

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
            if (!(e <= error)) error = e;  // NaN comes through
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
    TurnTogether improve(double error, int most, double seconds) {
        if (most <= 0) return {};
        if (patches.is_due(problem)) return patches.improve(problem, tolerance, most, seconds);
        if (points.is_due(problem, error, tolerance)) return points.improve(problem, tolerance, most, seconds);
        return {};
    }
    void undone() {
        patches.put_off();
        points.put_off();
    }
    void refresh() { problem.refresh_velocities(); }
    double merit() const { return problem.merit(); }
    bool can_jam() const { return rubs; }
    void weights(std::vector<double>& out) const { energy_weights(problem, out); }
    bool is_solved(double error, int) {
        if (error > tolerance) return false;
        problem.refresh_velocities();  // free of accumulated rounding
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
            if (block.kind == BlockKind::Contact && block.rows == 3 && ellipse)
                local.set_up(problem.diagonal_block(block), *ellipse);
        }
    patches_.start(problem);
    points_.start(problem, options.max_sweeps);
    BodySweeps sweeps{problem, alone_, patches_, points_, options.tolerance, options.relaxation};
    sweeps.rubs = std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& b) {
        return b.kind == BlockKind::Patch || (b.kind == BlockKind::Contact && b.rows > 1);
    });
    SolveReport report;
    if (order_ == Order::Colours && problem.blocks.size() >= kWorthColours) {
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

constexpr double kLightest = 1e-3;  // of what it touches

/// A grain under a block is held by the large forces of two sides, which must cancel to the ratio of the masses: a tilt of
/// 1e-8 between them shoots a millionth of the mass out by metres, and friction, which holds it, has no part in poses. Poses
/// alone need no masses, so a body counts as no lighter than a thousandth of its neighbours.
void raise_light_bodies(ContactProblem& positions) {
    const auto raise = [&](int light, int heavy) {
        double& w = positions.inverse_mass[static_cast<size_t>(light)];
        const double most = positions.inverse_mass[static_cast<size_t>(heavy)] / kLightest;
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
    if (!any_broken(positions, options.tolerance)) return {};
    raise_light_bodies(positions);
    positions.prepare();
    return solve(positions, options, position_history_);
}

}  // namespace asperity::solvers

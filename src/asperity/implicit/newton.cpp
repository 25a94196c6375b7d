#include "asperity/implicit/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/ccd/intersections.h"
#include "asperity/core/stop.h"
#include "asperity/implicit/clock.h"
#include "asperity/implicit/contacts.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/potential.h"
#include "asperity/implicit/turning.h"

namespace asperity::implicit {
namespace {

/// Share of the predicted decrease that a step must reach (Armijo). The exact minimum of a parabola reaches one half.
constexpr double kDecrease = 1e-4;
/// Rounding error of an energy over the sum of the sizes of its parts: some hundred additions of neighbouring terms.
constexpr double kRounding = 1e-13;
/// Shortest step of the line search; below it, positions of size 1 hardly change.
constexpr double kShortest = 1e-10;
/// Relative residual at which conjugate gradients end, and their most iterations. A direction with an error costs iterations
/// of Newton's method in proportion.
constexpr double kIterativeTolerance = 1e-6;
constexpr int kIterativeLimit = 1000;
/// Iterations that may follow when the correction is below the tolerance but contacts still change between sticking and
/// sliding.
constexpr int kMostChanges = 5;
/// A step of less than this length, though contacts allow more, is taken as a sign that sliding contacts came to rest on it.
constexpr double kShort = 0.25;
/// Most iterations in a row with secants in place of derivatives; choose_friction_stiffness() says why.
constexpr int kMostSecants = 4;

/// Ratio of two corrections above which convergence is slow. Newton's method has smaller ones near the minimum.
constexpr double kSlow = 0.5;
/// Iterations before a Hessian that was not positive definite is tried again: one factorisation in ten is lost at most.
constexpr int kPatience = 10;

template <int Dim>
class Newton {
  public:
    Newton(const Model<Dim>& model, StepData<Dim>& d, StepReport& report)
        : model_(model), d_(d), report_(report), clock_(report.part_ms) {
        projection_ = model.settings.project_always || model.settings.integrator == Integrator::QuasiStatic
                          ? deform::Projection::Clamp
                          : deform::Projection::None;
    }

    Failure run() {
        clock_(Part::collisions);
        if (!evaluate(model_, d_, d_.now)) return Failure::NotFinite;
        int changes = 0;
        for (int iteration = 0; iteration < model_.settings.max_iterations; ++iteration) {
            if (stop_requested()) return Failure::Stopped;
            ++report_.iterations;
            if (const Failure failure = find_direction(); failure != Failure::None) return failure;
            const double speed = shorten(largest_motion()) / d_.attempt.h;
            report_.residual = speed;
            const bool last = d_.now.progress == 1 && speed <= model_.settings.tolerance;
            if (last) find_sliding<Dim>(model_, d_.attempt, d_.friction.contacts, d_.now.x, d_.friction.sliding);
            if (const Failure failure = advance(last); failure != Failure::None) return failure;
            if (last && (changes == kMostChanges || !sliding_changed())) return Failure::None;
            changes += last;
            choose_hessian(speed);
            choose_friction_stiffness();
        }
        return Failure::Iterations;
    }

  private:
    /// Whether contacts began or ceased to slide in the last iteration: its forces were then not those of the direction.
    bool sliding_changed() {
        find_sliding<Dim>(model_, d_.attempt, d_.friction.contacts, d_.now.x, d_.friction.sliding_after);
        return d_.friction.sliding != d_.friction.sliding_after;
    }

    /// A contact's Hessian with its negative eigenvalues clamped to zero is safe far from the minimum. But it leaves out the
    /// negative curvature of pressed points and edges, force over gap, and where that matters corrections shrink by a few
    /// percent per iteration only. Then the exact Hessian takes its place for one iteration, unless it was found not
    /// positive definite within the last kPatience iterations.
    void choose_hessian(double speed) {
        patience_ = std::max(0, patience_ - 1);
        exact_ = patience_ == 0 && d_.now.progress == 1 && length_ == 1 && speed > kSlow * last_speed_ &&
                 !model_.settings.project_always;
        last_speed_ = length_ == 1 ? speed : std::numeric_limits<double>::infinity();
    }

    /// A contact that slides has no stiffness along its slip. So a direction may carry it far past the place where it comes
    /// to rest, and the line search shortens the step to a small part, in every other iteration. After such a short step the
    /// secant stiffness, force over slip, replaces the derivative for an iteration; after the next short step for two, then
    /// for four.
    void choose_friction_stiffness() {
        if (secant_left_ > 0) {
            --secant_left_;
        } else if (length_ < kShort && length_ < 0.99 * allowed_length_) {
            secant_patience_ = std::min(2 * secant_patience_, kMostSecants);
            secant_left_ = secant_patience_;
        } else if (length_ == 1) {
            secant_patience_ = 1;
        }
    }

    /// d.direction: the Newton direction of the free nodes, the rest of the way for the prescribed ones.
    Failure find_direction() {
        const double way = 1 - d_.now.progress;
        for (std::size_t i = 0; i < d_.direction.size(); ++i)
            d_.direction[i] = model_.is_free(static_cast<int>(i)) ? Vector<Dim>(Vector<Dim>::Zero())
                                                                  : Vector<Dim>(d_.attempt.target[i] - d_.now.x[i]);
        for (;;) {
            clock_(Part::assembly);
            d_.assembly.assemble(model_, d_.attempt, d_.now, d_.barrier, d_.friction.contacts,
                                 exact_ ? deform::Projection::None : projection_, true, !exact_,
                                 secant_left_ > 0 ? FrictionStiffness::Secant : FrictionStiffness::Exact);
            d_.right_hand_side.resize(d_.now.x.size() * Dim);
            for (std::size_t i = 0; i < d_.now.x.size(); ++i)
                for (int k = 0; k < Dim; ++k)
                    d_.right_hand_side[i * Dim + static_cast<std::size_t>(k)] =
                        -d_.assembly.gradient()[i][k] - d_.assembly.obstacle_gradient()[i][k];
            d_.assembly.prescribe(model_, d_.direction, d_.right_hand_side);
            const Solved solved = solve();
            if (solved == Solved::NotFinite && !exact_) return Failure::NotFinite;
            if (solved == Solved::Yes) {
                for (std::size_t i = 0; i < d_.direction.size(); ++i)
                    if (model_.is_free(static_cast<int>(i)))
                        for (int k = 0; k < Dim; ++k)
                            d_.direction[i][k] = d_.right_hand_side[i * Dim + static_cast<std::size_t>(k)];
                if (way > 0 || slope() < 0 || converged_exactly()) {
                    bend();
                    return Failure::None;
                }
            }
            if (exact_) {
                exact_ = false;
                patience_ = kPatience;
                continue;
            }
            if (projection_ != deform::Projection::None) return Failure::Singular;
            projection_ = deform::Projection::Clamp;  // for the rest of this attempt
        }
    }

    enum class Solved { Yes, NotPositive, NotFinite };
    Solved solve() {
        const linear::BlockPattern& pattern = d_.assembly.pattern();
        if (!d_.factorises) {
            clock_(Part::factor);
            d_.multigrid.prepare(pattern, d_.assembly.values(), d_.rest);
            clock_(Part::solve);
            d_.iterate.assign(d_.right_hand_side.size(), 0);
            const linear::CgReport solved =
                d_.multigrid.solve(d_.right_hand_side, d_.iterate, kIterativeTolerance, kIterativeLimit);
            if (solved.status == linear::CgStatus::NotFinite) return Solved::NotFinite;
            if (solved.status == linear::CgStatus::NotPositive) return Solved::NotPositive;
            if (solved.status == linear::CgStatus::Done) {
                d_.right_hand_side.swap(d_.iterate);
                return Solved::Yes;
            }
            d_.factorises = true;  // for the rest of this attempt: slivers stall conjugate gradients, not a factorisation
        }
        clock_(Part::factor);
        d_.cholesky.analyse(pattern);
        switch (d_.cholesky.factor(d_.assembly.values())) {
            case linear::CholeskyStatus::Done: break;
            case linear::CholeskyStatus::NotPositive: return Solved::NotPositive;
            case linear::CholeskyStatus::NotFinite: return Solved::NotFinite;
        }
        clock_(Part::solve);
        d_.cholesky.solve(d_.right_hand_side);
        add_guides();
        return Solved::Yes;
    }

    /// Each guide adds k m m^T to the matrix, with weights m of all nodes of its body: a dense block, so it is left out of
    /// the factorisation and put in afterwards by the formula of Sherman and Morrison,
    ///     (H + k m m^T)^-1 b = H^-1 b - z k (m . H^-1 b)/(1 + k m . z),   z = H^-1 m,
    /// one guide after the other.
    void add_guides() {
        const std::size_t count = model_.guides.size();
        d_.guide_response.resize(count);
        const auto dot_weights = [&](std::size_t g, const std::vector<double>& x) {
            double sum = 0;
            for_guided(g, [&](std::size_t unknown, double weight) { sum += weight * x[unknown]; });
            return sum;
        };
        const auto correct = [&](std::size_t g, std::vector<double>& x) {
            const std::vector<double>& z = d_.guide_response[g];
            const double k = model_.guides[g].stiffness;
            const double share = k * dot_weights(g, x) / (1 + k * dot_weights(g, z));
            for (std::size_t i = 0; i < x.size(); ++i) x[i] -= share * z[i];
        };
        for (std::size_t g = 0; g < count; ++g) {
            std::vector<double>& z = d_.guide_response[g];
            z.assign(d_.right_hand_side.size(), 0);
            for_guided(g, [&](std::size_t unknown, double weight) { z[unknown] = weight; });
            d_.cholesky.solve(z);
            for (std::size_t before = 0; before < g; ++before) correct(before, z);
            correct(g, d_.right_hand_side);
        }
    }

    /// Calls f(unknown, derivative of the guided displacement) for the free unknowns of a guide.
    template <class F>
    void for_guided(std::size_t guide, const F& f) const {
        const Guide<Dim>& g = model_.guides[guide];
        const Body<Dim>& body = model_.bodies[static_cast<std::size_t>(g.body)];
        for (int node = body.first_node; node < body.first_node + body.node_count; ++node) {
            if (!model_.is_free(node)) continue;
            const auto i = static_cast<std::size_t>(node);
            for (int k = 0; k < Dim; ++k)
                if (g.axis[k] != 0) f(i * Dim + static_cast<std::size_t>(k), g.axis[k] * model_.node_mass[i] / body.mass);
        }
    }

    /// Bodies that turn go along arcs, if the potential falls along them too.
    void bend() {
        d_.straight_direction = d_.direction;
        const double before = slope();
        if (bend_direction(model_, d_) && slope() > 0.5 * before) d_.direction.swap(d_.straight_direction);
    }

    /// Derivative of the potential along the direction.
    double slope() const {
        double sum = 0;
        for (std::size_t i = 0; i < d_.direction.size(); ++i)
            if (model_.is_free(static_cast<int>(i))) sum += d_.direction[i].dot(d_.assembly.gradient()[i]);
        return sum;
    }
    bool converged_exactly() const { return slope() == 0; }

    double largest_motion() {
        clock_(Part::line_search);
        find_vertex_direction(model_, d_, 1 - d_.now.progress);
        return implicit::largest_motion(model_, d_);
    }

    /// Cuts a direction that is longer than Settings::most_motion; returns its length.
    double shorten(double motion) {
        const double most = model_.settings.most_motion;
        if (!(most > 0) || motion <= most || d_.now.progress < 1) return motion;
        for (Vector<Dim>& v : d_.direction) v *= most / motion;
        for (Vector<Dim>& v : d_.vertex_direction) v *= most / motion;
        return most;
    }

    /// Goes along the direction as far as contacts, elements and the potential allow. In the last step of an iteration that
    /// has converged rounding decides whether the energy falls: it may be short. With friction it is taken whole, since a
    /// slip that stays would add to the friction force in every pass.
    Failure advance(bool last) {
        const double way = 1 - d_.now.progress;
        clock_(Part::broad_phase);
        find_candidates(model_, d_);
        clock_(Part::ccd);
        double length = motion_limit(model_, d_, way);
        allowed_length_ = length;
        clock_(Part::line_search);
        const double predicted = slope();
        for (; length > kShortest; length *= 0.5) {
            if (!try_step(length, way)) continue;
            const double allowed =
                d_.now.energy + kDecrease * length * predicted + kRounding * (d_.now.magnitude + d_.trial.magnitude);
            const bool whole = last && !d_.friction.contacts.empty();
            if (way == 0 && !whole && !(d_.trial.energy <= allowed)) continue;
            if (model_.settings.check && crosses()) return Failure::Intersection;
            std::swap(d_.now, d_.trial);
            length_ = length;
            return Failure::None;
        }
        if (last) return Failure::None;
        return way > 0 ? Failure::Blocked : Failure::LineSearch;
    }

    bool try_step(double length, double way) {
        d_.trial.x.resize(d_.now.x.size());
        for (std::size_t i = 0; i < d_.now.x.size(); ++i) d_.trial.x[i] = d_.now.x[i] + length * d_.direction[i];
        d_.trial.progress = length == 1 ? 1 : d_.now.progress + length * way;
        if (length == 1)
            for (std::size_t i = 0; i < d_.now.x.size(); ++i)
                if (!model_.is_free(static_cast<int>(i))) d_.trial.x[i] = d_.attempt.target[i];
        return evaluate(model_, d_, d_.trial);
    }

    bool crosses() const {
        return ccd::first_intersection(model_.surface.view(), std::span<const Vector<Dim>>(d_.trial.vertices)).found;
    }

    const Model<Dim>& model_;
    StepData<Dim>& d_;
    StepReport& report_;
    PartClock clock_;
    deform::Projection projection_;
    // choose_hessian()
    bool exact_ = false;
    int patience_ = 0;                           // iterations until the exact Hessian may be tried again
    int secant_left_ = 0, secant_patience_ = 1;  // choose_friction_stiffness(): iterations
    double allowed_length_ = 1;
    double length_ = 0, last_speed_ = std::numeric_limits<double>::infinity();
};

}  // namespace

template <int Dim>
void begin_iterates(const Model<Dim>& model, StepData<Dim>& d, StepReport& report) {
    PartClock clock(report.part_ms);
    d.now.x = d.attempt.start;
    d.now.progress = d.attempt.moves_something ? 0 : 1;
    d.direction.assign(d.now.x.size(), Vector<Dim>::Zero());
    vertex_positions<Dim>(model, d.now.x, d.attempt.obstacle_from, d.attempt.obstacle_to, d.now.progress, d.now.vertices);
    find_vertex_direction(model, d, 0);
    clock(Part::broad_phase);
    find_candidates(model, d);
}

template <int Dim>
Failure minimise(const Model<Dim>& model, StepData<Dim>& d, StepReport& report) {
    return Newton<Dim>(model, d, report).run();
}

template void begin_iterates<2>(const Model<2>&, StepData<2>&, StepReport&);
template void begin_iterates<3>(const Model<3>&, StepData<3>&, StepReport&);
template Failure minimise<2>(const Model<2>&, StepData<2>&, StepReport&);
template Failure minimise<3>(const Model<3>&, StepData<3>&, StepReport&);

}  // namespace asperity::implicit

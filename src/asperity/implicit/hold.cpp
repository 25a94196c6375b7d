#include "asperity/implicit/hold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/implicit/newton.h"
#include "asperity/implicit/potential.h"

namespace asperity::implicit {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// A step is settled if no force would move a node faster than this share of the tolerance. Larger: forces at rest are off
/// by more than 1e-7 of the weight of a node. Smaller: rounding prevents it in bodies of 1e9 Pa.
constexpr double kSettled = 1e-2;
/// Forces that change the speed of their node by less than this share of the tolerance count as balanced: where contacts
/// carry almost nothing, rounding is larger than their friction.
constexpr double kBalanced = 0.1;

template <int Dim>
class Hold {
  public:
    Hold(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d, StepReport& report)
        : model_(model), state_(state), d_(d), friction_(d.friction), report_(report) {}

    Failure run() {
        begin_iterates(model_, d_, report_);
        friction_.contacts.clear();
        friction_.memory = state_.friction;
        friction_.relaxation = 1;
        friction_.settled = false;
        if (!evaluate(model_, d_, d_.now)) return Failure::NotFinite;
        freeze_friction(model_, state_, d_);
        const bool smooth = model_.settings.friction == FrictionMethod::Smooth;
        if (!smooth && is_settled()) {
            friction_.settled = true;
            return finish();
        }
        double best = std::numeric_limits<double>::infinity();
        int stalled = 0;
        for (int pass = 0; pass < model_.settings.friction_passes; ++pass) {
            if (const Failure failure = minimise(model_, d_, report_); failure != Failure::None) return failure;
            ++report_.friction_passes;
            friction_.residual_scale.assign(model_.bodies.size(), 0);
            raise_scale();
            remember_friction(model_, d_);
            freeze_friction(model_, state_, d_);
            raise_scale();
            const double residual = renewed_residual();
            report_.friction_residual = residual;
            if (smooth && (pass + 1 == model_.settings.friction_passes || residual <= model_.settings.friction_tolerance))
                return finish();
            if (residual <= model_.settings.friction_tolerance) return finish();
            // passes that go to and fro: smaller changes of loads and normals
            if (residual < 0.9 * best) {
                stalled = 0;
                best = residual;
                friction_.relaxation = std::min(1.0, 1.5 * friction_.relaxation);
            } else if (++stalled % 2 == 0) {
                friction_.relaxation *= 0.5;
            }
        }
        if (!d_.attempt.accepts_misses) return Failure::Friction;
        ++report_.friction_misses;
        return finish();
    }

  private:
    Failure finish() {
        for (FrictionContact& c : friction_.contacts)
            c.force = friction_at(c, slip_of<Dim>(model_, d_.attempt, d_.now.x, c), FrictionStiffness::None).force;
        return Failure::None;
    }

    void assemble_forces() {
        d_.assembly.assemble(model_, d_.attempt, d_.now, d_.barrier, friction_.contacts, deform::Projection::None, false);
    }
    /// Length by which a force on a node is divided: columns of an affine body have moments [N m].
    double arm(std::size_t node) const {
        if (model_.node_translates[node]) return 1;
        return std::sqrt(model_.node_mass[node] / model_.bodies[at(model_.node_body[node])].mass);
    }

    /// Speed that the unbalanced force on a node gives it in the step, if nothing resists [m/s].
    double gained_speed(std::size_t node) const {
        return d_.attempt.prediction.c * d_.attempt.h * d_.assembly.gradient()[node].norm() * arm(node) /
               model_.node_mass[node];
    }

    /// Nothing moves, and nothing sets it in motion: the step leaves all nodes where they are.
    bool is_settled() {
        const Prediction<Dim>& p = d_.attempt.prediction;
        if (!p.inertia || d_.now.progress < 1) return false;
        assemble_forces();
        double most = 0;  // [m/s]
        for (std::size_t i = 0; i < d_.now.x.size(); ++i)
            if (model_.is_free(static_cast<int>(i))) most = std::max(most, gained_speed(i));
        if (!(most <= kSettled * model_.settings.tolerance)) return false;
        remember_friction(model_, d_);
        return true;
    }

    /// Largest friction limit on each body, of the contacts before and after they were renewed.
    void raise_scale() {
        for (const FrictionContact& c : friction_.contacts) {
            const double limit =
                c.load * std::max(friction::support(c.surface.set, {1, 0, 0}), friction::support(c.surface.set, {0, 1, 0}));
            for (std::size_t k = 0; k < at(c.count); ++k) {
                double& of_body = friction_.residual_scale[at(model_.surface.body[at(c.vertices[k])])];
                of_body = std::max(of_body, limit);
            }
        }
    }

    /// Largest force that the renewed loads, sets and axes leave unbalanced, over the largest friction limit on the body.
    double renewed_residual() {
        assemble_forces();
        double most = 0;
        for (std::size_t i = 0; i < d_.now.x.size(); ++i) {
            const double limit = friction_.residual_scale[at(model_.node_body[i])];
            const bool inertia = d_.attempt.prediction.inertia;
            if (inertia && gained_speed(i) <= kBalanced * model_.settings.tolerance) continue;
            if (limit > 0 && model_.is_free(static_cast<int>(i)))
                most = std::max(most, d_.assembly.gradient()[i].norm() / (arm(i) * limit));
        }
        return most;
    }

    const Model<Dim>& model_;
    const State<Dim>& state_;
    StepData<Dim>& d_;
    Friction<Dim>& friction_;
    StepReport& report_;
};

}  // namespace

template <int Dim>
Failure minimise_with_friction(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d, StepReport& report) {
    if (model.frictional) return Hold<Dim>(model, state, d, report).run();
    begin_iterates(model, d, report);
    return minimise(model, d, report);
}

template Failure minimise_with_friction<2>(const Model<2>&, const State<2>&, StepData<2>&, StepReport&);
template Failure minimise_with_friction<3>(const Model<3>&, const State<3>&, StepData<3>&, StepReport&);

}  // namespace asperity::implicit

#include "asperity/implicit/explicit_step.h"

#include "asperity/implicit/contacts.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/loads.h"
#include "asperity/implicit/potential.h"

namespace asperity::implicit {

template <int Dim>
Failure explicit_step(const Model<Dim>& model, StepData<Dim>& d, State<Dim>& state) {
    Attempt<Dim>& a = d.attempt;
    a.prediction.w = a.prediction.c = 1;
    a.prediction.inertia = true;
    a.prediction.x_tilde = a.start;  // no inertial force in the gradient
    a.prediction.x_hat.resize(a.start.size());
    for (std::size_t i = 0; i < a.start.size(); ++i) a.prediction.x_hat[i] = a.start[i] - a.h * state.nodes.v[i];  // damps v

    d.now.x = a.start;
    d.now.progress = 0;
    d.direction.assign(a.start.size(), Vector<Dim>::Zero());
    vertex_positions<Dim>(model, d.now.x, a.obstacle_from, a.obstacle_to, 0, d.now.vertices);
    find_vertex_direction(model, d, 0);
    find_candidates(model, d);
    if (!evaluate(model, d, d.now)) return Failure::Unstable;
    d.assembly.assemble(model, a, d.now, d.barrier, {}, deform::Projection::None, false);
    accelerations(model, d, state.nodes.a);
    for (std::size_t i = 0; i < a.start.size(); ++i) {
        const bool is_free = model.is_free(static_cast<int>(i));
        const Vector<Dim> v =
            is_free ? Vector<Dim>(state.nodes.v[i] + a.h * state.nodes.a[i]) : Vector<Dim>((a.target[i] - a.start[i]) / a.h);
        if (!v.allFinite()) return Failure::NotFinite;
        d.direction[i] = a.h * v;
        state.nodes.v[i] = v;
    }
    find_vertex_direction(model, d, 1);
    find_candidates(model, d);
    if (motion_limit(model, d, 1) < 1) return Failure::Unstable;
    for (std::size_t i = 0; i < a.start.size(); ++i) state.nodes.x[i] = a.start[i] + d.direction[i];
    d.now.x = state.nodes.x;
    d.now.progress = 1;
    return evaluate(model, d, d.now) ? Failure::None : Failure::Unstable;
}

template Failure explicit_step<2>(const Model<2>&, StepData<2>&, State<2>&);
template Failure explicit_step<3>(const Model<3>&, StepData<3>&, State<3>&);

}  // namespace asperity::implicit

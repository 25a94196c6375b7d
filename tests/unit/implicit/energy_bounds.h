// What a step of backward Euler does to the energy, from the formulas of elements and contacts alone.
//
// The forces of a step are those of its end, M (v1 - v0)/h = -grad W(x1), so
//     W1 + K1 - W0 - K0 = (W1 - W0 - grad W1 . (x1 - x0)) - |v1 - v0|^2_M / 2 + work of what moves by command.
// The bracket is the curvature of W along the step; it is negative where W is convex, and then the rule only takes energy.
#pragma once
#include <vector>

#include "asperity/implicit/step_data.h"
#include "asperity/implicit/world.h"

namespace asperity::implicit::testing {

/// Elastic energy with that of affine bodies, and its gradient by the nodes.
template <int Dim>
double elastic(const Model<Dim>& model, std::span<const Vector<Dim>> x, std::vector<Vector<Dim>>& gradient) {
    gradient.assign(x.size(), Vector<Dim>::Zero());
    std::vector<Vector<Dim>> local(model.elements.nodes.size() * (Dim + 1));
    deform::elastic_gradient(model.elements, x, std::span<Vector<Dim>>(local));
    for (std::size_t e = 0; e < model.elements.nodes.size(); ++e)
        for (std::size_t a = 0; a <= Dim; ++a)
            gradient[static_cast<std::size_t>(model.elements.nodes[e][a])] += local[e * (Dim + 1) + a];
    double energy = deform::elastic_energy(model.elements, x);
    for (std::size_t k = 0; k < model.affine_bodies.size(); ++k) {
        const auto first =
            static_cast<std::size_t>(model.bodies[static_cast<std::size_t>(model.affine_bodies[k])].first_node) + 1;
        const std::span<const Vector<Dim>> columns = x.subspan(first, Dim);
        const double stiffness = model.settings.affine_stiffness * model.affine_volume[k];
        deform::AffineEnergy<Dim> affine;
        deform::orthogonality(columns, stiffness, false, affine);
        energy += deform::orthogonality_energy(columns, stiffness);
        for (std::size_t a = 0; a < Dim; ++a)
            gradient[first + a] += affine.gradient.template segment<Dim>(static_cast<int>(a) * Dim);
    }
    return energy;
}

/// W1 - W0 - grad W1 . (x1 - x0) of the elastic energy.
template <int Dim>
double elastic_curvature(const Model<Dim>& model, const State<Dim>& before, const State<Dim>& after) {
    std::vector<Vector<Dim>> gradient;
    const double from = elastic<Dim>(model, before.nodes.x, gradient);
    double sum = elastic<Dim>(model, after.nodes.x, gradient) - from;
    for (std::size_t i = 0; i < gradient.size(); ++i) sum -= gradient[i].dot(after.nodes.x[i] - before.nodes.x[i]);
    return sum;
}

/// The same for the energy of contacts, of which `rise` is W1 - W0: a point that slides round another gains from its
/// curvature. `from`: vertices of all surfaces before the step.
template <int Dim>
double contact_curvature(const World<Dim>& world, const std::vector<Vector<Dim>>& from, double rise) {
    const StepData<Dim>& d = world.data();
    const std::span<const Vector<Dim>> x(d.now.vertices);
    const auto way = [&](int v) { return Vector<Dim>(x[static_cast<std::size_t>(v)] - from[static_cast<std::size_t>(v)]); };
    ipc::LocalContact<Dim> local;
    for (const ipc::Collision& c : d.now.collisions) {
        ipc::barrier_local(world.model.surface, d.barrier, c, x, false, local);
        for (int a = 0; a < local.count; ++a)
            rise -= local.gradient.template segment<Dim>(a * Dim).dot(way(local.vertices[static_cast<std::size_t>(a)]));
    }
    for (const PlaneContact& c : d.now.plane_contacts)
        rise -=
            c.weight * d.barrier.first(c.gap) * d.attempt.plane_normal[static_cast<std::size_t>(c.plane)].dot(way(c.vertex));
    return rise;
}

/// |v1 - v0|^2_M / 2 [J].
template <int Dim>
double change_of_velocity(const Model<Dim>& model, const State<Dim>& before, const State<Dim>& after) {
    double sum = 0;
    for (std::size_t i = 0; i < before.nodes.v.size(); ++i)
        sum += 0.5 * model.node_mass[i] * (after.nodes.v[i] - before.nodes.v[i]).squaredNorm();
    return sum;
}

}  // namespace asperity::implicit::testing

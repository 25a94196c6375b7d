#include "asperity/implicit/potential.h"

#include <cmath>
#include <limits>

#include "asperity/implicit/attachments.h"
#include "asperity/implicit/contacts.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/loads.h"
#include "asperity/implicit/mass.h"

namespace asperity::implicit {
namespace {

/// Sums with the size of its parts, which bounds the rounding error of the sum.
struct Sum {
    double value = 0, magnitude = 0;
    void add(double part) {
        value += part;
        magnitude += std::fabs(part);
    }
};

template <int Dim>
void add_inertia_and_loads(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x,
                           std::vector<Vector<Dim>>& y, Sum& sum) {
    const Prediction<Dim>& p = attempt.prediction;
    const double inertia = p.inertia ? 1 / (p.c * attempt.h * attempt.h) : attempt.proximal;
    double kinetic = 0, work = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        kinetic += 0.5 * inertia * model.node_mass[i] * (x[i] - p.x_tilde[i]).squaredNorm();
        work += attempt.load[i].dot(x[i] - attempt.start[i]);
    }
    if (has_coupled_mass(model)) {
        y.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] - p.x_tilde[i];
        kinetic += 0.5 * inertia * coupled_mass_square<Dim>(model, y);
    }
    sum.add(kinetic);
    sum.add(-work);
}

template <int Dim>
void add_damping(const Model<Dim>& model, const Attempt<Dim>& attempt, const Assembly<Dim>& assembly,
                 std::span<const Vector<Dim>> x, std::vector<Vector<Dim>>& y, Sum& sum) {
    bool any = !attempt.damping.empty();
    for (const Body<Dim>& body : model.bodies) any = any || body.damping_mass > 0;
    if (!any) return;
    const Prediction<Dim>& p = attempt.prediction;
    y.resize(x.size());
    double mass = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] = p.w * x[i] - p.x_hat[i];
        mass += model.bodies[static_cast<std::size_t>(model.node_body[i])].damping_mass * model.node_mass[i] *
                y[i].squaredNorm();
    }
    sum.add(mass / (2 * p.w * attempt.h));
    if (!attempt.damping.empty()) sum.add(assembly.quadratic(attempt.damping, y, {}) / (2 * p.w * attempt.h));
    if (!has_coupled_mass(model)) return;
    for (std::size_t i = 0; i < x.size(); ++i)
        y[i] *= std::sqrt(model.bodies[static_cast<std::size_t>(model.node_body[i])].damping_mass);
    sum.add(coupled_mass_square<Dim>(model, y) / (2 * p.w * attempt.h));
}

}  // namespace

template <int Dim>
bool evaluate(const Model<Dim>& model, StepData<Dim>& d, Configuration<Dim>& at) {
    const Attempt<Dim>& attempt = d.attempt;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Sum sum;
    at.energy = infinity;
    vertex_positions<Dim>(model, at.x, attempt.obstacle_from, attempt.obstacle_to, at.progress, at.vertices);
    if (!find_contacts(model, d, at)) return false;

    at.elastic = deform::elastic_energy(model.elements, std::span<const Vector<Dim>>(at.x));
    for (std::size_t k = 0; k < model.affine_bodies.size(); ++k) {
        const Body<Dim>& body = model.bodies[static_cast<std::size_t>(model.affine_bodies[k])];
        at.elastic += deform::orthogonality_energy(
            std::span<const Vector<Dim>>(at.x).subspan(static_cast<std::size_t>(body.first_node) + 1, Dim),
            model.settings.affine_stiffness * model.affine_volume[k]);
    }
    at.elastic += attachment_energy<Dim>(model, attempt, at.x, at.progress);
    if (!std::isfinite(at.elastic)) return false;
    sum.add(at.elastic);

    at.barrier = ipc::barrier_energy(model.surface, d.barrier, std::span<const ipc::Collision>(at.collisions),
                                     std::span<const Vector<Dim>>(at.vertices));
    for (const PlaneContact& c : at.plane_contacts) at.barrier += c.weight * d.barrier.value(c.gap);
    if (!std::isfinite(at.barrier)) return false;
    sum.add(at.barrier);

    add_inertia_and_loads<Dim>(model, attempt, at.x, d.damping_motion, sum);
    for (std::size_t g = 0; g < model.guides.size(); ++g) {
        const double lead = guide_lead<Dim>(model, attempt, at.x, g);
        sum.add(0.5 * model.guides[g].stiffness * lead * lead);
    }
    add_damping<Dim>(model, attempt, d.assembly, at.x, d.damping_motion, sum);
    const FrictionEnergy friction = friction_energy<Dim>(model, attempt, d.friction.contacts, at.x);
    sum.value += friction.value;
    sum.magnitude += friction.magnitude;
    at.energy = sum.value;
    at.magnitude = sum.magnitude;
    return std::isfinite(at.energy);
}

template bool evaluate<2>(const Model<2>&, StepData<2>&, Configuration<2>&);
template bool evaluate<3>(const Model<3>&, StepData<3>&, Configuration<3>&);

}  // namespace asperity::implicit

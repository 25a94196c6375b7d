#include "soft_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/ccd/intersections.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/step_data.h"
#include "tests/unit/implicit/energy_bounds.h"

namespace asperity::soak {

using namespace implicit;
using implicit::testing::contact_curvature;
using implicit::testing::elastic_curvature;

namespace {

/// Stiffness of a contact over its force [1/m].
template <int Dim>
double stiffness_per_force(const World<Dim>& world, double gap) {
    const ipc::Barrier& barrier = world.data().barrier;
    return std::fabs(barrier.second(gap) / barrier.first(gap));
}

/// Adds mass times rate of the nodes that move with the body as a whole; returns the sum of the sizes.
template <int Dim>
double momentum_of(const Model<Dim>& model, const Body<Dim>& body, const std::vector<Vector<Dim>>& rates, Vec3& sum) {
    double size = 0;
    for (int k = body.first_node; k < body.first_node + body.node_count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        if (!model.node_translates[i]) continue;
        const Vec3 one = model.node_mass[i] * to_vec3(rates[i]);
        sum += one;
        size += length(one);
    }
    return size;
}

}  // namespace

template <int Dim>
SoftChecks<Dim>::SoftChecks(World<Dim>& world) {
    const Model<Dim>& model = world.model;
    balanced_.assign(model.bodies.size(), 1);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body<Dim>& body = model.bodies[b];
        if (body.kind == Kind::Obstacle) {
            alone_ = false;
            balanced_[b] = 0;
        }
        if (body.path) passive_ = false;
        if (body.damping_mass > 0) alone_ = false;
    }
    for (const Region<Dim>& region : model.regions) {
        alone_ = false;
        balanced_[static_cast<std::size_t>(region.body)] = 0;
        if (region.position) passive_ = false;
    }
    if (!model.loads.empty()) passive_ = alone_ = false;
    if (model.gravity.norm() > 0) alone_ = false;
    for (const Attachment<Dim>& joint : model.attachments)
        for (const BodyPoint<Dim>* point : {&joint.a, &joint.b})
            if (point->body < 0) {  // forces() leaves out what space exerts
                alone_ = false;
                const int other = point == &joint.a ? joint.b.body : joint.a.body;
                if (other >= 0) balanced_[static_cast<std::size_t>(other)] = 0;
            }
    remember(world, implicit::measure(world));
}

template <int Dim>
void SoftChecks<Dim>::remember(const World<Dim>& world, const StepReport& report) {
    before_ = world.state;
    surface_before_ = world.surface_positions();
    report_ = report;
    momentum_ = world.linear_momentum();
}

template <int Dim>
std::string SoftChecks<Dim>::after_step(const World<Dim>& world, const StepReport& report, double dt) {
    trace_ = fmt::format("step {} t {:.4g} iterations {} halvings {} contacts {} gap {:.2e}", report.step, report.time,
                         report.iterations, report.halvings, report.contacts, report.gap_min);
    std::string message = check_finite(world, report);
    if (message.empty()) message = check_apart(world);
    if (message.empty()) message = check_energy(world, report, dt);
    if (message.empty()) message = check_momentum(world);
    if (message.empty()) message = check_balance(world, report);
    remember(world, report);
    return message;
}

template <int Dim>
std::string SoftChecks<Dim>::check_finite(const World<Dim>& world, const StepReport& report) const {
    for (std::size_t i = 0; i < world.state.nodes.x.size(); ++i)
        if (!world.state.nodes.x[i].allFinite() || !world.state.nodes.v[i].allFinite())
            return fmt::format("finite: node {} of '{}'", i,
                               world.model.bodies[static_cast<std::size_t>(world.model.node_body[i])].name);
    const double sum = report.kinetic_energy + report.elastic_energy + report.barrier_energy + report.gravity_energy;
    return std::isfinite(sum) ? "" : fmt::format("finite: sum of energies {}", sum);
}

template <int Dim>
std::string SoftChecks<Dim>::check_apart(const World<Dim>& world) const {
    const Model<Dim>& model = world.model;
    const auto body_name = [&](int b) { return model.bodies[static_cast<std::size_t>(b)].name; };
    const std::vector<Vector<Dim>> x = world.surface_positions();
    const ccd::Intersection crossing = ccd::first_intersection(model.surface.view(), std::span<const Vector<Dim>>(x));
    if (crossing.found)
        return fmt::format("apart: '{}' and '{}' cross", body_name(crossing.body_a), body_name(crossing.body_b));
    const ccd::Containment inside = ccd::first_containment(model.surface.view(), std::span<const Vector<Dim>>(x));
    if (inside.found) return fmt::format("apart: '{}' is inside '{}'", body_name(inside.body), body_name(inside.container));
    for (const HalfSpace<Dim>& plane : model.half_spaces) {
        const Pose pose = world.pose(plane.body);
        const Vector<Dim> normal = from_vec3<Dim>(rotate(pose.orientation, to_vec3(plane.normal)));
        for (std::size_t v = 0; v < x.size(); ++v) {
            const int body = model.surface.body[v];
            if (model.bodies[static_cast<std::size_t>(body)].kind == Kind::Obstacle ||
                !model.surface.may_touch(body, plane.body))
                continue;
            const double height = normal.dot(x[v] - from_vec3<Dim>(pose.position));
            if (!(height > model.surface.pair_thickness(body, plane.body)))
                return fmt::format("apart: '{}' is {:.2e} m above '{}', less than its thickness", body_name(body), height,
                                   body_name(plane.body));
        }
    }
    return "";
}

template <int Dim>
std::string SoftChecks<Dim>::check_energy(const World<Dim>& world, const StepReport& report, double dt) {
    const Model<Dim>& model = world.model;
    if (!passive_ || report.halvings > 0 || model.settings.integrator != Integrator::BackwardEuler) return "";
    double change = 0, way = 0,
           weight = 0;     // |v1 - v0|^2_M / 2 [J]; longest way of a node [m]; size of gravity's energy [J]
    double stiffness = 0;  // of inertia and contacts [N/m]
    for (std::size_t i = 0; i < before_.nodes.x.size(); ++i) {
        const double mass = model.node_mass[i];
        change += 0.5 * mass * (world.state.nodes.v[i] - before_.nodes.v[i]).squaredNorm();
        if (!model.node_translates[i]) continue;
        way = std::max(way, (world.state.nodes.x[i] - before_.nodes.x[i]).norm());
        weight += mass * model.gravity.norm() * world.state.nodes.x[i].norm();
        stiffness += mass / (dt * dt);
    }
    for (const ContactForce& c : world.contacts()) stiffness += length(c.force) * stiffness_per_force(world, c.gap);
    const auto potential = [](const StepReport& r) { return r.elastic_energy + r.barrier_energy + r.gravity_energy; };
    const double kinetic = report_.kinetic_energy;
    const double magnitude = weight + kinetic + report.kinetic_energy + report.elastic_energy + report.barrier_energy +
                             report_.elastic_energy + report_.barrier_energy;
    const double rounding = (2e-13 * report.iterations + 1e-12) * magnitude;
    const double rise = potential(report) + change - potential(report_) - kinetic;
    if (!model.frictional && !(rise <= rounding))
        return fmt::format("potential: rises by {:.2e} J, allowed are {:.2e} J", rise, rounding);

    const double gain = potential(report) + report.kinetic_energy - potential(report_) - kinetic;
    const double curved =
        std::max(0.0, elastic_curvature(model, before_, world.state)) +
        std::max(0.0, contact_curvature(world, surface_before_, report.barrier_energy - report_.barrier_energy));
    const double allowed =
        curved + (10 * stiffness * position_error(world) + friction_error(world, report)) * way + rounding;
    trace_ += fmt::format(" gain {:.2e}/{:.2e}", gain, allowed);
    return gain <= allowed ? "" : fmt::format("energy: rises by {:.2e} J, allowed are {:.2e} J", gain, allowed);
}

/// The tolerance bounds the force on each node by a share of the largest friction limit: times that limit and the nodes at
/// the contacts [N].
template <int Dim>
double SoftChecks<Dim>::friction_error(const World<Dim>& world, const StepReport& report) const {
    double limit = 0;
    int nodes = 0;
    for (const FrictionContact& c : world.data().friction.contacts) {
        limit = std::max({limit, c.load * friction::support(c.surface.set, {1, 0, 0}),
                          c.load * friction::support(c.surface.set, {0, 1, 0})});
        nodes += c.count;
    }
    return std::max(world.model.settings.friction_tolerance, report.friction_residual) * limit * nodes;
}

template <int Dim>
double SoftChecks<Dim>::position_error(const World<Dim>& world) const {
    double extent = 0;
    for (const Vector<Dim>& x : world.state.nodes.x) extent = std::max(extent, x.cwiseAbs().maxCoeff());
    return world.model.settings.tolerance * world.state.last_dt + 1e-15 * extent;
}

/// All internal forces cancel, so only inertia can be wrong: by mass over dt^2 times the error.
template <int Dim>
std::string SoftChecks<Dim>::check_momentum(const World<Dim>& world) {
    if (!alone_ || world.model.settings.integrator == Integrator::SymplecticEuler) return "";
    double mass = 0, size = 0;
    Vec3 unused;
    for (const Body<Dim>& body : world.model.bodies) {
        mass += body.mass;
        size += momentum_of(world.model, body, world.state.nodes.v, unused);
    }
    const double change = length(world.linear_momentum() - momentum_);
    const double allowed = 10 * mass * position_error(world) / world.state.last_dt + 1e-12 * size;
    trace_ += fmt::format(" momentum {:.2e}/{:.2e}", change, allowed);
    return change <= allowed ? "" : fmt::format("momentum: changes by {:.2e} N s, allowed are {:.2e} N s", change, allowed);
}

template <int Dim>
std::string SoftChecks<Dim>::check_balance(const World<Dim>& world, const StepReport& report) const {
    const Model<Dim>& model = world.model;
    if (model.settings.integrator == Integrator::SymplecticEuler) return "";
    // friction is no part of the accelerations that Newmark's rule keeps (Attempt::friction_share)
    if (model.frictional && model.settings.integrator == Integrator::Newmark) return "";
    const StepData<Dim>& d = world.data();
    const std::size_t count = model.bodies.size();
    std::vector<double> stiffness(count, 0), size(count, 0);
    for (const ContactForce& c : world.contacts()) {
        const double force = length(c.force), per_length = stiffness_per_force(world, c.gap);
        for (const int body : {c.body_a, c.body_b}) {
            stiffness[static_cast<std::size_t>(body)] += force * per_length;
            size[static_cast<std::size_t>(body)] += force;
        }
    }
    for (const Attachment<Dim>& joint : model.attachments)
        for (const int body : {joint.a.body, joint.b.body})
            if (body >= 0) stiffness[static_cast<std::size_t>(body)] += joint.stiffness;
    std::vector<Vec3> sum(count);
    for (const PairForce& pair : world.forces()) {
        if (pair.body_a == pair.body_b) continue;
        sum[static_cast<std::size_t>(pair.body_b)] += pair.force;
        sum[static_cast<std::size_t>(pair.body_a)] -= pair.force;
    }
    const double h = world.state.last_dt, error = position_error(world);
    // contacts that the error has opened: their force at that depth
    const double missing = -d.barrier.first(std::max(0.5, 1 - error / d.barrier.dhat) * d.barrier.dhat);
    std::vector<double> area(count, 0);
    for (std::size_t v = 0; v < model.surface.vertex_area.size(); ++v)
        area[static_cast<std::size_t>(model.surface.body[v])] += model.surface.vertex_area[v];
    for (std::size_t b = 0; b < count; ++b) {
        const Body<Dim>& body = model.bodies[b];
        if (!balanced_[b]) continue;
        Vec3 inertia, momentum;
        size[b] += momentum_of(model, body, world.state.nodes.a, inertia);
        momentum_of(model, body, world.state.nodes.v, momentum);
        Vec3 load;
        for (int k = body.first_node; k < body.first_node + body.node_count; ++k)
            load += to_vec3(d.attempt.load[static_cast<std::size_t>(k)]);
        const double off = length(inertia - sum[b] - load + body.damping_mass * momentum);
        const double allowed = 10 * (stiffness[b] + 4 * body.mass / (h * h)) * error + missing * area[b] + 1e-9 * size[b] +
                               friction_error(world, report);
        if (!(off <= allowed))
            return fmt::format("balance: forces on '{}' are off by {:.2e} N, allowed are {:.2e} N of {:.2e} N", body.name,
                               off, allowed, size[b]);
    }
    return "";
}

template class SoftChecks<2>;
template class SoftChecks<3>;

}  // namespace asperity::soak

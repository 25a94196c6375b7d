// Forces between bodies and on prescribed regions, as the last step left them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "asperity/implicit/attachments.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/loads.h"
#include "asperity/implicit/margin.h"
#include "asperity/implicit/step_data.h"
#include "asperity/implicit/world.h"

namespace asperity::implicit {
namespace {

/// Collects forces on body_b by body_a, for a < b, as sums of forces on vertices.
template <int Dim>
class PairForces {
  public:
    explicit PairForces(const World<Dim>& world) : world_(world) {}

    /// A force on a vertex of `body` by `other`.
    void add(int body, int other, const Vector<Dim>& point, const Vector<Dim>& force) {
        if (body == other) return;
        const bool second = body > other;
        PairForce& pair = pairs_[second ? std::pair(other, body) : std::pair(body, other)];
        // of the two sides only the one on body_b counts: the other is its opposite, up to rounding
        if (!second) return;
        const Vec3 f = to_vec3(force);
        pair.force += f;
        pair.torque += cross(to_vec3(point) - centre(body), f);
    }
    std::vector<PairForce> list() const {
        std::vector<PairForce> out;
        for (const auto& [bodies, force] : pairs_) out.push_back({bodies.first, bodies.second, force.force, force.torque});
        return out;
    }

  private:
    const Vec3& centre(int body) {
        const auto found = centres_.find(body);
        return found != centres_.end() ? found->second : centres_.emplace(body, world_.center_of_mass(body)).first->second;
    }
    const World<Dim>& world_;
    std::map<std::pair<int, int>, PairForce> pairs_;
    std::map<int, Vec3> centres_;
};

}  // namespace

/// A half-space has no vertex. So the force of its pairs is that on the other body, with the opposite sign where the
/// half-space is body_b.
template <int Dim>
std::vector<PairForce> World<Dim>::forces() const {
    const StepData<Dim>& d = *data_;
    PairForces<Dim> pairs(*this);
    const bool barrier = model.settings.friction != FrictionMethod::Velocity;
    std::vector<ipc::LocalContact<Dim>> local;
    if (barrier) data_->assembly.contact_gradient(model, d.attempt, d.now, d.barrier, local);
    for (const ipc::LocalContact<Dim>& contact : local)
        for (int a = 0; a < contact.count; ++a) {
            const auto v = static_cast<std::size_t>(contact.vertices[static_cast<std::size_t>(a)]);
            const int body = model.carriers[v].body;
            int other = body;
            for (int b = 0; b < contact.count; ++b) {
                const int candidate =
                    model.carriers[static_cast<std::size_t>(contact.vertices[static_cast<std::size_t>(b)])].body;
                if (candidate != body) other = candidate;
            }
            pairs.add(body, other, d.now.vertices[v], Vector<Dim>(-contact.gradient.template segment<Dim>(a * Dim)));
        }
    for (const PlaneContact& c : d.now.plane_contacts) {
        if (!barrier) break;
        const auto v = static_cast<std::size_t>(c.vertex);
        const int body = model.carriers[v].body, plane = model.half_spaces[static_cast<std::size_t>(c.plane)].body;
        const Vector<Dim> force =
            -c.weight * d.barrier.first(c.gap) * d.attempt.plane_normal[static_cast<std::size_t>(c.plane)];
        if (body > plane)
            pairs.add(body, plane, d.now.vertices[v], force);
        else
            pairs.add(plane, body, d.now.vertices[v], Vector<Dim>(-force));
    }
    for (const FrictionContact& c : d.friction.contacts) {
        const Vector<Dim> force = from_vec3<Dim>(in_world(c, c.force) + (barrier ? 0 : c.load) * c.normal);
        const auto [a, b] = bodies_of(model, c);
        for (std::size_t k = 0; k < static_cast<std::size_t>(c.count); ++k) {
            const Vector<Dim>& point = d.now.vertices[static_cast<std::size_t>(c.vertices[k])];
            const Vector<Dim> share = c.weights[k] * force;
            pairs.add(c.weights[k] > 0 ? b : a, c.weights[k] > 0 ? a : b, point, share);
            if (c.plane >= 0) pairs.add(a, b, point, Vector<Dim>(-share));
        }
    }
    for (std::size_t k = 0; k < model.attachments.size(); ++k) {
        const Attachment<Dim>& joint = model.attachments[k];
        if (joint.a.body < 0 || joint.b.body < 0) continue;  // space is no body
        Vector<Dim> place = Vector<Dim>::Zero();
        const BodyPoint<Dim>& carried = joint.a.count > 0 ? joint.a : joint.b;
        for (std::size_t n = 0; n < static_cast<std::size_t>(carried.count); ++n)
            place += carried.weights[n] * state.nodes.x[static_cast<std::size_t>(carried.nodes[n])];
        const Vector<Dim> on_a = -joint.stiffness * separation<Dim>(model, d.attempt, d.now.x, 1, k);
        pairs.add(joint.a.body, joint.b.body, place, on_a);
        pairs.add(joint.b.body, joint.a.body, place, Vector<Dim>(-on_a));
    }
    std::vector<PairForce> out = pairs.list();
    for (std::size_t r = 0; r < model.regions.size(); ++r) {
        PairForce hold{model.regions[r].body, model.regions[r].body, region_force(static_cast<int>(r)), {}};
        const Vec3 centre = center_of_mass(hold.body_b);
        for (const int node : model.regions[r].nodes) {
            const auto i = static_cast<std::size_t>(node);
            if (i < d.assembly.gradient().size())
                hold.torque += cross(to_vec3(state.nodes.x[i]) - centre, to_vec3(d.assembly.gradient()[i]));
        }
        out.push_back(hold);
    }
    return out;
}

namespace {

/// What the certificate says of a friction force; on_b: the contact's body b is that of the output too.
template <int Dim>
void add_friction(const Model<Dim>& model, const StepData<Dim>& d, const FrictionContact& c, bool on_b, ContactForce& to) {
    to.friction = (on_b ? 1.0 : -1.0) * in_world(c, c.force);
    to.force += to.friction;
    to.t = c.surface.t;
    to.mu = {friction::support(c.surface.set, {1, 0, 0}), friction::support(c.surface.set, {0, 1, 0})};
    to.load = c.load;
    if (!(c.load > 0)) return;
    const double used = friction::gauge(c.surface.set, c.force) / c.load;
    to.margin = std::max(0.0, 1 - used);
    to.spare = spare_of(c, Dim == 2).force;
    to.limit = used > 0 && std::isfinite(used) ? length(c.force) / used : to.spare;
    to.creep_bound = creep_bound(model, d, c);
}

/// Contacts of `velocity`: all forces are the solver's.
template <int Dim>
std::vector<ContactForce> solved_contacts(const Model<Dim>& model, const StepData<Dim>& d) {
    std::vector<ContactForce> out;
    for (const FrictionContact& c : d.friction.contacts) {
        if (!(c.load > 0)) continue;
        std::array<Vec3, 2> point{};
        for (std::size_t k = 0; k < static_cast<std::size_t>(c.count); ++k)
            point[c.weights[k] > 0 ? 1 : 0] +=
                std::fabs(c.weights[k]) * to_vec3(d.now.vertices[static_cast<std::size_t>(c.vertices[k])]);
        if (c.plane >= 0) point[0] = point[1] - c.gap * c.normal;
        const auto [a, b] = bodies_of(model, c);
        out.push_back({a, b, 0.5 * (point[0] + point[1]), c.normal, c.load * c.normal, c.gap});
        if (c.rubs) add_friction(model, d, c, true, out.back());
    }
    return out;
}

}  // namespace

/// The closest points are the means of the vertices of each side, weighted by their shares of the force.
template <int Dim>
std::vector<ContactForce> World<Dim>::contacts() const {
    const StepData<Dim>& d = *data_;
    if (model.settings.friction == FrictionMethod::Velocity) return solved_contacts(model, d);
    std::vector<ipc::LocalContact<Dim>> local;
    data_->assembly.contact_gradient(model, d.attempt, d.now, d.barrier, local);
    std::vector<const FrictionContact*> friction(local.size() + d.now.plane_contacts.size(), nullptr);
    for (const FrictionContact& c : d.friction.contacts) friction[static_cast<std::size_t>(c.source)] = &c;
    const auto add = [&](std::size_t source, bool on_b, ContactForce& to) {
        if (friction[source]) add_friction(model, d, *friction[source], on_b, to);
    };
    std::vector<ContactForce> out;
    for (std::size_t k = 0; k < local.size(); ++k) {
        const ipc::LocalContact<Dim>& c = local[k];
        const int first = d.now.collisions[k].stencil == ipc::Stencil::EdgeEdge ? 2 : 1;  // vertices of the side of a
        Vector<Dim> force = Vector<Dim>::Zero();
        for (int i = first; i < c.count; ++i) force -= c.gradient.template segment<Dim>(i * Dim);
        if (!(force.norm() > 0)) continue;
        std::array<Vector<Dim>, 2> point{Vector<Dim>::Zero(), Vector<Dim>::Zero()};
        for (int i = 0; i < c.count; ++i) {
            const double share = std::fabs(c.gradient.template segment<Dim>(i * Dim).dot(force)) / force.squaredNorm();
            point[i < first ? 0 : 1] +=
                share * d.now.vertices[static_cast<std::size_t>(c.vertices[static_cast<std::size_t>(i)])];
        }
        const auto body = [&](int i) {
            return model.carriers[static_cast<std::size_t>(c.vertices[static_cast<std::size_t>(i)])].body;
        };
        const double sign = d.now.collisions[k].weight < 0 ? -1 : 1;
        out.push_back({body(0), body(first), to_vec3(Vector<Dim>(0.5 * (point[0] + point[1]))),
                       to_vec3(Vector<Dim>(sign / force.norm() * force)), to_vec3(force),
                       ipc::gap(d.now.collisions[k], std::span<const Vector<Dim>>(d.now.vertices))});
        add(k, friction[k] && friction[k]->vertices[0] != c.vertices[0], out.back());
    }
    for (std::size_t k = 0; k < d.now.plane_contacts.size(); ++k) {
        const PlaneContact& c = d.now.plane_contacts[k];
        const auto v = static_cast<std::size_t>(c.vertex);
        const Vector<Dim>& normal = d.attempt.plane_normal[static_cast<std::size_t>(c.plane)];
        out.push_back({model.half_spaces[static_cast<std::size_t>(c.plane)].body, model.carriers[v].body,
                       to_vec3(Vector<Dim>(d.now.vertices[v] - 0.5 * c.gap * normal)), to_vec3(normal),
                       -c.weight * d.barrier.first(c.gap) * to_vec3(normal), c.gap});
        add(local.size() + k, true, out.back());
    }
    return out;
}

template <int Dim>
std::vector<PairHold> World<Dim>::holds() const {
    constexpr double kAtLimit = 1 - 1e-9;
    const StepData<Dim>& d = *data_;
    struct Sum {
        PairHold hold;
        Vec3 force;        // on the second body
        double limit = 0;  // of all contacts along it, in units of it
        std::vector<const FrictionContact*> contacts;
        std::vector<double> sides;
    };
    std::map<std::pair<int, int>, Sum> pairs;
    const auto sum_of = [&](const FrictionContact& c) -> Sum& {
        const auto [a, b] = bodies_of(model, c);
        return pairs[std::minmax(a, b)];
    };
    const auto on_second = [&](const FrictionContact& c) {
        const auto [a, b] = bodies_of(model, c);
        return b > a ? 1.0 : -1.0;
    };
    for (const FrictionContact& c : d.friction.contacts) {
        if (!c.rubs || !(c.load > 0)) continue;
        Sum& sum = sum_of(c);
        sum.contacts.push_back(&c);
        sum.sides.push_back(on_second(c));
        sum.force += on_second(c) * in_world(c, c.force);
        sum.hold.load += c.load;
        if (friction::gauge(c.surface.set, c.force) > kAtLimit * c.load)
            sum.hold.sliding += c.load;
        else if (d.attempt.h > 0) {
            sum.hold.creep = std::max(sum.hold.creep, length(slip_of<Dim>(model, d.attempt, d.now.x, c)) / d.attempt.h);
            sum.hold.creep_bound = std::max(sum.hold.creep_bound, creep_bound(model, d, c));
        }
    }
    for (auto& [bodies, sum] : pairs)
        for (std::size_t i = 0; i < sum.contacts.size(); ++i) {
            const FrictionContact& c = *sum.contacts[i];
            const Vec3 along = sum.sides[i] * sum.force;
            const double gauge = friction::gauge(c.surface.set, {dot(along, c.surface.t), dot(along, c.surface.b), 0});
            if (gauge > 0 && std::isfinite(gauge)) sum.limit += c.load / gauge;
        }
    std::vector<PairHold> out;
    for (auto& [bodies, sum] : pairs) {
        sum.hold.body_a = bodies.first;
        sum.hold.body_b = bodies.second;
        sum.hold.friction = length(sum.force);
        sum.hold.limit = sum.hold.friction * sum.limit;
        const Spare spare = spare_of(sum.contacts, sum.sides, Dim == 2);
        sum.hold.spare = spare.force;
        sum.hold.spare_direction = spare.direction;
        sum.hold.margin = sum.hold.friction > 0 && sum.limit > 0 ? std::max(0.0, 1 - 1 / sum.limit) : 1;
        sum.hold.sliding /= sum.hold.load;
        out.push_back(sum.hold);
    }
    return out;
}

template <int Dim>
const solvers::AssembledProblem* World<Dim>::contact_problem() const {
    const bool solved = model.settings.friction == FrictionMethod::Velocity && state.steps_done > 0;
    return solved && data_->velocity.problem.block_count() == static_cast<int>(data_->friction.contacts.size())
               ? &data_->velocity.problem
               : nullptr;
}
template <int Dim>
std::string World<Dim>::contact_name(int block) const {
    const auto [a, b] = bodies_of(model, data_->friction.contacts[static_cast<std::size_t>(block)]);
    return fmt::format("contact {} of '{}' and '{}'", block, model.bodies[static_cast<std::size_t>(a)].name,
                       model.bodies[static_cast<std::size_t>(b)].name);
}

template <int Dim>
Vec3 World<Dim>::region_force(int region) const {
    Vec3 sum;
    for (const int node : model.regions[static_cast<std::size_t>(region)].nodes)
        if (static_cast<std::size_t>(node) < data_->assembly.gradient().size())
            sum += to_vec3(data_->assembly.gradient()[static_cast<std::size_t>(node)]);
    return sum;
}

template <int Dim>
double World<Dim>::guide_force(int guide) const {
    const auto g = static_cast<std::size_t>(guide);
    return -model.guides[g].stiffness * guide_lead<Dim>(model, data_->attempt, state.nodes.x, g);
}

template double World<2>::guide_force(int) const;
template double World<3>::guide_force(int) const;
template std::vector<PairForce> World<2>::forces() const;
template std::vector<PairForce> World<3>::forces() const;
template std::vector<ContactForce> World<2>::contacts() const;
template std::vector<ContactForce> World<3>::contacts() const;
template std::vector<PairHold> World<2>::holds() const;
template std::vector<PairHold> World<3>::holds() const;
template const solvers::AssembledProblem* World<2>::contact_problem() const;
template const solvers::AssembledProblem* World<3>::contact_problem() const;
template std::string World<2>::contact_name(int) const;
template std::string World<3>::contact_name(int) const;
template Vec3 World<2>::region_force(int) const;
template Vec3 World<3>::region_force(int) const;

}  // namespace asperity::implicit

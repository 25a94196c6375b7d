// Forces of the last step, from the impulses of its contacts.
#include "asperity/sim/contact_force.h"

#include "asperity/sim/islands.h"
#include "asperity/sim/world.h"

namespace asperity::sim {
namespace {

/// Calls visit(contact, torque about its point [N m s], whether it is a patch) for every contact that carries a load of its
/// own: not for the points of patches.
template <class Visit>
void for_loads(const State& state, const Visit& visit) {
    for (const ContactMemory* memory : {&state.active, &state.dormant}) {
        for (const contact::Contact& c : memory->contacts)
            if (!c.in_patch && !(c.impulse == Vec3{})) visit(c, c.drilling * c.normal, false);
        for (const contact::PatchContact& p : memory->patches)
            if (!(p.at.impulse == Vec3{})) visit(p.at, p.torque, true);
    }
}

double per_second(const State& state) { return state.last_dt > 0 ? 1 / state.last_dt : 0; }

/// From the centre of mass of `body`, one of the two bodies of a contact, to the contact point. The point is fixed to the
/// body: the body has moved since the contact was found, and a world point would be left behind.
Vec3 arm(const World& world, const contact::Contact& c, int body, bool is_b) {
    const auto i = static_cast<size_t>(body);
    const Vec3 on_surface =
        rotate(world.state.bodies.pose[i].orientation, (is_b ? c.local_b : c.local_a) - world.model.bodies.center[i]);
    return on_surface + (is_b ? -0.5 : 0.5) * c.gap * c.normal;
}

}  // namespace

std::vector<ContactForce> World::contact_forces() const {
    std::vector<ContactForce> forces;
    const double rate = per_second(state);
    for_loads(state, [&](const contact::Contact& c, const Vec3& torque, bool patch) {
        const auto a = static_cast<int>(contact::pair_low(c.pair)), b = static_cast<int>(contact::pair_high(c.pair));
        const auto [body_a, body_b] = bodies_of(model, c.pair);
        forces.push_back({model.bodies.id(body_a), model.bodies.id(body_b), model.bodies.collider_id(a),
                          model.bodies.collider_id(b), c.point, c.normal, rate * c.impulse, rate * torque, patch});
    });
    return forces;
}

Vec3 World::contact_force_on(BodyId id) const {
    const int body = index_of(id, "contact_force_on");
    Vec3 sum;
    for_loads(state, [&](const contact::Contact& c, const Vec3&, bool) {
        const auto [a, b] = bodies_of(model, c.pair);
        if (b == body) sum += c.impulse;
        if (a == body) sum -= c.impulse;
    });
    return per_second(state) * sum;
}

PairForce World::force_between(BodyId a, BodyId b) const {
    const int first = index_of(a, "force_between"), second = index_of(b, "force_between");
    PairForce sum;
    for_loads(state, [&](const contact::Contact& c, const Vec3& torque, bool) {
        const auto [body_a, body_b] = bodies_of(model, c.pair);
        const bool forwards = body_a == first && body_b == second;
        if (!forwards && !(body_a == second && body_b == first)) return;
        const double sign = forwards ? 1 : -1;
        sum.force += sign * c.impulse;
        sum.torque += sign * (torque + cross(arm(*this, c, second, forwards), c.impulse));
        ++sum.contacts;
    });
    sum.force *= per_second(state);
    sum.torque *= per_second(state);
    return sum;
}

}  // namespace asperity::sim

// Stage 2: contact points of every pair, with persistent ids, their places on both bodies and last step's impulses.
#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

using contact::Contact;

/// The contacts of one pair in last step's list.
std::span<const Contact> previous_of(const std::vector<Contact>& contacts, std::uint64_t pair) {
    const auto before = [](const Contact& c, std::uint64_t key) { return c.pair < key; };
    const auto first = std::lower_bound(contacts.begin(), contacts.end(), pair, before);
    auto last = first;
    while (last != contacts.end() && last->pair == pair) ++last;
    return {first, last};
}

int collider_a(std::uint64_t pair) { return static_cast<int>(pair >> 32); }
int collider_b(std::uint64_t pair) { return static_cast<int>(pair & 0xffffffffU); }

/// How far two bodies may close in on each other within the step, so that contacts exist before they are needed. Bodies that fall
/// together do not approach each other, until a third one stops the lower of them: so each one's own speed counts as well.
double lookahead(const World& world, const StepData& d, size_t a, size_t b, double reach_a, double reach_b) {
    const rigid::Bodies& bodies = world.bodies;
    const Vec3 &v_a = bodies.velocity[a], &v_b = bodies.velocity[b];
    const double closing = larger(larger(length(v_a), length(v_b)), length(v_b - v_a)) + reach_a * length(bodies.angular_velocity[a]) +
                           reach_b * length(bodies.angular_velocity[b]);
    return d.dt * closing;
}

/// Contacts are made a little before they are needed. Meshes are fine: a margin beyond 1 % of the smaller moving body would make contacts
/// of triangles that are nowhere near.
double resting_margin(const World& world, const StepData& d, std::uint64_t pair, bool mesh) {
    double margin = world.settings.contact_margin;
    if (!mesh) return margin;
    for (const int collider : {collider_a(pair), collider_b(pair)}) {
        const auto body = static_cast<size_t>(world.bodies.collider_body[static_cast<size_t>(collider)]);
        if (world.bodies.motion[body] != rigid::Motion::Dynamic) continue;
        const geometry::Aabb& box = d.boxes[static_cast<size_t>(collider)];
        margin = smaller(margin, 0.01 * max_component(box.high - box.low));
    }
    return margin;
}

void collide_pair(const World& world, StepData& d, int index) {
    const rigid::Bodies& bodies = world.bodies;
    const std::uint64_t pair = d.pairs[static_cast<size_t>(index)];
    const rigid::Collider& a = bodies.colliders[static_cast<size_t>(collider_a(pair))];
    const rigid::Collider& b = bodies.colliders[static_cast<size_t>(collider_b(pair))];
    const auto body_a = static_cast<size_t>(bodies.collider_body[static_cast<size_t>(collider_a(pair))]);
    const auto body_b = static_cast<size_t>(bodies.collider_body[static_cast<size_t>(collider_b(pair))]);

    const int mesh_list = d.mesh_list_of[static_cast<size_t>(index)];
    std::uint32_t features[geometry::ContactList::kCapacity];
    const int most = mesh_list < 0 ? 4 : geometry::ContactList::kCapacity;
    int count = 0;
    for (const Contact& c : previous_of(world.contacts, pair))
        if (count < most) features[count++] = c.feature;

    const auto reach = [&](int collider, size_t body) {   // how far it reaches from the centre that it turns about
        const geometry::Aabb& box = d.boxes[static_cast<size_t>(collider)];
        if (std::holds_alternative<geometry::HalfSpace>(bodies.colliders[static_cast<size_t>(collider)].shape)) return 0.0;   // endless
        return length(max(box.high - bodies.pose[body].position, bodies.pose[body].position - box.low));
    };
    const double margin = resting_margin(world, d, pair, mesh_list >= 0) +
                          lookahead(world, d, body_a, body_b, reach(collider_a(pair), body_a), reach(collider_b(pair), body_b));
    if (mesh_list >= 0) {
        geometry::ContactList& list = d.mesh_lists[static_cast<size_t>(mesh_list)];
        geometry::collide_mesh(a.shape, bodies.pose[body_a] * a.local, b.shape, bodies.pose[body_b] * b.local, margin,
                               {features, static_cast<size_t>(count)}, list);
        std::sort(list.items, list.items + list.count, [](const auto& p, const auto& q) { return p.point.feature < q.point.feature; });
        return;
    }
    geometry::Manifold& manifold = d.manifolds[static_cast<size_t>(index)];
    manifold.count = 0;
    geometry::collide(a.shape, bodies.pose[body_a] * a.local, b.shape, bodies.pose[body_b] * b.local, margin,
                      {features, static_cast<size_t>(count)}, manifold);
    std::sort(manifold.points, manifold.points + manifold.count, [](const auto& p, const auto& q) { return p.feature < q.feature; });
}

Contact make_contact(const World& world, std::uint64_t pair, const Vec3& normal, const geometry::ManifoldPoint& point) {
    const rigid::Bodies& bodies = world.bodies;
    Contact c;
    c.pair = pair;
    c.feature = point.feature;
    c.collider_a = collider_a(pair);
    c.collider_b = collider_b(pair);
    c.body_a = bodies.collider_body[static_cast<size_t>(c.collider_a)];
    c.body_b = bodies.collider_body[static_cast<size_t>(c.collider_b)];
    const rigid::Collider& a = bodies.colliders[static_cast<size_t>(c.collider_a)];
    const rigid::Collider& b = bodies.colliders[static_cast<size_t>(c.collider_b)];
    c.material_a = a.material;
    c.material_b = b.material;
    c.normal = normal;
    c.point = 0.5 * (point.on_a + point.on_b);
    c.gap = point.gap;

    const Pose& pose_a = bodies.pose[static_cast<size_t>(c.body_a)];
    const Pose& pose_b = bodies.pose[static_cast<size_t>(c.body_b)];
    c.local_a = pose_a.to_local(point.on_a) + bodies.center[static_cast<size_t>(c.body_a)];
    c.local_b = pose_b.to_local(point.on_b) + bodies.center[static_cast<size_t>(c.body_b)];
    return c;
}

/// Gives every pair with a mesh a list of its own, so that pairs can be filled in parallel.
void assign_mesh_lists(const World& world, StepData& d) {
    d.mesh_list_of.resize(d.pairs.size());
    int lists = 0;
    for (size_t i = 0; i < d.pairs.size(); ++i) {
        const rigid::Collider& a = world.bodies.colliders[static_cast<size_t>(collider_a(d.pairs[i]))];
        const rigid::Collider& b = world.bodies.colliders[static_cast<size_t>(collider_b(d.pairs[i]))];
        d.mesh_list_of[i] = geometry::has_mesh(a.shape, b.shape) ? lists++ : -1;
    }
    d.mesh_lists.resize(static_cast<size_t>(lists));
}

/// Impulses live in world axes, so they survive a turn of the contact frame; the body's own turn within a step is small.
void inherit(Contact& c, std::span<const Contact> previous) {
    for (const Contact& old : previous) {
        if (old.feature != c.feature) continue;
        c.impulse = old.impulse;
        c.drilling = old.drilling;
        c.t = old.t;
        return;
    }
}

}  // namespace

void make_contacts(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::make_contacts);
    const int pair_count = static_cast<int>(d.pairs.size());
    d.manifolds.resize(d.pairs.size());
    assign_mesh_lists(world, d);
    parallel_for(pair_count, [&](int i) { collide_pair(world, d, i); }, 16);

    d.contacts.clear();
    double deepest = 0;
    for (int i = 0; i < pair_count; ++i) {
        const geometry::Manifold& manifold = d.manifolds[static_cast<size_t>(i)];
        const int mesh_list = d.mesh_list_of[static_cast<size_t>(i)];
        const geometry::ContactList* list = mesh_list < 0 ? nullptr : &d.mesh_lists[static_cast<size_t>(mesh_list)];
        const int points = list ? list->count : manifold.count;
        if (points == 0) continue;
        const std::uint64_t pair = d.pairs[static_cast<size_t>(i)];
        const std::span<const Contact> previous = previous_of(world.contacts, pair);
        for (int k = 0; k < points; ++k) {
            Contact& c = d.contacts.emplace_back(list ? make_contact(world, pair, list->items[k].normal, list->items[k].point)
                                                      : make_contact(world, pair, manifold.normal, manifold.points[k]));
            inherit(c, previous);
            deepest = std::fmax(deepest, -c.gap);
        }
    }
    d.report.penetration = std::fmax(d.report.penetration, deepest);
    d.report.contacts = static_cast<int>(d.contacts.size());
}

}  // namespace asperity::sim

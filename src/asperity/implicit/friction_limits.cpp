// The limit surfaces of friction contacts: grains, belts, slopes, slips and loads go into the friction laws.
#include <algorithm>
#include <cmath>

#include "asperity/friction/law.h"
#include "asperity/implicit/contact_side.h"
#include "asperity/implicit/friction.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/state.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// What a half-space that moves by its path adds to the slip of a contact over a step [m].
template <int Dim>
Vec3 motion_of_plane(const Model<Dim>& model, const StepData<Dim>& d, const FrictionContact& c, const Vec3& point) {
    if (c.plane < 0) return {};
    const Body<Dim>& body = model.bodies[at(model.half_spaces[at(c.plane)].body)];
    if (!body.path) return {};
    const Pose from = obstacle_pose(body, d.attempt.time - d.attempt.h), to = obstacle_pose(body, d.attempt.time);
    return point - to * from.to_local(point);
}

template <int Dim>
const friction::Law& law_of(const Model<Dim>& model, const FrictionContact& c) {
    const auto [a, b] = materials_of(model, c);
    return model.pairs.pair(a, b).friction;
}

bool reads_load(const friction::Law& law) { return law.load || law.load_curve; }

/// Loads of all contacts between two bodies whose law reads the load: then a law does not depend on the mesh.
template <int Dim>
void add_up_pair_loads(const Model<Dim>& model, Friction<Dim>& friction) {
    std::vector<PairLoad>& loads = friction.pair_loads;
    loads.clear();
    for (const FrictionContact& c : friction.contacts)
        if (c.rubs && reads_load(law_of(model, c))) {
            std::array<int, 2> bodies = bodies_of(model, c);
            std::sort(bodies.begin(), bodies.end());
            loads.push_back({bodies, static_cast<int>(loads.size()), c.load});
        }
    std::sort(loads.begin(), loads.end());  // the order of contacts within a pair is kept: the sum has the same bits
    std::size_t kept = 0;
    for (std::size_t i = 0; i < loads.size(); ++kept) {
        PairLoad sum = loads[i++];
        for (; i < loads.size() && loads[i].bodies == sum.bodies; ++i) sum.load += loads[i].load;
        loads[kept] = sum;
    }
    loads.resize(kept);
}
template <int Dim>
double load_of_pair(const Model<Dim>& model, const Friction<Dim>& friction, const FrictionContact& c) {
    PairLoad key{bodies_of(model, c), -1, 0};
    std::sort(key.bodies.begin(), key.bodies.end());
    return std::lower_bound(friction.pair_loads.begin(), friction.pair_loads.end(), key)->load;
}

/// In two dimensions friction acts along one line: the section of the set with it.
void restrict_to_plane(FrictionContact& c) {
    const Vec3 along = normalized(cross(Vec3{0, 1, 0}, c.normal));
    const auto reach = [&](double sign) {
        const double gauge =
            friction::gauge(c.surface.set, {sign * dot(along, c.surface.t), sign * dot(along, c.surface.b), 0});
        return gauge > 0 && std::isfinite(gauge) ? 1 / gauge : 0;
    };
    const double back = reach(-1), forth = reach(1);
    c.surface = {along, cross(c.normal, along), friction::Ellipse{forth, 0}};
    if (back != forth) c.surface.set = friction::Rectangle{back, forth, 0, 0};
}

template <int Dim>
void set_surface(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d, std::size_t index) {
    FrictionContact& c = d.friction.contacts[index];
    if (!c.rubs) {
        const Vec3 t = any_tangent(c.normal);
        c.surface = {t, cross(c.normal, t), friction::Ellipse{0, 0}};
        return;
    }
    const friction::Law& law = law_of(model, c);
    const ContactSide<Dim> a = side_of(model, state, d, c, true), b = side_of(model, state, d, c, false);
    const surface::Sample on_a = has_direction(model, a) ? sample_side(model, d, a) : surface::Sample{},
                          on_b = has_direction(model, b) ? sample_side(model, d, b) : surface::Sample{};
    friction::ConeInput in;
    in.normal = c.normal;
    in.point = to_vec3(d.now.vertices[at(c.vertices[0])]);
    in.grain_a = on_a.grain;
    in.grain_b = on_b.grain;
    c.carried = d.attempt.h * (on_b.velocity - on_a.velocity) + motion_of_plane(model, d, c, in.point);
    if (friction::reads_slip(law)) {
        in.slip = slip_velocity(model, state, d, c) + on_b.velocity - on_a.velocity;
        in.slip = in.slip - dot(in.slip, c.normal) * c.normal;
    }
    in.normal_force = reads_load(law) ? load_of_pair(model, d.friction, c) : c.load;
    in.swapped = a.part->material > b.part->material;
    if (const FrictionMemory* before = remembered(d.friction.memory, c.key)) in.previous_t = before->axis;
    if (const int request = d.footprints.request_of[index]; request >= 0) {
        in.facets = &d.footprints.averages[at(request)];
        in.corners = std::span(d.footprints.corners)
                         .subspan(at(request) * at(friction::kMostDirections), at(friction::kMostDirections));
    }
    friction::generate(law, {&in, 1}, {&c.surface, 1});
    if constexpr (Dim == 2) restrict_to_plane(c);
}

}  // namespace

template <int Dim>
Vec3 slip_velocity(const Model<Dim>& model, const State<Dim>& state, const StepData<Dim>& d, const FrictionContact& c) {
    const double rate = d.attempt.h > 0 ? 1 / d.attempt.h : 0;
    Vector<Dim> sum = Vector<Dim>::Zero();
    for (std::size_t k = 0; k < at(c.count); ++k) {
        const Carrier<Dim>& carrier = model.carriers[at(c.vertices[k])];
        for (int j = 0; j < carrier.count; ++j)
            sum += c.weights[k] * carrier.weight(j) * state.nodes.v[at(carrier.node + j)];
        if (carrier.count == 0)
            sum += c.weights[k] * rate *
                   (d.attempt.obstacle_to[at(c.vertices[k])] - d.attempt.obstacle_from[at(c.vertices[k])]);
    }
    return to_vec3(sum) + rate * motion_of_plane(model, d, c, to_vec3(d.now.vertices[at(c.vertices[0])]));
}

const FrictionMemory* remembered(const std::vector<FrictionMemory>& memory, const FrictionKey& key) {
    const auto found = std::lower_bound(memory.begin(), memory.end(), key,
                                        [](const FrictionMemory& m, const FrictionKey& k) { return m.key < k; });
    return found != memory.end() && found->key == key ? &*found : nullptr;
}

template <int Dim>
void set_limit_surfaces(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d) {
    sample_footprints(model, state, d);
    add_up_pair_loads(model, d.friction);
    for (std::size_t i = 0; i < d.friction.contacts.size(); ++i) set_surface(model, state, d, i);
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                         \
    template Vec3 slip_velocity<Dim>(const Model<Dim>&, const State<Dim>&, const StepData<Dim>&, const FrictionContact&); \
    template void set_limit_surfaces<Dim>(const Model<Dim>&, const State<Dim>&, StepData<Dim>&);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::implicit

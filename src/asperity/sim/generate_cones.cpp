// Stage 3: one limit surface per contact. Contacts are batched by material pair, so each law runs over a plain array.
#include <algorithm>

#include "asperity/core/parallel.h"
#include "asperity/sim/contact_surface.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

constexpr int kBatch = 64;   // contacts per call of a law: large enough to forget the call, small enough for the cache

friction::ConeInput cone_input(const World& world, StepData& d, int i) {
    const contact::Contact& c = d.contacts[static_cast<size_t>(i)];
    friction::ConeInput in;
    in.point = c.point;
    in.normal = c.normal;
    Vec3 velocity;
    if (has_direction(world, c)) {
        const ContactSamples on = sample_surfaces(world, c);
        velocity = on.b.velocity - on.a.velocity;
        in.grain_a = on.a.grain;
        in.grain_b = on.b.grain;
    }
    d.surface_velocity[static_cast<size_t>(i)] = velocity;
    const Vec3 v = world.bodies.velocity_at(c.body_b, c.point) - world.bodies.velocity_at(c.body_a, c.point) + velocity;
    in.slip = v - dot(v, c.normal) * c.normal;
    in.normal_force = dot(c.impulse, c.normal) / d.dt;
    in.previous_t = c.t;
    in.swapped = c.material_a > c.material_b;
    return in;
}

}  // namespace

void generate_cones(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::generate_cones);
    const int count = static_cast<int>(d.contacts.size());
    const auto law_of = [&](int i) {
        const contact::Contact& c = d.contacts[static_cast<size_t>(i)];
        return world.pairs.index(c.material_a, c.material_b);
    };
    // contacts in the order of their laws: a counting sort
    d.cone_order.resize(d.contacts.size());
    d.law_first.assign(static_cast<size_t>(world.pairs.pair_count()) + 1, 0);
    for (int i = 0; i < count; ++i) ++d.law_first[static_cast<size_t>(law_of(i)) + 1];
    for (size_t k = 1; k < d.law_first.size(); ++k) d.law_first[k] += d.law_first[k - 1];
    for (int i = 0; i < count; ++i) d.cone_order[static_cast<size_t>(d.law_first[static_cast<size_t>(law_of(i))]++)] = i;

    d.cones.resize(d.contacts.size());
    d.surface_velocity.resize(d.contacts.size());
    for (int first = 0; first < count;) {
        const int law = law_of(d.cone_order[static_cast<size_t>(first)]);
        int last = first;
        while (last < count && law_of(d.cone_order[static_cast<size_t>(last)]) == law) ++last;
        parallel_for((last - first + kBatch - 1) / kBatch, [&](int batch) {
            // inputs and outputs of a batch stay in the cache
            friction::ConeInput inputs[kBatch];
            friction::LimitSurface outputs[kBatch];
            const int begin = first + batch * kBatch;
            const auto size = static_cast<size_t>(std::min(kBatch, last - begin));
            const int* contacts = &d.cone_order[static_cast<size_t>(begin)];
            for (size_t k = 0; k < size; ++k) inputs[k] = cone_input(world, d, contacts[k]);
            friction::generate(world.pairs.at(law).friction, {inputs, size}, {outputs, size});
            for (size_t k = 0; k < size; ++k) d.cones[static_cast<size_t>(contacts[k])] = outputs[k];
        }, 1);
        first = last;
    }
}

}  // namespace asperity::sim

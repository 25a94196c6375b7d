// Stage 3: one limit surface per contact, and one per patch. They are batched by material pair, so each law runs over a
// plain array.
#include <algorithm>
#include <numeric>

#include "asperity/core/parallel.h"
#include "asperity/sim/contact_surface.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

constexpr int kBatch = 64;  // contacts per call of a law: large enough to forget the call, small enough for the cache

/// Whether sample_surfaces() would find anything.
bool has_direction(const StepData& d, const contact::Contact& c) {
    return d.any_directed && (d.collider_motion[static_cast<size_t>(c.collider_a)].directed ||
                              d.collider_motion[static_cast<size_t>(c.collider_b)].directed);
}

/// Fills what the law reads; `pending` is what the surfaces were asked, where they have a direction.
void fill_input(const World& world, StepData& d, int i, const friction::Law& law, const PendingSamples& pending,
                friction::ConeInput& in) {
    const contact::Contact& c = d.place(static_cast<size_t>(i));
    in.point = c.point;
    in.normal = c.normal;
    Vec3 velocity;
    if (has_direction(d, c)) {
        const ContactSamples on = read_surfaces(world, c, pending);
        velocity = on.b.velocity - on.a.velocity;
        in.grain_a = on.a.grain;
        in.grain_b = on.b.grain;
    } else {
        in.grain_a = in.grain_b = {};
    }
    if (d.any_directed) d.surface_velocity[static_cast<size_t>(i)] = velocity;
    if (reads_slip(law)) {
        const Vec3 v = world.bodies.velocity_at(c.body_b, c.point) - world.bodies.velocity_at(c.body_a, c.point) + velocity;
        in.slip = v - dot(v, c.normal) * c.normal;
    }
    in.normal_force = dot(c.impulse, c.normal) / d.dt;
    in.previous_t = d.previous_axis(static_cast<size_t>(i));
    in.swapped = c.material_a > c.material_b;
    in.facets = nullptr;
    in.corners = {};
}

/// Contacts in the order of their laws: a counting sort. d.law_first gets where each law begins, and the end.
void sort_by_law(const World& world, StepData& d) {
    const int count = static_cast<int>(d.place_count()), laws = world.pairs.pair_count();
    d.cone_order.resize(d.place_count());
    d.law_first.assign(static_cast<size_t>(laws) + 1, 0);
    d.law_first.back() = count;
    if (laws == 1) return std::iota(d.cone_order.begin(), d.cone_order.end(), 0);
    const auto law_of = [&](int i) {
        const contact::Contact& c = d.place(static_cast<size_t>(i));
        return static_cast<size_t>(world.pairs.index(c.material_a, c.material_b));
    };
    d.law_next.assign(static_cast<size_t>(laws), 0);
    for (int i = 0; i < count; ++i) ++d.law_next[law_of(i)];
    std::exclusive_scan(d.law_next.begin(), d.law_next.end(), d.law_first.begin(), 0);
    std::copy_n(d.law_first.begin(), laws, d.law_next.begin());
    for (int i = 0; i < count; ++i) d.cone_order[static_cast<size_t>(d.law_next[law_of(i)]++)] = i;
}

}  // namespace

void generate_cones(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::generate_cones);
    bool spin = false;
    d.circles = !d.any_directed;
    for (int k = 0; k < world.pairs.pair_count(); ++k) {
        spin |= lone_points_spin(world, world.pairs.at(k));
        d.circles &= is_circle(world.pairs.at(k).friction) && !spin;
    }
    if (d.circles) {  // cone_at() says the rest
        d.cones.clear();
        d.surface_velocity.clear();
        return;
    }
    sort_by_law(world, d);
    d.cones.resize(d.place_count());
    d.surface_velocity.resize(d.any_directed ? d.place_count() : 0);
    sample_patches(world, d);
    for (int k = 0; k < world.pairs.pair_count(); ++k) {
        const int first = d.law_first[static_cast<size_t>(k)], last = d.law_first[static_cast<size_t>(k) + 1];
        const friction::Law& law = world.pairs.at(k).friction;
        parallel_for((last - first + kBatch - 1) / kBatch,
                     [&](int batch) {
                         // inputs and outputs of a batch stay in the cache
                         static thread_local friction::ConeInput inputs[kBatch];
                         static thread_local friction::LimitSurface scattered[kBatch];
                         static thread_local PendingSamples pending[kBatch];
                         const int begin = first + batch * kBatch;
                         const auto size = static_cast<size_t>(std::min(kBatch, last - begin));
                         const int* contacts = &d.cone_order[static_cast<size_t>(begin)];
                         // all are asked before the first is read: textures are far away
                         for (size_t i = 0; d.any_directed && i < size; ++i) {
                             const contact::Contact& c = d.place(static_cast<size_t>(contacts[i]));
                             if (has_direction(d, c)) pending[i] = ask_surfaces(world, c);
                         }
                         for (size_t i = 0; i < size; ++i) fill_input(world, d, contacts[i], law, pending[i], inputs[i]);
                         if (d.samplers[static_cast<size_t>(k)])
                             for (size_t i = 0; i < size; ++i) {
                                 const size_t patch =
                                     static_cast<size_t>(d.request_first[static_cast<size_t>(k)] + begin - first) + i;
                                 inputs[i].facets = &d.facets[patch];
                                 inputs[i].corners = std::span(d.corners).subspan(patch * friction::kMostDirections,
                                                                                  friction::kMostDirections);
                             }
                         const bool in_place =
                             world.pairs.pair_count() == 1;  // with one law the contacts are in their own order
                         friction::LimitSurface* outputs = in_place ? &d.cones[static_cast<size_t>(begin)] : scattered;
                         friction::generate(law, {inputs, size}, {outputs, size});
                         for (size_t i = 0; !in_place && i < size; ++i)
                             d.cones[static_cast<size_t>(contacts[i])] = outputs[i];
                     },
                     1);
    }
    if (spin) resist_spinning(world, d);
}

}  // namespace asperity::sim

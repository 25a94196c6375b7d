// Limit surfaces: one per contact and per patch. Entries are sorted by pair of materials, so each law processes arrays.
#include <algorithm>
#include <numeric>

#include "asperity/core/parallel.h"
#include "asperity/sim/cone_parts.h"
#include "asperity/sim/contact_surface.h"

namespace asperity::sim {
namespace {

constexpr int kBatch = 64;  // entries per call of a law: amortises the call, and the data stay in the cache

/// The input of the law for an entry. `pending` holds the prefetched samples if the surfaces have a direction.
void fill_entry(const ConeInputs& from, LimitSurfaces& cones, int i, const friction::Law& law,
                const PrefetchedSamples& pending, friction::ConeInput& in) {
    const Vec3 velocity = fill_input(from, from.contacts.entry(static_cast<size_t>(i)), law, pending, in);
    if (from.search.any_directed) cones.surface_velocity[static_cast<size_t>(i)] = velocity;
    in.previous_t = from.contacts.previous_axis(static_cast<size_t>(i));
}

/// Sorts the entries by law (counting sort). cones.law_first receives the first index of each law, then the end.
void sort_by_law(const ConeInputs& from, LimitSurfaces& cones) {
    const int count = static_cast<int>(from.contacts.entry_count()), laws = from.model.pairs.pair_count();
    cones.cone_order.resize(from.contacts.entry_count());
    cones.law_first.assign(static_cast<size_t>(laws) + 1, 0);
    cones.law_first.back() = count;
    if (laws == 1) return std::iota(cones.cone_order.begin(), cones.cone_order.end(), 0);
    const auto law_of = [&](int i) {
        const contact::Contact& c = from.contacts.entry(static_cast<size_t>(i));
        return static_cast<size_t>(from.model.pairs.index(c.material_a, c.material_b));
    };
    cones.law_next.assign(static_cast<size_t>(laws), 0);
    for (int i = 0; i < count; ++i) ++cones.law_next[law_of(i)];
    std::exclusive_scan(cones.law_next.begin(), cones.law_next.end(), cones.law_first.begin(), 0);
    std::copy_n(cones.law_first.begin(), laws, cones.law_next.begin());
    for (int i = 0; i < count; ++i) cones.cone_order[static_cast<size_t>(cones.law_next[law_of(i)]++)] = i;
}

}  // namespace

bool has_direction(const ConeInputs& from, const contact::Contact& c) {
    return from.search.any_directed && (from.search.collider_motion[static_cast<size_t>(c.collider_a)].directed ||
                                        from.search.collider_motion[static_cast<size_t>(c.collider_b)].directed);
}

Vec3 fill_input(const ConeInputs& from, const contact::Contact& c, const friction::Law& law,
                const PrefetchedSamples& pending, friction::ConeInput& in) {
    in.point = c.point;
    in.normal = c.normal;
    Vec3 velocity;
    in.grain_a = in.grain_b = {};
    if (has_direction(from, c)) {
        const ContactSamples on = read_surfaces(from.model, from.bodies, c, pending);
        velocity = on.b.velocity - on.a.velocity;
        in.grain_a = on.a.grain;
        in.grain_b = on.b.grain;
    }
    if (reads_slip(law)) {
        const Vec3 v = from.bodies.velocity_at(c.body_b, c.point) - from.bodies.velocity_at(c.body_a, c.point) + velocity;
        in.slip = v - dot(v, c.normal) * c.normal;
    }
    in.normal_force = dot(c.impulse, c.normal) / from.dt;
    in.swapped = c.material_a > c.material_b;
    in.facets = nullptr;
    in.corners = {};
    return velocity;
}

void generate_cones(const Model& model, const Derived& derived, const rigid::BodyStates& bodies, const PairSearch& search,
                    const ContactMemory& contacts, std::span<const Vec3> free_slip, double dt, LimitSurfaces& cones) {
    const ConeInputs from{model, derived, bodies, search, contacts, free_slip, dt};
    bool spin = false;
    cones.circles = !from.search.any_directed;
    for (int k = 0; k < from.model.pairs.pair_count(); ++k) {
        spin |= has_spin_resistance(model.settings, from.model.pairs.at(k));
        cones.circles &= is_circle(from.model.pairs.at(k).friction) && !spin;
    }
    if (cones.circles) {  // cone_at() computes them on demand
        cones.cones.clear();
        cones.surface_velocity.clear();
        generate_cells(from, cones);
        return;
    }
    sort_by_law(from, cones);
    cones.cones.resize(from.contacts.entry_count());
    cones.surface_velocity.resize(from.search.any_directed ? from.contacts.entry_count() : 0);
    sample_footprints(from, cones);
    for (int k = 0; k < from.model.pairs.pair_count(); ++k) {
        const int first = cones.law_first[static_cast<size_t>(k)], last = cones.law_first[static_cast<size_t>(k) + 1];
        const friction::Law& law = from.model.pairs.at(k).friction;
        parallel_for(
            (last - first + kBatch - 1) / kBatch,
            [&](int batch) {
                // inputs and outputs of a batch stay in the cache
                static thread_local friction::ConeInput inputs[kBatch];
                static thread_local friction::LimitSurface scattered[kBatch];
                static thread_local PrefetchedSamples pending[kBatch];
                const int begin = first + batch * kBatch;
                const auto size = static_cast<size_t>(std::min(kBatch, last - begin));
                const int* entries = &cones.cone_order[static_cast<size_t>(begin)];
                // prefetch all texels before the first is read, because textures are not in the cache
                for (size_t i = 0; from.search.any_directed && i < size; ++i) {
                    const contact::Contact& c = from.contacts.entry(static_cast<size_t>(entries[i]));
                    if (has_direction(from, c)) pending[i] = prefetch_surfaces(from.model, from.bodies, c);
                }
                for (size_t i = 0; i < size; ++i) fill_entry(from, cones, entries[i], law, pending[i], inputs[i]);
                if (from.derived.samplers[static_cast<size_t>(k)])
                    for (size_t i = 0; i < size; ++i) {
                        const size_t patch =
                            static_cast<size_t>(cones.request_first[static_cast<size_t>(k)] + begin - first) + i;
                        inputs[i].facets = &cones.facets[patch];
                        inputs[i].corners =
                            std::span(cones.corners).subspan(patch * friction::kMostDirections, friction::kMostDirections);
                    }
                const bool in_place =
                    from.model.pairs.pair_count() == 1;  // with one law, the sorted order is that of the entries
                friction::LimitSurface* outputs = in_place ? &cones.cones[static_cast<size_t>(begin)] : scattered;
                friction::generate(law, {inputs, size}, {outputs, size});
                for (size_t i = 0; !in_place && i < size; ++i) cones.cones[static_cast<size_t>(entries[i])] = outputs[i];
            },
            1);
    }
    if (spin) resist_spinning(from, cones);
    generate_cells(from, cones);
}

}  // namespace asperity::sim

// Part of generate_cones: samples the slopes of both surfaces under every contact that ploughs. All footprints of a
// pair of materials are sampled in one call.
#include <chrono>

#include "asperity/core/parallel.h"
#include "asperity/sim/cone_parts.h"
#include "asperity/sim/contact_surface.h"
#include "asperity/surface/footprint_sampler.h"

namespace asperity::sim {
namespace {

using surface::FootprintSettings;

const friction::Ploughing* ploughing_of(const surface::Pair& pair) {
    return std::get_if<friction::Ploughing>(&pair.friction.base);
}

surface::SlopeLayer layer_of(Derived& derived, const surface::SlopeTexture& slopes, friction::FacetWeight weight) {
    const auto table = [&]() -> const surface::SlopeTable* {
        for (const Derived::Slopes& known : derived.slopes)
            if (known.map == slopes.map && known.weight == weight) return known.table.get();
        derived.slopes.push_back({slopes.map, weight, std::make_unique<surface::SlopeTable>(*slopes.map, weight)});
        return derived.slopes.back().table.get();
    };
    return {table(), slopes.tile, slopes.offset};
}

surface::FootprintSide side_of(const ConeInputs& from, size_t pair, int body, int collider, const Vec3& in_body) {
    const auto i = static_cast<size_t>(body), c = static_cast<size_t>(collider);
    const rigid::Collider& shape = from.model.bodies.colliders[c];
    const Pose& pose = from.bodies.pose[i];
    surface::FootprintSide side{&shape.shape, pose * shape.local, pose * (in_body - from.model.bodies.center[i])};
    const std::vector<surface::SlopeLayer>& layers = from.derived.slopes_of[pair * from.model.bodies.colliders.size() + c];
    if (layers.size() == 1) side.slopes = layers[0].slopes, side.tile = layers[0].tile, side.offset = layers[0].offset;
    if (layers.size() > 1) side.parts = layers;
    return side;
}

/// The first axis of the footprint. A fixed axis within 6 degrees of the normal is replaced by the next one.
Vec3 first_direction(const ConeInputs& from, size_t i, const FootprintSettings& settings) {
    const contact::Contact& c = from.contacts.entry(i);
    Vec3 t;
    if (settings.frame == FootprintSettings::Frame::AlongGrain) {
        const ContactSamples on = sample_surfaces(from.model, from.bodies, c);
        if (friction::set_tangent(t, on.a.grain, c.normal) || friction::set_tangent(t, on.b.grain, c.normal)) return t;
    }
    if (settings.frame == FootprintSettings::Frame::AlongSlip) {
        constexpr double slowest = 1e-4;  // [m/s]; slower slips do not set the direction
        if (i < from.free_slip.size() && length(from.free_slip[i]) > slowest &&
            friction::set_tangent(t, from.free_slip[i], c.normal))
            return t;
        if (friction::set_tangent(t, c.t, c.normal)) return t;
    }
    Vec3 axis = settings.axis;
    if (const Vec3 tangent = axis - dot(axis, c.normal) * c.normal; length(tangent) < 0.1) axis = {axis.z, axis.x, axis.y};
    return friction::set_tangent(t, axis, c.normal) ? t : any_tangent(c.normal);
}

}  // namespace

void prepare_slopes(const Model& model, Derived& derived) {
    const size_t pairs = static_cast<size_t>(model.pairs.pair_count()), colliders = model.bodies.colliders.size();
    // remove the tables that no collider uses any more
    std::erase_if(derived.slopes, [&](const Derived::Slopes& known) { return known.map.use_count() == 1; });
    derived.slopes_of.clear();
    derived.samplers.clear();
    derived.samplers.resize(pairs);
    derived.frames_follow_slip = false;
    for (size_t k = 0; k < pairs; ++k) {
        const surface::Pair& pair = model.pairs.at(static_cast<int>(k));
        const friction::Ploughing* law = ploughing_of(pair);
        if (!law) continue;
        if (pair.footprint.sampler)
            derived.samplers[k] = pair.footprint.sampler;
        else if (pair.footprint.sampling == FootprintSettings::Sampling::Rays)
            derived.samplers[k] = std::make_shared<surface::RaySampler>(pair.footprint.resolution);
        else
            derived.samplers[k] = std::make_shared<surface::TableSampler>(pair.footprint.resolution);
        derived.frames_follow_slip |= pair.footprint.frame == FootprintSettings::Frame::AlongSlip;
        derived.slopes_of.resize(pairs * colliders);
        for (size_t c = 0; c < colliders; ++c)
            if (const surface::SlopeTexture* slopes = model.slopes_of(static_cast<int>(c))) {
                std::vector<surface::SlopeLayer>& layers = derived.slopes_of[k * colliders + c];
                const std::size_t parts = slopes->parts ? slopes->parts->size() : 1;
                for (std::size_t i = 0; i < parts; ++i)
                    layers.push_back(layer_of(derived, slopes->on_part(static_cast<int>(i)), law->weight));
            }
    }
}

void sample_footprints(const ConeInputs& from, LimitSurfaces& cones) {
    const auto pairs = static_cast<size_t>(from.model.pairs.pair_count());
    cones.request_first.assign(pairs, 0);
    int count = 0;
    for (size_t k = 0; k < pairs; ++k) {
        cones.request_first[k] = count;
        if (from.derived.samplers[k]) count += cones.law_first[k + 1] - cones.law_first[k];
    }
    if (count == 0) return;
    const auto start = std::chrono::steady_clock::now();
    cones.requests.resize(static_cast<size_t>(count));
    cones.facets.resize(static_cast<size_t>(count));
    cones.corners.resize(static_cast<size_t>(count) * friction::kMostDirections);
    for (size_t k = 0; k < pairs; ++k) {
        if (!from.derived.samplers[k]) continue;
        const surface::Pair& pair = from.model.pairs.at(static_cast<int>(k));
        const int directions = ploughing_of(pair)->directions;
        const auto first = static_cast<size_t>(cones.request_first[k]),
                   of_law = static_cast<size_t>(cones.law_first[k + 1] - cones.law_first[k]);
        parallel_for(
            static_cast<int>(of_law),
            [&](int i) {
                const auto contact = static_cast<size_t>(cones.cone_order[static_cast<size_t>(cones.law_first[k] + i)]);
                const contact::Contact& c = from.contacts.entry(contact);
                cones.requests[first + static_cast<size_t>(i)] = {c.normal,
                                                                  first_direction(from, contact, pair.footprint),
                                                                  pair.footprint.width,
                                                                  surface::footprint_depth(pair.footprint.width, c.gap),
                                                                  directions,
                                                                  side_of(from, k, c.body_a, c.collider_a, c.local_a),
                                                                  side_of(from, k, c.body_b, c.collider_b, c.local_b)};
            },
            64);
        from.derived.samplers[k]->sample(std::span(cones.requests).subspan(first, of_law),
                                         std::span(cones.facets).subspan(first, of_law));
    }
    cones.sampling_ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace asperity::sim

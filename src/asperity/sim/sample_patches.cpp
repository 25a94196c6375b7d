// A part of stage 3: the slopes of both surfaces under every contact that ploughs, all patches of a pair of materials at
// once.
#include <chrono>

#include "asperity/core/parallel.h"
#include "asperity/sim/contact_surface.h"
#include "asperity/sim/step_data.h"
#include "asperity/surface/patch_sampler.h"

namespace asperity::sim {
namespace {

using surface::PatchSettings;

const friction::Ploughing* ploughing_of(const surface::Pair& pair) {
    return std::get_if<friction::Ploughing>(&pair.friction.base);
}

const surface::SlopeTable* table_of(StepData& d, const surface::SlopeTexture& slopes, friction::FacetWeight weight) {
    for (const StepData::Slopes& known : d.slopes)
        if (known.map == slopes.map && known.weight == weight) return known.table.get();
    d.slopes.push_back({slopes.map, weight, std::make_unique<surface::SlopeTable>(*slopes.map, weight)});
    return d.slopes.back().table.get();
}

surface::PatchSide side_of(const World& world, const StepData& d, size_t pair, int body, int collider, const Vec3& in_body) {
    const auto i = static_cast<size_t>(body), c = static_cast<size_t>(collider);
    const rigid::Collider& shape = world.bodies.colliders[c];
    const Pose& pose = world.bodies.pose[i];
    surface::PatchSide side{&shape.shape,
                            pose * shape.local,
                            pose * (in_body - world.bodies.center[i]),
                            d.slopes_of[pair * world.bodies.colliders.size() + c],
                            1,
                            {}};
    if (side.slopes) {
        const surface::SlopeTexture& texture = *world.slopes_of(collider);
        side.tile = texture.tile;
        side.offset = texture.offset;
    }
    return side;
}

/// The first direction of the patch. An axis that nearly is the normal gives way to the next one.
Vec3 first_direction(const World& world, const StepData& d, size_t i, const PatchSettings& settings) {
    const contact::Contact& c = d.place(i);
    Vec3 t;
    if (settings.frame == PatchSettings::Frame::AlongGrain) {
        const ContactSamples on = sample_surfaces(world, c);
        if (friction::aim(t, on.a.grain, c.normal) || friction::aim(t, on.b.grain, c.normal)) return t;
    }
    if (settings.frame == PatchSettings::Frame::AlongSlip) {
        constexpr double slowest = 1e-4;  // [m/s]: slower slips have no direction worth turning for
        if (i < d.free_slip.size() && length(d.free_slip[i]) > slowest && friction::aim(t, d.free_slip[i], c.normal))
            return t;
        if (friction::aim(t, c.t, c.normal)) return t;
    }
    Vec3 axis = settings.axis;
    if (const Vec3 tangent = axis - dot(axis, c.normal) * c.normal; length(tangent) < 0.1) axis = {axis.z, axis.x, axis.y};
    return friction::aim(t, axis, c.normal) ? t : any_tangent(c.normal);
}

}  // namespace

void prepare_slopes(const World& world, StepData& d) {
    const size_t pairs = static_cast<size_t>(world.pairs.pair_count()), colliders = world.bodies.colliders.size();
    // nobody wears it any more
    std::erase_if(d.slopes, [&](const StepData::Slopes& known) { return known.map.use_count() == 1; });
    d.slopes_of.clear();
    d.samplers.clear();
    d.samplers.resize(pairs);
    d.frames_follow_slip = false;
    for (size_t k = 0; k < pairs; ++k) {
        const surface::Pair& pair = world.pairs.at(static_cast<int>(k));
        const friction::Ploughing* law = ploughing_of(pair);
        if (!law) continue;
        if (pair.patch.sampler)
            d.samplers[k] = pair.patch.sampler;
        else if (pair.patch.sampling == PatchSettings::Sampling::Rays)
            d.samplers[k] = std::make_shared<surface::RaySampler>(pair.patch.resolution);
        else
            d.samplers[k] = std::make_shared<surface::TableSampler>(pair.patch.resolution);
        d.frames_follow_slip |= pair.patch.frame == PatchSettings::Frame::AlongSlip;
        d.slopes_of.resize(pairs * colliders);
        for (size_t c = 0; c < colliders; ++c)
            if (const surface::SlopeTexture* slopes = world.slopes_of(static_cast<int>(c)))
                d.slopes_of[k * colliders + c] = table_of(d, *slopes, law->weight);
    }
}

void sample_patches(const World& world, StepData& d) {
    const auto pairs = static_cast<size_t>(world.pairs.pair_count());
    d.request_first.assign(pairs, 0);
    int count = 0;
    for (size_t k = 0; k < pairs; ++k) {
        d.request_first[k] = count;
        if (d.samplers[k]) count += d.law_first[k + 1] - d.law_first[k];
    }
    if (count == 0) return;
    const auto start = std::chrono::steady_clock::now();
    d.requests.resize(static_cast<size_t>(count));
    d.facets.resize(static_cast<size_t>(count));
    d.corners.resize(static_cast<size_t>(count) * friction::kMostDirections);
    for (size_t k = 0; k < pairs; ++k) {
        if (!d.samplers[k]) continue;
        const surface::Pair& pair = world.pairs.at(static_cast<int>(k));
        const int directions = ploughing_of(pair)->directions;
        const auto first = static_cast<size_t>(d.request_first[k]),
                   of_law = static_cast<size_t>(d.law_first[k + 1] - d.law_first[k]);
        parallel_for(
            static_cast<int>(of_law),
            [&](int i) {
                const auto contact = static_cast<size_t>(d.cone_order[static_cast<size_t>(d.law_first[k] + i)]);
                const contact::Contact& c = d.place(contact);
                d.requests[first + static_cast<size_t>(i)] = {c.normal,
                                                              first_direction(world, d, contact, pair.patch),
                                                              pair.patch.width,
                                                              surface::patch_depth(pair.patch.width, c.gap),
                                                              directions,
                                                              side_of(world, d, k, c.body_a, c.collider_a, c.local_a),
                                                              side_of(world, d, k, c.body_b, c.collider_b, c.local_b)};
            },
            64);
        d.samplers[k]->sample(std::span(d.requests).subspan(first, of_law), std::span(d.facets).subspan(first, of_law));
    }
    d.sampling_ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace asperity::sim

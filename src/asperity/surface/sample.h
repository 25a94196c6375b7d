// Surface data that a friction law reads at one contact point of one surface.
#pragma once
#include "asperity/surface/grain.h"
#include "asperity/surface/material.h"

namespace asperity::surface {

struct Sample {
    Vec3 grain;     ///< world axes, in the tangent plane; length = strength, zero: no grain
    Vec3 velocity;  ///< world axes, in the tangent plane; of the surface relative to its body [m/s]
};

/// Whether the surface has a grain or a surface velocity; most have neither. `field` is the body's own grain, or null.
inline bool has_direction(const Material& material, const Grain* field) {
    return field || material.grain_field || !(material.grain == Vec3{} && material.surface_velocity == Vec3{});
}

/// First half of sample(): finds the texels and prefetches them, so that a caller with many contacts overlaps the memory
/// latency (PrefetchedGrain). The body's own grain takes precedence over the material's.
inline PrefetchedGrain ask(const Material& material, const Grain* field, const SurfaceLocation& place) {
    if (!field) field = material.grain_field.get();
    return field ? prefetch_grain(*field, place) : PrefetchedGrain{.tangent = material.grain};
}

/// Second half of sample(). `orientation` rotates body axes into world axes; `normal` is the contact normal, world. The
/// component of the grain along the normal is dropped.
inline Sample read(const PrefetchedGrain& pending, const Material& material, const Quat& orientation, const Vec3& normal) {
    const auto tangential = [&](const Vec3& v) { return v - dot(v, normal) * normal; };
    Sample s;
    const GrainAt grain = read_grain(pending);
    const Vec3 along = tangential(rotate(orientation, grain.direction));
    const double square = length_squared(along);
    // a shorter tangential part has no reliable direction
    if (square > 1e-12 * length_squared(grain.direction)) s.grain = grain.strength / std::sqrt(square) * along;
    if (!(material.surface_velocity == Vec3{})) s.velocity = tangential(rotate(orientation, material.surface_velocity));
    return s;
}

inline Sample sample(const Material& material, const Grain* field, const SurfaceLocation& place, const Quat& orientation,
                     const Vec3& normal) {
    return read(ask(material, field, place), material, orientation, normal);
}

}  // namespace asperity::surface

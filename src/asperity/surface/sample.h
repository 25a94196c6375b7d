// What a law needs to know of one surface at one point.
#pragma once
#include "asperity/surface/grain.h"
#include "asperity/surface/material.h"

namespace asperity::surface {

struct Sample {
    Vec3 grain;     ///< world; in the tangent plane; its length is its strength, zero for none
    Vec3 velocity;  ///< world; of the surface against its body, in the tangent plane [m/s]
};

/// Whether the surface tells directions apart at all: most do not. `field` is the body's own grain, or null.
inline bool has_direction(const Material& material, const Grain* field) {
    return field || material.grain_field || !(material.grain == Vec3{} && material.surface_velocity == Vec3{});
}

/// Asks for a sample: the first half of sample(), for those who have many to ask (PendingGrain). The grain is the body's own
/// where it has one, else the material's.
inline PendingGrain ask(const Material& material, const Grain* field, const SurfacePlace& place) {
    if (!field) field = material.grain_field.get();
    return field ? ask_grain(*field, place) : PendingGrain{.tangent = material.grain};
}

/// The second half. `orientation` turns body axes into world axes; `normal` is the contact normal, world. The grain is that
/// of the surface's own tangent plane, so what sticks out of it is dropped.
inline Sample read(const PendingGrain& pending, const Material& material, const Quat& orientation, const Vec3& normal) {
    const auto tangential = [&](const Vec3& v) { return v - dot(v, normal) * normal; };
    Sample s;
    const GrainAt grain = read_grain(pending);
    const Vec3 along = tangential(rotate(orientation, grain.direction));
    const double square = length_squared(along);
    // less is no direction
    if (square > 1e-12 * length_squared(grain.direction)) s.grain = grain.strength / std::sqrt(square) * along;
    if (!(material.surface_velocity == Vec3{})) s.velocity = tangential(rotate(orientation, material.surface_velocity));
    return s;
}

inline Sample sample(const Material& material, const Grain* field, const SurfacePlace& place, const Quat& orientation,
                     const Vec3& normal) {
    return read(ask(material, field, place), material, orientation, normal);
}

}  // namespace asperity::surface

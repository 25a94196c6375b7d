// What a law needs to know of one surface at one point.
#pragma once
#include "asperity/surface/material.h"

namespace asperity::surface {

struct Sample {
    Vec3 grain;      ///< world; in the tangent plane, unit or zero
    Vec3 velocity;   ///< world; of the surface against its body, in the tangent plane [m/s]
};

/// Whether the surface tells directions apart at all: most do not.
inline bool has_direction(const Material& material) { return !(material.grain == Vec3{} && material.surface_velocity == Vec3{}); }

/// `orientation` turns body axes into world axes; `normal` is the contact normal, world. The grain is that of the surface's own
/// tangent plane, so what sticks out of it is dropped.
inline Sample sample(const Material& material, const Quat& orientation, const Vec3& normal) {
    const auto tangential = [&](const Vec3& v) { return v - dot(v, normal) * normal; };
    Sample s;
    if (!(material.grain == Vec3{})) {
        const Vec3 grain = tangential(rotate(orientation, material.grain));
        if (length(grain) > 1e-6) s.grain = normalized(grain);   // procedural fields: spec 3.1
    }
    if (!(material.surface_velocity == Vec3{})) s.velocity = tangential(rotate(orientation, material.surface_velocity));
    return s;
}

}  // namespace asperity::surface

// Integrals over a shape's volume, from which its mass follows.
#pragma once
#include "asperity/math/vec.h"

namespace asperity::geometry {

/// Volume [m^3], centre [m], and the second moment about the centre as an inertia tensor per unit density [m^5].
struct VolumeIntegrals {
    double volume = 0;
    Vec3 center;
    Mat3 inertia = Mat3::diagonal({0, 0, 0});
};

}  // namespace asperity::geometry

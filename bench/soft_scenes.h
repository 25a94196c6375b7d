// Soft bodies for `asperity bench soft`: cubes of any number of elements on a plane, and two meshes that touch.
#pragma once
#include "asperity/implicit/world.h"

namespace asperity::bench {

/// The unit cube with `cells`^3 cells of six tetrahedra, just above a half-space whose slope is `tangent`. Its lower face is
/// parallel to the half-space. Neo-Hookean, E = 1e5 Pa, nu = 0.4, 1000 kg/m^3.
implicit::World<3> soft_cube(int cells, double tangent);

/// A ball of the same material, `cells` across its diameter of 0.6 m, just above a slab of the same material on the ground.
/// The two meshes do not match. The ball arrives at 1 m/s.
implicit::World<3> soft_ball_on_slab(int cells);

}  // namespace asperity::bench

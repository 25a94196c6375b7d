// A box whose faces are covered with round bumps: a closed mesh as fine as one likes, for tests and scenes of rough contact.
#pragma once
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry {

struct BumpyBox {
    Vec3 half;             ///< of the box that the bumps reach [m]
    double height = 0.01;  ///< of the bumps [m], at most a quarter of the shortest edge
    int bumps = 16;        ///< along each edge
    int cells = 128;       ///< along each edge, 2 or more per bump; 12 cells^2 triangles
};
/// Over a face with u and v from 0 to 1 the surface stands height sin^2(pi bumps u) sin^2(pi bumps v) above the plane that
/// lies `height` below that of the box: flat along the edges, so that neighbouring faces meet. Throws InputError for sizes
/// out of range.
Mesh make_bumpy_box(const BumpyBox& box);

}  // namespace asperity::geometry

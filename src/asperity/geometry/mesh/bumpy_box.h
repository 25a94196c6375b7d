// A box whose faces are covered with round bumps: a closed mesh of any fineness, for tests and scenes of rough contact.
#pragma once
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry {

struct BumpyBox {
    Vec3 half;             ///< [m] half edges of the box that touches the tops of the bumps
    double height = 0.01;  ///< [m] of the bumps, at most a quarter of the shortest edge
    int bumps = 16;        ///< bumps along each edge
    int cells = 128;       ///< cells along each edge, 2 or more per bump; 12 cells^2 triangles
};
/// With u and v from 0 to 1 over a face, the surface stands height sin^2(pi bumps u) sin^2(pi bumps v) above a plane. That
/// plane lies `height` below the face of the box. The surface is flat along the edges, so neighbouring faces fit. Throws
/// InputError for sizes out of range.
Mesh make_bumpy_box(const BumpyBox& box);

}  // namespace asperity::geometry

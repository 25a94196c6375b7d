// Moves surface points of a stuffed mesh onto the sharp edges and corners of the surface it was made from.
#pragma once
#include "asperity/deform/meshes/solid_mesh.h"
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::deform::detail {

/// Points move by less than a cell, and only as far as all angles between faces stay within the bounds of snap_features.cpp.
void snap_features(const geometry::TriangleSet& surface, double cell, SolidMesh<3>& mesh);

}  // namespace asperity::deform::detail

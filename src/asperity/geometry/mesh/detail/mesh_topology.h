// The steps from the triangles of a file to a TriangleSet; mesh.cpp calls them in order.
#pragma once
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry::detail {

/// Makes winding consistent: each connected component by the majority of its triangles, solids so that their volume is
/// positive. `turned` marks the reversed triangles. Uses positions and triangles only. Fills orientable, flipped,
/// boundary_edges, holes, solid and the integrals.
void orient(TriangleSet& mesh, std::vector<char>& turned);
/// Makes edges, neighbours, regions, normals of faces and vertices. Needs the final winding.
void connect(TriangleSet& mesh);
/// Makes the normals, tangents and texture coordinates that the file lacks.
void complete_corners(TriangleSet& mesh);
/// Makes tangents from normals and texture coordinates, as MikkTSpace does. Counts flat_uvs.
void make_tangents(TriangleSet& mesh);

}  // namespace asperity::geometry::detail

// The steps between the triangles of a file and a TriangleSet; mesh.cpp calls them in order.
#pragma once
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry::detail {

/// Turns triangles so that neighbours agree, each piece by the majority of its triangles, and solids so that their volume is
/// positive. `turned` says which. Uses positions and triangles only; fills orientable, flipped, boundary_edges, holes, solid
/// and the integrals.
void orient(TriangleSet& mesh, std::vector<char>& turned);
/// Edges, neighbours, regions, normals of faces and vertices; needs the final winding.
void connect(TriangleSet& mesh);
/// Normals, tangents and texture coordinates that the file does not give.
void complete_corners(TriangleSet& mesh);
/// Tangents from normals and texture coordinates, as MikkTSpace makes them. Counts flat_uvs.
void make_tangents(TriangleSet& mesh);

}  // namespace asperity::geometry::detail

// Better shapes for the triangles of a mesh whose boundary stays as it is.
#pragma once
#include "asperity/deform/meshes/solid_mesh.h"

namespace asperity::lab {

/// Exchanges inner edges (the Delaunay criterion: the two angles that face an edge sum to at most 180 degrees) and moves
/// inner points towards the mean of their neighbours. A change is made only if the worst triangle that it touches gets no
/// worse, so no triangle is inverted and the lowest quality of the mesh never falls.
void improve(deform::SolidMesh<2>& mesh, int passes = 6);

}  // namespace asperity::lab

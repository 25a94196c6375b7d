// Triangle meshes of blocks with one rough face: fine at the face, coarse at the flat base.
//
// Rows of points lie below the face. Each has half of the points of the row above, and is twice as deep below it, so that
// the triangles keep their shape while they double in size: about 3 triangles per edge of the face in all.
//
//     o--o--o--o--o--o--o--o--o      face: all points
//     |\ | /|\ | /|\ | /|\ | /|
//     | \|/ | \|/ | \|/ | \|/ |
//     o-----o-----o-----o-----o      every other point, at twice the distance
//     |\    |    /|\    |    /|
//     o-----------o-----------o      base
//
// Then edges are exchanged and inner points moved where that improves the worst triangle around.
#pragma once
#include <span>
#include <vector>

#include "asperity/deform/meshes/solid_mesh.h"

namespace asperity::lab {

/// A mesh with its boundary markers: points of the rough face and of the base, both in ascending x, and of the two sides
/// without the corners.
struct GradedBlock {
    deform::SolidMesh<2> mesh;
    std::vector<int> face, base, sides;
};

struct BlockReport {
    double face_edge = 0, base_edge = 0;       ///< mean length of the edges of the face and of the base [m]
    double quality_min = 0, quality_mean = 0;  ///< as in deform::MeshReport
    double angle_min = 0;                      ///< [rad]
};

/// The block between a face, points with ascending x, and its base at the height `base`, below the whole face.
/// `fine_rows`: rows of the face's resolution before it is halved. Throws InputError for a face that does not ascend or has
/// less than two edges, and for a base so close that triangles would be inverted.
GradedBlock graded_block(std::span<const Vector<2>> face, double base, int fine_rows = 0);
/// The same above the face, with the base at its top.
GradedBlock graded_block_above(std::span<const Vector<2>> face, double base, int fine_rows = 0);

BlockReport report(const GradedBlock& block);

}  // namespace asperity::lab

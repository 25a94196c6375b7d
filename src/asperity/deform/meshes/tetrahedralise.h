// Tetrahedra that fill a closed triangle surface: isosurface stuffing (Labelle and Shewchuk 2007, "Isosurface Stuffing: Fast
// Tetrahedral Meshes with Good Dihedral Angles") on the signed distance of the surface.
#pragma once
#include "asperity/deform/meshes/solid_mesh.h"
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::deform {

struct StuffingReport {
    MeshReport<3> mesh;
    /// Largest distance between the two surfaces, at the vertices and centroids of both [m]. Of the order of cell^2 times the
    /// curvature on smooth parts. Sharp edges are cut off by up to 0.6 of a cell, corners by up to 0.9.
    double distance_error = 0;
};

/// `cell`: edge of the cubic cells [m]; the tetrahedra's edges are about 0.5 to 1.2 of it. Parts of the body that are thinner
/// than a cell may be lost. Throws InputError for surfaces that are not closed, saying how many edges are open and where one
/// is, for more than kMostStuffingCells cells, and if the cells are too large to find the body.
SolidMesh<3> tetrahedralise(const geometry::TriangleSet& surface, double cell, StuffingReport* report = nullptr);

/// Of the box around the body: 1 GB while the mesh is made.
constexpr int kMostStuffingCells = 20000000;

}  // namespace asperity::deform

// Meshes of triangles (2D) and tetrahedra (3D) that fill a body: their surface, their mass, their quality.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "asperity/math/matrix.h"

namespace asperity::deform {

template <int Dim>
struct SolidMesh {
    std::vector<Vector<Dim>> points;                 ///< [m]
    std::vector<std::array<int, Dim + 1>> elements;  ///< corners; det [x1 - x0, ..., xDim - x0] > 0
};

/// Volume of an element, negative if it is inverted [m^3; 2D: m^2].
template <int Dim>
double volume(const SolidMesh<Dim>& mesh, int element);

/// Faces of one element only, in the order of their elements. 3D: counter-clockwise as seen from outside. 2D: solid to the
/// left of the way from the first to the second point.
template <int Dim>
std::vector<std::array<int, Dim>> boundary(const SolidMesh<Dim>& mesh);

/// Mass of each point [kg], a 1/(Dim + 1) part of every element it is a corner of. 2D: of a depth of 1 m.
template <int Dim>
std::vector<double> lumped_mass(const SolidMesh<Dim>& mesh, double density);

/// Consistent mass matrix by linear shape functions: int rho N_a N_b = rho V (1 + [a = b])/((Dim + 1)(Dim + 2)). One number
/// stands for a multiple of the Dim x Dim identity.
struct MassEntry {
    int row = 0, column = 0;
    double mass = 0;  ///< [kg]
};
/// Sorted by row and column; every pair once, both triangles.
template <int Dim>
std::vector<MassEntry> consistent_mass(const SolidMesh<Dim>& mesh, double density);

/// Quality below which an element counts as a sliver: it stiffens the body, and slows the solver down.
constexpr double kSliver = 0.05;

template <int Dim>
struct MeshReport {
    struct Element {
        int index = -1;
        Vector<Dim> place = Vector<Dim>::Zero();  ///< its centroid [m]
        double volume = 0;                        ///< [m^3; 2D: m^2]
        double quality = 0;  ///< Dim times the inscribed over the circumscribed radius: 1 if regular, 0 if flat
    };
    int points = 0, elements = 0;
    double volume = 0;
    double volume_min = 0;
    double quality_min = 0, quality_mean = 0;
    int slivers = 0;  ///< elements of a quality below kSliver
    /// Smallest and largest angle [rad]: between two faces (3D), at a corner (2D).
    double angle_min = 0, angle_max = 0;
    std::vector<Element> worst;  ///< up to ten of the lowest quality, worst first
};
template <int Dim>
MeshReport<Dim> report(const SolidMesh<Dim>& mesh);
/// One line: counts, volume, quality, angles.
template <int Dim>
std::string describe(const MeshReport<Dim>& report);
/// One line about the slivers, with the worst of them and what to do; empty if there are none.
template <int Dim>
std::string describe_slivers(const MeshReport<Dim>& report);

/// Throws InputError for a mesh without elements, indices out of range, coordinates that are not finite, inverted or
/// degenerate elements (with index and place), unused points and faces with more than two elements.
template <int Dim>
void check(const SolidMesh<Dim>& mesh);

}  // namespace asperity::deform

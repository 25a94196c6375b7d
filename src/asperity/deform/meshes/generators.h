// Meshes of simple bodies from lattices of cells. All are positively oriented and centred at the origin; round ones have the
// axis z, and all their surface points on the surface. In 2D the second coordinate is the world's z. Throws InputError for
// sizes that are not positive, and for more than kMostCells cells.
#pragma once
#include <span>

#include "asperity/deform/meshes/solid_mesh.h"

namespace asperity::deform {

/// About 12 million tetrahedra, 3 GB with all that a step keeps of them.
constexpr int kMostCells = 2000000;

/// `size`: edges [m]. 6 tetrahedra or 2 triangles a cell.
template <int Dim>
SolidMesh<Dim> box(const Vector<Dim>& size, const std::array<int, Dim>& cells);
/// Cells become thicker from the top down: the lowest is `grading` times as high as the topmost.
SolidMesh<2> rectangle(const Vector<2>& size, const std::array<int, 2>& cells, double grading = 1);
/// A box whose last edge is `thickness`.
SolidMesh<3> sheet(const Vector<2>& size, double thickness, const std::array<int, 3>& cells);

/// A cube of cells within, six blocks around it. `cells`: across the diameter, 4 at least; rounded to fit.
SolidMesh<3> ball(double radius, int cells);
/// The same in the plane.
SolidMesh<2> disc(double radius, int cells);
/// Makes the elements of a ball or disc finer near the point a/|a| radius of its surface, a = `towards`, by a Moebius
/// transformation of the ball onto itself. With u = x/radius,
///     u -> ((1 + 2 a.u + |u|^2) a + (1 - |a|^2) u) / (1 + 2 a.u + |a|^2 |u|^2),   |a| < 1.
/// It keeps angles and spheres, so elements keep their quality and surface points stay on the surface. Edges become
/// (1 - |a|)/(1 + |a|) times as long at that point, and as much longer at the opposite one.
template <int Dim>
void refine_towards(SolidMesh<Dim>& mesh, double radius, const Vector<Dim>& towards);
/// `cells` across the diameter; along the axis as many as give cells of the same size.
SolidMesh<3> cylinder(double radius, double height, int cells);
/// `half_length`: from the centre to the centre of each half ball, as of geometry::Capsule.
SolidMesh<3> capsule(double radius, double half_length, int cells);
/// `cells`: along the radius, around (rounded up to an even number, 6 at least), along the axis.
SolidMesh<3> tube(double inner, double outer, double height, const std::array<int, 3>& cells);
SolidMesh<2> ring(double inner, double outer, const std::array<int, 2>& cells);

/// A block with a rough top and a flat bottom at -depth. `heights`: of the top, the first axis fastest, `count` along each
/// axis, over a rectangle of `size` around the origin. The lowest layer is `grading` times as high as the topmost.
template <int Dim>
SolidMesh<Dim> height_field(std::span<const double> heights, const std::array<int, Dim - 1>& count,
                            const std::array<double, Dim - 1>& size, double depth, int layers, double grading = 1);

}  // namespace asperity::deform

// Rigid shapes as the implicit world needs them: closed surfaces whose points are joined, and plane sections with their
// moments for worlds of two dimensions.
#pragma once
#include "asperity/geometry/shape/shape.h"
#include "asperity/implicit/world.h"

namespace asperity::scene {

/// Triangles of a shape, or (Dim = 2) the outline of its section with the plane y = 0, in shape axes. The surface is drawn
/// in by `inset` [m]. Round shapes get vertices on their surface and flat triangles between them. Throws InputError with the
/// reason for a shape that is not possible.
template <int Dim>
implicit::Skin<Dim> skin_of(const geometry::Shape& shape, double inset);

/// Appends a skin, moved by a pose, to another.
template <int Dim>
void append(implicit::Skin<Dim>& to, const implicit::Skin<Dim>& skin, const Pose& pose);

/// Area of the section of a shape with the plane y = 0 and its second moments about the origin of the shape axes.
struct Section {
    double area = 0, xx = 0, zz = 0;  ///< [m^2, m^4, m^4]
    Vec3 centre;                      ///< of the area
};
Section section_of(const geometry::Shape& shape);

}  // namespace asperity::scene

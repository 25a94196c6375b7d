// A collider as points, edges and triangles with a radius, for continuous collision detection: its whole surface, or a core
// within it that nothing may pass.
#pragma once
#include <array>
#include <vector>

#include "asperity/geometry/common/aabb.h"
#include "asperity/geometry/shape/shape.h"

namespace asperity::sim {

/// Everything within `radius` of these points, edges and triangles, in the axes of the shape.
struct Skeleton {
    std::vector<Vec3> points;
    std::vector<std::array<int, 2>> edges;
    std::vector<std::array<int, 3>> triangles;
    double radius = 0;
    void clear();
};

/// How deep the middle of a shape lies below its surface [m]: half of the smallest extent, of a hull the distance of its
/// middle from the nearest face, of a mesh that of its centre of mass. 0 for half-spaces and for meshes that enclose no
/// volume, or whose centre of mass is outside them: they have no core.
double half_thickness(const geometry::Shape& shape);

/// A core of the shape whose points all lie at least about `depth` (0 to 1) times half_thickness() below the surface: the
/// shape itself, made smaller; of a mesh a ball about its centre of mass. Only for shapes with a half_thickness() above 0.
void make_core(const geometry::Shape& shape, double depth, Skeleton& out);

/// The surface, of a mesh its triangles in `box`. A cylinder becomes a prism of 16 sides within it. Not for half-spaces.
void make_surface(const geometry::Shape& shape, const geometry::Aabb& box, Skeleton& out);

}  // namespace asperity::sim

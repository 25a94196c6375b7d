// Where a ray first meets a shape, in double precision.
#pragma once
#include <limits>
#include <optional>

#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

/// A half-line, or a segment. make_ray() checks what users give.
struct Ray {
    Vec3 origin, direction;                                         ///< world; direction unit
    double max_distance = std::numeric_limits<double>::infinity();  ///< [m]
    Vec3 at(double distance) const { return origin + distance * direction; }
};
/// Normalises the direction. Throws InputError, which begins with `who`, for a direction without length, for what is not
/// finite, and for a max_distance that is negative or NaN; infinity is allowed.
Ray make_ray(const Vec3& origin, const Vec3& direction, double max_distance = std::numeric_limits<double>::infinity(),
             const char* who = "make_ray");

struct ShapeHit {
    double distance = 0;  ///< [m]
    Vec3 normal;          ///< unit, world
    int triangle = -1;    ///< of a mesh
};
/// The first point of the ray in the shape. The normal is the outward one there, with these exceptions. A ray that begins
/// inside a solid meets it at distance 0, with the normal against the ray; one that begins on the surface and leads away
/// misses it. Open meshes and the surface of a height field are met from both sides, with the normal against the ray; below
/// its surface a height field is solid, as deep as bounds() says. A ray that touches a shape at one point or runs along a
/// face meets it, up to rounding; a triangle seen edge-on is not met.
std::optional<ShapeHit> cast_ray(const Shape& shape, const Pose& pose, const Ray& ray);

}  // namespace asperity::geometry

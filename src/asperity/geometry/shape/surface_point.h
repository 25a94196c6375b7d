// Face, texture coordinates and tangent frame at a surface point. Computed on request; the step itself keeps only the point.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

struct SurfacePoint {
    int face = 0;           ///< as in SurfaceCoordinates; on a mesh the triangle
    int triangle = -1;      ///< meshes only
    Vec3 barycentric;       ///< weights of the triangle's corners, summing to 1; meshes only
    Vec2 uv;                ///< texture coordinates
    Vec3 normal, tangent;   ///< unit, at right angles: outward, and along growing u
    bool mirrored = false;  ///< v grows against bitangent(): the texture is seen from behind

    Vec3 bitangent() const { return cross(normal, tangent); }
};

/// `point`: shape axes, on or near the surface. `normal`: unit, outward; decides between faces at edges. The frame of a
/// primitive is that of its parametrisation: tangent = dp/du over its length; at the poles of spheres and capsules that of
/// longitude 0. On a mesh all values are interpolated between the corners of `triangle`; if that is negative, locate() finds
/// it. Behind a sheet, the normal of the frame is flipped to the side of `normal`.
SurfacePoint surface_point(const Shape& shape, const Vec3& point, const Vec3& normal, int triangle = -1);

}  // namespace asperity::geometry

// Everything a surface says about one of its points: face, texture coordinates and tangent frame. Asked for when somebody
// needs it; the step itself keeps only the point.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

struct SurfacePoint {
    int face = 0;           ///< as in SurfaceCoordinates; on a mesh the triangle
    int triangle = -1;      ///< meshes alone
    Vec3 barycentric;       ///< weights of the triangle's corners, summing to 1; meshes alone
    Vec2 uv;                ///< texture coordinates
    Vec3 normal, tangent;   ///< unit, at right angles; out of the surface, and along growing u
    bool mirrored = false;  ///< v grows against bitangent(): the texture is seen from behind

    Vec3 bitangent() const { return cross(normal, tangent); }
};

/// `point` in shape axes, on the surface or near it; `normal` (unit) points out of the shape there and decides between faces
/// at edges. The frames of primitives are those of their parametrisation: tangent = dp/du over its length; at the poles of
/// spheres and capsules that of longitude 0. On a mesh all values are interpolated between the corners of `triangle`, or of
/// the triangle that locate() finds where that is negative; behind a sheet the frame's normal is turned to the side of
/// `normal`.
SurfacePoint surface_point(const Shape& shape, const Vec3& point, const Vec3& normal, int triangle = -1);

}  // namespace asperity::geometry

// Private to surface/: the plane faces of a convex shape within a footprint.
#pragma once
#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/geometry/shape/face_plane.h"
#include "asperity/surface/footprint_sampler.h"

namespace asperity::surface {

/// The axes of a footprint for one side, in the axes of its shape: x along t, y along b, height along `out`, the normal that
/// points out of this side. The origin is `from`, the side's own contact point.
struct FootprintFrame {
    FootprintFrame(const FootprintRequest& request, const FootprintSide& side, double sign)
        : t(rotate_inverse(side.pose.orientation, request.t)),
          out(rotate_inverse(side.pose.orientation, sign * request.normal)),
          b(sign * cross(out, t)),
          from(side.pose.to_local(side.point)) {}
    Vec3 t, out, b, from;
};

/// One plane face. Height and texture coordinates are affine functions of (x, y).
struct FootprintFace {
    double height = 0, height_x = 0, height_y = 0;
    Vec2 uv, uv_x, uv_y;                 ///< in tiles of the map, and its derivatives along x and y
    const SlopeTable* slopes = nullptr;  ///< null: smooth
    Vec2 along_u, along_v;  ///< slope of 1 along u or v, rotated into the contact plane: components along t and b
    double at(double x, double y) const { return height + height_x * x + height_y * y; }
};
/// A half-space that bounds the side: x nx + y ny + height nh + c >= 0.
struct FootprintLimit {
    double nx, ny, nh, c;
};

struct LocalFaces {
    geometry::FixedBuffer<FootprintFace, 8> faces;  ///< the surface is the lowest of these planes
    geometry::FixedBuffer<FootprintLimit, 32> limits;
};

/// Rotates slopes into the contact plane. along_u and along_v are the images of the tangent and of the direction of growing
/// v under the smallest rotation from `normal` to `out`. All inputs are in shape axes. False where the surface faces away.
bool slope_axes(const FootprintFrame& frame, const Vec3& normal, const Vec3& tangent, bool mirrored, Vec2& along_u,
                Vec2& along_v);

/// The faces that may be the surface within the footprint, and the half-spaces that bound them. False where the shape is
/// curved there or has too many faces. For a mesh: true only where the footprint lies within one flat triangle.
bool local_faces(const FootprintSide& side, const FootprintFrame& frame, double width, double depth, LocalFaces& out);

/// One face, from its plane and texture in shape axes, and the layer on it.
FootprintFace footprint_face(const FaceLayer& layer, const FootprintFrame& frame, const geometry::FacePlane& plane,
                             const geometry::FaceTexture& texture, bool mirrored);

}  // namespace asperity::surface

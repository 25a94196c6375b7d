// Private to surface/: the plane faces of a convex shape as a patch sees them.
#pragma once
#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/geometry/shape/face_plane.h"
#include "asperity/surface/patch_sampler.h"

namespace asperity::surface {

/// A patch's axes as seen by one side, in the axes of its shape: x along t, y along b, heights along `out`, the normal that
/// points out of this side. All counted from `from`, the side's own contact point.
struct PatchFrame {
    PatchFrame(const PatchRequest& request, const PatchSide& side, double sign)
        : t(rotate_inverse(side.pose.orientation, request.t)),
          out(rotate_inverse(side.pose.orientation, sign * request.normal)),
          b(sign * cross(out, t)),
          from(side.pose.to_local(side.point)) {}
    Vec3 t, out, b, from;
};

/// Heights and texture coordinates are affine over the patch, from the side's own contact point.
struct PatchFace {
    double height = 0, height_x = 0, height_y = 0;
    Vec2 uv, uv_x, uv_y;    ///< in tiles of the map
    Vec2 along_u, along_v;  ///< what a slope of 1 along u or v becomes in the contact plane
    double at(double x, double y) const { return height + height_x * x + height_y * y; }
};
/// The side is there where x nx + y ny + height nh + c >= 0.
struct PatchLimit {
    double nx, ny, nh, c;
};

struct LocalFaces {
    geometry::FixedBuffer<PatchFace, 8> faces;  ///< the surface is the lowest of them
    geometry::FixedBuffer<PatchLimit, 32> limits;
};

/// The two unit vectors that carry slopes into the contact plane: the tangent and what v grows along, turned by the least
/// rotation that takes `normal` to `out`, all in shape axes. False where the surface faces away.
bool slope_axes(const PatchFrame& frame, const Vec3& normal, const Vec3& tangent, bool mirrored, Vec2& along_u,
                Vec2& along_v);

/// All faces that can be the surface within the patch, and what bounds it. False where the shape has curved faces there (or
/// is a mesh: unless the patch lies within one flat triangle), or too many faces.
bool local_faces(const PatchSide& side, const PatchFrame& frame, double width, double depth, LocalFaces& out);

/// One face, from its plane and texture in shape axes.
PatchFace patch_face(const PatchSide& side, const PatchFrame& frame, const geometry::FacePlane& plane,
                     const geometry::FaceTexture& texture, bool mirrored);

}  // namespace asperity::surface

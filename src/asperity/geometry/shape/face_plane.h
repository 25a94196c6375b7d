// The plane faces of a shape and the texture on them, for callers that evaluate many points of one face.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

/// Number of faces of a shape that is the intersection of its faces' half-spaces: box, hull, half-space. 0 for all others.
int plane_face_count(const Shape& shape);

/// dot(normal, x) = offset on the face, shape axes; the normal is unit and outward.
struct FacePlane {
    Vec3 normal;
    double offset = 0;
};
FacePlane face_plane(const Shape& shape, int face);

/// Transforms planes of a shape at `pose` into the axes of `frame`, offset outwards by `grow` [m].
class PlaneMover {
  public:
    PlaneMover(const Pose& pose, const Pose& frame, double grow)
        : turn_(matrix(conjugate(frame.orientation) * pose.orientation)), at_(frame.to_local(pose.position)), grow_(grow) {}
    FacePlane operator()(const FacePlane& plane) const {
        const Vec3 n = turn_ * plane.normal;
        return {n, plane.offset + grow_ + dot(n, at_)};
    }

  private:
    Mat3 turn_;
    Vec3 at_;
    double grow_;
};

/// Texture coordinates are affine on a plane face: uv + (grad_u.(x - at), grad_v.(x - at)), not clamped to [0, 1].
struct FaceTexture {
    Vec3 at, tangent;     ///< a point of the face; unit, along growing u
    Vec2 uv;              ///< at the point `at`
    Vec3 grad_u, grad_v;  ///< [1/m], in the face
};
/// Also for a cylinder's caps, faces 1 and 2.
FaceTexture face_texture(const Shape& shape, int face);

}  // namespace asperity::geometry

// The plane faces of a shape: where they are, and how the texture lies on them. For those who look at many points of one
// face.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

/// Shapes that are the inside of all their faces' planes: boxes, hulls, half-spaces. 0 for all others.
int plane_face_count(const Shape& shape);

/// dot(normal, x) = offset on the face, shape axes; the normal is unit and points out.
struct FacePlane {
    Vec3 normal;
    double offset = 0;
};
FacePlane face_plane(const Shape& shape, int face);

/// Takes planes of a shape at `pose` into the axes of `frame`, moved out by `grow`.
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

/// Texture coordinates are affine over a plane face: uv + (grad_u.(x - at), grad_v.(x - at)), not cut to 0..1.
struct FaceTexture {
    Vec3 at, tangent;     ///< a point of the face; along growing u, unit
    Vec2 uv;              ///< there
    Vec3 grad_u, grad_v;  ///< [1/m], in the face
};
/// Also of a cylinder's caps, faces 1 and 2.
FaceTexture face_texture(const Shape& shape, int face);

}  // namespace asperity::geometry

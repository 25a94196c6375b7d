#include "asperity/geometry/shape/face_plane.h"

#include <cmath>

#include "asperity/geometry/shape/detail/face_coordinates.h"

namespace asperity::geometry {

int plane_face_count(const Shape& shape) {
    if (std::holds_alternative<Box>(shape)) return 6;
    if (std::holds_alternative<HalfSpace>(shape)) return 1;
    if (const auto* hull = std::get_if<Hull>(&shape)) return static_cast<int>(hull->polyhedron->faces.size());
    return 0;
}

FacePlane face_plane(const Shape& shape, int face) {
    if (const auto* box = std::get_if<Box>(&shape)) {
        const int axis = face / 2;
        Vec3 n;
        n[axis] = face % 2 == 0 ? 1 : -1;
        return {n, box->half[axis]};
    }
    if (const auto* hull = std::get_if<Hull>(&shape)) {
        const Polyhedron::Face& f = hull->polyhedron->faces[static_cast<size_t>(face)];
        return {f.normal, f.offset};
    }
    return {{0, 0, 1}, 0};
}

FaceTexture face_texture(const Shape& shape, int face) {
    if (const auto* box = std::get_if<Box>(&shape)) {
        const detail::FaceFrame frame = detail::box_face_frame(face);
        return {dot(box->half, abs(frame.n)) * frame.n,
                frame.u,
                {0.5, 0.5},
                0.5 / dot(box->half, abs(frame.u)) * frame.u,
                0.5 / dot(box->half, abs(frame.v)) * frame.v};
    }
    if (const auto* c = std::get_if<Cylinder>(&shape)) {
        const double up = face == 1 ? 1 : -1;
        return {{0, 0, up * c->half_height}, {1, 0, 0}, {0.5, 0.5}, {0.5 / c->radius, 0, 0}, {0, up * 0.5 / c->radius, 0}};
    }
    if (const auto* hull = std::get_if<Hull>(&shape)) {
        const detail::HullFaceFrame f = detail::hull_face_frame(*hull->polyhedron, face);
        return {f.origin, f.u, {-f.low.x / f.size.x, -f.low.y / f.size.y}, f.u / f.size.x, f.v / f.size.y};
    }
    return {{}, {1, 0, 0}, {}, {1, 0, 0}, {0, 1, 0}};  // half-space: in metres
}

}  // namespace asperity::geometry

#include "asperity/geometry/shape/face_size.h"

#include <numbers>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/detail/face_coordinates.h"

namespace asperity::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

struct FaceSize {
    int face;

    Vec2 operator()(const Sphere& s) const { return {2 * kPi * s.radius, kPi * s.radius}; }
    Vec2 operator()(const Capsule& c) const { return {2 * kPi * c.radius, kPi * c.radius + 2 * c.half_length}; }
    Vec2 operator()(const Cylinder& c) const {
        return face == 0 ? Vec2{2 * kPi * c.radius, 2 * c.half_height} : Vec2{2 * c.radius, 2 * c.radius};
    }
    Vec2 operator()(const Box& b) const {
        const detail::FaceFrame frame = detail::box_face_frame(face);
        return {2 * dot(b.half, abs(frame.u)), 2 * dot(b.half, abs(frame.v))};
    }
    Vec2 operator()(const HalfSpace&) const { return {1, 1}; }
    Vec2 operator()(const Mesh& m) const { return m.triangles->uv_size(face); }
    Vec2 operator()(const Hull& hull) const { return detail::hull_face_frame(*hull.polyhedron, face).size; }
};

}  // namespace

Vec2 face_size(const Shape& shape, int face) { return std::visit(FaceSize{face}, shape); }

}  // namespace asperity::geometry

// Texture coordinates of a point on a shape. docs/surface-coordinates.md draws each parametrisation.
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/geometry/mesh/mesh_closest.h"
#include "asperity/geometry/shape/detail/face_coordinates.h"

namespace asperity::geometry {
namespace {

constexpr double kPi = std::numbers::pi;
// [-] of the shape's size: weight of the normal against the distance to a face. Above: it decides away from edges too.
// Below: rounding of contact points decides at edges.
constexpr double kNormalWeight = 1e-4;

double unit(double x) { return clamp(x, 0, 1); }

/// The angle about z as a fraction of a full turn, in [0, 1).
double turn(const Vec3& p) {
    const double u = std::atan2(p.y, p.x) / (2 * kPi);
    const double wrapped = u < 0 ? u + 1 : u;
    return wrapped < 1 ? wrapped : 0;  // -1e-17 + 1 rounds to 1, which is 0
}

/// Coordinate in the plane of a disc or rectangle: -half .. half becomes 0 .. 1.
double across(double x, double half) { return unit(0.5 + 0.5 * x / half); }

struct OnFace {
    int face;
    const Vec3& p;

    SurfaceCoordinates operator()(const Sphere&) const {
        return {0, turn(p), unit(0.5 + std::atan2(p.z, std::hypot(p.x, p.y)) / kPi)};
    }
    SurfaceCoordinates operator()(const Box& b) const {
        const detail::FaceFrame frame = detail::box_face_frame(face);
        return {face, across(dot(p, frame.u), dot(b.half, abs(frame.u))),
                across(dot(p, frame.v), dot(b.half, abs(frame.v)))};
    }
    SurfaceCoordinates operator()(const Capsule& c) const {
        // Arc length from the bottom pole: a quarter circle, the straight side, a quarter circle.
        const double on_axis = clamp(p.z, -c.half_length, c.half_length);
        const double latitude = std::atan2(p.z - on_axis, std::hypot(p.x, p.y));
        const double arc = c.radius * (0.5 * kPi + latitude) + (on_axis + c.half_length);
        return {0, turn(p), unit(arc / (kPi * c.radius + 2 * c.half_length))};
    }
    SurfaceCoordinates operator()(const Cylinder& c) const {
        if (face == 0) return {0, turn(p), across(p.z, c.half_height)};
        return {face, across(p.x, c.radius), across(face == 1 ? p.y : -p.y, c.radius)};
    }
    SurfaceCoordinates operator()(const HalfSpace&) const { return {0, p.x, p.y}; }
    SurfaceCoordinates operator()(const Mesh& m) const {
        const TriangleSet& mesh = *m.triangles;
        const Vec2 uv = uv_at(
            mesh,
            {face, closest_on_triangle(mesh.corner(face, 0), mesh.corner(face, 1), mesh.corner(face, 2), p).barycentric});
        return {face, uv.x, uv.y};
    }
    SurfaceCoordinates operator()(const Hull& hull) const {
        const detail::HullFaceFrame frame = detail::hull_face_frame(*hull.polyhedron, face);
        const Vec3 q = p - frame.origin;
        return {face, unit((dot(q, frame.u) - frame.low.x) / frame.size.x),
                unit((dot(q, frame.v) - frame.low.y) / frame.size.y)};
    }
};

/// The face with the largest (height of the point above it) + weight * (cosine to the normal). That is the nearest face; of
/// equally near ones, the one whose normal is nearest. Ties go to the lower face.
struct Nearest {
    double weight;
    int face = 0;
    double best = -std::numeric_limits<double>::infinity();
    void offer(int candidate, double height, double cosine) {
        const double score = height + weight * cosine;
        if (score > best) best = score, face = candidate;
    }
};

struct PickFace {
    const Vec3 &p, &n;

    int operator()(const Sphere&) const { return 0; }
    int operator()(const Capsule&) const { return 0; }
    int operator()(const HalfSpace&) const { return 0; }
    int operator()(const Box& b) const {
        Nearest nearest{kNormalWeight * length(b.half)};
        for (int axis = 0; axis < 3; ++axis) {
            nearest.offer(2 * axis, p[axis] - b.half[axis], n[axis]);
            nearest.offer(2 * axis + 1, -p[axis] - b.half[axis], -n[axis]);
        }
        return nearest.face;
    }
    int operator()(const Cylinder& c) const {
        Nearest nearest{kNormalWeight * std::hypot(c.radius, c.half_height)};
        nearest.offer(0, std::hypot(p.x, p.y) - c.radius, std::hypot(n.x, n.y));
        nearest.offer(1, p.z - c.half_height, n.z);
        nearest.offer(2, -p.z - c.half_height, -n.z);
        return nearest.face;
    }
    int operator()(const Mesh& m) const { return locate(*m.triangles, p, n).triangle; }
    int operator()(const Hull& hull) const {
        const Polyhedron& poly = *hull.polyhedron;
        // Any length of the order of the solid's size is good enough.
        double size = 0;
        for (const Vec3& v : poly.vertices) size = std::fmax(size, length_squared(v - poly.vertices[0]));
        Nearest nearest{kNormalWeight * 0.5 * std::sqrt(size)};
        for (size_t f = 0; f < poly.faces.size(); ++f) {
            const Polyhedron::Face& face = poly.faces[f];
            nearest.offer(static_cast<int>(f), dot(face.normal, p) - face.offset, dot(face.normal, n));
        }
        return nearest.face;
    }
};

}  // namespace

namespace detail {

SurfaceCoordinates face_coordinates(const Shape& shape, int face, const Vec3& point) {
    return std::visit(OnFace{face, point}, shape);
}

HullFaceFrame hull_face_frame(const Polyhedron& hull, int face) {
    const Polyhedron::Face& f = hull.faces[static_cast<size_t>(face)];
    const auto corner = [&](int i) {
        return hull.vertices[static_cast<size_t>(hull.loop[static_cast<size_t>(f.first + i)])];
    };
    HullFaceFrame frame;
    frame.origin = corner(0);
    frame.u = normalized(corner(1) - frame.origin);
    frame.v = cross(f.normal, frame.u);
    Vec2 high;
    for (int i = 1; i < f.count; ++i) {
        const Vec3 from = corner(i) - frame.origin;
        const double u = dot(from, frame.u), v = dot(from, frame.v);
        frame.low = {std::fmin(frame.low.x, u), std::fmin(frame.low.y, v)};
        high = {std::fmax(high.x, u), std::fmax(high.y, v)};
    }
    frame.size = high - frame.low;
    return frame;
}

FaceFrame box_face_frame(int face) {
    // The sides run around the box with v up; top and bottom unfold from the -y side.
    static const FaceFrame frames[6] = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},  {{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}},
                                        {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
                                        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},  {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    return frames[face];
}

}  // namespace detail

SurfaceCoordinates surface_coordinates(const Shape& shape, const Vec3& point, const Vec3& normal) {
    return detail::face_coordinates(shape, std::visit(PickFace{point, normal}, shape), point);
}

}  // namespace asperity::geometry

// Volume, centre and inertia of shapes at density 1; their transform and sum.
#include <cmath>
#include <numbers>

#include "asperity/geometry/common/detail/area_vector.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

/// The inertia of a unit point mass at r, which is also the parallel-axis term per volume: |r|^2 1 - r r^T.
Mat3 point_inertia(const Vec3& r) { return dot(r, r) * Mat3::identity() + -1.0 * outer(r, r); }

struct Integrals {
    VolumeIntegrals operator()(const Sphere& s) const {
        const double volume = 4.0 / 3 * kPi * s.radius * s.radius * s.radius;
        const double i = 0.4 * volume * s.radius * s.radius;
        return {volume, {}, Mat3::diagonal({i, i, i})};
    }
    VolumeIntegrals operator()(const Box& b) const {
        const double volume = 8 * b.half.x * b.half.y * b.half.z;
        const Vec3 square = scaled(b.half, b.half);
        return {
            volume, {}, Mat3::diagonal(volume / 3 * Vec3{square.y + square.z, square.z + square.x, square.x + square.y})};
    }
    VolumeIntegrals operator()(const Capsule& c) const {
        // A cylinder of height 2 h and two half balls, whose centroids lie 3/8 r beyond its ends:
        //     I_xx = V_c (r^2/4 + h^2/3) + V_b (2/5 r^2 + h^2 + 3/4 h r),   I_zz = V_c r^2/2 + V_b 2/5 r^2
        const double r = c.radius, h = c.half_length;
        const double cylinder = 2 * kPi * r * r * h, ball = 4.0 / 3 * kPi * r * r * r;
        const double across = cylinder * (r * r / 4 + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
        const double along = cylinder * r * r / 2 + ball * 0.4 * r * r;
        return {cylinder + ball, {}, Mat3::diagonal({across, across, along})};
    }
    VolumeIntegrals operator()(const Cylinder& c) const {
        const double r = c.radius, h = c.half_height;
        const double volume = 2 * kPi * r * r * h;
        const double across = volume * (r * r / 4 + h * h / 3);
        return {volume, {}, Mat3::diagonal({across, across, volume * r * r / 2})};
    }
    VolumeIntegrals operator()(const HalfSpace&) const { return {}; }
    VolumeIntegrals operator()(const Mesh& mesh) const { return mesh.triangles->integrals; }
    VolumeIntegrals operator()(const Hull& hull) const {
        // Tetrahedra from one vertex over every face triangle (a, b, c), with D = det(a b c) and s = a + b + c:
        //     V = D/6,   int x = D/24 s,   int x x^T = D/120 (a a^T + b b^T + c c^T + s s^T)
        // This is the divergence theorem with the origin at that vertex, so that a solid far from its origin keeps its
        // digits.
        const Polyhedron& p = *hull.polyhedron;
        const Vec3 apex = p.vertices[0];
        double volume = 0;
        Vec3 first;
        Mat3 second = Mat3::diagonal({0, 0, 0});
        for (const Polyhedron::Face& face : p.faces) {
            const int* loop = &p.loop[face.first];
            const Vec3 a = p.vertices[loop[0]] - apex;
            for (int i = 1; i + 1 < face.count; ++i) {
                const Vec3 b = p.vertices[loop[i]] - apex, c = p.vertices[loop[i + 1]] - apex, s = a + b + c;
                const double det = dot(a, detail::area_vector(a, b, c));  // = a . (b x c), accurate for needles too
                volume += det / 6;
                first += det / 24 * s;
                second = second + det / 120 * (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s));
            }
        }
        const Vec3 center = first / volume;
        const Mat3 central = second + -volume * outer(center, center);
        const double trace = central.r[0].x + central.r[1].y + central.r[2].z;
        return {volume, apex + center, Mat3::diagonal({trace, trace, trace}) + -1.0 * central};
    }
};

}  // namespace

VolumeIntegrals volume_integrals(const Shape& shape) { return std::visit(Integrals{}, shape); }

VolumeIntegrals transformed(const VolumeIntegrals& integrals, const Pose& pose) {
    const Mat3 rotation = matrix(pose.orientation);
    return {integrals.volume, pose * integrals.center, rotation * integrals.inertia * transposed(rotation)};
}

VolumeIntegrals sum(std::span<const VolumeIntegrals> parts) {
    VolumeIntegrals total;
    Vec3 first;
    for (const VolumeIntegrals& part : parts) {
        total.volume += part.volume;
        first += part.volume * part.center;
    }
    if (total.volume > 0) total.center = first / total.volume;
    for (const VolumeIntegrals& part : parts) {
        total.inertia = total.inertia + part.inertia + part.volume * point_inertia(part.center - total.center);
    }
    return total;
}

}  // namespace asperity::geometry

// Spheres in closed form: the cap below a plane and the lens of two caps. With t the depth below the top of a cap of height
// h,
//     V = pi h^2 (R - h/3),   int t = pi (2 R h^3/3 - h^4/4),   int t^2 = pi (R h^4/2 - h^5/5),
//     int x^2 = pi/4 (4 R^2 h^3/3 - R h^4 + h^5/5)
// The terms have no cancellation for small h, so shallow caps keep their digits.
#include <cmath>
#include <numbers>

#include "asperity/geometry/shared_volume/detail/overlap_parts.h"

namespace asperity::geometry::detail {
namespace {

constexpr double kPi = std::numbers::pi;

/// The cap of height h of a ball of radius R.
struct Cap {
    double volume, first, along, across;  // about the top: first and second moment along the axis, second moment across it
    double area;                          // of its disc
    Cap(double R, double h)
        : volume(kPi * h * h * (R - h / 3)),
          first(kPi * h * h * h * (2 * R / 3 - h / 4)),
          along(kPi * h * h * h * h * (R / 2 - h / 5)),
          across(kPi / 4 * h * h * h * (4 * R * R / 3 - R * h + h * h / 5)),
          area(kPi * h * (2 * R - h)) {}
};

/// Sets the moments of a body of revolution about the unit `axis`; t counts from `zero` along it.
void set_revolved(double volume, double first, double along, double across, const Vec3& zero, const Vec3& axis,
                  Overlap& out) {
    const double t = first / volume;
    out.volume = volume;
    out.centre = zero + t * axis;
    out.second_moment = across * Mat3::identity() + (along - volume * t * t - across) * outer(axis, axis);
}

/// Sets the contact of two spheres, or of a sphere and a plane, from the disc through which they press, along n from A to B.
void set_disc(double area, double depth, const Vec3& at, const Vec3& n, Overlap& out) {
    out.method = Overlap::Method::Closed;
    out.gradient = -area * n;
    out.turning = {};
    OverlapPart& part = whole(out);
    part.normal = n;
    part.depth = depth;
    part.curvature = OverlapPart::Curvature::Point;
    const double a = std::sqrt(area / kPi);
    const Vec3 u = any_tangent(n), w = cross(n, u);
    const CircleDirections& directions = circle_directions();
    part.point_count = OverlapPart::kPoints;
    for (size_t k = 0; k < OverlapPart::kPoints; ++k)
        part.points[k] = at + a * (directions.cosine[k] * u + directions.sine[k] * w);
}

/// The cap above a plane with outward normal n, `height` below the centre of the sphere; A is behind the plane. Both are
/// already offset by the skin.
void overlap_cap(const Vec3& n, double height, double R, const Vec3& middle, Overlap& out) {
    const double h = R - height;
    if (h <= 0 || h >= 2 * R) return;
    const Cap cap(R, h);
    if (!counts(cap.volume, cap.area * n, 8 * R * R * R)) return;
    set_revolved(cap.volume, cap.first, cap.along, cap.across, middle - R * n, n, out);
    set_disc(cap.area, h, middle - height * n, n, out);
}

}  // namespace

void overlap_sphere_half_space(const Pose& half_space, const Sphere& sphere, const Vec3& at, double skin, Overlap& out) {
    const Vec3 n = matrix(half_space.orientation).column(2);
    out.grown_a = out.grown_b = skin;
    overlap_cap(n, dot(n, at - half_space.position) - skin, sphere.radius + skin, at, out);
}

void overlap_spheres(const Sphere& a, const Vec3& at_a, const Sphere& b, const Vec3& at_b, double skin, Overlap& out) {
    const double ra = a.radius + skin, rb = b.radius + skin;
    const Vec3 between = at_b - at_a;
    const double d = length(between), depth = ra + rb - d;
    out.grown_a = out.grown_b = skin;
    if (depth <= 0 || d <= std::fabs(ra - rb)) return;  // apart, or one inside the other
    const Vec3 n = between / d;
    // Both caps end at the plane through the circle where the surfaces cross: h_a = R_a - (d^2 + R_a^2 - R_b^2)/(2 d),
    // written without cancellation.
    const double ha = depth * (rb + d - ra) / (2 * d), hb = depth * (ra + d - rb) / (2 * d);
    const Cap ca(ra, ha), cb(rb, hb);
    const double scale = smaller(ra, rb);
    if (!counts(ca.volume + cb.volume, ca.area * n, 8 * scale * scale * scale)) return;
    // About the common plane, along n: t of cap a counts down from its top at +ha, t of cap b counts up from -hb.
    const double first = (ha * ca.volume - ca.first) - (hb * cb.volume - cb.first);
    const double along =
        (ha * ha * ca.volume - 2 * ha * ca.first + ca.along) + (hb * hb * cb.volume - 2 * hb * cb.first + cb.along);
    const Vec3 plane = at_a + (ra - ha) * n;
    set_revolved(ca.volume + cb.volume, first, along, ca.across + cb.across, plane, n, out);
    set_disc(ca.area, depth, plane, n, out);
}

}  // namespace asperity::geometry::detail

// Spheres and capsules among themselves, and a sphere against a cylinder: closed forms.
#include <algorithm>
#include <span>

#include "asperity/geometry/convex_contact/pairs.h"

namespace asperity::geometry {

namespace {

/// The contact along `normal` of two balls of radius ra, rb around p and q.
bool add_ball_contact(const Vec3& p, double ra, const Vec3& q, double rb, const Vec3& normal, std::uint32_t feature,
                      double margin, Manifold& out) {
    const double gap = dot(q - p, normal) - ra - rb;
    if (gap > margin) return false;
    // Nearly parallel capsules are skew, so p and q may be off one line along the normal. The contact is half-way between.
    const Vec3 middle = 0.5 * (p + q), aside = middle - dot(middle - p, normal) * normal;
    out.points[out.count++] = {aside + ra * normal, aside + (ra + gap) * normal, gap, feature};
    return true;
}

bool one_ball_contact(const Vec3& p, double ra, const Vec3& q, double rb, const Vec3& fallback, std::uint32_t feature,
                      const PairRequest& request) {
    request.out.normal = normalize_or(q - p, fallback);
    return add_ball_contact(p, ra, q, rb, request.out.normal, feature, request.margin, request.out);
}

std::uint32_t end_code(double t, double half) { return t <= -half ? 1u : t >= half ? 2u : 0u; }

}  // namespace

bool collide_spheres(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b, const PairRequest& request) {
    return one_ball_contact(pose_a.position, a.radius, pose_b.position, b.radius, {0, 0, 1}, 0, request);
}

bool collide_sphere_capsule(const Sphere& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                            const PairRequest& request) {
    const Vec3 u = rotate(pose_b.orientation, {0, 0, 1});
    const double t = clamp(dot(pose_a.position - pose_b.position, u), -b.half_length, b.half_length);
    return one_ball_contact(pose_a.position, a.radius, pose_b.position + t * u, b.radius, any_tangent(u),
                            end_code(t, b.half_length), request);
}

bool collide_capsules(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                      const PairRequest& request) {
    constexpr double parallel_sine = 1e-3;  // [-] below it the capsules touch along a line: two points
    Manifold& out = request.out;
    const Vec3 u = rotate(pose_a.orientation, {0, 0, 1}), v = rotate(pose_b.orientation, {0, 0, 1});
    const Vec3 r = pose_b.position - pose_a.position;
    if (const double gap = length(r) - a.half_length - b.half_length - a.radius - b.radius; gap > request.margin)
        return out.apart = gap, false;
    // Nearest points pose_a + s u, pose_b + t v of the segments (Ericson, Real-Time Collision Detection, 5.1.9).
    const double c = dot(u, v), ru = dot(r, u), rv = dot(r, v);
    const double sine2 = length_squared(cross(u, v));
    double s = sine2 > 1e-14 ? (ru - c * rv) / sine2 : 0;
    s = clamp(s, -a.half_length, a.half_length);
    double t = clamp(c * s - rv, -b.half_length, b.half_length);
    s = clamp(ru + c * t, -a.half_length, a.half_length);
    t = clamp(c * s - rv, -b.half_length, b.half_length);
    const Vec3 p = s * u, q = r + t * v;  // relative to pose_a
    const bool parallel = sine2 < parallel_sine * parallel_sine;
    const double distance = length(q - p);
    if (const double gap = distance - a.radius - b.radius; gap > request.margin && !parallel) return out.apart = gap, false;
    out.normal = distance > 1e-6 * a.radius ? (q - p) / distance
                                            : normalize_or(q - p, sine2 > 1e-14 ? normalized(cross(u, v)) : any_tangent(u));

    if (parallel) {
        // Stations along the mean axis where both segments run side by side.
        const Vec3 mean = normalized(c > 0 ? u + v : u - v);
        const double um = dot(u, mean), vm = dot(v, mean), rm = dot(r, mean);
        const double low = std::max(-a.half_length * um, rm - b.half_length * std::fabs(vm));
        const double high = std::min(a.half_length * um, rm + b.half_length * std::fabs(vm));
        const auto on_axis_a = [&](double x) { return (x / um) * u; };
        const auto on_axis_b = [&](double x) { return r + ((x - rm) / vm) * v; };
        if (high - low > 1e-6 * (a.radius + b.radius)) {
            // Both ends share one normal, from axis to axis at the middle station. The skew appears in the gaps.
            const double middle = 0.5 * (low + high);
            out.normal = normalize_or(on_axis_b(middle) - on_axis_a(middle), any_tangent(mean));
            for (const double x : {low, high}) {
                const std::uint32_t end = x == low ? 0 : 1;
                const bool a_ends = x == low ? low == -a.half_length * um : high == a.half_length * um;
                add_ball_contact(pose_a.position + on_axis_a(x), a.radius, pose_a.position + on_axis_b(x), b.radius,
                                 out.normal, point_code(PointKind::End, end << 1 | (a_ends ? 0u : 1u)), request.margin, out);
            }
            return out.count > 0;
        }
    }
    const std::uint32_t feature =
        point_code(PointKind::Crossing, end_code(s, a.half_length) << 2 | end_code(t, b.half_length));
    if (!add_ball_contact(pose_a.position + p, a.radius, pose_a.position + q, b.radius, out.normal, feature, request.margin,
                          out))
        return out.apart = distance - a.radius - b.radius, false;

    // Capsules that rotate may touch elsewhere within the step. So ends within the margin are added, each with its own
    // normal.
    struct End {
        Vec3 on_axis_a, on_axis_b;
        double distance;
        std::uint32_t which;
    } ends[4];
    int count = 0;
    const double reach = a.radius + b.radius + request.margin;
    for (std::uint32_t k = 0; k < 4; ++k) {
        const double sign = k & 1 ? 1 : -1;
        const double s_k =
            k < 2 ? sign * a.half_length : clamp(ru + sign * c * b.half_length, -a.half_length, a.half_length);
        const double t_k =
            k < 2 ? clamp(sign * c * a.half_length - rv, -b.half_length, b.half_length) : sign * b.half_length;
        const Vec3 end_a = s_k * u, end_b = r + t_k * v;
        const double square = length_squared(end_b - end_a);
        if (square > reach * reach) continue;
        int at = count++;  // sorted, the nearest first
        for (; at > 0 && ends[at - 1].distance > std::sqrt(square); --at) ends[at] = ends[at - 1];
        ends[at] = {end_a, end_b, std::sqrt(square), k};
    }
    const double apart = 0.25 * std::min(a.radius, b.radius);  // [m] ends nearer to an existing point add nothing
    for (const End& end : std::span(ends, static_cast<size_t>(count))) {
        if (out.count == 4 || end.distance == 0) break;
        const Vec3 middle = pose_a.position + 0.5 * (end.on_axis_a + end.on_axis_b);
        bool there = false;
        for (int i = 0; i < out.count; ++i)
            there |= length_squared(0.5 * (out.points[i].on_a + out.points[i].on_b) - middle) < apart * apart;
        if (there) continue;
        const Vec3 n = (end.on_axis_b - end.on_axis_a) / end.distance;
        if (add_ball_contact(pose_a.position + end.on_axis_a, a.radius, pose_a.position + end.on_axis_b, b.radius, n,
                             point_code(PointKind::End, 4 + end.which), request.margin, out))
            out.points[out.count - 1].normal = n;
    }
    return true;
}

bool collide_sphere_cylinder(const Sphere& a, const Pose& pose_a, const Cylinder& b, const Pose& pose_b,
                             const PairRequest& request) {
    const Vec3 u = rotate(pose_b.orientation, {0, 0, 1});
    const Vec3 r = pose_a.position - pose_b.position;
    const double z = dot(r, u);
    const Vec3 radial = r - z * u;
    const double rho = length(radial);
    const Vec3 out_direction = normalize_or(radial, any_tangent(u));
    const double above = std::fabs(z) - b.half_height, beside = rho - b.radius;
    const Vec3 cap = z < 0 ? -u : u;
    const std::uint32_t top = z < 0 ? 0 : 1;
    Vec3 outward, nearest;  // of the cylinder
    std::uint32_t code;
    if (above > 0 && beside > 0) {
        nearest = b.radius * out_direction + b.half_height * cap;
        outward = normalize_or(r - nearest, out_direction);
        code = point_code(PointKind::Rim, top);
    } else if (beside > above) {
        nearest = b.radius * out_direction + z * u;
        outward = out_direction;
        code = point_code(PointKind::Rim, 2);
    } else {
        nearest = radial + b.half_height * cap;
        outward = cap;
        code = point_code(PointKind::Rim, 4 + top);
    }
    const double gap = dot(r - nearest, outward) - a.radius;
    if (gap > request.margin) return false;
    request.out.normal = -outward;
    const Vec3 on_b = pose_b.position + nearest;
    request.out.points[request.out.count++] = {on_b + gap * outward, on_b, gap, code};
    return true;
}

}  // namespace asperity::geometry

// The region in which two faces cover each other; see touching_points.h.
#include "asperity/geometry/convex_contact/touching_points.h"

#include <cmath>
#include <numbers>

namespace asperity::geometry {
namespace {

constexpr double kFlat = 1e-5;   // [-] sine: a cap tilted by more touches with its rim
constexpr double kFaceOn = 0.5;  // [-] cosine: a face turned away by more than 60 degrees takes no part
constexpr int kCapCorners = 32;

/// Vertices of a regular polygon on the rim, counter-clockwise as seen from outside.
void cap_to_polygon(Feature& cap) {
    const Vec3 y = cross(cap.normal, cap.spoke_x);
    for (int i = 0; i < kCapCorners; ++i) {
        const double angle = 2 * std::numbers::pi * i / kCapCorners;
        const auto id = static_cast<std::uint32_t>(i);
        cap.corners.push({cap.center + cap.radius * (std::cos(angle) * cap.spoke_x + std::sin(angle) * y), id, id});
    }
    cap.kind = Feature::Kind::Polygon;
}

bool face_towards(const Convex& shape, const Vec3& d, Feature& out) {
    facing_feature(shape, d, std::numbers::pi, out);
    if (out.kind == Feature::Kind::Disc) {
        if (length(cross(out.normal, d)) > kFlat) return false;
        cap_to_polygon(out);
    }
    return out.kind == Feature::Kind::Polygon && dot(out.normal, d) > kFaceOn;
}

}  // namespace

void touching_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& normal,
                     double margin, Candidates& out) {
    out.clear();
    const bool plane_a = std::holds_alternative<HalfSpace>(a), plane_b = std::holds_alternative<HalfSpace>(b);
    if (plane_a && plane_b) return;
    const Vec3 origin = plane_a ? pose_b.position : pose_a.position;
    Feature fa, fb;
    if (plane_a || plane_b) {
        const Convex body(plane_a ? b : a, plane_a ? pose_b : pose_a, origin);
        const Vec3 towards = plane_a ? -normal : normal;
        if (!face_towards(body, towards, fa)) return;
        plane_points(fa, (plane_a ? pose_a : pose_b).position - origin, towards, margin, 0, out);
        if (plane_a)
            for (Candidate& c : out) std::swap(c.on_a, c.on_b);
    } else {
        const Convex ca(a, pose_a, origin), cb(b, pose_b, origin);
        if (!face_towards(ca, normal, fa) || !face_towards(cb, -normal, fb)) return;
        // Clipped against the face that looks straight along the normal, as in collide(); the other one may be tilted.
        const bool reference_a = dot(fa.normal, normal) >= -dot(fb.normal, normal);
        contact_points(fa, fb, normal, {1e-9 * smaller(ca.extent, cb.extent), margin, reference_a}, 0, out);
    }
    for (Candidate& c : out) {
        c.on_a += origin;
        c.on_b += origin;
    }
}

}  // namespace asperity::geometry

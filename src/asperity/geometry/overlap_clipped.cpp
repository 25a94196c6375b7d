// Boxes, hulls, cylinders and half-spaces: one body is cut by the planes of the other, and what is left is integrated over its faces.
#include <cmath>
#include <numbers>
#include <optional>

#include "asperity/geometry/detail/clipped_solid.h"
#include "asperity/geometry/detail/overlap_parts.h"
#include "asperity/geometry/detail/revolved.h"

namespace asperity::geometry::detail {
namespace {

constexpr double kPi = std::numbers::pi;

using Plane = FacePlane;

/// Kept from call to call, so that they allocate nothing.
struct Scratch {
    ClippedSolid solid;
    std::vector<Plane> planes;
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

/// A cylinder becomes a prism, of the same cross-section. Where only a part of its rim lies in the other body, its sides are that much
/// finer there and coarse elsewhere; the sides always lie in the same way about the deepest point, so that rolling does not feel them.
constexpr int kSides = kPrismSides, kCoarseSides = 8;

int face_count(const Shape& shape, const std::optional<Convex>& form) {
    if (std::holds_alternative<HalfSpace>(shape)) return 1;
    return form->kind == Convex::Kind::Polyhedron ? form->poly.face_count : kSides + 2;
}

/// What of a cylinder lies below the plane, `depth` at most.
struct PrismSides {
    double toward = 0;         // angle of the deepest line of the mantle
    double half_angle = kPi;   // sides within are fine
    OverlapPart::Curvature curvature = OverlapPart::Curvature::Flat;
};
PrismSides prism_sides(const Convex& cylinder, const Plane& plane, double depth) {
    const double slope = std::hypot(plane.normal.x, plane.normal.y);
    PrismSides sides;
    // Along the rim the height over the plane is r slope (1 - cos angle) above that of the deepest point.
    const double rise = depth / (cylinder.radius * larger(slope, 1e-300));
    if (rise >= 2) return sides;
    sides.toward = std::atan2(-plane.normal.y, -plane.normal.x);
    sides.half_angle = std::acos(1 - rise);
    const bool both_ends = 2 * cylinder.half_length * std::fabs(plane.normal.z) < depth;
    sides.curvature = both_ends ? OverlapPart::Curvature::Line : OverlapPart::Curvature::Point;
    return sides;
}

void add_prism(ClippedSolid& solid, const Convex& cylinder, const PrismSides& sides) {
    const bool all_round = sides.half_angle > 0.75 * kPi;
    const int count = all_round ? kSides : kSides + kCoarseSides;
    const double fine = 2 * (all_round ? kPi : sides.half_angle) / kSides, coarse = 2 * (kPi - sides.half_angle) / kCoarseSides;
    const double reach = cylinder.radius * std::sqrt(fine / std::sin(fine));  // corners of a polygon of the disc's area
    std::array<Vec3, kSides + kCoarseSides> low, high;
    // From corner to corner by turning the last one, which keeps its length to rounding.
    const double begin = all_round ? sides.toward : sides.toward - sides.half_angle;
    double x = reach * std::cos(begin), y = reach * std::sin(begin);
    double cosine = std::cos(fine), sine = std::sin(fine);
    for (int k = 0; k < count; ++k) {
        low[static_cast<size_t>(k)] = {x, y, -cylinder.half_length};
        high[static_cast<size_t>(k)] = {x, y, cylinder.half_length};
        if (k == kSides) cosine = std::cos(coarse), sine = std::sin(coarse);
        const double turned = cosine * x - sine * y;
        y = sine * x + cosine * y;
        x = turned;
    }
    for (int k = 0; k < count; ++k) solid.add_corner(low[static_cast<size_t>(k)]);
    for (int k = 0; k < count; ++k) solid.add_corner(high[static_cast<size_t>(k)]);
    std::array<int, kSides + kCoarseSides> cap;
    for (int k = 0; k < count; ++k) cap[static_cast<size_t>(k)] = count + k;
    solid.add_face(cap.data(), count);
    for (int k = 0; k < count; ++k) cap[static_cast<size_t>(k)] = count - 1 - k;
    solid.add_face(cap.data(), count);
    for (int k = 0; k < count; ++k) {
        const int next = k + 1 < count ? k + 1 : 0, side[4] = {k, next, count + next, count + k};
        solid.add_face(side, 4);
    }
}

// Bodies with more corners are judged by their middle: which plane is cut first matters to the time only.
constexpr int kFewCorners = 8;
bool judged_by_corners(const Convex& body) { return body.kind == Convex::Kind::Cylinder || body.poly.vertex_count <= kFewCorners; }
/// How far the body (own axes) stands above the plane; of bodies with many corners, their middle.
double separation(const Convex& body, const Plane& plane) {
    if (body.kind == Convex::Kind::Cylinder)
        return -body.radius * std::hypot(plane.normal.x, plane.normal.y) - body.half_length * std::fabs(plane.normal.z) - plane.offset;
    if (!judged_by_corners(body)) return dot(plane.normal, body.middle) - plane.offset;
    double lowest = 1e300;
    for (int i = 0; i < body.poly.vertex_count; ++i) lowest = smaller(lowest, dot(plane.normal, body.poly.vertices[i]));
    return lowest - plane.offset;
}

/// `body` is cut by the planes of `cutter`, which is moved out by 2 skin. The result is for A = body, B = cutter.
void cut_by(const std::optional<Convex>& body, const Pose& pose, const Shape& cutter, const Pose& cutter_pose, double skin, Overlap& out) {
    Scratch& s = scratch();
    gather_planes(cutter, cutter_pose, pose, 2 * skin, s.planes);
    // The plane that takes away most comes first, so that the others meet little; where it takes all, the bodies are apart.
    size_t first = 0;
    double farthest = -1e300;
    for (size_t i = 0; i < s.planes.size(); ++i) {
        const double above = separation(*body, s.planes[i]);
        if (above > farthest) farthest = above, first = i;
    }
    if (farthest >= 0 && judged_by_corners(*body)) return;
    s.solid.clear();
    OverlapPart::Curvature curvature = OverlapPart::Curvature::Flat;
    if (body->kind == Convex::Kind::Cylinder) {
        const PrismSides sides = prism_sides(*body, s.planes[first], -farthest);
        curvature = sides.curvature;
        add_prism(s.solid, *body, sides);
    } else {
        const PolyhedronView& p = body->poly;
        for (int i = 0; i < p.vertex_count; ++i) s.solid.add_corner(p.vertices[i]);
        for (int f = 0; f < p.face_count; ++f) s.solid.add_face(p.loop + p.faces[f].first, p.faces[f].count);
    }
    if (!s.solid.cut(s.planes[first].normal, s.planes[first].offset)) return;
    const Aabb rest = s.solid.box();  // planes beyond it cut nothing
    const Vec3 middle = 0.5 * (rest.low + rest.high), half = 0.5 * (rest.high - rest.low);
    for (size_t i = 0; i < s.planes.size(); ++i) {
        const Plane& plane = s.planes[i];
        if (i == first || dot(plane.normal, middle) + dot(abs(plane.normal), half) <= plane.offset) continue;
        if (!s.solid.cut(plane.normal, plane.offset)) return;
    }

    const Vec3 origin = s.solid.corners()[0];
    Moments volume;
    AreaMoments surface;
    s.solid.integrate(origin, volume, surface);
    if (!counts(volume.volume, surface.area, 8 * body->extent * body->extent * body->thickness)) return;
    out.method = Overlap::Method::Clipped;
    set_totals(volume, surface, pose, origin, out);
    out.grown_b = 2 * skin;
    OverlapPart& part = whole(out);
    const bool half_space = std::holds_alternative<HalfSpace>(cutter);  // sliding along it changes nothing: the gradient is its normal
    part.normal = half_space ? normalized(-out.gradient) : contact_normal(out.second_moment, out.gradient);
    part.curvature = curvature;
    if (curvature == OverlapPart::Curvature::Line) part.axis = rotate(pose.orientation, {0, 0, 1});
    OutermostPoints points(rotate_inverse(pose.orientation, part.normal), origin + volume.centre());
    for (const Vec3& p : s.solid.corners()) points.add(p);
    points.write(pose, part);
}

}  // namespace

void overlap_clipped(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out) {
    std::optional<Convex> form_a, form_b;
    if (!std::holds_alternative<HalfSpace>(a)) form_a.emplace(a, Pose{}, Vec3{});
    if (!std::holds_alternative<HalfSpace>(b)) form_b.emplace(b, Pose{}, Vec3{});
    // Few planes cut many faces: that is the cheaper way round. A cylinder is never the one with few.
    if (face_count(b, form_b) <= face_count(a, form_a)) {
        cut_by(form_a, pose_a, b, pose_b, skin, out);
    } else {
        cut_by(form_b, pose_b, a, pose_a, skin, out);
        exchange(out);
    }
}

}  // namespace asperity::geometry::detail

// Boxes, hulls and half-spaces: one body is cut by the planes of the other, and what is left is integrated over its faces.
#include <array>
#include <cmath>
#include <optional>

#include "asperity/geometry/detail/clipped_solid.h"
#include "asperity/geometry/detail/overlap_parts.h"

namespace asperity::geometry::detail {
namespace {

/// Kept from call to call, so that it allocates nothing.
struct Scratch {
    ClippedSolid solid;
    std::vector<double> above;  // per plane that may cut
    std::vector<int> face, sorted;
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

/// The planes of a body, its own axes; a half-space has one.
struct Planes {
    explicit Planes(const PolyhedronView* form) : faces(form ? form->faces : &ground), count(form ? form->face_count : 1) {}
    static constexpr Polyhedron::Face ground{{0, 0, 1}, 0, 0, 0};
    const Polyhedron::Face* faces;
    int count;
};

// Bodies with more corners are judged by their middle: which plane is cut first matters to the time only.
constexpr int kFewCorners = 8;

/// The plane that the body stands highest above; its middle where it has many corners. False where it stands above all of it.
bool first_plane(const PolyhedronView& p, const Mat3& turn, const Vec3& at, const Planes& planes, double grow, int& first) {
    const bool few = p.vertex_count <= kFewCorners;
    std::array<Vec3, kFewCorners> corners;  // in the axes of the planes
    for (int i = 0; few && i < p.vertex_count; ++i) corners[static_cast<size_t>(i)] = at + turn * p.vertices[i];
    Vec3 sum;
    for (int i = 0; !few && i < p.vertex_count; ++i) sum += p.vertices[i];
    const Vec3 middle = at + turn * (sum / p.vertex_count);
    double farthest = -1e300;
    for (int f = 0; f < planes.count; ++f) {
        const Vec3& n = planes.faces[f].normal;
        double lowest = few ? 1e300 : dot(n, middle);
        for (int i = 0; few && i < p.vertex_count; ++i) lowest = smaller(lowest, dot(n, corners[static_cast<size_t>(i)]));
        const double above = lowest - planes.faces[f].offset - grow;
        if (above > farthest) farthest = above, first = f;
    }
    return !few || farthest < 0;
}

/// `body` is cut by the planes of `cutter`, which is moved out by 2 skin; without a form it is a half-space. The result is for A = body, B = cutter.
void cut_by(const PolyhedronView& body, const Pose& pose, const PolyhedronView* cutter, const Pose& cutter_pose, double skin, Overlap& out) {
    Scratch& s = scratch();
    ClippedSolid& solid = s.solid;
    const Planes planes(cutter);
    const Mat3 turn = matrix(conjugate(cutter_pose.orientation) * pose.orientation), back = transposed(turn);
    const Vec3 at = cutter_pose.to_local(pose.position);
    const double grow = 2 * skin;
    const auto plane_in_body = [&](int f) { return FacePlane{back * planes.faces[f].normal, planes.faces[f].offset + grow - dot(planes.faces[f].normal, at)}; };
    // The plane that takes away most comes first, so that the others meet little; where it takes all, the bodies are apart.
    int first = 0;
    if (!first_plane(body, turn, at, planes, grow, first)) return;
    const FacePlane opening = plane_in_body(first);
    if (!solid.load(body, opening.normal, opening.offset)) return;
    // Planes beyond the box of what is left, in their axes, cut nothing.
    Vec3 low{1e300, 1e300, 1e300}, high = -low;
    solid.for_corners([&](const Vec3& p) {
        const Vec3 q = at + turn * p;
        low = min(low, q);
        high = max(high, q);
    });
    const Vec3 middle = 0.5 * (low + high), half = 0.5 * (high - low);
    s.above.resize(static_cast<size_t>(planes.count));
    s.face.resize(static_cast<size_t>(planes.count));
    s.sorted.resize(static_cast<size_t>(planes.count));
    size_t count = 0;
    double highest = 0;
    for (int f = 0; f < planes.count; ++f) {
        const Vec3& n = planes.faces[f].normal;
        const double above = dot(n, middle) + dot(abs(n), half) - planes.faces[f].offset - grow;
        s.above[count] = above;
        s.face[count] = f;
        count += f != first && above > 0;
        highest = larger(highest, above);
    }
    // Those that may take most come first, roughly: the order only matters to the time.
    constexpr int kClasses = 16;
    std::array<int, kClasses + 1> begin{};
    const double scale = highest > 0 ? (kClasses - 1e-3) / highest : 0;
    const auto class_of = [&](size_t i) { return static_cast<size_t>(kClasses - 1 - static_cast<int>(scale * s.above[i])); };
    for (size_t i = 0; i < count; ++i) ++begin[class_of(i) + 1];
    for (size_t k = 1; k < kClasses; ++k) begin[k] += begin[k - 1];
    for (size_t i = 0; i < count; ++i) s.sorted[static_cast<size_t>(begin[class_of(i)]++)] = s.face[i];
    for (size_t i = 0; i < count; ++i) {
        const FacePlane plane = plane_in_body(s.sorted[i]);
        if (!solid.cut(plane.normal, plane.offset)) return;
    }

    const Vec3 origin = solid.any_corner();
    Moments volume;
    AreaMoments surface;
    solid.integrate(origin, volume, surface);
    const double size = length(body.vertices[1] - body.vertices[0]);
    if (!counts(volume.volume, surface.area, size * size * size)) return;
    out.method = Overlap::Method::Clipped;
    set_totals(volume, surface, pose, origin, out);
    out.grown_b = grow;
    OverlapPart& part = whole(out);
    // Sliding along a half-space changes nothing: the gradient is its normal.
    part.normal = cutter ? contact_normal(out.second_moment, out.gradient) : normalized(-out.gradient);
    OutermostPoints points(rotate_inverse(pose.orientation, part.normal), origin + volume.centre());
    solid.for_corners([&](const Vec3& p) { points.add(p); });
    points.write(pose, part);
}

}  // namespace

void overlap_clipped(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out) {
    std::optional<PlainPolyhedron> form_a, form_b;
    if (!std::holds_alternative<HalfSpace>(a)) form_a.emplace(a);
    if (!std::holds_alternative<HalfSpace>(b)) form_b.emplace(b);
    // Few planes cut many faces: that is the cheaper way round.
    if (!form_b || (form_a && (*form_b)->face_count <= (*form_a)->face_count)) {
        cut_by(**form_a, pose_a, form_b ? &**form_b : nullptr, pose_b, skin, out);
    } else {
        cut_by(**form_b, pose_b, form_a ? &**form_a : nullptr, pose_a, skin, out);
        exchange(out);
    }
}

}  // namespace asperity::geometry::detail

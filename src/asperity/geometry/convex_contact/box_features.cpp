#include "asperity/geometry/convex_contact/box_features.h"

#include "asperity/geometry/convex_contact/features.h"

namespace asperity::geometry {
namespace {

// [-] of the smaller extent: a vertex this far beyond a side is on it. As `hold` in axis_choice.cpp, for features in contact
// in the last step.
constexpr double hold = 1e-4;
constexpr int kEdgeBase = 61;  // base in which AxisChoice::tag and side_code combine two indices
constexpr int kEdges = 12, kVertices = 8, kFaces = 6;

using Outcome = BoxFeatures::Outcome;

PointKind point_kind_of(std::uint32_t code) { return static_cast<PointKind>(code >> 17 & 7u); }
std::uint32_t which_of(std::uint32_t code) { return code & 0x1ffffu; }

/// Side planes of a reference face: +u -u +v -v, in the order of face_points() in box_pairs.cpp.
double along_side(const Vec3& p, int plane) { return (plane % 2 ? -1.0 : 1.0) * (plane < 2 ? p.x : p.y); }
double reach(const ReferenceFace& face, int plane) { return plane < 2 ? face.half_u : face.half_v; }
bool is_above(const ReferenceFace& face, const Vec3& p, double slack) {
    return std::fabs(p.x) <= face.half_u + slack && std::fabs(p.y) <= face.half_v + slack;
}

}  // namespace

BoxFeatures::BoxFeatures(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b)
    : origin_(pose_a.position),
      a_{a.half, matrix(pose_a.orientation), {}},
      b_{b.half, matrix(pose_b.orientation), pose_b.position - pose_a.position},
      slack_(hold * smaller(max_component(a.half), max_component(b.half))) {}

/// A point where a reference face and the feature facing it overlap, from its code; see cut_code().
Outcome BoxFeatures::on_face(const PlacedBox& box, int face, const PlacedBox& other, const Vec3& view, std::uint32_t code,
                             Vec3& middle) const {
    const ReferenceFace reference(box, face, view);
    const std::uint32_t which = which_of(code);
    const auto seen = [&](int vertex) { return reference.coordinates(other.vertex(vertex) - reference.center); };
    Vec3 p;  // in the reference face; z is the gap along the view
    switch (point_kind_of(code)) {
        case PointKind::Vertex: {
            if (which >= kVertices) return Outcome::Unknown;
            p = seen(static_cast<int>(which));
            break;
        }
        case PointKind::EdgeAndSide: {
            const int side = static_cast<int>(which >> 6), plane = static_cast<int>(which & 63u);
            const int from = side / kEdgeBase, to = side % kEdgeBase;
            if (from >= kVertices || to >= kVertices || plane >= 4) return Outcome::Unknown;
            const Vec3 start = seen(from), end = seen(to);
            const double d = along_side(start, plane) - reach(reference, plane),
                         next = along_side(end, plane) - reach(reference, plane);
            if (!(d * next < 0)) return Outcome::Part;
            p = start + (d / (d - next)) * (end - start);
            break;
        }
        case PointKind::ReferenceCorner: {
            const int first = static_cast<int>(which >> 6), second = static_cast<int>(which & 63u);
            if (first >= 2 || second < 2 || second >= 4) return Outcome::Unknown;
            p = {(first % 2 ? -1.0 : 1.0) * reference.half_u, (second % 2 ? -1.0 : 1.0) * reference.half_v, 0};
            const ReferenceFace facing(other, other.nearest_face(-view), -view);
            const Vec3 corner = reference.center + p.x * reference.u + p.y * reference.v;
            const Vec3 q = facing.coordinates(corner - facing.center);
            if (!is_above(facing, q, slack_)) return Outcome::Part;
            p.z = q.z;
            break;
        }
        default: return Outcome::Unknown;
    }
    if (!is_above(reference, p, slack_)) return Outcome::Part;
    middle = reference.center + p.x * reference.u + p.y * reference.v + 0.5 * p.z * view;
    return Outcome::Meet;
}

Outcome BoxFeatures::cross_edges(int edge_a, int edge_b, LocatedContact& out) const {
    const Vec3& n = out.normal;
    const Polyhedron::Edge &ea = box_edge(edge_a), &eb = box_edge(edge_b);
    const Vec3 pa = a_.vertex(ea.from), pb = b_.vertex(eb.from), r = pb - pa;
    const int i = edge_a / 4, j = edge_b / 4;
    const Vec3 da = a_.axis(i), db = b_.axis(j);
    const double turn =
        dot(cross(da, db), n);  // sine of the angle between the two axes, up to its sign: n is at right angles to both
    const double s = dot(cross(r, db), n) / turn, t = dot(cross(r, da), n) / turn;
    if (s < -slack_ || s > 2 * a_.half[i] + slack_ || t < -slack_ || t > 2 * b_.half[j] + slack_) return Outcome::Part;
    out.point = 0.5 * (pa + s * da + pb + t * db);
    return Outcome::Meet;
}

Outcome BoxFeatures::locate(std::uint32_t feature, const Vec3& normal, LocatedContact& out) const {
    const auto kind = static_cast<AxisKind>(feature >> 30);
    const int index = static_cast<int>(feature >> 20 & 0x3ffu);
    Outcome outcome = Outcome::Unknown;
    if (kind == AxisKind::FaceOfA && index < kFaces) {
        out.normal = a_.face_normal(index);
        outcome = on_face(a_, index, b_, out.normal, feature, out.point);
    } else if (kind == AxisKind::FaceOfB && index < kFaces) {
        out.normal = -b_.face_normal(index);
        outcome = on_face(b_, index, a_, -out.normal, feature, out.point);
    } else if (kind == AxisKind::Edges && index / kEdgeBase < kEdges && index % kEdgeBase < kEdges) {
        const int edge_a = index / kEdgeBase, edge_b = index % kEdgeBase;
        const Vec3 n = normalize_or(cross(a_.axis(edge_a / 4), b_.axis(edge_b / 4)), {});
        if (n == Vec3{}) return Outcome::Part;
        out.normal = dot(n, normal) < 0 ? -n : n;
        if (point_kind_of(feature) == PointKind::Crossing) {
            outcome = cross_edges(edge_a, edge_b, out);
        } else {  // faces beside the touching edges, see choice_points() in box_pairs.cpp
            const int face_a = a_.nearest_face(out.normal), face_b = b_.nearest_face(-out.normal);
            const bool by_a = dot(a_.face_normal(face_a), out.normal) >= -dot(b_.face_normal(face_b), out.normal);
            outcome = by_a ? on_face(a_, face_a, b_, out.normal, feature, out.point)
                           : on_face(b_, face_b, a_, -out.normal, feature, out.point);
        }
    }
    out.point += origin_;
    return outcome;
}

}  // namespace asperity::geometry

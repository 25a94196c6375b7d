// Box against box. The axes come in closed form. The overlap of two faces is clipped in the axes of one of them, where sides
// are straight lines and a vertex is three numbers. No polyhedron is built unless the nearest points must decide.
#include "asperity/geometry/convex_contact/pairs.h"
#include "asperity/geometry/convex_contact/placed_box.h"
#include "asperity/geometry/convex_contact/polyhedron_sat.h"

namespace asperity::geometry {

namespace {

struct FaceCorner {
    Vec3 p;  // x and y in the reference face, z the gap along the view
    std::uint32_t code, side;
};
constexpr int kMostCorners = 12;  // four, and one more from each side; the rest for polygons that rounding has dented
using FacePolygon = FixedBuffer<FaceCorner, kMostCorners>;

/// Clips what lies beyond sign * coordinate = limit. Plane thickness and ids as in clip() in contact_points.cpp.
template <int coordinate, int sign>
void clip(FacePolygon& polygon, double limit, int plane, double snap) {
    const int count = polygon.size();
    double beyond[kMostCorners], farthest = snap;
    for (int i = 0; i < count; ++i) {
        beyond[i] = sign * (coordinate == 0 ? polygon[i].p.x : polygon[i].p.y) - limit;
        farthest = larger(farthest, beyond[i]);
    }
    if (farthest == snap) return;  // most sides clip nothing
    FaceCorner old[kMostCorners];
    for (int i = 0; i < count; ++i) old[i] = polygon[i];
    polygon.clear();
    const auto side_of = [&](double d) { return (d > snap) - (d < -snap); };
    const auto made = reference_side | static_cast<std::uint32_t>(plane);
    for (int i = 0; i < count; ++i) {
        const int next = i + 1 < count ? i + 1 : 0;
        const FaceCorner &from = old[i], &to = old[next];
        const double d = beyond[i], next_d = beyond[next];
        const int side = side_of(d), next_side = side_of(next_d);
        if (side <= 0) polygon.push({from.p, from.code, side == 0 && next_side > 0 ? made : from.side});
        if (side * next_side < 0)
            polygon.push({from.p + (d / (d - next_d)) * (to.p - from.p), cut_code(from.side, plane),
                          next_side > 0 ? made : from.side});
    }
}

/// The overlap of two faces as seen along n (from a to b); the rules name the reference face.
void face_points(const PlacedBox& a, int face_a, const PlacedBox& b, int face_b, const Vec3& n, const ClipRules& rules,
                 std::uint32_t tag, Candidates& out) {
    const bool by_a = rules.reference_a;
    const ReferenceFace reference(by_a ? a : b, by_a ? face_a : face_b, by_a ? n : -n);
    const PlacedBox& other = by_a ? b : a;
    const int face = by_a ? face_b : face_a;

    const Vec3 middle = reference.coordinates(other.center - reference.center);
    Vec3 along[3];
    for (int k = 0; k < 3; ++k) along[k] = other.half[k] * reference.coordinates(other.axis(k));
    FacePolygon polygon;
    const auto end_of = [&](int vertex, int k) { return (vertex >> k & 1 ? 1.0 : -1.0) * along[k]; };
    for (int i = 0; i < 4; ++i) {
        const int vertex = box_loop[4 * face + i], next = box_loop[4 * face + (i + 1) % 4];
        const Vec3 p = middle + end_of(vertex, 0) + end_of(vertex, 1) + end_of(vertex, 2);
        polygon.push({p, point_code(PointKind::Vertex, static_cast<std::uint32_t>(vertex)), side_code(vertex, next)});
    }
    clip<0, 1>(polygon, reference.half_u, 0, rules.snap);
    clip<0, -1>(polygon, reference.half_u, 1, rules.snap);
    clip<1, 1>(polygon, reference.half_v, 2, rules.snap);
    clip<1, -1>(polygon, reference.half_v, 3, rules.snap);
    for (const FaceCorner& c : polygon) {
        if (c.p.z > rules.margin) continue;
        out.push({});  // filled in place: a copy would wait for each of its numbers
        Candidate& point = out[out.size() - 1];
        Vec3 &on_reference = by_a ? point.on_a : point.on_b, &on_other = by_a ? point.on_b : point.on_a;
        on_reference = reference.center + c.p.x * reference.u + c.p.y * reference.v;
        on_other = on_reference + c.p.z * reference.view;
        point.gap = c.p.z;
        point.feature = tag | c.code;
    }
}

void edge_feature(const PlacedBox& box, int edge, Feature& out) {
    const Polyhedron::Edge& e = box_edge(edge);
    const std::uint32_t side = side_code(e.from, e.to);
    out.kind = Feature::Kind::Segment;
    for (const int v : {e.from, e.to})
        out.corners.push({box.vertex(v), point_code(PointKind::Vertex, static_cast<std::uint32_t>(v)), side});
}

/// The points of one choice of axis; none when it is not tight (is_tight()).
void choice_points(const PlacedBox& a, const PlacedBox& b, const AxisChoice& choice, const PairScale& scale,
                   const PairRequest& request, Candidates& out) {
    ClipRules rules = clip_rules(choice, scale, request);
    const std::uint32_t tag = choice.tag();
    const Vec3& n = choice.normal;
    const int face_a = choice.kind == AxisKind::FaceOfA ? choice.index_a : a.nearest_face(n);
    const int face_b = choice.kind == AxisKind::FaceOfB ? choice.index_b : b.nearest_face(-n);
    if (choice.kind != AxisKind::Edges) {
        face_points(a, face_a, b, face_b, n, rules, tag, out);
        if (!is_tight(out, choice, scale, request)) out.clear();
        return;
    }
    Feature fa, fb;
    edge_feature(a, choice.index_a, fa);
    edge_feature(b, choice.index_b, fb);
    contact_points(fa, fb, n, rules, tag, out);
    if (!is_tight(out, choice, scale, request)) return out.clear();
    // The faces beside the edges may touch within the step.
    rules.reference_a = dot(a.face_normal(face_a), n) >= -dot(b.face_normal(face_b), n);
    Candidates coming;
    face_points(a, face_a, b, face_b, n, rules, tag, coming);
    add_elsewhere(coming, n, scale, out);
}

}  // namespace

bool collide_boxes(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b, const PairRequest& request) {
    const Vec3& origin = pose_a.position;
    const Mat3 rotation_a = matrix(pose_a.orientation), rotation_b = matrix(pose_b.orientation);
    PolyhedronAxes axes;
    if (!separating_axes_of_boxes(a.half, rotation_a, b.half, rotation_b, pose_b.position - origin, request.margin, axes)) {
        request.out.apart = axes.apart;
        return false;
    }
    const auto thickness = [](const Vec3& half) { return smaller(smaller(half.x, half.y), half.z); };
    const PairScale scale{smaller(thickness(a.half), thickness(b.half)),
                          smaller(max_component(a.half), max_component(b.half))};
    const PlacedBox box_a(a.half, rotation_a, {}), box_b(b.half, rotation_b, pose_b.position - origin);
    AxisChoices choices;
    propose(choices, axes, scale, request);
    const Vec3 start = widest(choices).normal;
    const auto make = [&](const AxisChoice& choice) {
        Candidates candidates;
        choice_points(box_a, box_b, choice, scale, request, candidates);
        return !candidates.empty() && reduce(candidates, choice.normal, origin, request.previous, request.out);
    };
    if (try_choices(choices, scale, make)) return true;
    const Shape shape_a = a, shape_b = b;
    return nearest_contact(Convex(shape_a, pose_a, origin), Convex(shape_b, pose_b, origin), origin, start, request);
}

}  // namespace asperity::geometry

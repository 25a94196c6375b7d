// Chooses the contact normal among candidate axes, or decides that the nearest points must give it.
#include <algorithm>
#include <numbers>

#include "asperity/geometry/convex_contact/gjk.h"
#include "asperity/geometry/convex_contact/pairs.h"

namespace asperity::geometry {

namespace {

// [-] of the smaller thickness: two axes whose separations differ by less are equally good. Below: the choice changes with
// the tilts of a resting stack. Above: the error of depth matters.
constexpr double axis_tolerance = 1e-3;
// [-] of the depth: how much less deep a pair of edges of overlapping shapes must be than a face.
constexpr double edge_handicap = 0.05;
// [-] of the smaller extent. snap: vertices this near to a side plane are on it. hold: the axis of the last step survives
// changes of this size. Thin cards that lean edge on edge need it: two of their faces are equally good at every gap near
// zero.
constexpr double snap = 1e-6, hold = 1e-4;
// [-] of the smaller thickness: shallower overlaps keep their axis, whose error of depth is then below this.
constexpr double deep = 0.02;
// Decides which of two equally good reference faces is the lower one. Oblique, so that no common arrangement is a tie.
constexpr Vec3 up{0.1153, 0.3421, 0.9326};

/// Two edges, or a vertex and its nearest feature, touch in one point. If the faces beside it are nearly parallel, a
/// rotation of the bodies within the step closes further gaps. So the features that face the normal on both sides add their
/// points within the margin: faces of polyhedra, a cap or a line of the mantle of cylinders. Spheres have no faces;
/// collide_capsules() adds the ends of capsules.
void add_coming_points(const Convex& a, const Convex& b, const Vec3& n, ClipRules rules, std::uint32_t tag,
                       Candidates& candidates) {
    const auto has_faces = [](const Convex& c) {
        return c.kind == Convex::Kind::Polyhedron || c.kind == Convex::Kind::Cylinder;
    };
    if (!has_faces(a) || !has_faces(b)) return;
    Feature fa, fb;
    facing_feature(a, n, std::numbers::pi, fa);
    facing_feature(b, -n, std::numbers::pi, fb);
    // two mantles have only their lines
    if (fa.kind == Feature::Kind::Segment && fb.kind == Feature::Kind::Segment) return;
    Candidates coming;
    rules.reference_a = dot(fa.normal, n) >= -dot(fb.normal, n);  // the face that looks more squarely along the normal
    contact_points(fa, fb, n, rules, tag, coming);
    add_elsewhere(coming, n, scale_of(a, b), candidates);
}

bool is_held(const AxisChoice& choice, const PairRequest& request) { return choice.tag() == request.previous_tag(); }

}  // namespace

void add_elsewhere(const Candidates& coming, const Vec3& n, const PairScale& scale, Candidates& candidates) {
    constexpr double elsewhere = 0.05;  // [-] of the smaller extent: points nearer to the first add nothing
    const double apart = elsewhere * scale.extent;
    const Vec3 there = candidates[0].on_a;
    for (const Candidate& c : coming) {
        const Vec3 offset = c.on_a - there, across = offset - dot(offset, n) * n;
        if (length_squared(across) > apart * apart && !candidates.full()) candidates.push(c);
    }
}

double nearly_as_good(const PairScale& scale, double separation) {
    return 3 * axis_tolerance * scale.thickness + hold * scale.extent + edge_handicap * std::max(0.0, -separation);
}

void propose(AxisChoices& choices, AxisChoice choice, const PairScale& scale, const PairRequest& request) {
    const double tolerance = axis_tolerance * scale.thickness;
    choice.score = choice.separation;
    if (choice.kind == AxisKind::Edges) choice.score -= tolerance + edge_handicap * std::max(0.0, -choice.separation);
    const bool a_below = dot(choice.normal, up) > 0;
    if (choice.kind == (a_below ? AxisKind::FaceOfA : AxisKind::FaceOfB)) choice.score += 0.5 * tolerance;
    if (is_held(choice, request)) choice.score += tolerance + hold * scale.extent;
    choices.push(choice);
}

void propose(AxisChoices& choices, const PolyhedronAxes& axes, const PairScale& scale, const PairRequest& request) {
    propose(choices, {AxisKind::FaceOfA, axes.face_a.face, -1, axes.face_a.normal, axes.face_a.separation}, scale, request);
    propose(choices, {AxisKind::FaceOfB, -1, axes.face_b.face, -axes.face_b.normal, axes.face_b.separation}, scale, request);
    if (axes.edge.edge_a < 0) return;
    propose(choices, {AxisKind::Edges, axes.edge.edge_a, axes.edge.edge_b, axes.edge.normal, axes.edge.separation}, scale,
            request);
}

ClipRules clip_rules(const AxisChoice& choice, const PairScale& scale, const PairRequest& request) {
    return {(is_held(choice, request) ? hold : snap) * scale.extent, request.margin, choice.kind == AxisKind::FaceOfA};
}

bool is_tight(const Candidates& candidates, const AxisChoice& choice, const PairScale& scale, const PairRequest& request) {
    if (candidates.empty()) return false;
    double deepest = candidates[0].gap;
    for (const Candidate& c : candidates) deepest = std::min(deepest, c.gap);
    return deepest <=
           choice.separation + axis_tolerance * scale.thickness + (is_held(choice, request) ? hold * scale.extent : 0);
}

bool make_if_tight(const Feature& fa, const Feature& fb, const Convex& a, const Convex& b, const Vec3& origin,
                   const AxisChoice& choice, const PairRequest& request) {
    const PairScale scale = scale_of(a, b);
    const ClipRules rules = clip_rules(choice, scale, request);
    const std::uint32_t tag = choice.tag();
    Candidates candidates;
    contact_points(fa, fb, choice.normal, rules, tag, candidates);
    if (!is_tight(candidates, choice, scale, request)) return false;
    if (choice.kind == AxisKind::Edges) add_coming_points(a, b, choice.normal, rules, tag, candidates);
    return reduce(candidates, choice.normal, origin, request.previous, request.out);
}

bool make_if_shorter(const Convex& a, const Convex& b, const Vec3& origin, const AxisChoices& choices,
                     const PairRequest& request) {
    const PairScale scale = scale_of(a, b);
    const AxisChoice& best = widest(choices);
    if (best.separation > -deep * scale.thickness) return false;
    const ClosestAxis other = closest_axis(a, b, best.normal);
    if (other.separation - a.round - b.round <= best.separation + nearly_as_good(scale, best.separation)) return false;
    return nearest_contact(a, b, origin, other.normal, request);
}

bool nearest_contact(const Convex& a, const Convex& b, const Vec3& origin, const Vec3& start, const PairRequest& request) {
    const ClosestAxis axis = closest_axis(a, b, start);
    const Vec3& n = axis.normal;
    const double gap = axis.separation - a.round - b.round;
    if (gap > request.margin) return false;
    Feature fa, fb;
    facing_feature(a, n, axis_tolerance, fa);
    facing_feature(b, -n, axis_tolerance, fb);
    if (fa.kind != Feature::Kind::Point && fb.kind != Feature::Kind::Point) {
        AxisChoice choice{AxisKind::Nearest, -1, -1, n, gap, 0};
        if (make_if_tight(fa, fb, a, b, origin, choice, request)) return true;
    }
    const auto code = [](const Feature& f) { return f.corners.empty() ? f.code : f.corners[0].code ^ f.corners[0].side; };
    Candidates one;
    const std::uint32_t tag = axis_tag(AxisKind::Nearest, 0);
    one.push(
        {axis.on_a + a.round * n, axis.on_b - b.round * n, gap, tag | ((code(fa) * 0x9e3779b1u ^ code(fb)) & 0x3fffffffu)});
    add_coming_points(a, b, n, {snap * scale_of(a, b).extent, request.margin, true}, tag, one);
    return reduce(one, n, origin, request.previous, request.out);
}

}  // namespace asperity::geometry

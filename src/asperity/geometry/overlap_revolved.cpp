// A ball, cylinder or capsule and a body of plane faces: half-space, box or hull. The solid is brought into the axes of the round body and cut where that changes
// its form: at the ends of a cylinder or capsule, and through the middle of a ball that lies inside.
#include "asperity/geometry/detail/overlap_parts.h"
#include "asperity/geometry/detail/revolved.h"
#include "asperity/geometry/detail/round_in_solid.h"

namespace asperity::geometry::detail {
namespace {

struct Scratch {
    ClippedSolid solid, piece;
    SolidFaces whole, part;
    RoundPiece shared;
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

/// The part of the shape that the round body may reach, in its axes; a half-space is moved out by `grow`. Returns false where a plane keeps them apart; `nearest` is the one it stands highest above.
bool load(const Shape& shape, const Pose& pose, const Pose& frame, double grow, const Revolved& body, ClippedSolid& solid, FacePlane& nearest) {
    const Mat3 turn = matrix(conjugate(frame.orientation) * pose.orientation);
    const Vec3 at = frame.to_local(pose.position);
    if (std::holds_alternative<HalfSpace>(shape)) {
        const Vec3 n = turn.column(2);
        nearest = {n, dot(n, at) + grow};
        if (body.clearance(nearest) >= 0) return false;
        const PlainPolyhedron room(Box{1.25 * Vec3{body.radius, body.radius, body.end()}});
        if (!solid.load(*room, nearest.normal, nearest.offset)) return false;
        solid.make_one();
        return true;
    }
    // In the axes of the polyhedron first.
    const PlainPolyhedron form(shape);
    const PolyhedronView& p = *form;
    const Vec3 middle = -Vec3{dot(turn.column(0), at), dot(turn.column(1), at), dot(turn.column(2), at)}, axis = turn.r[2];
    double farthest = -1e300;
    int face = 0;
    for (int f = 0; f < p.face_count; ++f) {
        const Vec3& n = p.faces[f].normal;
        const double along = std::fabs(dot(n, axis)), across = body.balls ? 1 : std::sqrt(larger(0, 1 - along * along));
        const double above = dot(n, middle) - p.faces[f].offset - body.half * along - body.radius * across;
        if (above > farthest) farthest = above, face = f;
    }
    if (farthest >= 0) return false;
    // The round body ends somewhere behind that face; what lies beyond is of no interest.
    constexpr double kMore = 1.01;
    if (!solid.load(p, -p.faces[face].normal, -p.faces[face].offset - kMore * farthest)) return false;
    solid.move(turn, at);
    nearest.normal = turn * p.faces[face].normal;
    nearest.offset = p.faces[face].offset + dot(nearest.normal, at);
    return true;
}

/// The half of the solid that lies along `d` from the plane through `at`, and what the ball there shares with it.
void add_half_ball(const Vec3& at, const Vec3& d, double radius, Scratch& s) {
    for (const SolidFaces::Face& face : s.whole.faces)
        if (dot(face.plane.normal, at) - face.plane.offset >= radius) return;  // beyond reach
    if (!s.piece.load(s.solid, -d, -dot(d, at))) return;
    s.piece.list(s.part);
    add_ball(s.part, at, radius, d, s.shared);
}

bool inside(const SolidFaces& solid, const Vec3& p, double tolerance) {
    for (const SolidFaces::Face& face : solid.faces)
        if (dot(face.plane.normal, p) > face.plane.offset + tolerance) return false;
    return true;
}

}  // namespace

void overlap_revolved(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out) {
    Scratch& s = scratch();
    const bool half_space = std::holds_alternative<HalfSpace>(a);  // sliding along it changes nothing
    (half_space ? out.grown_a : out.grown_b) = 2 * skin;
    const Revolved body = revolved(b, out.grown_b);
    FacePlane nearest;
    if (!load(a, pose_a, pose_b, out.grown_a, body, s.solid, nearest)) return;
    s.solid.list(s.whole);
    s.shared.clear();
    if (body.half > 0) {
        if (body.balls)
            for (const double side : {-1.0, 1.0}) add_half_ball({0, 0, side * body.half}, {0, 0, side}, body.radius, s);
        if (s.piece.load(s.solid, {0, 0, 1}, body.half) && s.piece.cut({0, 0, -1}, body.half)) {
            s.piece.list(s.part);
            add_cylinder(s.part, body.radius, !body.balls, s.shared);
        }
    } else if (inside(s.whole, {}, -1e-9 * body.radius)) {
        for (const double side : {-1.0, 1.0}) add_half_ball({}, side * nearest.normal, body.radius, s);
    } else {
        add_ball(s.whole, {}, body.radius, -nearest.normal, s.shared);
    }
    const double size = 2 * smaller(body.radius, body.end());
    if (!counts(s.shared.volume.volume, s.shared.surface.area, size * size * size)) return;
    out.method = Overlap::Method::Closed;
    set_totals(s.shared.volume, s.shared.surface, pose_b, s.shared.origin, out);
    OverlapPart& part = whole(out);
    part.normal = half_space ? rotate(pose_b.orientation, nearest.normal) : contact_normal(out.second_moment, out.gradient);
    const Vec3 n = rotate_inverse(pose_b.orientation, part.normal);
    OutermostPoints points(n, s.shared.origin);
    for (const Vec3& p : s.shared.points) points.add(p);
    for (const double side : {-1.0, 1.0}) {
        const Vec3 deepest = body.farthest(-n, side);
        if (inside(s.whole, deepest, 1e-12 * body.radius)) points.add(deepest);
    }
    points.write(pose_b, part);
    part.curvature = body.curvature(n, part.depth);
    if (part.curvature == OverlapPart::Curvature::Line) part.axis = rotate(pose_b.orientation, {0, 0, 1});
}

}  // namespace asperity::geometry::detail

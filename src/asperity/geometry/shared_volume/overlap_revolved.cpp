// A ball, cylinder or capsule with a body of plane faces: half-space, box or hull. The solid is transformed to the axes of
// the round body. It is divided where the round body changes its form: at the ends of a cylinder or capsule, and through the
// centre of a ball if the centre lies inside the solid.
#include <optional>

#include "asperity/geometry/common/detail/four.h"
#include "asperity/geometry/shared_volume/detail/clipped_solid.h"
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"
#include "asperity/geometry/shared_volume/detail/revolved.h"
#include "asperity/geometry/shared_volume/detail/round_in_solid.h"

namespace asperity::geometry::detail {
namespace {

struct Scratch {
    FaceTable box_table;
    FacedSolid solid;
    Lid lower, upper;
    RoundOverlap shared;
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

/// The plane of a polyhedron that the round body stands highest above. The body's middle and axis are given in the
/// polyhedron's axes.
struct Highest {
    int face = 0;
    double above = -1e300;
    Highest(const FaceTable& t, const Revolved& body, const Vec3& middle, const Vec3& axis) {
        const double *nx = t[FaceTable::kNormalX], *ny = t[FaceTable::kNormalY], *nz = t[FaceTable::kNormalZ],
                     *offset = t[FaceTable::kOffset];
        const auto dot_all = [&](size_t f, const Vec3& v) {
            return four(nx + f) * all_four(v.x) + four(ny + f) * all_four(v.y) + four(nz + f) * all_four(v.z);
        };
        const Four none = all_four(0), one = all_four(1), half = all_four(body.half), radius = all_four(body.radius);
        Four highest = all_four(-1e300), faces{}, number{0, 1, 2, 3};
        for (size_t f = 0; f < t.rows; f += 4) {
            Four over = dot_all(f, middle) - four(offset + f) - radius;
            if (body.half > 0) {
                const Four along = dot_all(f, axis);
                over -= half * larger_of(along, -along);
                if (!body.balls) over += radius * (one - root_of(larger_of(one - along * along, none)));
            }
            const FourFlags higher = over > highest;
            highest = higher ? over : highest;
            faces = higher ? number : faces;
            number += all_four(4);
        }
        for (int lane = 0; lane < 4; ++lane)
            if (highest[lane] > above || (highest[lane] == above && faces[lane] < face))
                above = highest[lane], face = static_cast<int>(faces[lane]);
    }
};

/// A box below the plane of a half-space, large enough for the whole round body.
struct UnderPlane {
    Shape box;
    Pose pose;
    UnderPlane(const Pose& plane, double grow, const Revolved& body, const Vec3& at) {
        const double size = 2 * (body.radius + body.end());
        const Vec3 n = rotate(plane.orientation, {0, 0, 1});
        box = Box{{size, size, size}};
        pose = {at - (dot(n, at - plane.position) - grow + size) * n, plane.orientation};
    }
};

/// Adds the solid's vertices that lie inside the round body, each once.
void add_corners(const FacedSolid& solid, const Revolved& body, KeptList<Vec3>& points) {
    const double *x = solid.x().data(), *y = solid.y().data(), *z = solid.z().data();
    const Four r2 = all_four(body.radius * body.radius), half = all_four(body.half), none = all_four(0);
    for (size_t i = 0; i < solid.table().corner_rows; i += 4) {
        const Four px = four(x + i), py = four(y + i), pz = four(z + i), over = larger_of(larger_of(pz, -pz) - half, none);
        const FourFlags in = body.balls ? px * px + py * py + over * over <= r2 : (px * px + py * py <= r2) & (over <= none);
        for (int inside = bits(in); inside; inside &= inside - 1)
            points.push_back(solid.corner(static_cast<int>(i) + __builtin_ctz(static_cast<unsigned>(inside))));
    }
}

bool inside(const FacedSolid& solid, const Vec3& p, double tolerance) {
    const Vec3 q = solid.to_solid(p);
    const FaceTable& t = solid.table();
    const double *nx = t[FaceTable::kNormalX], *ny = t[FaceTable::kNormalY], *nz = t[FaceTable::kNormalZ],
                 *offset = t[FaceTable::kOffset];
    const Four x = all_four(q.x), y = all_four(q.y), z = all_four(q.z), most = all_four(tolerance);
    for (size_t f = 0; f < t.rows; f += 4)
        if (bits(four(nx + f) * x + four(ny + f) * y + four(nz + f) * z > four(offset + f) + most)) return false;
    return true;
}

}  // namespace

void overlap_revolved(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out) {
    Scratch& s = scratch();
    // its plane is offset, because sliding along it changes nothing
    const bool half_space = std::holds_alternative<HalfSpace>(a);
    (half_space ? out.grown_a : out.grown_b) = 2 * skin;
    const Revolved body = revolved(b, out.grown_b);
    std::optional<UnderPlane> under;
    if (half_space) under.emplace(pose_a, out.grown_a, body, pose_b.position);
    const PlainPolyhedron form(half_space ? under->box : a);
    const Pose& solid_pose = half_space ? under->pose : pose_a;
    if (!form->table) s.box_table.set_box(*form);
    const FaceTable& table = form->table ? *form->table : s.box_table;

    Pose frame = pose_b;
    const Highest nearest(table, body, solid_pose.to_local(frame.position),
                          rotate_inverse(solid_pose.orientation, rotate(frame.orientation, {0, 0, 1})));
    if (nearest.above >= 0) return;
    const bool ball = body.half == 0;
    if (ball) {  // a ball has no axis of its own; use the plane's normal
        const Vec3 n = rotate(solid_pose.orientation, form->faces[nearest.face].normal), x = any_tangent(n);
        frame.orientation = quaternion(transposed(Mat3{{x, cross(n, x), n}}));
    }
    const Mat3 turn = matrix(conjugate(frame.orientation) * solid_pose.orientation);
    s.solid.place(*form, table, turn, frame.to_local(solid_pose.position));
    s.shared.clear();
    if (ball && !(nearest.above < -(1 + 1e-9) * body.radius)) {  // its centre is outside
        add_ball(s.solid, 0, body.radius, nullptr, -1, s.shared);
    } else {
        s.solid.look_along_z();
        s.solid.find_lid(-body.half, body.radius, s.lower);
        if (!ball) s.solid.find_lid(body.half, body.radius, s.upper);
        const auto add_half_ball = [&](double side, const Lid& lid) {
            if (s.solid.may_reach_ball(side * body.half, body.radius))
                add_ball(s.solid, side * body.half, body.radius, &lid, side, s.shared);
        };
        if (body.balls) add_half_ball(-1, s.lower), add_half_ball(1, ball ? s.lower : s.upper);
        if (!ball) add_cylinder(s.solid, body.radius, s.lower, s.upper, !body.balls, s.shared);
    }
    const double size = 2 * smaller(body.radius, body.end());
    if (!counts(s.shared.volume.volume, s.shared.surface.area, size * size * size)) return;
    out.method = Overlap::Method::Closed;
    add_corners(s.solid, body, s.shared.points);
    set_totals(s.shared.volume, s.shared.surface, frame, s.shared.origin, out);
    OverlapPart& part = whole(out);
    part.normal = half_space ? rotate(pose_a.orientation, {0, 0, 1}) : contact_normal(out.second_moment, out.gradient);
    const Vec3 n = rotate_inverse(frame.orientation, part.normal);
    OutermostPoints points(n, s.shared.origin);
    for (const Vec3& p : s.shared.points) points.add(p);
    for (const double side : {-1.0, 1.0}) {
        const Vec3 deepest = body.farthest(-n, side);
        if (inside(s.solid, deepest, 1e-12 * body.radius)) points.add(deepest);
    }
    points.write(frame, part);
    part.curvature = body.curvature(n, part.depth);
    if (part.curvature == OverlapPart::Curvature::Line) part.axis = rotate(pose_b.orientation, {0, 0, 1});
}

}  // namespace asperity::geometry::detail

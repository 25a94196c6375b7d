// Spheres, capsules and cylinders against meshes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/geometry/convex_contact/gjk.h"
#include "asperity/geometry/mesh_contact/mesh_pairs.h"

namespace asperity::geometry {
namespace {

// [-] of the smaller of radius and half length: a larger margin means a fast body, which may turn over within the step.
constexpr double kFast = 0.5;

/// A ball whose centre is inside a solid, beyond the reach of every face test: leaves through the nearest face.
void push_out(const MeshSide& side, const Vec3& p, double radius, int id, MeshCandidates& out) {
    const MeshNearest nearest = nearest_on_mesh(side.mesh, p, side.mesh.extent);
    if (nearest.triangle < 0 || nearest.signed_distance >= 0 || nearest.at.part != TrianglePart::Face) return;
    const Vec3 n = side.mesh.face_normals[static_cast<size_t>(nearest.triangle)];
    const double gap = dot(n, p - nearest.at.point) - radius;
    out.add({nearest.at.point, nearest.at.point + gap * n, n, gap,
             feature_pair_id(FeaturePair::RoundFace, nearest.triangle, id)});
}

/// The point of a cylinder nearest to p; false if p is outside by no more than `least`.
bool nearest_from_outside(const Convex& cylinder, const Vec3& p, double least, ClosestAxis& axis) {
    const Vec3 q = cylinder.direction_to_local(p - cylinder.center);
    const double r = std::sqrt(q.x * q.x + q.y * q.y), shrink = r > cylinder.radius ? cylinder.radius / r : 1;
    axis.on_a = p;
    axis.on_b = cylinder.to_world({shrink * q.x, shrink * q.y, clamp(q.z, -cylinder.half_length, cylinder.half_length)});
    axis.separation = length(axis.on_b - p);
    if (axis.separation <= least) return false;
    axis.normal = (axis.on_b - p) / axis.separation;
    return true;
}

/// Quick rejection: true where no point of the cylinder can be the nearest one to the interior of the edge along a direction
/// between its face normals. Let n1 and n2 be the outermost of these directions, both on one side of the plane across the
/// axis. Every direction between is a sum of both, so it faces the rim between the points that n1 and n2 face. Directions
/// count up to kConeTolerance beyond the normals, and nearest points are known to about the square root of rounding: kPad
/// covers both.
bool rim_is_elsewhere(const Convex& cylinder, const EdgeForm& edge, double margin, double depth) {
    constexpr double kPad = 4 * kConeTolerance, kLeast = 0.05;
    const Vec3 span = edge.to - edge.from;
    const double length_of_edge = length(span);
    const Vec3 along = span / length_of_edge;
    const auto outermost = [&](const Vec3& into_face) {
        const Vec3 n = cross(along, into_face);
        return cylinder.direction_to_local(dot(n, edge.mean) < 0 ? -n : n);
    };
    const Vec3 n1 = outermost(edge.t1), n2 = outermost(edge.t2);
    const double across1 = std::sqrt(n1.x * n1.x + n1.y * n1.y), across2 = std::sqrt(n2.x * n2.x + n2.y * n2.y),
                 least = smaller(across1, across2);
    // the nearest point may be on a cap or on a line of the mantle
    if (least < kLeast || n1.z * n2.z <= 0 || smaller(std::fabs(n1.z), std::fabs(n2.z)) < kPad) return false;
    const Vec2 rim1{-n1.x / across1, -n1.y / across1}, rim2{-n2.x / across2, -n2.y / across2}, sum = rim1 + rim2;
    if (dot(rim1, rim2) < 0) return false;
    const Vec2 middle = sum / std::sqrt(dot(sum, sum)), apart = rim1 - rim2;
    // arc of the rim from its middle to either end: 0.56 > (pi/4)/sqrt(2)
    const double reach = cylinder.radius * (0.56 * std::sqrt(dot(apart, apart)) + kPad / least);
    const Vec3 facing = cylinder.to_world({cylinder.radius * middle.x, cylinder.radius * middle.y,
                                           n1.z > 0 ? -cylinder.half_length : cylinder.half_length}) -
                        edge.from;
    const double place = dot(facing, along), beside = reach + kPad * (margin + depth) + depth;
    return place < -reach - kPad * (margin + depth) || place > length_of_edge + reach + kPad * (margin + depth) ||
           dot(facing, edge.t1) > beside || dot(facing, edge.t2) > beside;
}

}  // namespace

void mesh_against_sphere(const MeshSide& side, const Vec3& center, double radius, MeshCandidates& out) {
    side.mesh.tree.query(Aabb{center, center}.grown(radius + side.margin), [&](int t) {
        point_against_triangle(side, t, center, radius, FeaturePair::RoundFace, 0, out);
        point_against_rims(side, t, center, radius, 0, out);
    });
    if (out.items.empty() && side.mesh.solid()) push_out(side, center, radius, 0, out);
}

void mesh_against_capsule(const MeshSide& side, const Vec3 ends[2], double radius, MeshCandidates& out) {
    const TriangleSet& mesh = side.mesh;
    const Vec3 u = ends[1] - ends[0];
    const double u2 = length_squared(u);
    const Aabb box = Aabb{min(ends[0], ends[1]), max(ends[0], ends[1])}.grown(radius + side.margin);
    mesh.tree.query(box, [&](int triangle) {
        const auto t = static_cast<size_t>(triangle);
        const Vec3 n = side.side(triangle) * mesh.face_normals[t];
        const double low = smaller(dot(n, ends[0] - mesh.corner(triangle, 0)), dot(n, ends[1] - mesh.corner(triangle, 0)));
        if (low - radius > side.margin) return;
        for (int k = 0; k < 2; ++k) {
            point_against_triangle(side, triangle, ends[k], radius, FeaturePair::RoundFace, k, out);
            point_against_rims(side, triangle, ends[k], radius, k, out);
        }
        if (u2 == 0) return;
        // The straight side against vertices and edges.
        for (size_t i = 0; i < 3; ++i) {
            const int vertex = mesh.triangles[t][i], edge = mesh.edge_of[t][i];
            if (mesh.sharp[static_cast<size_t>(vertex)] && mesh.vertex_owner[static_cast<size_t>(vertex)] == triangle) {
                const Vec3& p = mesh.positions[static_cast<size_t>(vertex)];
                const double s = dot(p - ends[0], u) / u2;
                const Vec3 d = ends[0] + s * u - p;
                const double distance = length(d);
                if (s > 0 && s < 1 && distance <= radius + side.margin && distance > side.snap() &&
                    in_vertex_cone(mesh, vertex, d / distance)) {
                    const Vec3 m = d / distance;
                    out.add({p, p + (distance - radius) * m, m, distance - radius,
                             feature_pair_id(FeaturePair::RoundVertex, vertex, 2)});
                }
            }
            const TriangleSet::Edge& e = mesh.edges[static_cast<size_t>(edge)];
            if (e.left != triangle || !may_touch(mesh, e)) continue;
            const Vec3& from = mesh.positions[static_cast<size_t>(e.from)];
            const Vec3 v = mesh.positions[static_cast<size_t>(e.to)] - from, w = ends[0] - from, x = cross(u, v);
            const double x2 = length_squared(x);
            if (x2 <= 1e-6 * u2 * length_squared(v)) continue;
            const double s = dot(cross(v, w), x) / x2, q = dot(cross(u, w), x) / x2;  // points ends[0] + s u and from + q v
            EdgeForm form;
            if (s <= 0 || s >= 1 || q <= 0 || q >= 1 || !edge_form(side, edge, form)) continue;
            Vec3 m = x / std::sqrt(x2);
            if (dot(m, form.mean) < 0) m = -m;
            const double distance = dot(m, w);  // negative: the axis itself is under the edge
            if (distance > radius + side.margin || distance < -side.edge_depth) continue;
            if (dot(m, form.t1) > kConeTolerance || dot(m, form.t2) > kConeTolerance) continue;
            const Vec3 on_edge = from + q * v;
            if (distance < 0 && !plausible_overlap(side, on_edge + distance * m, -distance, 0.3)) continue;
            out.add({on_edge, on_edge + (distance - radius) * m, m, distance - radius,
                     feature_pair_id(FeaturePair::RoundEdge, edge, 2)});
        }
    });
    if (out.items.empty() && mesh.solid()) {
        const Vec3 middle = 0.5 * (ends[0] + ends[1]);
        push_out(side, middle, radius, 2, out);
    }
}

void mesh_against_cylinder(const MeshSide& side, const Shape& cylinder, const Pose& pose, MeshCandidates& out) {
    const TriangleSet& mesh = side.mesh;
    const Convex c(cylinder, pose, {});
    const double snap = side.snap();
    // The cylinder is an infinite one between two planes. A segment out of reach of either is out of reach of the cylinder;
    // most segments are.
    const auto within_reach = [&](const Vec3& from, const Vec3& to) {
        const Vec3 p = c.direction_to_local(from - c.center), q = c.direction_to_local(to - c.center);
        if (smaller(p.z, q.z) > c.half_length + side.margin || larger(p.z, q.z) < -c.half_length - side.margin) return false;
        const Vec2 along{q.x - p.x, q.y - p.y}, start{p.x, p.y};
        const double l2 = dot(along, along), s = l2 > 0 ? clamp(-dot(start, along) / l2, 0, 1) : 0;
        const Vec2 at = start + s * along;
        return dot(at, at) <= (c.radius + side.margin) * (c.radius + side.margin);
    };
    const auto nearest = [&](const Shape& shape, const Pose& at, const Vec3& outward, ClosestAxis& axis) {
        const Convex rim(shape, at, {});
        if (separation_along(rim, c, normalized(outward)) > side.margin) return false;
        axis = closest_axis(rim, c, normalized(outward));
        return axis.separation <= side.margin && axis.separation >= -side.edge_depth;
    };
    const auto nearest_to_vertex = [&](const Vec3& p, const Vec3& outward, ClosestAxis& axis) {
        if (!nearest_from_outside(c, p, snap, axis)) return nearest(Sphere{0}, {p, {}}, outward, axis);
        return axis.separation <= side.margin;
    };
    mesh.tree.query(bounds(cylinder, pose).grown(side.margin), [&](int triangle) {
        const auto t = static_cast<size_t>(triangle);
        const Vec3 n = side.side(triangle) * mesh.face_normals[t], corner = mesh.corner(triangle, 0);
        if (dot(n, c.support(-n) - corner) > side.margin) return;
        if (mesh.ground() || dot(n, c.middle - corner) >= 0) {
            // The feature of the cylinder that faces the triangle, clipped by it.
            Feature face, facing;
            face.kind = Feature::Kind::Polygon;
            face.normal = n;
            const bool swap = side.side(triangle) < 0;  // counter-clockwise as seen from the viewer's side
            for (int i = 0; i < 3; ++i) {
                const int k = swap ? (3 - i) % 3 : i;
                face.corners.push(
                    {mesh.corner(triangle, k),
                     point_code(PointKind::Vertex, static_cast<std::uint32_t>(mesh.triangles[t][static_cast<size_t>(k)])),
                     static_cast<std::uint32_t>(mesh.edge_of[t][static_cast<size_t>(swap ? (k + 2) % 3 : k)])});
            }
            facing_feature(c, -n, 0.1, facing);
            Candidates points;
            contact_points(face, facing, n, {snap, side.margin, true}, 0, points);
            for (const Candidate& p : points) {
                const std::uint32_t feature =
                    feature_pair_id(FeaturePair::RoundFace, mesh.region[t], static_cast<int>(p.feature));
                if (p.gap > -side.depth && side.admits(p.gap, feature) &&
                    (p.gap >= 0 || plausible_overlap(side, p.on_b, -p.gap, 0.999)))
                    out.add({p.on_a, p.on_b, n, p.gap, feature});
            }
            // A fast cylinder that hits with its rim comes down with the rest within the same step: eight rim points count
            // too.
            if (side.margin > kFast * smaller(c.radius, c.half_length))
                for (int k = 0; k < 8; ++k) {
                    const Vec3 across = c.rotation.column(k / 2 % 2),
                               end = c.center + (k < 4 ? 1 : -1) * c.half_length * c.axis();
                    point_against_triangle(side, triangle, end + (k % 2 ? -c.radius : c.radius) * across, 0,
                                           FeaturePair::VertexFace, k, out);
                }
        }
        for (size_t i = 0; i < 3; ++i) {
            const int vertex = mesh.triangles[t][i], edge = mesh.edge_of[t][i];
            ClosestAxis axis;
            if (mesh.sharp[static_cast<size_t>(vertex)] && mesh.vertex_owner[static_cast<size_t>(vertex)] == triangle &&
                within_reach(mesh.positions[static_cast<size_t>(vertex)], mesh.positions[static_cast<size_t>(vertex)]) &&
                nearest_to_vertex(mesh.positions[static_cast<size_t>(vertex)],
                                  mesh.vertex_normals[static_cast<size_t>(vertex)], axis) &&
                in_vertex_cone(mesh, vertex, axis.normal))
                out.add({axis.on_a, axis.on_b, axis.normal, axis.separation,
                         feature_pair_id(FeaturePair::RoundVertex, vertex, 0)});
            const TriangleSet::Edge& e = mesh.edges[static_cast<size_t>(edge)];
            if (e.left != triangle || !may_touch(mesh, e)) continue;
            EdgeForm form;
            if (!within_reach(mesh.positions[static_cast<size_t>(e.from)], mesh.positions[static_cast<size_t>(e.to)]) ||
                !edge_form(side, edge, form))
                continue;
            if (rim_is_elsewhere(c, form, side.margin, side.edge_depth)) continue;
            const Vec3 along = form.to - form.from, z = normalized(along), x = any_tangent(z);
            const Quat turn = quaternion(transposed(Mat3{{x, cross(z, x), z}}));
            if (!nearest(Capsule{0, 0.5 * length(along)}, {0.5 * (form.from + form.to), turn}, form.mean, axis)) continue;
            const double s = dot(axis.on_a - form.from, along) / length_squared(along);
            if (s <= 1e-6 || s >= 1 - 1e-6 || dot(axis.normal, form.t1) > kConeTolerance ||
                dot(axis.normal, form.t2) > kConeTolerance)
                continue;
            out.add({axis.on_a, axis.on_b, axis.normal, axis.separation, feature_pair_id(FeaturePair::RoundEdge, edge, 0)});
        }
    });
}

}  // namespace asperity::geometry

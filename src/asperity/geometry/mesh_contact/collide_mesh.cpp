// Pairs with a mesh: chooses the test by the other shape, widens the margin until a candidate is found, reduces candidates.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/convex_contact/approach.h"
#include "asperity/geometry/mesh/height_field.h"
#include "asperity/geometry/mesh/mesh_closest.h"
#include "asperity/geometry/mesh_contact/mesh_pairs.h"

namespace asperity::geometry {
namespace {

// [-] Margin of the first search, as a fraction of the smaller extent of the pair. Above: two fine meshes have too many
// features within the margin. Below: more searches, each wider by kWiden. Two moving meshes are searched once; for them it
// is the gap up to which candidates count without approaching.
constexpr double kFirstReach = 0.5, kFirstReachOfMeshes = 0.03;
constexpr double kWiden = 4;  // factor on the margin from one search to the next
// [-] Largest depth of edge contacts, as a fraction of the smaller extent; vertices count at least as deep. Deeper crossings
// of edges are not edge contacts: a vertex inside the other body or push_out_of_solid() must resolve them.
constexpr double kMaxEdgeDepth = 0.05;

// [-] Fraction of the displacement bound of the step, at the velocity left after an impact. A vertex deeper than this and
// kMaxEdgeDepth, not in contact in the last step, belongs to another face. Chosen by trial. Below: at 0.5, one of 100 cubes
// stays sunk in a sheet. Above: at 0.8, the far side of a body passes for deep.
constexpr double kApproachFraction = 0.65;
// [-] Depth beyond which push_out_of_solid() acts, as a fraction of the smaller extent. Feature tests find what is
// shallower.
constexpr double kFallbackDepth = 0.01;
// [-] Bound on the distance of a vertex from the middle, as a fraction of the extent: half the diagonal of a cube.
constexpr double kVertexReach = 0.87;

Pose relative(const Pose& frame, const Pose& pose) {
    return {frame.to_local(pose.position), normalized(conjugate(frame.orientation) * pose.orientation)};
}

/// [m] Penetration depth up to which the exit direction of a vertex is known. In a sheet it is the smaller extent, because a
/// vertex that an impact drives down within a step comes up again. In a solid it is at most half the thickness: beyond the
/// middle the exit could be on either side.
double max_vertex_depth(const TriangleSet& in, double smaller_extent) {
    return in.solid() ? smaller(smaller_extent, 0.5 * in.thickness) : smaller_extent;
}

struct AgainstMesh {
    const Mesh& mesh;
    const Shape& other;
    const Pose frame, other_pose;
    std::span<const std::uint32_t> previous;
    bool moves;  ///< the motion of both bodies within the step is known

    double extent_of_other() const {
        if (std::holds_alternative<HalfSpace>(other)) return mesh.triangles->extent;
        if (const auto* m = std::get_if<Mesh>(&other)) return m->triangles->extent;
        const Aabb box = bounds(other, {});
        return max_component(box.high - box.low);
    }
    bool other_has_edges() const {
        return std::holds_alternative<Box>(other) || std::holds_alternative<Hull>(other) ||
               std::holds_alternative<Cylinder>(other);
    }
    Vec3 middle_of_other(const Pose& pose) const {
        if (const auto* m = std::get_if<Mesh>(&other))
            return pose * (0.5 * (m->triangles->box.low + m->triangles->box.high));
        if (const auto* h = std::get_if<Hull>(&other)) {
            Vec3 sum;
            for (const Vec3& v : h->polyhedron->vertices) sum += v;
            return pose * (sum / static_cast<double>(h->polyhedron->vertices.size()));
        }
        return pose.position;
    }

    /// Fallback for ground: no feature test finds a contact, yet the lowest point of the other shape or its middle is below
    /// the surface. The exit direction is the normal of the triangle above or below that point.
    void push_out_of_ground(MeshCandidates& out) const {
        const TriangleSet& ground = *mesh.triangles;
        const Pose pose = relative(frame, other_pose);
        const auto lift = [&](int triangle, const Vec3& deepest) {
            const Vec3& n = ground.face_normals[static_cast<size_t>(triangle)];
            const double gap = dot(n, deepest - ground.corner(triangle, 0));
            if (gap >= 0 || gap < -ground.extent) return;
            out.add({deepest - gap * n, deepest, n, gap,
                     feature_pair_id(FeaturePair::VertexFace, ground.region[static_cast<size_t>(triangle)], -2)});
        };
        const Vec3 middle = middle_of_other(pose);
        const int over_middle = triangle_over(ground, middle);
        if (over_middle < 0) return;
        const Vec3& n = ground.face_normals[static_cast<size_t>(over_middle)];
        const Vec3 deepest = pose * support(other, -rotate_inverse(pose.orientation, n));
        if (const int triangle = triangle_over(ground, deepest); triangle >= 0) lift(triangle, deepest);
        if (out.items.empty() && dot(n, middle - ground.corner(over_middle, 0)) < 0) lift(over_middle, deepest);
    }

    /// Fallback for a convex shape with edges that is deep in a solid, or for an edge of the solid deep in it. Such an
    /// overlap is too deep for edge contacts and has no vertex inside to show it. Acts only if no candidate is deeper than
    /// kFallbackDepth. Sample points of the shape leave through their nearest faces; deep edges of the solid leave as in
    /// deep_edges_in(). All deep ones become candidates: with the deepest alone, a cylinder stuck in a ring is pushed from
    /// one side in this step and from the other in the next, and rocks farther in.
    void push_out_of_solid(MeshCandidates& out) const {
        const TriangleSet& solid = *mesh.triangles;
        const Pose pose = relative(frame, other_pose);
        const Vec3 middle = middle_of_other(pose);
        const double hidden = kFallbackDepth * std::min(solid.extent, extent_of_other());
        for (const MeshCandidate& c : out.items)
            if (c.gap < -hidden) return;
        const auto look = [&](const Vec3& p, int point) {
            if (!Aabb{p, p}.overlaps(solid.box)) return;
            const MeshNearest nearest = nearest_on_mesh(solid, p, solid.extent);
            if (nearest.triangle < 0 || nearest.signed_distance >= -hidden || nearest.at.part != TrianglePart::Face) return;
            const auto t = static_cast<size_t>(nearest.triangle);
            out.add({nearest.at.point, p, solid.face_normals[t], nearest.signed_distance,
                     feature_pair_id(FeaturePair::VertexFace, solid.region[t], -3 - point)});
        };
        look(middle, 0);
        for (int k = 0; k < 27; ++k) {
            const Vec3 d{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
            if (const double axes = length_squared(d); axes != 1 && axes != 3) continue;  // six axes and eight diagonals
            const Vec3 outermost = pose * support(other, normalized(d));
            look(outermost, 2 * k + 1);
            look(0.5 * (middle + outermost), 2 * k + 2);
        }
        deep_edges_in({solid, middle, 0, 0, 0}, other, pose, hidden, out);
    }

    void search(double margin, MeshCandidates& out) const {
        const Pose pose = relative(frame, other_pose);
        const TriangleSet& triangles = *mesh.triangles;
        const double edge_depth = kMaxEdgeDepth * std::min(triangles.extent, extent_of_other());
        const auto point_depth = [&](const TriangleSet& in) {
            return larger(edge_depth, max_vertex_depth(in, std::min(triangles.extent, extent_of_other())));
        };
        const Vec3 middle = middle_of_other(pose);
        const Vec3 way = out.other.of(middle) - out.mesh.of(middle), turn = out.other.turn - out.mesh.turn;
        const double max_approach = moves
                                        ? kApproachFraction * (length(way) + length(turn) * kVertexReach * extent_of_other())
                                        : MeshSide::kUnknownApproach;
        const MeshSide side{
            triangles,  middle,       margin,  triangles.ground() ? triangles.extent : point_depth(triangles),
            edge_depth, max_approach, previous};
        if (const auto* sphere = std::get_if<Sphere>(&other)) {
            mesh_against_sphere(side, pose.position, sphere->radius, out);
        } else if (const auto* capsule = std::get_if<Capsule>(&other)) {
            const Vec3 half = rotate(pose.orientation, {0, 0, capsule->half_length});
            const Vec3 ends[2] = {pose.position - half, pose.position + half};
            mesh_against_capsule(side, ends, capsule->radius, out);
        } else if (std::holds_alternative<Cylinder>(other)) {
            mesh_against_cylinder(side, other, pose, out);
        } else if (std::holds_alternative<HalfSpace>(other)) {
            mesh_against_half_space(side, pose, out);
        } else if (const auto* m = std::get_if<Mesh>(&other)) {
            const Vec3 viewer = relative(pose, {}) * (0.5 * (triangles.box.low + triangles.box.high));
            const MeshSide other_side{*m->triangles, viewer,       margin,  point_depth(*m->triangles),
                                      edge_depth,    max_approach, previous};
            mesh_against_mesh(side, other_side, pose, out);
        } else {
            mesh_against_polyhedron(side, Convex(other, pose, {}), out);
        }
    }
};

/// `approach`: null where the motion of the bodies is unknown.
bool search_and_reduce(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                       std::span<const std::uint32_t> previous, const Approach* approach, ContactList& out) {
    out.count = 0;
    // Of two meshes, the one with more triangles gives the axes of the search. Either would do, but the choice must not
    // depend on the order of the arguments.
    const auto *mesh_a = std::get_if<Mesh>(&a), *mesh_b = std::get_if<Mesh>(&b);
    ASPERITY_ASSERT(mesh_a || mesh_b);
    // Ground always gives the axes.
    const auto rank = [](const Mesh* m) {
        return m ? std::pair(m->triangles->ground() ? 2 : 1, m->triangles->triangles.size()) : std::pair(0, size_t{0});
    };
    const bool mesh_is_a = rank(mesh_a) >= rank(mesh_b);
    const AgainstMesh pair{mesh_is_a ? *mesh_a : *mesh_b, mesh_is_a ? b : a, mesh_is_a ? pose_a : pose_b,
                           mesh_is_a ? pose_b : pose_a,   previous,          approach != nullptr};
    MeshCandidates candidates;
    const auto seen_from_mesh = [&](const StepMotion& m) {
        return StepMotion{rotate_inverse(pair.frame.orientation, m.of(pair.frame.position)),
                          rotate_inverse(pair.frame.orientation, m.turn)};
    };
    if (approach) {
        candidates.mesh = seen_from_mesh(mesh_is_a ? approach->a : approach->b);
        candidates.other = seen_from_mesh(mesh_is_a ? approach->b : approach->a);
    }
    double reach = std::min(margin, (mesh_a && mesh_b ? kFirstReachOfMeshes : kFirstReach) *
                                        std::min(pair.mesh.triangles->extent, pair.extent_of_other()));
    // Ground is searched over the whole margin at once: a fast body near the ground below may, a step from now, be nearer to
    // a hill ahead.
    const bool ground = pair.mesh.triangles->ground();
    if (ground && !(mesh_a && mesh_b)) reach = margin;
    if (mesh_a && mesh_b && approach) {
        candidates.near = out.reach = reach;
        pair.search(margin, candidates);
    } else {
        while (true) {
            pair.search(reach, candidates);
            if (!candidates.items.empty() || reach >= margin) break;
            reach = std::min(margin, kWiden * reach);
        }
        out.reach = reach;
    }
    if (ground && candidates.items.empty()) pair.push_out_of_ground(candidates);
    if (pair.mesh.triangles->solid() && !ground && pair.other_has_edges()) pair.push_out_of_solid(candidates);
    return reduce(candidates, {pair.frame, mesh_is_a, reach, previous}, out);
}

}  // namespace

bool collide_mesh(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                  std::span<const std::uint32_t> previous, ContactList& out) {
    return search_and_reduce(a, pose_a, b, pose_b, margin, previous, nullptr, out);
}

bool collide_mesh(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                  std::span<const std::uint32_t> previous, const Approach& approach, ContactList& out) {
    return search_and_reduce(a, pose_a, b, pose_b, margin, previous, &approach, out);
}

}  // namespace asperity::geometry

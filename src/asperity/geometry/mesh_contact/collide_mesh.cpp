// Pairs with a mesh: chooses the test, widens the search until something is found, and turns candidates into contacts.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/convex_contact/approach.h"
#include "asperity/geometry/mesh/height_field.h"
#include "asperity/geometry/mesh/mesh_closest.h"
#include "asperity/geometry/mesh_contact/mesh_pairs.h"

namespace asperity::geometry {
namespace {

// How far the first search looks, of the smaller extent. Two fine meshes have too many features within a wide margin.
constexpr double kFirstReach = 0.5, kFirstReachOfMeshes = 0.03;
constexpr double kWiden = 4;       // between searches
constexpr double kDeepest = 0.05;  // of the smaller extent: overlapping edges deeper than this are not an edge contact

// Of the way of a step at the speed that a blow has left: what is deeper would be another face's. Chosen by trying: with
// half of it one of 100 cubes stays sunk in a sheet, with 0.8 the far side of a body passes for deep (soak seed 38).
constexpr double kStruck = 0.65;
constexpr double kHidden = 0.01;       // of the smaller extent: what is less deep is found by its features
constexpr double kCornerReach = 0.87;  // of the extent: half the diagonal of a cube

Pose relative(const Pose& frame, const Pose& pose) {
    return {frame.to_local(pose.position), normalized(conjugate(frame.orientation) * pose.orientation)};
}

/// Points know their way out of sheets and of what is thick: a corner that a blow strikes down within a step comes up again.
/// Beyond the middle of a solid it could be either side.
double deepest_point(const TriangleSet& in, double smaller_extent) {
    return in.solid() ? smaller(smaller_extent, 0.5 * in.thickness) : smaller_extent;
}

struct AgainstMesh {
    const Mesh& mesh;
    const Shape& other;
    const Pose frame, other_pose;
    std::span<const std::uint32_t> previous;
    bool moves;  ///< it is known how

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

    /// Where no feature answers, yet the lowest point of the other shape or its middle is under the ground: up, out of the
    /// plane of the triangle above.
    void lift_out_of_ground(MeshCandidates& out) const {
        const TriangleSet& ground = *mesh.triangles;
        const Pose pose = relative(frame, other_pose);
        const auto lift = [&](int triangle, const Vec3& deepest) {
            const Vec3& n = ground.face_normals[static_cast<size_t>(triangle)];
            const double gap = dot(n, deepest - ground.corner(triangle, 0));
            if (gap >= 0 || gap < -ground.extent) return;
            out.add({deepest - gap * n, deepest, n, gap,
                     meeting_id(Meeting::VertexFace, ground.region[static_cast<size_t>(triangle)], -2)});
        };
        const Vec3 middle = middle_of_other(pose);
        const int over_middle = triangle_over(ground, middle);
        if (over_middle < 0) return;
        const Vec3& n = ground.face_normals[static_cast<size_t>(over_middle)];
        const Vec3 deepest = pose * support(other, -rotate_inverse(pose.orientation, n));
        if (const int triangle = triangle_over(ground, deepest); triangle >= 0) lift(triangle, deepest);
        if (out.items.empty() && dot(n, middle - ground.corner(over_middle, 0)) < 0) lift(over_middle, deepest);
    }

    /// Where nothing is deep, yet the other shape, a convex one, is well inside a solid, or an edge of the solid in it: too
    /// deep for edges, with no corner to tell. Some of its points leave by their nearest ways, and so do the edges. All that
    /// are deep: of a can that is stuck in a ring the deepest alone is on the one side in this step and on the other in the
    /// next, and it rocks farther in.
    void lift_out_of_solid(MeshCandidates& out) const {
        const TriangleSet& solid = *mesh.triangles;
        const Pose pose = relative(frame, other_pose);
        const Vec3 middle = middle_of_other(pose);
        const double hidden = kHidden * std::min(solid.extent, extent_of_other());
        for (const MeshCandidate& c : out.items)
            if (c.gap < -hidden) return;
        const auto look = [&](const Vec3& p, int point) {
            if (!Aabb{p, p}.overlaps(solid.box)) return;
            const MeshNearest nearest = nearest_on_mesh(solid, p, solid.extent);
            if (nearest.triangle < 0 || nearest.signed_distance >= -hidden || nearest.at.part != TrianglePart::Face) return;
            const auto t = static_cast<size_t>(nearest.triangle);
            out.add({nearest.at.point, p, solid.face_normals[t], nearest.signed_distance,
                     meeting_id(Meeting::VertexFace, solid.region[t], -3 - point)});
        };
        look(middle, 0);
        for (int k = 0; k < 27; ++k) {
            const Vec3 d{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
            if (const double axes = length_squared(d); axes != 1 && axes != 3) continue;  // six sides and eight corners
            const Vec3 outermost = pose * support(other, normalized(d));
            look(outermost, 2 * k + 1);
            look(0.5 * (middle + outermost), 2 * k + 2);
        }
        deep_edges_in({solid, middle, 0, 0, 0}, other, pose, hidden, out);
    }

    void search(double margin, MeshCandidates& out) const {
        const Pose pose = relative(frame, other_pose);
        const TriangleSet& triangles = *mesh.triangles;
        const double edge_depth = kDeepest * std::min(triangles.extent, extent_of_other());
        const auto point_depth = [&](const TriangleSet& in) {
            return larger(edge_depth, deepest_point(in, std::min(triangles.extent, extent_of_other())));
        };
        const Vec3 middle = middle_of_other(pose);
        const Vec3 way = out.other.of(middle) - out.mesh.of(middle), turn = out.other.turn - out.mesh.turn;
        const double struck =
            moves ? kStruck * (length(way) + length(turn) * kCornerReach * extent_of_other()) : MeshSide::kUnknown;
        const MeshSide side{triangles,  middle, margin,  triangles.ground() ? triangles.extent : point_depth(triangles),
                            edge_depth, struck, previous};
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
            const MeshSide other_side{*m->triangles, viewer, margin,  point_depth(*m->triangles),
                                      edge_depth,    struck, previous};
            mesh_against_mesh(side, other_side, pose, out);
        } else {
            mesh_against_polyhedron(side, Convex(other, pose, {}), out);
        }
    }
};

/// `approach` is null where nothing is known to move.
bool search_and_reduce(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                       std::span<const std::uint32_t> previous, const Approach* approach, ContactList& out) {
    out.count = 0;
    // Of two meshes the finer one is searched in its own axes; either would do, but the choice must not depend on the order.
    const auto *mesh_a = std::get_if<Mesh>(&a), *mesh_b = std::get_if<Mesh>(&b);
    ASPERITY_ASSERT(mesh_a || mesh_b);
    // Ground is always the one searched.
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
    // A fast body may be near the ground below it and nearer still to a hill ahead, a step from now: then all of the margin
    // counts.
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
    if (ground && candidates.items.empty()) pair.lift_out_of_ground(candidates);
    if (pair.mesh.triangles->solid() && !ground && pair.other_has_edges()) pair.lift_out_of_solid(candidates);
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

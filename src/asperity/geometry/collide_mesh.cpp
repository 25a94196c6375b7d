// Pairs with a mesh: chooses the test, widens the search until something is found, and turns candidates into contacts.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/collide.h"
#include "asperity/geometry/mesh_pairs.h"

namespace asperity::geometry {
namespace {

// How far the first search looks, of the smaller extent. Two fine meshes have too many features within a wide margin.
constexpr double kFirstReach = 0.5, kFirstReachOfMeshes = 0.03;
constexpr double kWiden = 4;       // between searches
constexpr double kDeepest = 0.05;  // of the smaller extent: overlapping edges deeper than this are not an edge contact

Pose relative(const Pose& frame, const Pose& pose) {
    return {frame.to_local(pose.position), normalized(conjugate(frame.orientation) * pose.orientation)};
}

struct AgainstMesh {
    const Mesh& mesh;
    const Shape& other;
    const Pose frame, other_pose;

    double extent_of_other() const {
        if (std::holds_alternative<HalfSpace>(other)) return mesh.triangles->extent;
        if (const auto* m = std::get_if<Mesh>(&other)) return m->triangles->extent;
        const Aabb box = bounds(other, {});
        return max_component(box.high - box.low);
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

    void search(double margin, MeshCandidates& out) const {
        const Pose pose = relative(frame, other_pose);
        const TriangleSet& triangles = *mesh.triangles;
        const MeshSide side{triangles, middle_of_other(pose), margin,
                            kDeepest * std::min(triangles.extent, extent_of_other())};
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
            const MeshSide other_side{*m->triangles, viewer, margin, side.depth};
            mesh_against_mesh(side, other_side, pose, out);
        } else {
            mesh_against_polyhedron(side, Convex(other, pose, {}), out);
        }
    }
};

}  // namespace

bool has_mesh(const Shape& a, const Shape& b) { return std::holds_alternative<Mesh>(a) || std::holds_alternative<Mesh>(b); }

bool collide_mesh(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                  std::span<const std::uint32_t> previous, ContactList& out) {
    out.count = 0;
    // Of two meshes the finer one is searched in its own axes; either would do, but the choice must not depend on the order.
    const auto *mesh_a = std::get_if<Mesh>(&a), *mesh_b = std::get_if<Mesh>(&b);
    ASPERITY_ASSERT(mesh_a || mesh_b);
    const bool mesh_is_a = mesh_a && (!mesh_b || mesh_a->triangles->triangles.size() >= mesh_b->triangles->triangles.size());
    const AgainstMesh pair{mesh_is_a ? *mesh_a : *mesh_b, mesh_is_a ? b : a, mesh_is_a ? pose_a : pose_b,
                           mesh_is_a ? pose_b : pose_a};
    MeshCandidates candidates;
    double reach = std::min(margin, (mesh_a && mesh_b ? kFirstReachOfMeshes : kFirstReach) *
                                        std::min(pair.mesh.triangles->extent, pair.extent_of_other()));
    while (true) {
        pair.search(reach, candidates);
        if (!candidates.items.empty() || reach >= margin) break;
        reach = std::min(margin, kWiden * reach);
    }
    return reduce(candidates, {pair.frame, mesh_is_a, reach, previous}, out);
}

}  // namespace asperity::geometry

#include "hidden_overlap.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "asperity/geometry/convex_contact/convex.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/mesh/mesh_closest.h"
#include "asperity/geometry/shape/shape.h"

namespace asperity::soak {
namespace {

constexpr int kPointsOfEdge = 16;

/// Point k of an edge, from 0 to kPointsOfEdge.
Vec3 along(const geometry::TriangleSet& mesh, const geometry::TriangleSet::Edge& edge, int k) {
    const Vec3 &from = mesh.positions[static_cast<std::size_t>(edge.from)],
               &to = mesh.positions[static_cast<std::size_t>(edge.to)];
    return from + (static_cast<double>(k) / kPointsOfEdge) * (to - from);
}

/// Sample points in the shape's own axes; none for a half-space.
std::vector<Vec3> points_of(const geometry::Shape& shape) {
    std::vector<Vec3> points;
    if (const auto* mesh = std::get_if<geometry::Mesh>(&shape)) {
        points = mesh->triangles->positions;
        for (const auto& edge : mesh->triangles->edges)
            for (int k = 1; k < kPointsOfEdge; ++k) points.push_back(along(*mesh->triangles, edge, k));
        return points;
    }
    if (std::holds_alternative<geometry::HalfSpace>(shape)) return points;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -1; z <= 1; ++z)
                if (const int axes = x * x + y * y + z * z; axes == 1 || axes == 3)
                    points.push_back(geometry::support(
                        shape, normalized(Vec3{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)})));
    const std::size_t corners = points.size();
    for (std::size_t i = 0; i < corners; ++i)
        for (std::size_t k = 0; k < i; ++k) points.push_back(0.5 * (points[i] + points[k]));
    return points;
}

/// Depth of a point inside a convex shape, in the shape's axes; negative outside.
double depth_in(const geometry::Shape& shape, const geometry::Convex& convex, const Vec3& p) {
    if (const auto* sphere = std::get_if<geometry::Sphere>(&shape)) return sphere->radius - length(p);
    if (const auto* capsule = std::get_if<geometry::Capsule>(&shape))
        return capsule->radius - length(p - Vec3{0, 0, clamp(p.z, -capsule->half_length, capsule->half_length)});
    if (const auto* cylinder = std::get_if<geometry::Cylinder>(&shape))
        return smaller(cylinder->radius - std::hypot(p.x, p.y), cylinder->half_height - std::fabs(p.z));
    double height = -1e300;
    for (int f = 0; f < convex.poly.face_count; ++f)
        height = larger(height, dot(convex.poly.faces[f].normal, p) - convex.poly.faces[f].offset);
    return -height;
}

/// Greatest depth of the mesh's edges inside a convex shape at `pose` in the mesh's axes; 0 for other shapes.
double deepest_edge(const geometry::TriangleSet& mesh, const geometry::Shape& shape, const Pose& pose) {
    if (std::holds_alternative<geometry::Mesh>(shape) || std::holds_alternative<geometry::HalfSpace>(shape)) return 0;
    const geometry::Convex convex(shape, pose, {});
    double deepest = 0;
    for (const auto& edge : mesh.edges)
        for (int k = 0; k <= kPointsOfEdge; ++k)
            deepest = larger(deepest, depth_in(shape, convex, pose.to_local(along(mesh, edge, k))));
    return deepest;
}

}  // namespace

HiddenOverlap deepest_in_meshes(const sim::World& world) {
    const rigid::Bodies& bodies = world.model.bodies;
    HiddenOverlap deepest;
    const auto pose_of = [&](std::size_t collider) {
        return world.state.bodies.pose[static_cast<std::size_t>(bodies.collider_body[collider])] *
               bodies.colliders[collider].local;
    };
    const auto look = [&](std::size_t solid, std::size_t other) {
        const auto* mesh = std::get_if<geometry::Mesh>(&bodies.colliders[solid].shape);
        if (!mesh || !mesh->triangles->solid() || mesh->triangles->ground()) return;
        const Pose frame = pose_of(solid), pose = pose_of(other);
        const auto is_deep = [&](double depth) {
            if (depth <= deepest.depth) return;
            deepest.depth = depth;
            const auto name = [&](std::size_t c) {
                return fmt::format("{} ({})", bodies.name[static_cast<std::size_t>(bodies.collider_body[c])],
                                   geometry::name(bodies.colliders[c].shape));
            };
            deepest.who = fmt::format("{} in {}", name(other), name(solid));
        };
        is_deep(deepest_edge(*mesh->triangles, bodies.colliders[other].shape,
                             {frame.to_local(pose.position), conjugate(frame.orientation) * pose.orientation}));
        for (const Vec3& p : points_of(bodies.colliders[other].shape)) {
            const Vec3 q = frame.to_local(pose * p);
            const geometry::Aabb& box = mesh->triangles->box;
            if (!geometry::Aabb{q, q}.overlaps(box)) continue;
            is_deep(-geometry::nearest_on_mesh(*mesh->triangles, q, mesh->triangles->extent).signed_distance);
        }
    };
    for (const contact::PairMemory& memory : world.state.active.pair_memory) {
        const auto a = contact::pair_low(memory.pair), b = contact::pair_high(memory.pair);
        look(a, b);
        look(b, a);
    }
    return deepest;
}

}  // namespace asperity::soak

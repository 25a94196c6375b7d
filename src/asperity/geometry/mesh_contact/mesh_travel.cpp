// First contact along a direction where one shape is a mesh: the least travel over its triangles, each of which is convex.
// Boxes of the tree that begin farther along the direction than the least travel so far are skipped.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/mesh_contact/detail/mesh_travel.h"

namespace asperity::geometry::detail {
namespace {

/// A single triangle as a shape; only its support function is used.
struct LooseTriangle {
    std::shared_ptr<Polyhedron> corners = std::make_shared<Polyhedron>();
    Shape shape;
    LooseTriangle() : shape(Hull{corners}) { corners->vertices.resize(3); }
    void set(const TriangleSet& mesh, int t) {
        for (int i = 0; i < 3; ++i) corners->vertices[static_cast<size_t>(i)] = mesh.corner(t, i);
    }
};

/// Interval of a box along a unit direction, and its projection across it.
struct Shadow {
    double low, high;   // along
    Vec2 center, half;  // across: a rectangle in the plane of t and b
};
Shadow shadow(const Aabb& box, const Pose& pose, const Vec3& direction, const Vec3& t, const Vec3& b) {
    const Vec3 center = pose * (0.5 * (box.low + box.high)), half = 0.5 * (box.high - box.low);
    const auto reach = [&](const Vec3& d) { return dot(abs(rotate_inverse(pose.orientation, d)), half); };
    const double along = dot(center, direction), r = reach(direction);
    return {along - r, along + r, {dot(center, t), dot(center, b)}, {reach(t), reach(b)}};
}
bool overlap(const Shadow& p, const Shadow& q) {
    const Vec2 d = p.center - q.center;
    return std::fabs(d.x) <= p.half.x + q.half.x && std::fabs(d.y) <= p.half.y + q.half.y;
}

/// `mover` moves along `direction` towards the triangles of `mesh`, which is at rest.
Travel towards_mesh(const TriangleSet& mesh, const Pose& pose, const Shape& mover, const Pose& mover_pose,
                    const Vec3& direction) {
    Travel best;
    LooseTriangle triangle;
    if (std::holds_alternative<HalfSpace>(mover)) {
        const Vec3 n = rotate(mover_pose.orientation, {0, 0, 1});
        const Vec3 touch = pose * support(Mesh{std::shared_ptr<const TriangleSet>(std::shared_ptr<void>(), &mesh)},
                                          -rotate_inverse(pose.orientation, n));
        const double speed = dot(n, direction);
        if (speed <= 1e-14) return {};
        return {true, dot(n, touch - mover_pose.position) / speed};
    }
    const Vec3 t = any_tangent(direction), b = cross(direction, t);
    const Shadow moving = shadow(bounds(mover, mover_pose), {}, direction, t, b);
    const auto& nodes = mesh.tree.nodes();
    std::vector<int> stack{0};
    while (!stack.empty()) {
        const MeshTree::Node& node = nodes[static_cast<size_t>(stack.back())];
        stack.pop_back();
        const Shadow standing = shadow(node.box, pose, direction, t, b);
        if (!overlap(moving, standing) || (best.meets && standing.low - moving.high > best.distance)) continue;
        if (node.count == 0) {
            const double left = shadow(nodes[static_cast<size_t>(node.first)].box, pose, direction, t, b).low,
                         right = shadow(nodes[static_cast<size_t>(node.first) + 1].box, pose, direction, t, b).low;
            stack.push_back(node.first + (left <= right ? 1 : 0));
            stack.push_back(node.first + (left <= right ? 0 : 1));
            continue;
        }
        for (int i = 0; i < node.count; ++i) {
            triangle.set(mesh, mesh.tree.order()[static_cast<size_t>(node.first + i)]);
            const Travel travel = travel_to_touch(triangle.shape, pose, mover, mover_pose, direction);
            if (travel.meets && (!best.meets || travel.distance < best.distance)) best = travel;
        }
    }
    return best;
}

}  // namespace

Travel mesh_travel_to_touch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& direction) {
    const auto *mesh_a = std::get_if<Mesh>(&a), *mesh_b = std::get_if<Mesh>(&b);
    if (!mesh_b) return towards_mesh(*mesh_a->triangles, pose_a, b, pose_b, direction);
    if (!mesh_a) return towards_mesh(*mesh_b->triangles, pose_b, a, pose_a, -direction);
    Travel best;
    LooseTriangle triangle;
    for (size_t t = 0; t < mesh_b->triangles->triangles.size(); ++t) {
        triangle.set(*mesh_b->triangles, static_cast<int>(t));
        const Travel travel = towards_mesh(*mesh_a->triangles, pose_a, triangle.shape, pose_b, direction);
        if (travel.meets && (!best.meets || travel.distance < best.distance)) best = travel;
    }
    return best;
}

}  // namespace asperity::geometry::detail

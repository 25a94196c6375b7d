// Names, support points and bounds of shapes.
#include "asperity/geometry/shape/shape.h"

#include <algorithm>
#include <cmath>

#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry {
namespace {

// [rad] A half-space tilted by less counts as axis-aligned: that is rounding of its quaternion, 10 pm over 1 km.
constexpr double kAlignedTilt = 1e-14;

struct SupportPoint {
    const Vec3& d;
    double slack = 0;  // [m] meshes: no other point is farther by more than this

    Vec3 operator()(const Sphere& s) const { return s.radius * normalize_or(d, {0, 0, 1}); }
    Vec3 operator()(const Box& b) const {
        return {std::copysign(b.half.x, d.x), std::copysign(b.half.y, d.y), std::copysign(b.half.z, d.z)};
    }
    Vec3 operator()(const Capsule& c) const {
        return Vec3{0, 0, std::copysign(c.half_length, d.z)} + c.radius * normalize_or(d, {0, 0, 1});
    }
    Vec3 operator()(const Cylinder& c) const {
        const Vec3 rim =
            c.radius *
            normalize_or({d.x, d.y, 0}, {0, 0, 0});  // along the axis: any point of the cap is as far, take its middle
        return {rim.x, rim.y, std::copysign(c.half_height, d.z)};
    }
    Vec3 operator()(const HalfSpace&) const {
        ASPERITY_ASSERT(!"a half-space has no farthest point");
        return {};
    }
    Vec3 operator()(const Hull& h) const {
        const std::vector<Vec3>& vertices = h.polyhedron->vertices;
        size_t best = 0;
        double farthest = dot(vertices[0], d);
        for (size_t i = 1; i < vertices.size(); ++i) {
            const double along = dot(vertices[i], d);
            if (along > farthest) {  // ties go to the lower index, on every platform
                farthest = along;
                best = i;
            }
        }
        return vertices[best];
    }
    Vec3 operator()(const Mesh& m) const {  // descends the tree, the farther box first
        const TriangleSet& mesh = *m.triangles;
        const auto& nodes = mesh.tree.nodes();
        const auto reach = [&](int node) {
            const Aabb& box = nodes[static_cast<size_t>(node)].box;
            return dot(0.5 * (box.low + box.high), d) + dot(0.5 * (box.high - box.low), abs(d));
        };
        int stack[MeshTree::kMaxDepth];
        int top = 0, best = -1;
        double farthest = 0;
        stack[top++] = 0;
        while (top > 0) {
            const int at = stack[--top];
            const MeshTree::Node& node = nodes[static_cast<size_t>(at)];
            if (best >= 0 && reach(at) < farthest + slack) continue;
            if (node.count == 0) {
                const bool left = reach(node.first) >= reach(node.first + 1);
                stack[top++] = node.first + (left ? 1 : 0);
                stack[top++] = node.first + (left ? 0 : 1);
                continue;
            }
            for (int i = 0; i < node.count; ++i)
                for (const int v :
                     mesh.triangles[static_cast<size_t>(mesh.tree.order()[static_cast<size_t>(node.first + i)])]) {
                    const double along = dot(mesh.positions[static_cast<size_t>(v)], d);
                    if (best < 0 || along > farthest || (along == farthest && v < best)) farthest = along, best = v;
                }
        }
        return mesh.positions[static_cast<size_t>(best)];
    }
};

Aabb around(const Vec3& center, const Vec3& reach) { return {center - reach, center + reach}; }

struct Bounds {
    const Pose& pose;
    double slack;
    const Mat3 rotation = matrix(pose.orientation);

    Aabb operator()(const Sphere& s) const { return around(pose.position, {s.radius, s.radius, s.radius}); }
    Aabb operator()(const Box& b) const {
        return around(pose.position,
                      {dot(abs(rotation.r[0]), b.half), dot(abs(rotation.r[1]), b.half), dot(abs(rotation.r[2]), b.half)});
    }
    Aabb operator()(const Capsule& c) const {
        const Vec3 axis = rotation.column(2);
        return around(pose.position, c.half_length * abs(axis) + Vec3{c.radius, c.radius, c.radius});
    }
    Aabb operator()(const Cylinder& c) const {
        // A disc with unit normal a reaches r sqrt(1 - a_i^2) along axis i; as a hypot it keeps its digits near a_i = 1.
        const Vec3 a = rotation.column(2);
        const Vec3 disc{std::hypot(a.y, a.z), std::hypot(a.z, a.x), std::hypot(a.x, a.y)};
        return around(pose.position, c.half_height * abs(a) + c.radius * disc);
    }
    Aabb operator()(const HalfSpace&) const {
        Aabb box{{-kEndless, -kEndless, -kEndless}, {kEndless, kEndless, kEndless}};
        const Vec3 n = rotation.column(2);
        for (int i = 0; i < 3; ++i) {
            if (std::abs(n[(i + 1) % 3]) > kAlignedTilt || std::abs(n[(i + 2) % 3]) > kAlignedTilt) continue;
            (n[i] > 0 ? box.high : box.low)[i] = pose.position[i];
        }
        return box;
    }
    Aabb operator()(const Hull& h) const {
        Vec3 low{kEndless, kEndless, kEndless}, high = -low;
        for (const Vec3& v : h.polyhedron->vertices) {
            const Vec3 turned = rotation * v;
            low = min(low, turned);
            high = max(high, turned);
        }
        return {pose.position + low, pose.position + high};
    }
    Aabb operator()(const Mesh& m) const {
        Aabb box;
        for (int i = 0; i < 3; ++i) {
            const Vec3 &along = rotation.r[i], back = -along;
            box.high[i] = pose.position[i] + dot(along, SupportPoint{along, slack}(m)) + slack;
            box.low[i] = pose.position[i] + dot(along, SupportPoint{back, slack}(m)) - slack;
        }
        if (m.triangles->ground()) {  // solid below the surface
            const Vec3 down = -m.triangles->extent * rotation.column(2);
            box = {min(box.low, box.low + down), max(box.high, box.high + down)};
        }
        return box;
    }
};

struct Name {
    const char* operator()(const Sphere&) const { return "sphere"; }
    const char* operator()(const Box&) const { return "box"; }
    const char* operator()(const Capsule&) const { return "capsule"; }
    const char* operator()(const Cylinder&) const { return "cylinder"; }
    const char* operator()(const HalfSpace&) const { return "half_space"; }
    const char* operator()(const Hull&) const { return "hull"; }
    const char* operator()(const Mesh& m) const { return m.triangles->ground() ? "height_field" : "mesh"; }
};

}  // namespace

std::string name(const Shape& shape) { return std::visit(Name{}, shape); }

Vec3 support(const Shape& shape, const Vec3& d) { return std::visit(SupportPoint{d, 0}, shape); }

Aabb bounds(const Shape& shape, const Pose& pose, double slack) { return std::visit(Bounds{pose, slack}, shape); }

}  // namespace asperity::geometry

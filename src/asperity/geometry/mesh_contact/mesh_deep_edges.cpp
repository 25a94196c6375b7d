// Edges of a mesh deep in a convex shape, with no vertex of either body inside the other: for example the rim of a table in
// a hull that was thrown over it.
#include <cmath>

#include "asperity/geometry/mesh_contact/mesh_pairs.h"

namespace asperity::geometry {
namespace {

// [-] Largest cosine between the normal of an exit face and the outward direction of the mesh edge. Through a face above it,
// the shape would be pushed into the mesh.
constexpr double kMaxExitCosine = 0.1;
// [-] Largest exit distance, as a multiple of the depth. An edge with a longer exit entered from another side. Without this
// bound, a rim that has nearly passed through a cylinder leaves by the cylinder's end.
constexpr double kMaxExitRatio = 2;

/// The part [first, last] of the segment from + t along, in the shape's axes.
struct ClippedSegment {
    Vec3 from, along;
    double first = 0, last = 1;
    bool empty() const { return first >= last; }
    /// Whether the whole segment lies more than `height` above a plane.
    bool above(const Vec3& normal, double offset, double height) const {
        const double start = dot(normal, from) - offset;
        return smaller(start, start + dot(normal, along)) > height;
    }
    Vec3 middle() const { return from + 0.5 * (first + last) * along; }
    /// Keeps the part below a plane.
    void cut(const Vec3& normal, double offset) {
        const double height = dot(normal, from) - offset, rate = dot(normal, along);
        if (rate < 0)
            first = larger(first, -height / rate);
        else if (rate > 0)
            last = smaller(last, -height / rate);
        else if (height > 0)
            last = first;
    }
    /// Keeps the part within an infinite cylinder about z.
    void cut_round(double radius) {
        const double a = along.x * along.x + along.y * along.y, b = from.x * along.x + from.y * along.y;
        const double rest = from.x * from.x + from.y * from.y - radius * radius, root = b * b - a * rest;
        if (a == 0 ? rest > 0 : root <= 0) {
            last = first;
        } else if (a > 0) {
            first = larger(first, (-b - std::sqrt(root)) / a);
            last = smaller(last, (-b + std::sqrt(root)) / a);
        }
    }
};

/// Calls visit(outward normal, offset), in the shape's axes, for the planes that bound a box or a hull. For a cylinder: its
/// caps, and the tangent plane of the mantle nearest to p if p is off the axis.
template <class Visit>
void for_planes(const Convex& c, const Vec3& p, const Visit& visit) {
    for (int f = 0; f < c.poly.face_count; ++f) visit(c.poly.faces[f].normal, c.poly.faces[f].offset);
    if (c.kind != Convex::Kind::Cylinder) return;
    for (const double end : {-1.0, 1.0}) visit(Vec3{0, 0, end}, c.half_length);
    if (const double r = std::hypot(p.x, p.y); r > 0) visit(Vec3{p.x / r, p.y / r, 0}, c.radius);
}

}  // namespace

void deep_edges_in(const MeshSide& side, const Shape& shape, const Pose& pose, double depth, MeshCandidates& out) {
    const TriangleSet& mesh = side.mesh;
    const Aabb deep = bounds(shape, pose).grown(-depth);  // contains every point deeper than `depth`
    if (deep.low.x > deep.high.x || deep.low.y > deep.high.y || deep.low.z > deep.high.z) return;
    const Convex c(shape, pose, {});
    const auto look = [&](int edge) {
        const TriangleSet::Edge& e = mesh.edges[static_cast<size_t>(edge)];
        if (!may_touch(mesh, e)) return;
        const Vec3 &from = mesh.positions[static_cast<size_t>(e.from)], &to = mesh.positions[static_cast<size_t>(e.to)];
        ClippedSegment inside{c.direction_to_local(from - c.center), c.direction_to_local(to - from)};
        bool shallow = false;  // as most edges are
        for_planes(c, {},
                   [&](const Vec3& normal, double offset) { shallow = shallow || inside.above(normal, offset, -depth); });
        if (shallow) return;
        for_planes(c, {}, [&](const Vec3& normal, double offset) {
            if (!inside.empty()) inside.cut(normal, offset);
        });
        if (c.kind == Convex::Kind::Cylinder) inside.cut_round(c.radius);
        EdgeForm form;
        if (inside.empty() || !edge_form(side, edge, form)) return;
        // Depth is concave along the edge, so in the middle it is at least half of the maximum.
        const Vec3 q = inside.middle(), mean = normalized(c.direction_to_local(form.mean));
        double nearest = -1e300, height = -1e300;
        Vec3 way;
        for_planes(c, q, [&](const Vec3& normal, double offset) {
            const double h = dot(normal, q) - offset;
            nearest = larger(nearest, h);
            if (h > height && dot(normal, mean) <= kMaxExitCosine) height = h, way = normal;
        });
        if (-nearest <= depth || height < kMaxExitRatio * nearest) return;
        const Vec3 p = c.to_world(q), outward = -(c.rotation * way);
        out.add({p, p + height * outward, outward, height, feature_pair_id(FeaturePair::EdgeEdge, edge, -1)});
    };
    mesh.tree.query(deep, [&](int triangle) {
        for (const int edge : mesh.edge_of[static_cast<size_t>(triangle)])
            if (mesh.edges[static_cast<size_t>(edge)].left == triangle) look(edge);
    });
}

}  // namespace asperity::geometry

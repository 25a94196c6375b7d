// Searches that precede the overlap of two meshes: the direction of least overlap, and the box in which their surfaces come
// near each other.
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"

namespace asperity::geometry::detail {

bool least_overlap(const Mesh& a, const Mesh& b, const Pose& b_in_a, double skin, Vec3& direction) {
    const Shape shape_a = a, shape_b = b;
    const Mat3 turn = matrix(b_in_a.orientation);
    const auto middle = [](const Mesh& m) { return 0.5 * (m.triangles->box.low + m.triangles->box.high); };
    const Vec3 between = normalize_or(b_in_a * middle(b) - middle(a), {0, 0, 1});
    double least = 1e300;
    for (int i = 0; i < 13; ++i) {
        Vec3 d = between;
        if (i < 12) {
            const double sign = i % 2 ? -1 : 1;
            d = {};
            d[i / 2 % 3] = sign;
            if (i >= 6) d = turn * d;
        }
        const double top = dot(d, support(shape_a, d)),
                     bottom = dot(d, b_in_a * support(shape_b, rotate_inverse(b_in_a.orientation, -d)));
        const double shared = top + 2 * skin - bottom;
        if (shared <= 0) return false;
        if (shared < least) least = shared, direction = d;
    }
    return true;
}

bool near_surface_box(const TriangleSet& a, const TriangleSet& b, const Pose& b_in_a, double grow, Aabb& out) {
    struct Pair {
        int a, b;
    };
    thread_local std::vector<Pair> stack;
    const Mat3 turn = matrix(b_in_a.orientation), size{{abs(turn.r[0]), abs(turn.r[1]), abs(turn.r[2])}};
    const auto& nodes_a = a.tree.nodes();
    const auto& nodes_b = b.tree.nodes();
    bool any = false;
    stack.assign(1, {0, 0});
    while (!stack.empty()) {
        const Pair pair = stack.back();
        stack.pop_back();
        const MeshTree::Node &na = nodes_a[static_cast<size_t>(pair.a)], &nb = nodes_b[static_cast<size_t>(pair.b)];
        const Vec3 middle = b_in_a.position + turn * (0.5 * (nb.box.low + nb.box.high)),
                   half = size * (0.5 * (nb.box.high - nb.box.low));
        const Vec3 low = max(na.box.low - Vec3{grow, grow, grow}, middle - half),
                   high = min(na.box.high + Vec3{grow, grow, grow}, middle + half);
        if (low.x > high.x || low.y > high.y || low.z > high.z) continue;
        if (any && low.x >= out.low.x && low.y >= out.low.y && low.z >= out.low.z && high.x <= out.high.x &&
            high.y <= out.high.y && high.z <= out.high.z)
            continue;
        if (na.count > 0 && nb.count > 0) {
            out = any ? Aabb{min(out.low, low), max(out.high, high)} : Aabb{low, high};
            any = true;
            continue;
        }
        const double size_a = na.count > 0 ? -1 : max_component(na.box.high - na.box.low),
                     size_b = nb.count > 0 ? -1 : max_component(half);
        if (size_a >= 2 * size_b) {
            stack.push_back({na.first, pair.b});
            stack.push_back({na.first + 1, pair.b});
        } else {
            stack.push_back({pair.a, nb.first});
            stack.push_back({pair.a, nb.first + 1});
        }
    }
    return any;
}

}  // namespace asperity::geometry::detail

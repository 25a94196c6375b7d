// Scan conversion of a mesh's triangles onto a grid of rays; see ray_intervals.h.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/shared_volume/detail/ray_intervals.h"

namespace asperity::geometry::detail {
namespace {

/// The side of an edge on which a point lies, seen along the rays. Both triangles at an edge compute the same number,
/// because the edge's ends are taken in a fixed order (by x, then y). A point on the edge counts as shifted by an
/// infinitesimal (-e^2, e), the same for all edges.
struct Side {
    Vec2 from, along;
    bool turned;
    Side(Vec2 p, Vec2 q) : turned(q.x < p.x || (q.x == p.x && q.y < p.y)) {
        if (turned) std::swap(p, q);
        from = p;
        along = q - p;
    }
    bool left(Vec2 x) const { return (cross(along, x - from) >= 0) != turned; }
};

}  // namespace

void MeshOnGrid::scan_triangle(const Vec3* corners, int triangle, const RayGrid& grid, int axis) {
    const int u = (axis + 1) % 3, w = (axis + 2) % 3;
    const Vec2 p[3] = {{corners[0][u], corners[0][w]}, {corners[1][u], corners[1][w]}, {corners[2][u], corners[2][w]}};
    // The rays in the triangle's bounds, with a margin, because the exact decision is made below.
    const auto first = [&](int k, double low) {
        return std::max(0, static_cast<int>(std::ceil((low - grid.low[k]) / grid.cell[k] - 0.5 - 1e-9)));
    };
    const auto last = [&](int k, double high) {
        return std::min(grid.count[k] - 1, static_cast<int>(std::floor((high - grid.low[k]) / grid.cell[k] - 0.5 + 1e-9)));
    };
    const auto within = [&](int k, double x) {
        return clamp(x, grid.low[k] - grid.cell[k], grid.low[k] + (grid.count[k] + 1) * grid.cell[k]);
    };
    const auto low = [&](int k, double a, double b, double c) { return within(k, smaller(smaller(a, b), c)); };
    const auto high = [&](int k, double a, double b, double c) { return within(k, larger(larger(a, b), c)); };
    const int u0 = first(u, low(u, p[0].x, p[1].x, p[2].x)), u1 = last(u, high(u, p[0].x, p[1].x, p[2].x));
    if (u0 > u1) return;
    const int w0 = first(w, low(w, p[0].y, p[1].y, p[2].y)), w1 = last(w, high(w, p[0].y, p[1].y, p[2].y));
    if (w0 > w1) return;
    const double area = cross(p[1] - p[0], p[2] - p[0]);
    if (area == 0) return;  // seen edge-on; its neighbours decide
    const bool counter_clockwise = area > 0;
    const Side sides[3] = {{p[0], p[1]}, {p[1], p[2]}, {p[2], p[0]}};
    // Height along the ray in the triangle's plane.
    const Vec2 e1 = p[1] - p[0], e2 = p[2] - p[0];
    const double z1 = corners[1][axis] - corners[0][axis], z2 = corners[2][axis] - corners[0][axis];
    const Vec2 slope{(z1 * e2.y - z2 * e1.y) / area, (z2 * e1.x - z1 * e2.x) / area};
    const double z_low = smaller(smaller(corners[0][axis], corners[1][axis]), corners[2][axis]);
    const double z_high = larger(larger(corners[0][axis], corners[1][axis]), corners[2][axis]);
    for (int j = w0; j <= w1; ++j) {
        for (int i = u0; i <= u1; ++i) {
            const Vec2 x{grid.middle(u, i), grid.middle(w, j)};
            if (sides[0].left(x) != counter_clockwise || sides[1].left(x) != counter_clockwise ||
                sides[2].left(x) != counter_clockwise)
                continue;
            hits_.push_back({j * grid.count[u] + i, triangle, clamp(corners[0][axis] + dot(slope, x - p[0]), z_low, z_high),
                             counter_clockwise});
        }
    }
}

void MeshOnGrid::scan(const TriangleSet& mesh, const Pose& in_grid, const RayGrid& grid, int axis) {
    hits_.clear();
    skipped_ = 0;
    const Mat3 turn = matrix(in_grid.orientation);
    const Mat3 size{{abs(turn.r[0]), abs(turn.r[1]), abs(turn.r[2])}};
    Vec3 low = grid.low, high = grid.low;
    for (int k = 0; k < 3; ++k) high[k] += grid.count[k] * grid.cell[k];
    // All triangles along a ray are needed to know what is inside. Ground is solid down to its extent.
    low[axis] = -1e30;
    high[axis] = 1e30;
    const bool ground = mesh.ground();
    const auto near = [&](const Aabb& box) {
        const Vec3 middle = in_grid.position + turn * (0.5 * (box.low + box.high)),
                   reach = size * (0.5 * (box.high - box.low));
        for (int k = 0; k < 3; ++k)
            if (middle[k] - reach[k] > high[k] || middle[k] + reach[k] < low[k]) return false;
        return true;
    };
    mesh.tree.query_if(near, [&](int triangle) {
        const Vec3 corners[3] = {in_grid.position + turn * mesh.corner(triangle, 0),
                                 in_grid.position + turn * mesh.corner(triangle, 1),
                                 in_grid.position + turn * mesh.corner(triangle, 2)};
        scan_triangle(corners, triangle, grid, axis);
        if (!ground) return;
        Vec3 below[3];  // the triangle shifted down by the mesh's extent, with opposite winding
        for (int i = 0; i < 3; ++i) below[i] = corners[2 - i] - mesh.extent * turn.column(2);
        scan_triangle(below, triangle, grid, axis);
    });
    start_.assign(static_cast<size_t>(grid.rays(axis)) + 1, 0);
    pair_hits(mesh, turn);
}

void MeshOnGrid::pair_hits(const TriangleSet& mesh, const Mat3& turn) {
    const size_t rays = start_.size() - 1;
    for (const Hit& hit : hits_) ++start_[static_cast<size_t>(hit.ray) + 1];
    for (size_t r = 0; r < rays; ++r) start_[r + 1] += start_[r];
    sorted_.resize(hits_.size());
    for (const Hit& hit : hits_) sorted_[static_cast<size_t>(start_[static_cast<size_t>(hit.ray)]++)] = hit;
    for (size_t r = rays; r > 0; --r) start_[r] = start_[r - 1];
    start_[0] = 0;
    intervals_.clear();
    first_.assign(rays + 1, 0);
    for (size_t r = 0; r < rays; ++r) {
        first_[r] = intervals_.size();
        Hit *begin = sorted_.data() + start_[r], *end = sorted_.data() + start_[r + 1];
        if (begin == end) continue;
        std::sort(begin, end, [](const Hit& a, const Hit& b) {
            return a.at < b.at ||
                   (a.at == b.at && (a.leaves < b.leaves || (a.leaves == b.leaves && a.triangle < b.triangle)));
        });
        int depth = 0;
        for (const Hit* h = begin; h != end; ++h) depth += h->leaves ? -1 : 1;
        if (depth != 0) {
            ++skipped_;
            continue;
        }
        const Hit* entry = nullptr;
        for (const Hit* h = begin; h != end; ++h) {
            const int before = depth;
            depth += h->leaves ? -1 : 1;
            if (before <= 0 && depth > 0) entry = h;
            if (before > 0 && depth <= 0 && entry) {
                intervals_.push_back({entry->at, h->at, turn * mesh.face_normals[static_cast<size_t>(entry->triangle)],
                                      turn * mesh.face_normals[static_cast<size_t>(h->triangle)]});
            }
        }
    }
    first_[rays] = intervals_.size();
}

}  // namespace asperity::geometry::detail

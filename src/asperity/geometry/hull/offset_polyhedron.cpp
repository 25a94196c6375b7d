// See offset_polyhedron.h. The faces around a vertex have normals n_i. With unit offset their planes bound { w : n_i . w <=
// 1 }. Its corners are the points of three planes that satisfy all other planes. They correspond to the Delaunay triangles
// of the n_i on the unit sphere, where the n_i are the corners of a convex polygon. Each diagonal of the triangulation is a
// short edge.
#include "asperity/geometry/hull/detail/offset_polyhedron.h"

#include <algorithm>
#include <cmath>

namespace asperity::geometry::detail {
namespace {

/// The w with n . w = 1 for three normals, as way / weight.
struct PlaneIntersection {
    Vec3 way;
    double weight;
    PlaneIntersection(const Vec3& a, const Vec3& b, const Vec3& c)
        : way(cross(b, c) + cross(c, a) + cross(a, b)), weight(dot(a, cross(b, c))) {}
    bool cut_off_by(const Vec3& n) const { return dot(n, way) > weight; }
};

}  // namespace

bool OffsetPolyhedron::split(const PolyhedronView& p, int half, std::vector<int>& corner_of_half) {
    // The loop below visits half-edges from the left face to the right one, which is clockwise. Reversed, halves[i] lies
    // between faces i - 1 and i.
    std::vector<int> halves;
    int e = half;
    do {
        halves.push_back(e);
        e = p.halves[p.halves[e].twin].next;
    } while (e != half);
    std::reverse(halves.begin(), halves.end());
    const size_t count = halves.size();
    if (count < 3) return false;
    const auto face = [&](size_t i) { return p.halves[halves[i]].face; };
    const auto normal = [&](size_t i) { return p.faces[face(i)].normal; };
    const int vertex = p.halves[half].from;
    struct Open {
        size_t i, j;  // a diagonal; the faces between them are beyond it
        int corner;   // on the near side of it
    };
    std::vector<Open> open{{0, count - 1, -1}};
    while (!open.empty()) {
        const auto [i, j, before] = open.back();
        open.pop_back();
        size_t k = i + 1;
        for (size_t m = k + 1; m < j; ++m)
            if (PlaneIntersection(normal(i), normal(k), normal(j)).cut_off_by(normal(m))) k = m;
        const PlaneIntersection apex(normal(i), normal(k), normal(j));
        const int corner = static_cast<int>(corners.size());
        corners.push_back({apex.way / apex.weight, vertex});
        if (!(apex.weight > 0) || !is_finite(corners.back().way)) return false;
        if (before < 0)
            corner_of_half[static_cast<size_t>(halves[0])] = corner;
        else
            short_edges.push_back({before, corner, face(j), face(i), vertex, vertex});
        for (const auto& [from, to] : {std::pair{i, k}, std::pair{k, j}})
            if (to == from + 1)
                corner_of_half[static_cast<size_t>(halves[to])] = corner;
            else
                open.push_back({from, to, corner});
    }
    return true;
}

void OffsetPolyhedron::set(const PolyhedronView& p) {
    size_t half_count = 0;  // `edges` may not be filled yet
    for (int f = 0; f < p.face_count; ++f) half_count += static_cast<size_t>(p.faces[f].count);
    std::vector<int> corner_of_half(half_count, -1);
    const auto number = [](size_t n) { return static_cast<int>(n); };
    bool sound = true;
    for (int v = 0; v < p.vertex_count; ++v) {
        const Vec3& at = p.vertices[v];
        first_corner.push_back(number(corners.size()));
        first_short.push_back(number(short_edges.size()));
        sound = split(p, p.leaving[v], corner_of_half) && sound;
        middle += at / p.vertex_count;
        reach = larger(reach, std::fabs(at.x) + std::fabs(at.y) + std::fabs(at.z));
    }
    first_corner.push_back(number(corners.size()));
    first_short.push_back(number(short_edges.size()));
    for (const Corner& c : corners) longest_way = larger(longest_way, length(c.way));
    for (int f = 0; f < p.face_count; ++f)
        for (int i = 0; i < p.faces[f].count; ++i)
            uneven = larger(uneven,
                            std::fabs(dot(p.faces[f].normal, p.vertices[p.loop[p.faces[f].first + i]]) - p.faces[f].offset));
    if (!sound || std::count(corner_of_half.begin(), corner_of_half.end(), -1)) return;
    limit = 1e300;
    for (int e = 0; e < number(corner_of_half.size()); ++e) {
        const int back = p.halves[e].twin;
        if (back < e) continue;
        const Edge edge{corner_of_half[static_cast<size_t>(e)],
                        corner_of_half[static_cast<size_t>(back)],
                        p.halves[e].face,
                        p.halves[back].face,
                        p.halves[e].from,
                        p.halves[back].from};
        edges.push_back(edge);
        const Vec3 along = p.vertices[edge.to_vertex] - p.vertices[edge.from_vertex];
        const double shrinks =
            -dot(along, corners[static_cast<size_t>(edge.to)].way - corners[static_cast<size_t>(edge.from)].way);
        if (shrinks > 0) limit = smaller(limit, 0.5 * length_squared(along) / shrinks);
    }
    first_neighbour.assign(static_cast<size_t>(p.vertex_count) + 1, 0);
    for (const Edge& e : edges)
        ++first_neighbour[static_cast<size_t>(e.from_vertex) + 1], ++first_neighbour[static_cast<size_t>(e.to_vertex) + 1];
    for (size_t v = 1; v < first_neighbour.size(); ++v) first_neighbour[v] += first_neighbour[v - 1];
    std::vector<int> next = first_neighbour;
    neighbours.resize(2 * edges.size());
    for (size_t e = 0; e < edges.size(); ++e) {
        const int from = edges[e].from_vertex, to = edges[e].to_vertex;
        neighbours[static_cast<size_t>(next[static_cast<size_t>(from)]++)] = {number(e), to};
        neighbours[static_cast<size_t>(next[static_cast<size_t>(to)]++)] = {number(e), from};
    }
}

}  // namespace asperity::geometry::detail

// The narrow phase: the stencils of each vertex with their coefficients over closed cells, crossing edges, and their order.
#include "asperity/ipc/collisions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/core/parallel.h"
#include "asperity/ipc/distance/closest.h"
#include "asperity/ipc/distance/line_line.h"
#include "asperity/ipc/distance/point_line.h"
#include "asperity/ipc/distance/point_plane.h"
#include "asperity/ipc/distance/point_point.h"
#include "asperity/ipc/edge_factor.h"

namespace asperity::ipc {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Vertices and pairs of edges per chunk; independent of the number of threads.
constexpr int kVertices = 32, kEdges = 256;

/// A primitive that a vertex touches, and its coefficient.
struct Touch {
    Stencil stencil;
    int index;  ///< of the vertex, edge or face
    int count;
    bool operator<(const Touch& o) const { return stencil != o.stencil ? stencil < o.stencil : index < o.index; }
};

struct NearEdge {
    int index;
    EdgePart part;
    double distance;
    int faces;  ///< near ones that have it
};
struct NearVertex {
    int index;
    int count;  ///< of the cells at it, with their coefficients
};

/// The cells near one vertex and their contacts.
template <int Dim>
struct Neighbourhood {
    std::vector<int> cells, indices;
    std::vector<NearEdge> edges;
    std::vector<NearVertex> vertices;
    std::vector<Touch> touches;
};

template <int Dim>
NearEdge near_edge(const Surface<Dim>& s, std::span<const Vector<Dim>> x, const Vector<Dim>& p, int index) {
    const std::array<int, 2>& edge = s.edges[at(index)];
    const Vector<Dim>&a = x[at(edge[0])], &b = x[at(edge[1])];
    const EdgePart part = closest_part(p, a, b);
    const double distance = part == EdgePart::First    ? (p - a).norm()
                            : part == EdgePart::Second ? (p - b).norm()
                                                       : point_line(p, a, b).distance;
    return {index, part, distance, 0};
}

template <int Dim>
Touch touch_of(const Surface<Dim>& s, const NearEdge& edge, int count) {
    if (edge.part == EdgePart::Inside) return {Stencil::PointLine, edge.index, count};
    return {Stencil::PointPoint, s.edges[at(edge.index)][edge.part == EdgePart::Second], count};
}

/// A vertex counts as often as is missing to 1 around it, if it is near itself.
template <int Dim, class Near>
void add_vertices(Neighbourhood<Dim>& n, const Near& near) {
    std::sort(n.vertices.begin(), n.vertices.end(),
              [](const NearVertex& a, const NearVertex& b) { return a.index < b.index; });
    for (std::size_t i = 0; i < n.vertices.size();) {
        NearVertex v = n.vertices[i++];
        for (; i < n.vertices.size() && n.vertices[i].index == v.index; ++i) v.count += n.vertices[i].count;
        if (v.count != 1 && near(v.index)) n.touches.push_back({Stencil::PointPoint, v.index, 1 - v.count});
    }
}

/// reach(b): distance at which contacts with body b begin to act.
template <class Reach>
void find_touches(const Surface<2>& s, std::span<const Vector<2>> x, int vertex, const Reach& reach, Neighbourhood<2>& n) {
    n.vertices.clear();
    const Vector<2>& p = x[at(vertex)];
    for (const int e : n.cells) {
        const NearEdge edge = near_edge(s, x, p, e);
        if (!(edge.distance < reach(s.body[at(s.edges[at(e)][0])]))) continue;
        n.touches.push_back(touch_of(s, edge, 1));
        for (const int v : s.edges[at(e)]) n.vertices.push_back({v, 1});
    }
    add_vertices(n, [&](int v) { return (p - x[at(v)]).norm() < reach(s.body[at(v)]); });
}

template <class Reach>
void find_touches(const Surface<3>& s, std::span<const Vector<3>> x, int vertex, const Reach& reach, Neighbourhood<3>& n) {
    const Vector<3>& p = x[at(vertex)];
    // faces whose box is near, and their edges
    std::size_t kept = 0;
    n.indices.clear();
    for (const int f : n.cells) {
        const std::array<int, 3>& face = s.faces[at(f)];
        const double most = reach(s.body[at(face[0])]);
        const Vector<3>&a = x[at(face[0])], &b = x[at(face[1])], &c = x[at(face[2])];
        bool near = true;
        for (int k = 0; k < 3; ++k)
            near = near && p[k] - std::max({a[k], b[k], c[k]}) < most && std::min({a[k], b[k], c[k]}) - p[k] < most;
        if (!near) continue;
        n.cells[kept++] = f;
        n.indices.insert(n.indices.end(), s.face_edges[at(f)].begin(), s.face_edges[at(f)].end());
    }
    n.cells.resize(kept);
    std::sort(n.indices.begin(), n.indices.end());
    n.indices.erase(std::unique(n.indices.begin(), n.indices.end()), n.indices.end());
    n.edges.clear();
    for (const int e : n.indices) n.edges.push_back(near_edge(s, x, p, e));
    const auto edge_of = [&](int index) -> NearEdge& {
        return *std::lower_bound(n.edges.begin(), n.edges.end(), index,
                                 [](const NearEdge& edge, int value) { return edge.index < value; });
    };

    n.vertices.clear();
    for (const int f : n.cells) {
        const std::array<int, 3>& face = s.faces[at(f)];
        const double most = reach(s.body[at(face[0])]);
        const Vector<3>&a = x[at(face[0])], &b = x[at(face[1])], &c = x[at(face[2])];
        Touch touch{Stencil::PointPlane, f, 1};
        if (above_inside(p, a, b, c)) {
            if (!(point_plane(p, a, b, c).distance < most)) continue;
        } else {
            const NearEdge* nearest = nullptr;
            for (const int e : s.face_edges[at(f)])
                if (const NearEdge& edge = edge_of(e); !nearest || edge.distance < nearest->distance) nearest = &edge;
            if (!(nearest->distance < most)) continue;
            touch = touch_of(s, *nearest, 1);
        }
        n.touches.push_back(touch);
        for (const int e : s.face_edges[at(f)]) ++edge_of(e).faces;
        for (const int v : face) n.vertices.push_back({v, 1});
    }
    for (const NearEdge& edge : n.edges) {
        const std::array<int, 2>& ends = s.edges[at(edge.index)];
        if (edge.faces == 0 || edge.faces == 1 || !(edge.distance < reach(s.body[at(ends[0])]))) continue;
        n.touches.push_back(touch_of(s, edge, 1 - edge.faces));
        for (const int v : ends) n.vertices.push_back({v, 1 - edge.faces});
    }
    add_vertices(n, [&](int v) { return (p - x[at(v)]).norm() < reach(s.body[at(v)]); });
}

template <int Dim>
Collision make_collision(const Surface<Dim>& s, int vertex, const Touch& touch) {
    Collision c;
    c.stencil = touch.stencil;
    c.vertices[0] = vertex;
    if (touch.stencil == Stencil::PointPoint) {
        c.vertices[1] = touch.index;
    } else if (touch.stencil == Stencil::PointLine) {
        std::copy_n(s.edges[at(touch.index)].begin(), 2, c.vertices.begin() + 1);
    } else {
        std::copy_n(s.faces[at(touch.index)].begin(), 3, c.vertices.begin() + 1);
    }
    const int own = s.body[at(vertex)], other = s.body[at(c.vertices[1])];
    c.weight = touch.count * s.share(own, other) * s.vertex_area[at(vertex)];
    c.thickness = s.pair_thickness(own, other);
    return c;
}

/// The contacts of one vertex with its candidates [first, last).
template <int Dim>
void find_of_vertex(const Surface<Dim>& s, std::span<const Pair> candidates, std::span<const Vector<Dim>> x, double dhat,
                    Neighbourhood<Dim>& n, std::vector<Collision>& out) {
    const int vertex = candidates[0][0], own = s.body[at(vertex)];
    n.cells.clear();
    for (const Pair& pair : candidates) n.cells.push_back(pair[1]);
    n.touches.clear();
    find_touches(
        s, x, vertex, [&](int body) { return dhat + s.pair_thickness(own, body); }, n);
    std::sort(n.touches.begin(), n.touches.end());
    for (std::size_t i = 0; i < n.touches.size();) {
        Touch touch = n.touches[i++];
        for (; i < n.touches.size() && !(touch < n.touches[i]); ++i) touch.count += n.touches[i].count;
        if (touch.count == 0) continue;
        const Collision c = make_collision(s, vertex, touch);
        if (c.weight != 0) out.push_back(c);
    }
}

void find_of_edges(const Surface<3>& s, const Pair& pair, std::span<const Vector<3>> x, double dhat,
                   std::vector<Collision>& out) {
    const std::array<int, 2>&a = s.edges[at(pair[0])], &b = s.edges[at(pair[1])];
    const Vector<3>&a0 = x[at(a[0])], &a1 = x[at(a[1])], &b0 = x[at(b[0])], &b1 = x[at(b[1])];
    const double length_a = s.edge_length[at(pair[0])], length_b = s.edge_length[at(pair[1])];
    if (!(length_a > 0 && length_b > 0)) return;
    Collision c;
    c.stencil = Stencil::EdgeEdge;
    c.vertices = {a[0], a[1], b[0], b[1]};
    c.thickness = s.pair_thickness(s.body[at(a[0])], s.body[at(b[0])]);
    c.parallel = kParallelShare * length_a * length_a * length_b * length_b;
    if (!cross_inside(a0, a1, b0, b1) || too_parallel((a1 - a0).cross(b1 - b0).squaredNorm(), c.parallel)) return;
    if (!(line_line(a0, a1, b0, b1).distance < dhat + c.thickness)) return;
    const double width = std::min(s.edge_area[at(pair[0])] / length_a, s.edge_area[at(pair[1])] / length_b);
    c.weight = kEdgeShare * std::numbers::pi / 2 * width * width;
    if (c.weight > 0) out.push_back(c);
}

/// A pair of vertices is found from both sides: one contact with the sum of the two weights, at the end of the list.
void merge_points(std::vector<Collision>& all, std::vector<Collision>& points) {
    points.clear();
    std::size_t kept = 0;
    for (Collision& c : all) {
        if (c.stencil != Stencil::PointPoint) {
            all[kept++] = c;
            continue;
        }
        if (c.vertices[0] > c.vertices[1]) std::swap(c.vertices[0], c.vertices[1]);
        points.push_back(c);
    }
    all.resize(kept);
    std::sort(points.begin(), points.end(), [](const Collision& a, const Collision& b) { return a.vertices < b.vertices; });
    for (std::size_t i = 0; i < points.size();) {
        Collision c = points[i++];
        for (; i < points.size() && points[i].vertices == c.vertices; ++i) c.weight += points[i].weight;
        if (c.weight != 0) all.push_back(c);
    }
}

}  // namespace

template <int Dim>
void find_collisions(const Surface<Dim>& surface, const Candidates<Dim>& candidates, std::span<const Vector<Dim>> x,
                     double dhat, std::vector<Collision>& out) {
    CollisionScratch& scratch = candidates.collision_scratch;
    const std::vector<Pair>& pairs = candidates.vertex_cell;
    std::vector<int>& start = scratch.start;  // of each vertex in the list of pairs
    start.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (i == 0 || pairs[i][0] != pairs[i - 1][0]) start.push_back(static_cast<int>(i));
    const int vertices = static_cast<int>(start.size());
    start.push_back(static_cast<int>(pairs.size()));
    const int edges = static_cast<int>(candidates.edge_edge.size());
    const int vertex_chunks = (vertices + kVertices - 1) / kVertices, chunks = vertex_chunks + (edges + kEdges - 1) / kEdges;
    if (scratch.chunks.size() < at(chunks)) scratch.chunks.resize(at(chunks));
    parallel_for(
        chunks,
        [&](int k) {
            std::vector<Collision>& found = scratch.chunks[at(k)];
            found.clear();
            if (k < vertex_chunks) {
                thread_local Neighbourhood<Dim> neighbourhood;
                for (int i = k * kVertices; i < std::min(vertices, (k + 1) * kVertices); ++i) {
                    const std::size_t first = at(start[at(i)]), last = at(start[at(i) + 1]);
                    find_of_vertex(surface, std::span<const Pair>(&pairs[first], last - first), x, dhat, neighbourhood,
                                   found);
                }
            } else if constexpr (Dim == 3) {
                const int first = (k - vertex_chunks) * kEdges;
                for (int i = first; i < std::min(edges, first + kEdges); ++i)
                    find_of_edges(surface, candidates.edge_edge[at(i)], x, dhat, found);
            }
        },
        1);
    out.clear();
    for (int k = 0; k < chunks; ++k) out.insert(out.end(), scratch.chunks[at(k)].begin(), scratch.chunks[at(k)].end());
    merge_points(out, scratch.points);
}

template <int Dim>
Separation<Dim> separation(const Collision& c, std::span<const Vector<Dim>> x) {
    const auto point = [&](std::size_t k) -> const Vector<Dim>& { return x[at(c.vertices[k])]; };
    switch (c.stencil) {
        case Stencil::PointPoint: return point_point(point(0), point(1));
        case Stencil::PointLine: return point_line(point(0), point(1), point(2));
        case Stencil::PointPlane:
            if constexpr (Dim == 3) return point_plane(point(0), point(1), point(2), point(3));
            break;
        case Stencil::EdgeEdge:
            if constexpr (Dim == 3) return line_line(point(0), point(1), point(2), point(3));
            break;
    }
    return {};
}

template <int Dim>
double gap(const Collision& c, std::span<const Vector<Dim>> x) {
    return separation(c, x).distance - c.thickness;
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                         \
    template void find_collisions<Dim>(const Surface<Dim>&, const Candidates<Dim>&, std::span<const Vector<Dim>>, double, \
                                       std::vector<Collision>&);                                                          \
    template Separation<Dim> separation<Dim>(const Collision&, std::span<const Vector<Dim>>);                             \
    template double gap<Dim>(const Collision&, std::span<const Vector<Dim>>);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::ipc

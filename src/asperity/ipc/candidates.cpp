// The broad phase makes lists with a margin: each vertex may leave its swept box by the margin before they are made anew.
// Every call filters them by the boxes of its own motion, so that the pairs do not depend on when the lists were made.
#include "asperity/ipc/candidates.h"

#include <algorithm>

#include "asperity/ccd/time_of_impact.h"
#include "asperity/core/parallel.h"

namespace asperity::ipc {
namespace {

template <int Dim>
using Box = ccd::Box<Dim>;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Primitives per chunk. Chunks do not depend on the number of threads, so that neither do the results.
constexpr int kChunk = 128;

// The margin is half of the largest motion: iterations of one solve shrink, so one list serves all of them. Below a quarter
// of the search distance lists would be made anew without need; above a quarter of an edge they become long.
constexpr double kMarginOfMotion = 0.5, kMarginOfDistance = 0.25, kMarginOfEdge = 0.25;

/// Vertices of a face (3D) or edge (2D).
template <int Dim>
const std::array<int, Dim>& cell(const Surface<Dim>& s, int index) {
    if constexpr (Dim == 2)
        return s.edges[at(index)];
    else
        return s.faces[at(index)];
}
template <int Dim>
int cell_count(const Surface<Dim>& s) {
    if constexpr (Dim == 2)
        return static_cast<int>(s.edges.size());
    else
        return static_cast<int>(s.faces.size());
}

template <int Dim, std::size_t Count>
Box<Dim> box_of_vertices(const std::vector<Box<Dim>>& boxes, const std::array<int, Count>& vertices) {
    Box<Dim> box = boxes[at(vertices[0])];
    for (std::size_t k = 1; k < Count; ++k) box.add(boxes[at(vertices[k])]);
    return box;
}

template <int Dim>
bool contains(const Box<Dim>& outer, const Box<Dim>& inner) {
    return (outer.low.array() <= inner.low.array()).all() && (inner.high.array() <= outer.high.array()).all();
}

/// May a vertex touch a cell, or an edge another one?
template <int Dim, std::size_t Count>
bool may_pair(const Surface<Dim>& s, int vertex, const std::array<int, Count>& cell) {
    return s.may_touch(s.body[at(vertex)], s.body[at(cell[0])]) && std::find(cell.begin(), cell.end(), vertex) == cell.end();
}
template <int Dim>
bool may_pair(const Surface<Dim>& s, const std::array<int, 2>& a, const std::array<int, 2>& b) {
    return s.may_touch(s.body[at(a[0])], s.body[at(b[0])]) && a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1];
}

/// True if the lists still have every pair of this motion.
template <int Dim>
bool still_wide_enough(const Surface<Dim>& s, double distance, Candidates<Dim>& c) {
    if (c.version != s.version || c.allowed.size() != c.swept.size() || !(distance <= c.allowed_distance)) return false;
    const int count = static_cast<int>(c.swept.size()), chunks = (count + kChunk - 1) / kChunk;
    c.keep.assign(at(chunks), 1);
    parallel_for(chunks, [&](int k) {
        for (int v = k * kChunk; v < std::min(count, (k + 1) * kChunk); ++v)
            if (!contains(c.allowed[at(v)], c.swept[at(v)])) c.keep[at(k)] = 0;
    });
    return std::find(c.keep.begin(), c.keep.end(), 0) == c.keep.end();
}

/// Box of all vertices that move, larger by `distance`: primitives that do not move and lie outside need not be looked at.
template <int Dim>
Box<Dim> moving_bounds(const Surface<Dim>& s, const std::vector<Box<Dim>>& boxes, double distance) {
    Box<Dim> out = Box<Dim>::empty();
    for (std::size_t v = 0; v < boxes.size(); ++v)
        if (s.moves[at(s.body[v])]) out.add(boxes[v]);
    return ccd::inflate(out, distance);
}

/// Runs query(i, out) for i in [0, count) by chunks and joins the results in order.
template <int Dim, class Query>
void collect(Candidates<Dim>& c, int count, std::vector<Pair>& out, const Query& query) {
    const int chunks = (count + kChunk - 1) / kChunk;
    if (c.chunks.size() < at(chunks)) c.chunks.resize(at(chunks));
    parallel_for(
        chunks,
        [&](int k) {
            std::vector<Pair>& found = c.chunks[at(k)];
            found.clear();
            for (int i = k * kChunk; i < std::min(count, (k + 1) * kChunk); ++i) {
                const auto first = static_cast<std::ptrdiff_t>(found.size());
                query(i, found);
                std::sort(found.begin() + first, found.end());
            }
        },
        1);
    out.clear();
    for (int k = 0; k < chunks; ++k) out.insert(out.end(), c.chunks[at(k)].begin(), c.chunks[at(k)].end());
}

template <int Dim>
void make_lists(const Surface<Dim>& s, std::span<const Vector<Dim>> direction, double distance, Candidates<Dim>& c) {
    double motion = 0;
    for (const Vector<Dim>& d : direction) motion = std::max(motion, d.cwiseAbs().maxCoeff());
    const double least = kMarginOfDistance * distance;
    const double margin = std::clamp(kMarginOfMotion * motion, least, std::max(least, kMarginOfEdge * s.mean_length));
    c.allowed.resize(c.swept.size());
    for (std::size_t v = 0; v < c.swept.size(); ++v) c.allowed[v] = ccd::inflate(c.swept[v], margin);
    c.allowed_distance = distance;
    c.version = s.version;
    ++c.builds;

    const Box<Dim> bounds = moving_bounds(s, c.allowed, distance);
    const auto near_what_moves = [&](int body, const Box<Dim>& box) {
        return s.moves[at(body)] || ccd::overlap(bounds, box);
    };
    const auto build = [&](int count, const auto& vertices_of) {
        c.boxes.clear();
        c.primitives.clear();
        for (int i = 0; i < count; ++i) {
            const Box<Dim> box = box_of_vertices(c.allowed, vertices_of(i));
            if (!near_what_moves(s.body[at(vertices_of(i)[0])], box)) continue;
            c.boxes.push_back(ccd::inflate(box, distance));
            c.primitives.push_back(i);
        }
        c.tree.build(c.boxes);
    };
    build(cell_count(s), [&](int i) -> const std::array<int, Dim>& { return cell(s, i); });
    collect(c, static_cast<int>(c.allowed.size()), c.wide_vertex_cell, [&](int v, std::vector<Pair>& out) {
        const Box<Dim>& box = c.allowed[at(v)];
        if (!near_what_moves(s.body[at(v)], box)) return;
        c.tree.for_overlaps(box, [&](int k) {
            const int i = c.primitives[at(k)];
            if (may_pair(s, v, cell(s, i))) out.push_back({v, i});
        });
    });
    c.wide_edge_edge.clear();
    if constexpr (Dim == 3) {
        build(static_cast<int>(s.edges.size()), [&](int i) -> const std::array<int, 2>& { return s.edges[at(i)]; });
        collect(c, static_cast<int>(c.primitives.size()), c.wide_edge_edge, [&](int k, std::vector<Pair>& out) {
            const int e = c.primitives[at(k)];
            c.tree.for_overlaps(box_of_vertices(c.allowed, s.edges[at(e)]), [&](int q) {
                const int other = c.primitives[at(q)];
                if (other > e && may_pair(s, s.edges[at(e)], s.edges[at(other)])) out.push_back({e, other});
            });
        });
    }
}

/// The pairs of a list for which test(pair) holds.
template <int Dim, class Test>
void filter(const std::vector<Pair>& wide, Candidates<Dim>& c, std::vector<Pair>& out, const Test& test) {
    c.keep.resize(wide.size());
    parallel_for(
        static_cast<int>(wide.size()), [&](int i) { c.keep[at(i)] = test(wide[at(i)]); }, 256);
    out.clear();
    for (std::size_t i = 0; i < wide.size(); ++i)
        if (c.keep[i]) out.push_back(wide[i]);
}

/// Positions or displacements of a candidate's vertices.
template <int Dim, std::size_t Count>
std::array<Vector<Dim>, Count> gather(std::span<const Vector<Dim>> values, const std::array<int, Count>& vertices) {
    std::array<Vector<Dim>, Count> out;
    for (std::size_t k = 0; k < Count; ++k) out[k] = values[at(vertices[k])];
    return out;
}

template <int Dim>
double pair_limit(const Surface<Dim>& s, const Candidates<Dim>& c, int index, std::span<const Vector<Dim>> x,
                  std::span<const Vector<Dim>> d, double keep, double most) {
    const std::array<int, 2> bodies = candidate_bodies(s, c, index);
    const double thickness = s.pair_thickness(bodies[0], bodies[1]);
    const bool edges = at(index) >= c.vertex_cell.size();
    const Pair& pair = edges ? c.edge_edge[at(index) - c.vertex_cell.size()] : c.vertex_cell[at(index)];
    if constexpr (Dim == 2) {
        const std::array<int, 2>& edge = s.edges[at(pair[1])];
        const std::array<int, 3> v{pair[0], edge[0], edge[1]};
        return ccd::point_edge_limit<2>(gather(x, v), gather(d, v), thickness, keep, most);
    } else if (edges) {
        const std::array<int, 2>&a = s.edges[at(pair[0])], &b = s.edges[at(pair[1])];
        const std::array<int, 4> v{a[0], a[1], b[0], b[1]};
        return ccd::edge_edge_limit(gather(x, v), gather(d, v), thickness, keep, most);
    } else {
        const std::array<int, 3>& face = s.faces[at(pair[1])];
        const std::array<int, 4> v{pair[0], face[0], face[1], face[2]};
        return ccd::point_triangle_limit(gather(x, v), gather(d, v), thickness, keep, most);
    }
}

}  // namespace

template <int Dim>
void find_candidates(const Surface<Dim>& surface, std::span<const Vector<Dim>> x, std::span<const Vector<Dim>> direction,
                     double distance, Candidates<Dim>& c) {
    c.swept.resize(x.size());
    parallel_for(
        static_cast<int>(x.size()),
        [&](int v) { c.swept[at(v)] = ccd::box_of(x[at(v)], Vector<Dim>(x[at(v)] + direction[at(v)])); }, 256);
    if (!still_wide_enough(surface, distance, c)) make_lists(surface, direction, distance, c);
    // boxes of cells and edges once, since each is in many pairs
    const auto sweep = [&](int count, const auto& vertices_of) {
        c.boxes.resize(at(count));
        parallel_for(
            count, [&](int i) { c.boxes[at(i)] = box_of_vertices(c.swept, vertices_of(i)); }, 256);
    };
    sweep(cell_count(surface), [&](int i) -> const std::array<int, Dim>& { return cell(surface, i); });
    filter(c.wide_vertex_cell, c, c.vertex_cell, [&](const Pair& pair) {
        return ccd::overlap(ccd::inflate(c.boxes[at(pair[1])], distance), c.swept[at(pair[0])]);
    });
    if constexpr (Dim == 3)
        sweep(static_cast<int>(surface.edges.size()),
              [&](int i) -> const std::array<int, 2>& { return surface.edges[at(i)]; });
    filter(c.wide_edge_edge, c, c.edge_edge, [&](const Pair& pair) {
        return ccd::overlap(ccd::inflate(c.boxes[at(pair[1])], distance), c.boxes[at(pair[0])]);
    });
}

template <int Dim>
std::array<int, 2> candidate_bodies(const Surface<Dim>& s, const Candidates<Dim>& c, int index) {
    if (at(index) < c.vertex_cell.size()) {
        const Pair& pair = c.vertex_cell[at(index)];
        return {s.body[at(pair[0])], s.body[at(cell(s, pair[1])[0])]};
    }
    const Pair& pair = c.edge_edge[at(index) - c.vertex_cell.size()];
    return {s.body[at(s.edges[at(pair[0])][0])], s.body[at(s.edges[at(pair[1])][0])]};
}

/// Within a chunk each pair is followed only as far as those before it allow; chunks do not depend on the number of threads.
template <int Dim>
double step_limit(const Surface<Dim>& surface, const Candidates<Dim>& c, std::span<const Vector<Dim>> x,
                  std::span<const Vector<Dim>> direction, double keep, int* blocking) {
    struct Limit {
        double value;
        int index;
    };
    const int count = c.size(), chunks = (count + kChunk - 1) / kChunk;
    thread_local std::vector<Limit> limits;
    std::vector<Limit>& found = limits;  // this thread's, also within the loop
    found.assign(at(chunks), {1, -1});
    parallel_for(
        chunks,
        [&](int k) {
            Limit& least = found[at(k)];
            for (int i = k * kChunk; i < std::min(count, (k + 1) * kChunk); ++i) {
                const double limit = pair_limit(surface, c, i, x, direction, keep, least.value);
                if (limit < least.value) least = {limit, i};
            }
        },
        1);
    Limit least{1, -1};
    for (const Limit& limit : found)
        if (limit.value < least.value) least = limit;
    if (blocking) *blocking = least.index;
    return least.value;
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                       \
    template void find_candidates<Dim>(const Surface<Dim>&, std::span<const Vector<Dim>>, std::span<const Vector<Dim>>, \
                                       double, Candidates<Dim>&);                                                       \
    template std::array<int, 2> candidate_bodies<Dim>(const Surface<Dim>&, const Candidates<Dim>&, int);                \
    template double step_limit<Dim>(const Surface<Dim>&, const Candidates<Dim>&, std::span<const Vector<Dim>>,          \
                                    std::span<const Vector<Dim>>, double, int*);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::ipc

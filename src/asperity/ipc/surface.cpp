// Areas, lengths and edges of faces, from the rest shape.
#include "asperity/ipc/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "asperity/core/assert.h"
#include "asperity/core/error.h"

namespace asperity::ipc {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Position of an edge in a list that is sorted by its vertices, the smaller one first; -1 if it has none.
struct EdgeIndex {
    std::vector<std::array<int, 3>> sorted;  // low vertex, high vertex, edge
    explicit EdgeIndex(const std::vector<std::array<int, 2>>& edges) {
        sorted.reserve(edges.size());
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const auto [low, high] = std::minmax(edges[e][0], edges[e][1]);
            sorted.push_back({low, high, static_cast<int>(e)});
        }
        std::sort(sorted.begin(), sorted.end());
    }
    int find(int a, int b) const {
        const auto [low, high] = std::minmax(a, b);
        const auto found = std::lower_bound(sorted.begin(), sorted.end(), std::array<int, 3>{low, high, 0});
        return found != sorted.end() && (*found)[0] == low && (*found)[1] == high ? (*found)[2] : -1;
    }
};

double face_area(const Surface<3>& s, const std::array<int, 3>& face) {
    const Vector<3> u = s.rest[at(face[1])] - s.rest[at(face[0])], v = s.rest[at(face[2])] - s.rest[at(face[0])];
    return 0.5 * length(cross(to_vec3(u), to_vec3(v)));
}

void add_areas(Surface<2>& s) {
    s.edge_area = s.edge_length;
    for (std::size_t e = 0; e < s.edges.size(); ++e)
        for (const int v : s.edges[e]) s.vertex_area[at(v)] += s.edge_length[e] / 2;
}

void add_areas(Surface<3>& s) {
    const EdgeIndex index(s.edges);
    s.face_edges.resize(s.faces.size());
    for (std::size_t f = 0; f < s.faces.size(); ++f) {
        const std::array<int, 3>& face = s.faces[f];
        const double area = face_area(s, face);
        for (std::size_t k = 0; k < 3; ++k) {
            const int edge = index.find(face[k], face[(k + 1) % 3]);
            if (edge < 0)
                throw InputError(
                    fmt::format("face {} of a surface: its edge from vertex {} to {} is not in the list of edges", f,
                                face[k], face[(k + 1) % 3]));
            s.face_edges[f][k] = edge;
            s.edge_area[at(edge)] += area / 3;
            s.vertex_area[at(face[k])] += area / 3;
        }
    }
}

}  // namespace

template <int Dim>
void Surface<Dim>::prepare() {
    ASPERITY_ASSERT(body.size() == rest.size());
    ASPERITY_ASSERT(thickness.size() == moves.size() && collide.size() == moves.size() * moves.size());
    vertex_area.assign(rest.size(), 0);
    edge_area.assign(edges.size(), 0);
    edge_length.resize(edges.size());
    mean_length = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        edge_length[e] = (rest[at(edges[e][1])] - rest[at(edges[e][0])]).norm();
        mean_length += edge_length[e] / static_cast<double>(edges.size());
    }
    add_areas(*this);
    mean_area.assign(moves.size(), 0);
    std::vector<int> count(moves.size(), 0);
    for (std::size_t v = 0; v < rest.size(); ++v) {
        mean_area[at(body[v])] += vertex_area[v];
        ++count[at(body[v])];
    }
    for (std::size_t b = 0; b < moves.size(); ++b)
        if (count[b] > 0) mean_area[b] /= count[b];
    static std::atomic<std::uint64_t> versions{0};
    version = ++versions;
}

template struct Surface<2>;
template struct Surface<3>;

}  // namespace asperity::ipc

// The search for crossings: a tree of the faces (2D: of the edges), and one query for each edge.
#include "asperity/ccd/intersections.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <limits>

#include "asperity/ccd/box_tree.h"
#include "asperity/ccd/crossings.h"
#include "asperity/ccd/distance.h"
#include "asperity/core/parallel.h"

namespace asperity::ccd {
namespace {

// Edges of one task. Fewer: the tasks cost more than the queries; more: a search for the first crossing stops later.
constexpr int kChunk = 256;

/// An edge, and a face (3D) or an edge (2D).
struct Pair {
    int edge, other;
    friend bool operator<(const Pair& a, const Pair& b) { return a.edge != b.edge ? a.edge < b.edge : a.other < b.other; }
};

template <int Dim>
class Search {
  public:
    Search(const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x) : view_(view), x_(x) {
        const std::size_t count = Dim == 2 ? view.edges.size() : view.faces.size();
        std::vector<Box<Dim>> boxes(count);
        parallel_for(
            static_cast<int>(count), [&](int i) { boxes[static_cast<std::size_t>(i)] = other_box(i); }, 1024);
        tree_.build(boxes);
    }

    std::vector<Pair> first(int most) const {
        const int edges = static_cast<int>(view_.edges.size()), chunks = (edges + kChunk - 1) / kChunk;
        std::vector<std::vector<Pair>> found(static_cast<std::size_t>(chunks));
        std::atomic<int> enough = chunks;  // lowest chunk with `most` pairs; later ones are not needed
        parallel_for(
            chunks,
            [&](int c) {
                if (c > enough.load(std::memory_order_relaxed)) return;
                std::vector<Pair>& mine = found[static_cast<std::size_t>(c)];
                for (int e = c * kChunk; e < std::min(edges, (c + 1) * kChunk) && static_cast<int>(mine.size()) < most; ++e)
                    search(e, mine);
                if (static_cast<int>(mine.size()) < most) return;
                int last = enough.load();
                while (c < last && !enough.compare_exchange_weak(last, c)) {}
            },
            1);
        std::vector<Pair> all;
        for (const std::vector<Pair>& part : found) {
            all.insert(all.end(), part.begin(), part.end());
            if (static_cast<int>(all.size()) >= most) break;
        }
        if (static_cast<int>(all.size()) > most) all.resize(static_cast<std::size_t>(std::max(most, 0)));
        return all;
    }

    Intersection describe(const Pair& pair) const {
        Intersection out;
        out.found = true;
        const std::array<int, 2>& e = edge(pair.edge);
        out.body_a = view_.body_of(e[0]);
        out.vertices = {e[0], e[1], -1, -1, -1};
        if constexpr (Dim == 2) {
            const std::array<int, 2>& f = edge(pair.other);
            out.body_b = view_.body_of(f[0]);
            out.vertices[2] = f[0];
            out.vertices[3] = f[1];
            out.where = to_vec3(meeting_point(at(e[0]), at(e[1]), at(f[0]), at(f[1])));
        } else {
            const std::array<int, 3>& f = face(pair.other);
            out.body_b = view_.body_of(f[0]);
            std::copy(f.begin(), f.end(), out.vertices.begin() + 2);
            out.where = to_vec3(meeting_point(e, f));
        }
        return out;
    }

  private:
    const Vector<Dim>& at(int vertex) const { return x_[static_cast<std::size_t>(vertex)]; }
    const std::array<int, 2>& edge(int e) const { return view_.edges[static_cast<std::size_t>(e)]; }
    const std::array<int, 3>& face(int f) const { return view_.faces[static_cast<std::size_t>(f)]; }
    Box<Dim> edge_box(int e) const { return box_of<Dim>(at(edge(e)[0]), at(edge(e)[1])); }
    Box<Dim> other_box(int i) const {
        if constexpr (Dim == 2)
            return edge_box(i);
        else
            return box_of<3>(at(face(i)[0]), at(face(i)[1]), at(face(i)[2]));
    }

    void search(int e, std::vector<Pair>& out) const {
        const int body = view_.body_of(edge(e)[0]);
        const std::size_t before = out.size();
        tree_.for_overlaps(edge_box(e), [&](int other) {
            if constexpr (Dim == 2) {
                if (other <= e) return;
                if (view_.may_collide(body, view_.body_of(edge(other)[0])) && edges_cross(edge(e), edge(other)))
                    out.push_back({e, other});
            } else {
                if (view_.may_collide(body, view_.body_of(face(other)[0])) && edge_crosses_face(edge(e), face(other)))
                    out.push_back({e, other});
            }
        });
        std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
    }

    bool edges_cross(const std::array<int, 2>& e, const std::array<int, 2>& f) const {
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j)
                if (e[i] == f[j]) return e[1 - i] != f[1 - j] && segments_overlap<Dim>(at(e[i]), at(e[1 - i]), at(f[1 - j]));
        return segments_meet(at(e[0]), at(e[1]), at(f[0]), at(f[1]));
    }

    bool edge_crosses_face(const std::array<int, 2>& e, const std::array<int, 3>& f) const {
        std::size_t shared = 2, corner = 0;
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                if (e[i] != f[j]) continue;
                if (shared != 2) return false;  // an edge of the face
                shared = i;
                corner = j;
            }
        if constexpr (Dim == 3) {
            if (shared == 2) return segment_meets_triangle(at(e[0]), at(e[1]), at(f[0]), at(f[1]), at(f[2]));
            return segment_overlaps_triangle(at(e[shared]), at(e[1 - shared]), at(f[(corner + 1) % 3]),
                                             at(f[(corner + 2) % 3]));
        }
        return false;
    }

    /// The point named for two edges in the plane: where their lines cross, or the middle of their common part.
    static Vector<2> meeting_point(const Vector<2>& p, const Vector<2>& q, const Vector<2>& a, const Vector<2>& b) {
        const Vector<2> u = q - p, v = b - a, r = a - p;
        const double determinant = u[0] * v[1] - u[1] * v[0];
        if (std::abs(determinant) > 1e-12 * u.norm() * v.norm())
            return p + std::clamp((r[0] * v[1] - r[1] * v[0]) / determinant, 0.0, 1.0) * u;
        std::array<Vector<2>, 4> ends = {p, q, a, b};  // the middle two along the line lie on both
        const Vector<2> direction = u.squaredNorm() > v.squaredNorm() ? u : v;
        std::sort(ends.begin(), ends.end(), [&](const Vector<2>& one, const Vector<2>& two) {
            return direction.dot(one - p) < direction.dot(two - p);
        });
        return 0.5 * (ends[1] + ends[2]);
    }

    /// The point named for an edge and a face: the point of the edge where it crosses the plane of the face; if it does not,
    /// where it is nearest to one of the sides, or its end that is inside. Apart from a vertex that both share.
    Vector<Dim> meeting_point(const std::array<int, 2>& e, const std::array<int, 3>& f) const {
        const Vector<3>&p = at(e[0]), &q = at(e[1]), &a = at(f[0]), &b = at(f[1]), &c = at(f[2]);
        for (std::size_t i = 0; i < 2; ++i)
            if (e[i] == f[0] || e[i] == f[1] || e[i] == f[2]) return 0.5 * (p + q);  // in the plane: about there
        const Closest<3, 4> of_p = point_triangle(p, a, b, c), of_q = point_triangle(q, a, b, c);
        const Vector<3> normal = Vector<3>(b - a).cross(Vector<3>(c - a));
        const double high = normal.dot(p - a), low = normal.dot(q - a);
        double s = of_p.squared <= of_q.squared ? 0 : 1, nearest = std::min(of_p.squared, of_q.squared);
        const auto consider = [&](double at_s, double squared) {
            if (squared < nearest) {
                nearest = squared;
                s = at_s;
            }
        };
        if (high * low < 0) {
            const double at_s = high / (high - low);
            consider(at_s, point_triangle(p + at_s * (q - p), a, b, c).squared);
        }
        for (const Closest<3, 4>& side : {edge_edge(p, q, a, b), edge_edge(p, q, b, c), edge_edge(p, q, c, a)})
            consider(side.weights[1], side.squared);
        return p + s * (q - p);
    }

    SurfaceView<Dim> view_;
    std::span<const Vector<Dim>> x_;
    BoxTree<Dim> tree_;
};

}  // namespace

template <int Dim>
std::vector<Intersection> intersections(const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x, int most) {
    const Search<Dim> search(view, x);
    std::vector<Intersection> out;
    for (const Pair& pair : search.first(most)) out.push_back(search.describe(pair));
    return out;
}

template <int Dim>
Intersection first_intersection(const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x) {
    const std::vector<Intersection> first = intersections(view, x, 1);
    return first.empty() ? Intersection{} : first[0];
}

template Intersection first_intersection<2>(const SurfaceView<2>&, std::span<const Vector<2>>);
template Intersection first_intersection<3>(const SurfaceView<3>&, std::span<const Vector<3>>);
template std::vector<Intersection> intersections<2>(const SurfaceView<2>&, std::span<const Vector<2>>, int);
template std::vector<Intersection> intersections<3>(const SurfaceView<3>&, std::span<const Vector<3>>, int);

}  // namespace asperity::ccd

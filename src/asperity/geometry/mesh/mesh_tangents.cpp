// Tangents of a mesh whose file has none, by the rule with which normal maps are baked: Mikkelsen, "Simulation of wrinkled
// surfaces revisited", 2008, in the form of MikkTSpace at its usual angle of 180 degrees. So a map baked elsewhere is read
// in the frame it was made in.
//   1. Each triangle has a direction of growing u and a handedness, from its texture coordinates.
//   2. Corners that agree in vertex, normal and texture coordinates are one texture vertex. Around it, triangles joined by
//      edges between texture vertices form a group if they have the same handedness. A triangle without texture area joins
//      any group.
//   3. A group shares the sum of its triangles' directions. Each is projected into the plane of the normal, made unit and
//      weighted by the triangle's angle at the vertex, as seen along the normal.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "asperity/geometry/mesh/detail/mesh_topology.h"

namespace asperity::geometry::detail {
namespace {

enum class Hand : char { Right, Mirrored, Any };

/// The projection of v into the plane of n, unit; zero if nothing is left.
Vec3 laid(const Vec3& v, const Vec3& n) { return normalize_or(v - dot(v, n) * n, {}); }

class TangentMaker {
  public:
    explicit TangentMaker(TriangleSet& mesh) : mesh_(mesh) {}

    void run() {
        find_directions();
        number_texture_vertices();
        join_edges();
        mesh_.tangents.assign(corners(), {});
        done_.assign(corners(), 0);
        for (size_t c = 0; c < corners(); ++c)
            if (!done_[c] && !(along_[c / 3] == Vec3{})) share(gather(c));
        // A corner without a group gets some direction.
        for (size_t c = 0; c < corners(); ++c)
            if (!done_[c]) mesh_.tangents[c] = any_tangent(mesh_.normals[c]);
    }

  private:
    size_t corners() const { return 3 * mesh_.triangles.size(); }
    static size_t next(size_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
    static size_t before(size_t corner) { return corner % 3 == 0 ? corner + 2 : corner - 1; }
    const Vec3& place(size_t corner) const {
        return mesh_.corner(static_cast<int>(corner / 3), static_cast<int>(corner % 3));
    }

    ///     q - p = du_1 P_u + dv_1 P_v,  r - p = du_2 P_u + dv_2 P_v,  solved for P_u up to a positive factor
    void find_directions() {
        along_.resize(mesh_.triangles.size());
        hand_.resize(mesh_.triangles.size());
        for (size_t t = 0; t < along_.size(); ++t) {
            const size_t c = 3 * t;
            const Vec3 e1 = place(c + 1) - place(c), e2 = place(c + 2) - place(c);
            const Vec2 d1 = mesh_.uvs[c + 1] - mesh_.uvs[c], d2 = mesh_.uvs[c + 2] - mesh_.uvs[c];
            const double det = cross(d1, d2);
            if (det != 0) along_[t] = normalize_or((det > 0 ? 1 : -1) * (d2.y * e1 - d1.y * e2), {});
            hand_[t] = along_[t] == Vec3{} ? Hand::Any : det > 0 ? Hand::Right : Hand::Mirrored;
            mesh_.report.flat_uvs += hand_[t] == Hand::Any;
        }
    }

    void number_texture_vertices() {
        const auto key = [&](size_t c) {
            const Vec3& n = mesh_.normals[c];
            return std::tuple(mesh_.triangles[c / 3][c % 3], n.x, n.y, n.z, mesh_.uvs[c].x, mesh_.uvs[c].y);
        };
        std::vector<size_t> order(corners());
        std::iota(order.begin(), order.end(), size_t{0});
        std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            const auto ka = key(a), kb = key(b);
            return ka < kb || (ka == kb && a < b);
        });
        vertex_.resize(corners());
        int count = -1;
        for (size_t i = 0; i < order.size(); ++i) {
            if (i == 0 || key(order[i]) != key(order[i - 1])) ++count;
            vertex_[order[i]] = count;
        }
    }

    /// across_[c]: the corner where the edge from corner c to the next begins on the other side, or -1. Edges join in pairs
    /// of opposite direction, in the order of their triangles.
    void join_edges() {
        struct Edge {
            int low, high;
            size_t corner;
        };
        std::vector<Edge> edges;
        for (size_t c = 0; c < corners(); ++c) {
            const auto [low, high] = std::minmax(vertex_[c], vertex_[next(c)]);
            edges.push_back({low, high, c});
        }
        std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
            return std::tie(a.low, a.high, a.corner) < std::tie(b.low, b.high, b.corner);
        });
        across_.assign(corners(), -1);
        for (size_t i = 0; i < edges.size(); ++i) {
            if (across_[edges[i].corner] >= 0) continue;
            for (size_t j = i + 1; j < edges.size() && edges[j].low == edges[i].low && edges[j].high == edges[i].high; ++j) {
                if (across_[edges[j].corner] >= 0 || vertex_[edges[j].corner] == vertex_[edges[i].corner]) continue;
                across_[edges[i].corner] = static_cast<int>(edges[j].corner);
                across_[edges[j].corner] = static_cast<int>(edges[i].corner);
                break;
            }
        }
    }

    /// The corners in the group of `first`. A triangle without texture area takes the handedness of the first group to reach
    /// it.
    std::vector<size_t> gather(size_t first) {
        const Hand hand = hand_[first / 3];
        std::vector<size_t> group, open{first};
        while (!open.empty()) {
            const size_t c = open.back();
            open.pop_back();
            if (done_[c]) continue;
            if (hand_[c / 3] == Hand::Any) hand_[c / 3] = hand;
            if (hand_[c / 3] != hand) continue;
            done_[c] = 1;
            group.push_back(c);
            // On the other side, an edge that leaves this vertex arrives there, and vice versa.
            if (const int leaving = across_[c]; leaving >= 0) open.push_back(next(static_cast<size_t>(leaving)));
            if (const int arriving = across_[before(c)]; arriving >= 0) open.push_back(static_cast<size_t>(arriving));
        }
        std::sort(group.begin(), group.end());
        return group;
    }

    void share(const std::vector<size_t>& group) {
        const Vec3& n = mesh_.normals[group[0]];
        Vec3 sum;
        for (const size_t c : group) {
            const Vec3 to = laid(place(next(c)) - place(c), n), back = laid(place(before(c)) - place(c), n);
            sum += std::acos(clamp(dot(to, back), -1, 1)) * laid(along_[c / 3], n);
        }
        for (const size_t c : group) mesh_.tangents[c] = normalize_or(sum - dot(sum, n) * n, any_tangent(n));
    }

    TriangleSet& mesh_;
    std::vector<Vec3> along_;  // per triangle: unit direction of growing u; zero if its texture has no area
    std::vector<Hand> hand_;   // per triangle
    std::vector<int> vertex_;  // per corner: its texture vertex
    std::vector<int> across_;  // per corner
    std::vector<char> done_;   // per corner
};

}  // namespace

void make_tangents(TriangleSet& mesh) { TangentMaker(mesh).run(); }

}  // namespace asperity::geometry::detail

// Winding, holes, mass, edges and regions of a mesh.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "asperity/geometry/common/detail/area_vector.h"
#include "asperity/geometry/mesh/detail/mesh_topology.h"

namespace asperity::geometry::detail {
namespace {

// [rad] Edges whose faces differ in direction by less are flat: they make no contacts.
constexpr double kFlatAngle = 1e-4;
// [-] of the area: a mesh is a solid if the fans that close its holes have at most this area.
constexpr double kSmallHoles = 0.15;

struct HalfEdge {
    int low, high;
    int triangle, corner;
    bool forward;  // low -> high
};

std::vector<HalfEdge> half_edges(const TriangleSet& mesh) {
    std::vector<HalfEdge> halves;
    halves.reserve(3 * mesh.triangles.size());
    for (size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            const int a = mesh.triangles[t][static_cast<size_t>(i)], b = mesh.triangles[t][static_cast<size_t>((i + 1) % 3)];
            halves.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), i, a < b});
        }
    std::sort(halves.begin(), halves.end(), [](const HalfEdge& p, const HalfEdge& q) {
        return std::tie(p.low, p.high, p.triangle, p.corner) < std::tie(q.low, q.high, q.triangle, q.corner);
    });
    return halves;
}

/// Calls visit(first, count) for each run of half-edges between the same two vertices.
template <class Visit>
void for_each_edge(const std::vector<HalfEdge>& halves, const Visit& visit) {
    for (size_t i = 0; i < halves.size();) {
        size_t j = i + 1;
        while (j < halves.size() && halves[j].low == halves[i].low && halves[j].high == halves[i].high) ++j;
        visit(&halves[i], static_cast<int>(j - i));
        i = j;
    }
}

/// Moments of the tetrahedra from `apex` over the triangles; see volume.cpp for the formulas.
struct Moments {
    Vec3 apex;
    double volume = 0, area = 0;
    Vec3 first;
    Mat3 second = Mat3::diagonal({0, 0, 0});

    void add(const Vec3& p, const Vec3& q, const Vec3& r) {
        const Vec3 a = p - apex, b = q - apex, c = r - apex, s = a + b + c;
        const Vec3 twice = area_vector(a, b, c);
        const double det = dot(a, twice);
        area += 0.5 * length(twice);
        volume += det / 6;
        first += det / 24 * s;
        second = second + det / 120 * (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s));
    }
    VolumeIntegrals integrals() const {
        const Vec3 center = first / volume;
        const Mat3 central = second + -volume * outer(center, center);
        const double trace = central.r[0].x + central.r[1].y + central.r[2].z;
        return {volume, apex + center, Mat3::diagonal({trace, trace, trace}) + -1.0 * central};
    }
};

/// Chains of boundary edges, each as the vertices it passes. A chain that does not return is closed by its fan all the same.
std::vector<std::vector<int>> boundary_loops(const TriangleSet& mesh, const std::vector<HalfEdge>& halves,
                                             const std::vector<char>& turned) {
    std::vector<std::pair<int, int>> steps;  // from -> to, against the winding of the triangle, as the fan winds
    for_each_edge(halves, [&](const HalfEdge* h, int count) {
        if (count != 1) return;
        const bool forward = h->forward != static_cast<bool>(turned[static_cast<size_t>(h->triangle)]);
        forward ? steps.emplace_back(h->high, h->low) : steps.emplace_back(h->low, h->high);
    });
    std::sort(steps.begin(), steps.end());
    std::vector<char> used(steps.size(), 0);
    std::vector<std::vector<int>> loops;
    for (size_t s = 0; s < steps.size(); ++s) {
        if (used[s]) continue;
        std::vector<int> loop;
        size_t at = s;
        while (true) {
            used[at] = 1;
            loop.push_back(steps[at].first);
            auto next = std::lower_bound(steps.begin(), steps.end(), std::pair(steps[at].second, -1));
            while (next != steps.end() && next->first == steps[at].second && used[static_cast<size_t>(next - steps.begin())])
                ++next;
            if (next == steps.end() || next->first != steps[at].second) break;
            at = static_cast<size_t>(next - steps.begin());
        }
        loops.push_back(std::move(loop));
    }
    (void)mesh;
    return loops;
}

}  // namespace

struct ClosedComponent {
    std::vector<int> triangles;
    Aabb box;
    double volume;
};

/// Reverses closed components wound against the rest, unless they lie within one of the rest: such a component is a cavity.
void turn_odd_pieces(const std::vector<ClosedComponent>& pieces, std::vector<char>& turned) {
    double all = 0;
    for (const ClosedComponent& piece : pieces) all += piece.volume;
    const auto odd = [&](const ClosedComponent& piece) { return piece.volume * all < 0; };
    for (const ClosedComponent& piece : pieces) {
        if (!odd(piece)) continue;
        const bool cavity = std::any_of(pieces.begin(), pieces.end(), [&](const ClosedComponent& other) {
            return !odd(other) && min(other.box.low, piece.box.low) == other.box.low &&
                   max(other.box.high, piece.box.high) == other.box.high;
        });
        if (cavity) continue;
        for (const int t : piece.triangles) turned[static_cast<size_t>(t)] = !turned[static_cast<size_t>(t)];
    }
}

void orient(TriangleSet& mesh, std::vector<char>& turned) {
    MeshReport& report = mesh.report;
    const size_t count = mesh.triangles.size();
    const std::vector<HalfEdge> halves = half_edges(mesh);
    // Neighbours across edges with exactly two triangles, and whether the windings agree.
    struct Neighbor {
        int triangle = -1;
        bool agrees = true;
    };
    std::vector<Neighbor> neighbors(3 * count);
    for_each_edge(halves, [&](const HalfEdge* h, int size) {
        report.boundary_edges += size == 1;
        report.nonmanifold_edges += size > 2;
        if (size != 2) return;
        const bool agrees = h[0].forward != h[1].forward;
        neighbors[static_cast<size_t>(3 * h[0].triangle + h[0].corner)] = {h[1].triangle, agrees};
        neighbors[static_cast<size_t>(3 * h[1].triangle + h[1].corner)] = {h[0].triangle, agrees};
    });
    const auto at = [&](int v) -> const Vec3& { return mesh.positions[static_cast<size_t>(v)]; };
    turned.assign(count, 0);
    std::vector<char> seen(count, 0);
    std::vector<int> piece;
    std::vector<ClosedComponent> closed;
    for (size_t seed = 0; seed < count; ++seed) {
        if (seen[seed]) continue;
        seen[seed] = 1;
        piece.assign(1, static_cast<int>(seed));
        size_t flips = 0;
        bool is_closed = true;
        for (size_t k = 0; k < piece.size(); ++k) {
            const auto t = static_cast<size_t>(piece[k]);
            for (size_t i = 0; i < 3; ++i) {
                const Neighbor& n = neighbors[3 * t + i];
                if (n.triangle < 0) {
                    is_closed = false;
                    continue;
                }
                const auto other = static_cast<size_t>(n.triangle);
                const char wanted = static_cast<char>(n.agrees ? turned[t] : !turned[t]);
                if (seen[other]) {
                    report.orientable &= turned[other] == wanted;
                    continue;
                }
                seen[other] = 1;
                turned[other] = wanted;
                flips += static_cast<size_t>(wanted);
                piece.push_back(n.triangle);
            }
        }
        if (2 * flips > piece.size())
            for (const int t : piece) turned[static_cast<size_t>(t)] = !turned[static_cast<size_t>(t)];
        if (!is_closed) continue;
        Moments own{at(mesh.triangles[seed][0])};
        Aabb box{own.apex, own.apex};
        for (const int k : piece) {
            const auto t = static_cast<size_t>(k);
            const auto& c = mesh.triangles[t];
            turned[t] ? own.add(at(c[0]), at(c[2]), at(c[1])) : own.add(at(c[0]), at(c[1]), at(c[2]));
            for (const int v : c) box = {min(box.low, at(v)), max(box.high, at(v))};
        }
        closed.push_back({piece, box, own.volume});
    }
    turn_odd_pieces(closed, turned);

    Moments whole{0.5 * (mesh.box.low + mesh.box.high)}, fans{whole.apex};
    for (size_t t = 0; t < count; ++t) {
        const auto& c = mesh.triangles[t];
        turned[t] ? whole.add(at(c[0]), at(c[2]), at(c[1])) : whole.add(at(c[0]), at(c[1]), at(c[2]));
    }
    const double area = whole.area;
    for (const std::vector<int>& loop : boundary_loops(mesh, halves, turned)) {
        ++report.holes;
        Vec3 middle;
        for (const int v : loop) middle += at(v) / static_cast<double>(loop.size());
        for (size_t i = 0; i < loop.size(); ++i) {
            const Vec3 &p = at(loop[i]), &q = at(loop[(i + 1) % loop.size()]);
            whole.add(p, q, middle);
            fans.add(p, q, middle);
        }
    }
    const double thin = 1e-9 * mesh.extent * mesh.extent * mesh.extent;
    report.solid = report.orientable && fans.area <= kSmallHoles * area && std::fabs(whole.volume) > thin;
    if (report.solid && whole.volume < 0) {
        for (char& t : turned) t = !t;
        whole.volume = -whole.volume;
        whole.first = -whole.first;
        whole.second = -1.0 * whole.second;
    }
    report.flipped = static_cast<int>(std::count(turned.begin(), turned.end(), 1));
    // A sheet that encloses a volume once its holes are closed, such as a bowl, may be given a mass.
    if (std::fabs(whole.volume) > thin) {
        if (whole.volume < 0) {
            whole.volume = -whole.volume;
            whole.first = -whole.first;
            whole.second = -1.0 * whole.second;
        }
        mesh.integrals = whole.integrals();
        mesh.thickness = 2 * mesh.integrals.volume / area;
    }
}

void connect(TriangleSet& mesh) {
    const size_t count = mesh.triangles.size();
    mesh.face_normals.resize(count);
    for (size_t t = 0; t < count; ++t) {
        const int i = static_cast<int>(t);
        mesh.face_normals[t] = normalized(area_vector(mesh.corner(i, 0), mesh.corner(i, 1), mesh.corner(i, 2)));
    }
    mesh.edge_of.assign(count, {-1, -1, -1});
    const std::vector<HalfEdge> halves = half_edges(mesh);
    for_each_edge(halves, [&](const HalfEdge* h, int size) {
        const auto set = [&](const HalfEdge& half, int edge) {
            mesh.edge_of[static_cast<size_t>(half.triangle)][static_cast<size_t>(half.corner)] = edge;
        };
        const auto single = [&](const HalfEdge& half) {
            set(half, static_cast<int>(mesh.edges.size()));
            mesh.edges.push_back({half.forward ? half.low : half.high, half.forward ? half.high : half.low, half.triangle,
                                  -1, TriangleSet::EdgeKind::Boundary});
        };
        if (size != 2 || h[0].forward == h[1].forward) {  // open, crowded or without common winding: one edge per triangle
            for (int i = 0; i < size; ++i) single(h[i]);
            return;
        }
        const HalfEdge &left = h[0].forward ? h[0] : h[1], &right = h[0].forward ? h[1] : h[0];
        const Vec3 &n1 = mesh.face_normals[static_cast<size_t>(left.triangle)],
                   &n2 = mesh.face_normals[static_cast<size_t>(right.triangle)];
        const Vec3 along =
            normalized(mesh.positions[static_cast<size_t>(left.high)] - mesh.positions[static_cast<size_t>(left.low)]);
        // Positive: from n1 to n2 counter-clockwise about the edge, so the edge is convex.
        const double bend = dot(cross(n1, n2), along), facing = dot(n1, n2);
        const bool flat = facing > 0 && std::fabs(bend) < kFlatAngle;
        const auto kind = flat       ? TriangleSet::EdgeKind::Flat
                          : bend > 0 ? TriangleSet::EdgeKind::Convex
                                     : TriangleSet::EdgeKind::Concave;
        set(left, static_cast<int>(mesh.edges.size()));
        set(right, static_cast<int>(mesh.edges.size()));
        mesh.edges.push_back({left.low, left.high, left.triangle, right.triangle, kind});
    });

    mesh.region.assign(count, -1);
    std::vector<int> piece;
    for (size_t seed = 0; seed < count; ++seed) {
        if (mesh.region[seed] >= 0) continue;
        mesh.region[seed] = static_cast<int>(seed);
        piece.assign(1, static_cast<int>(seed));
        for (size_t k = 0; k < piece.size(); ++k)
            for (const int e : mesh.edge_of[static_cast<size_t>(piece[k])]) {
                const TriangleSet::Edge& edge = mesh.edges[static_cast<size_t>(e)];
                if (edge.kind != TriangleSet::EdgeKind::Flat) continue;
                const auto other = static_cast<size_t>(edge.left == piece[k] ? edge.right : edge.left);
                if (mesh.region[other] >= 0 || length(cross(mesh.face_normals[seed], mesh.face_normals[other])) > kFlatAngle)
                    continue;
                mesh.region[other] = static_cast<int>(seed);
                piece.push_back(static_cast<int>(other));
            }
    }

    const size_t vertex_count = mesh.positions.size();
    mesh.vertex_normals.assign(vertex_count, {});
    mesh.vertex_owner.assign(vertex_count, -1);
    for (size_t t = 0; t < count; ++t)
        for (size_t i = 0; i < 3; ++i) {
            const auto v = static_cast<size_t>(mesh.triangles[t][i]);
            const Vec3 p = mesh.positions[v],
                       to = normalized(mesh.positions[static_cast<size_t>(mesh.triangles[t][(i + 1) % 3])] - p),
                       back = normalized(mesh.positions[static_cast<size_t>(mesh.triangles[t][(i + 2) % 3])] - p);
            mesh.vertex_normals[v] += std::atan2(length(cross(to, back)), dot(to, back)) * mesh.face_normals[t];
            if (mesh.vertex_owner[v] < 0) mesh.vertex_owner[v] = static_cast<int>(t);
        }
    for (size_t v = 0; v < vertex_count; ++v)
        mesh.vertex_normals[v] =
            normalize_or(mesh.vertex_normals[v], mesh.face_normals[static_cast<size_t>(mesh.vertex_owner[v])]);

    mesh.first_edge.assign(vertex_count + 1, 0);
    mesh.sharp.assign(vertex_count, 0);
    for (const TriangleSet::Edge& e : mesh.edges)
        for (const int v : {e.from, e.to}) {
            ++mesh.first_edge[static_cast<size_t>(v) + 1];
            if (e.kind != TriangleSet::EdgeKind::Flat) mesh.sharp[static_cast<size_t>(v)] = 1;
        }
    std::partial_sum(mesh.first_edge.begin(), mesh.first_edge.end(), mesh.first_edge.begin());
    mesh.edges_at.resize(2 * mesh.edges.size());
    std::vector<int> next(mesh.first_edge.begin(), mesh.first_edge.end() - 1);
    for (size_t e = 0; e < mesh.edges.size(); ++e)
        for (const int v : {mesh.edges[e].from, mesh.edges[e].to})
            mesh.edges_at[static_cast<size_t>(next[static_cast<size_t>(v)]++)] = static_cast<int>(e);
}

}  // namespace asperity::geometry::detail

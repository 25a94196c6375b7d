#include "asperity/deform/meshes/tetrahedralise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/deform/detail/snap_features.h"
#include "asperity/geometry/mesh/mesh_closest.h"

namespace asperity::deform {
namespace {

using geometry::TriangleSet;

/// A lattice point moves onto the surface if the surface cuts one of its edges nearer than these parts of the edge: between
/// two cube corners or two cube centres (long), and between a corner and a centre (short). The paper's choice for the
/// largest smallest angle (its section 3.3); smaller leaves slivers at the surface, larger flattens the elements that
/// follow.
constexpr double kAlphaLong = 0.24999, kAlphaShort = 0.41189;

/// Corners of the lattice's cubes have even coordinates, centres odd ones; one unit is half a cell.
using Site = std::array<int, 3>;

/// The 14 neighbours of a lattice point: 8 along short edges, 6 along long ones.
const std::vector<Site>& neighbour_offsets() {
    static const std::vector<Site> offsets = [] {
        std::vector<Site> all;
        for (int x = -1; x <= 1; x += 2)
            for (int y = -1; y <= 1; y += 2)
                for (int z = -1; z <= 1; z += 2) all.push_back({x, y, z});
        for (std::size_t d = 0; d < 3; ++d)
            for (int s = -2; s <= 2; s += 4) {
                Site site{};
                site[d] = s;
                all.push_back(site);
            }
        return all;
    }();
    return offsets;
}

class Stuffing {
  public:
    Stuffing(const TriangleSet& surface, double cell);
    SolidMesh<3> run();

  private:
    enum Sign : signed char { Inside = -1, On = 0, Outside = 1 };

    int index_of(const Site& s) const { return s[0] + size_[0] * (s[1] + size_[1] * s[2]); }
    Site site_of(int index) const { return {index % size_[0], index / size_[0] % size_[1], index / size_[0] / size_[1]}; }
    static bool is_site(const Site& s) { return (s[0] & 1) == (s[1] & 1) && (s[1] & 1) == (s[2] & 1); }
    bool contains(const Site& s) const {
        return s[0] >= 0 && s[1] >= 0 && s[2] >= 0 && s[0] < size_[0] && s[1] < size_[1] && s[2] < size_[2];
    }
    Vec3 lattice_point(const Site& s) const { return low_ + 0.5 * cell_ * Vec3{double(s[0]), double(s[1]), double(s[2])}; }
    double distance(const Vec3& p) const;

    void find_signs();
    void find_cuts();
    void warp();
    void emit();
    double cut_on(int inner, int outer) const;
    static std::uint64_t edge(int a, int b) {
        return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint32_t>(std::max(a, b));
    }

    int vertex_at(int site);
    int vertex_on(int inner, int outer);
    bool starts_at_first(int first, int second, int out) const;
    void add(int a, int b, int c, int d);
    void add_prism(const std::array<int, 3>& top, const std::array<int, 3>& bottom, std::array<bool, 3> rises);
    void stuff(const std::array<int, 4>& sites);

    const TriangleSet& surface_;
    double cell_;
    Vec3 low_;
    Site size_{};
    std::vector<signed char> sign_;
    std::vector<float> value_;                        // signed distance where the surface is near
    std::unordered_map<std::uint64_t, double> cuts_;  // edges across the surface: part of the way from the inner end
    std::vector<std::pair<int, int>> cut_edges_;      // inner and outer end
    std::unordered_map<int, Vec3> moved_;             // sites on the surface
    std::unordered_map<int, int> site_vertex_;
    std::unordered_map<std::uint64_t, int> cut_vertex_;
    SolidMesh<3> mesh_;
};

Stuffing::Stuffing(const TriangleSet& surface, double cell) : surface_(surface), cell_(cell) {
    // Two cells of margin, so that all outer points are outside. The offset keeps lattice planes off the faces of boxes.
    const Vec3 size = surface.box.high - surface.box.low;
    double product = 1;
    for (int d = 0; d < 3; ++d) {
        const double cells = std::ceil(size[d] / cell) + 4;
        product *= cells;
        if (!(product <= kMostStuffingCells))
            throw InputError(
                fmt::format("mesh: cells of {:.3g} m in a box of {:.3g} x {:.3g} x {:.3g} m: more than {} million are "
                            "not possible; use larger cells",
                            cell, size.x, size.y, size.z, kMostStuffingCells / 1000000));
        size_[static_cast<std::size_t>(d)] = 2 * static_cast<int>(cells) + 1;
        low_[d] = 0.5 * (surface.box.low[d] + surface.box.high[d]) - 0.5 * cell * cells;
    }
}

double Stuffing::distance(const Vec3& p) const { return geometry::nearest_on_mesh(surface_, p, 2 * cell_).signed_distance; }

/// Distances are needed near the surface only. A point with no triangle within two cells has the sign of its neighbour along
/// x, which is one cell away.
void Stuffing::find_signs() {
    const int count = size_[0] * size_[1] * size_[2];
    sign_.assign(static_cast<std::size_t>(count), Outside);
    value_.assign(static_cast<std::size_t>(count), 0);
    parallel_for(
        size_[1] * size_[2],
        [&](int row) {
            signed char last[2] = {Outside, Outside};
            for (int x = 0; x < size_[0]; ++x) {
                const Site s{x, row % size_[1], row / size_[1]};
                if (!is_site(s)) continue;
                const auto i = static_cast<std::size_t>(index_of(s));
                const geometry::MeshNearest near = geometry::nearest_on_mesh(surface_, lattice_point(s), 2 * cell_);
                signed char& known = last[x & 1];
                if (near.triangle >= 0) {
                    value_[i] = static_cast<float>(near.signed_distance);
                    known = near.signed_distance < 0 ? Inside : near.signed_distance > 0 ? Outside : On;
                }
                sign_[i] = known;
            }
        },
        1);
}

/// Part of the way from an inner to an outer site where the distance is zero: regula falsi, the Illinois way.
double Stuffing::cut_on(int inner, int outer) const {
    const Vec3 a = lattice_point(site_of(inner)), b = lattice_point(site_of(outer));
    double low = 0, high = 1, f_low = value_[static_cast<std::size_t>(inner)],
           f_high = value_[static_cast<std::size_t>(outer)];
    int side = 0;
    double t = 0.5;
    for (int k = 0; k < 30 && high - low > 1e-12; ++k) {
        t = f_high > f_low ? (low * f_high - high * f_low) / (f_high - f_low) : 0.5 * (low + high);
        if (!(t > low && t < high)) t = 0.5 * (low + high);
        const double f = distance(a + t * (b - a));
        if (std::fabs(f) < 1e-12 * cell_) break;
        if (f < 0) {
            low = t, f_low = f;
            if (side == -1) f_high *= 0.5;
            side = -1;
        } else {
            high = t, f_high = f;
            if (side == 1) f_low *= 0.5;
            side = 1;
        }
    }
    return t;
}

void Stuffing::find_cuts() {
    for (int i = 0; i < static_cast<int>(sign_.size()); ++i) {
        if (sign_[static_cast<std::size_t>(i)] != Inside) continue;
        const Site s = site_of(i);
        if (!is_site(s)) continue;
        for (const Site& offset : neighbour_offsets()) {
            const int other = index_of({s[0] + offset[0], s[1] + offset[1], s[2] + offset[2]});  // the margin has room
            if (sign_[static_cast<std::size_t>(other)] == Outside) cut_edges_.push_back({i, other});
        }
    }
    std::vector<double> parts(cut_edges_.size());
    parallel_for(static_cast<int>(parts.size()), [&](int k) {
        const auto& [inner, outer] = cut_edges_[static_cast<std::size_t>(k)];
        parts[static_cast<std::size_t>(k)] = cut_on(inner, outer);
    });
    for (std::size_t k = 0; k < parts.size(); ++k) cuts_[edge(cut_edges_[k].first, cut_edges_[k].second)] = parts[k];
}

/// Moves sites onto the nearest cut of an edge that is too near. Cuts of its other edges cease to exist.
void Stuffing::warp() {
    std::vector<int> ends;
    for (const auto& [inner, outer] : cut_edges_) ends.insert(ends.end(), {inner, outer});
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    for (const int i : ends) {
        const Site s = site_of(i);
        const signed char sign = sign_[static_cast<std::size_t>(i)];
        double least = 1;  // in cells
        Vec3 nearest;
        for (const Site& offset : neighbour_offsets()) {
            const Site t{s[0] + offset[0], s[1] + offset[1], s[2] + offset[2]};
            if (!contains(t)) continue;
            const int other = index_of(t);
            if (sign_[static_cast<std::size_t>(other)] != -sign) continue;
            const double part = cuts_.at(edge(i, other)), own = sign == Inside ? part : 1 - part;
            const bool is_long = std::abs(offset[0]) + std::abs(offset[1]) + std::abs(offset[2]) == 2;
            if (own >= (is_long ? kAlphaLong : kAlphaShort)) continue;
            const double length = own * (is_long ? 1 : std::sqrt(0.75));
            if (length >= least) continue;
            least = length;
            const Vec3 from = lattice_point(s);
            nearest = from + own * (lattice_point(t) - from);
        }
        if (least == 1) continue;
        sign_[static_cast<std::size_t>(i)] = On;
        moved_[i] = nearest;
    }
}

int Stuffing::vertex_at(int site) {
    const auto [at, fresh] = site_vertex_.try_emplace(site, static_cast<int>(mesh_.points.size()));
    if (fresh) {
        const auto moved = moved_.find(site);
        mesh_.points.push_back(to_vector(moved != moved_.end() ? moved->second : lattice_point(site_of(site))));
    }
    return at->second;
}

int Stuffing::vertex_on(int inner, int outer) {
    const std::uint64_t key = edge(inner, outer);
    const auto [at, fresh] = cut_vertex_.try_emplace(key, static_cast<int>(mesh_.points.size()));
    if (fresh) {
        const Vec3 a = lattice_point(site_of(inner)), b = lattice_point(site_of(outer));
        mesh_.points.push_back(to_vector(a + cuts_.at(key) * (b - a)));
    }
    return at->second;
}

/// The diagonal of the quadrilateral that is left of a face with two inner sites: whether it starts at the first. Decided by
/// the face alone, so that both tetrahedra agree. With two short edges cut, the diagonal alternates with the parity of the
/// outer site; otherwise the one from the inner site on the other sublattice than the outer one is the shorter.
bool Stuffing::starts_at_first(int first, int second, int out) const {
    const Site a = site_of(first), b = site_of(second), o = site_of(out);
    if (((a[0] ^ b[0]) & 1) != 0) return ((a[0] ^ o[0]) & 1) != 0;
    const Site& low = a < b ? a : b;
    int above = 0;
    for (std::size_t d = 0; d < 3; ++d) above += o[d] > low[d];
    return (above % 2 == 0) == (a < b);
}

void Stuffing::add(int a, int b, int c, int d) {
    mesh_.elements.push_back({a, b, c, d});
    if (volume(mesh_, static_cast<int>(mesh_.elements.size()) - 1) < 0)
        std::swap(mesh_.elements.back()[2], mesh_.elements.back()[3]);
}

/// Three tetrahedra. rises[i]: the diagonal of side i goes from top[i] to bottom[i + 1], otherwise from top[i + 1] to
/// bottom[i]; not all three alike.
void Stuffing::add_prism(const std::array<int, 3>& top, const std::array<int, 3>& bottom, std::array<bool, 3> rises) {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t next = (i + 1) % 3, last = (i + 2) % 3;
        if (!(rises[i] && !rises[last])) continue;  // both diagonals beside top[i] start there
        add(top[i], bottom[0], bottom[1], bottom[2]);
        if (rises[next]) {
            add(top[i], top[next], bottom[next], bottom[last]);
            add(top[i], top[next], top[last], bottom[last]);
        } else {
            add(top[i], top[last], bottom[next], bottom[last]);
            add(top[i], top[next], top[last], bottom[next]);
        }
        return;
    }
}

/// The part of a lattice tetrahedron inside the surface.
void Stuffing::stuff(const std::array<int, 4>& sites) {
    int in[4], on[4], out[4], n_in = 0, n_on = 0, n_out = 0;
    for (const int s : sites) {
        const signed char sign = sign_[static_cast<std::size_t>(s)];
        (sign == Inside ? in[n_in++] : sign == On ? on[n_on++] : out[n_out++]) = s;
    }
    if (n_in == 0) return;
    if (n_out == 0) return add(vertex_at(sites[0]), vertex_at(sites[1]), vertex_at(sites[2]), vertex_at(sites[3]));
    if (n_in == 1) {
        int corner[3], n = 0;
        for (int k = 0; k < n_on; ++k) corner[n++] = vertex_at(on[k]);
        for (int k = 0; k < n_out; ++k) corner[n++] = vertex_on(in[0], out[k]);
        return add(vertex_at(in[0]), corner[0], corner[1], corner[2]);
    }
    if (n_in == 2 && n_on == 1) {  // a pyramid
        const int a = vertex_at(in[0]), b = vertex_at(in[1]), apex = vertex_at(on[0]);
        const int cut_a = vertex_on(in[0], out[0]), cut_b = vertex_on(in[1], out[0]);
        if (starts_at_first(in[0], in[1], out[0])) {
            add(apex, a, b, cut_b);
            return add(apex, a, cut_a, cut_b);
        }
        add(apex, a, b, cut_a);
        return add(apex, b, cut_a, cut_b);
    }
    if (n_in == 2) {
        const bool first = starts_at_first(in[0], in[1], out[0]), last = !starts_at_first(in[0], in[1], out[1]);
        const std::array<int, 3> top = {vertex_at(in[0]), vertex_on(in[0], out[0]), vertex_on(in[0], out[1])};
        const std::array<int, 3> bottom = {vertex_at(in[1]), vertex_on(in[1], out[0]), vertex_on(in[1], out[1])};
        // the side on the surface: free, unless the other two allow one choice only
        const auto at = [&](int v) { return mesh_.points[static_cast<std::size_t>(v)]; };
        const bool shorter = (at(top[1]) - at(bottom[2])).squaredNorm() < (at(top[2]) - at(bottom[1])).squaredNorm();
        return add_prism(top, bottom, {first, first == last ? !first : shorter, last});
    }
    std::array<int, 3> top{}, bottom{};
    std::array<bool, 3> rises{};
    for (std::size_t k = 0; k < 3; ++k) {
        top[k] = vertex_at(in[k]);
        bottom[k] = vertex_on(in[k], out[0]);
        rises[k] = starts_at_first(in[k], in[(k + 1) % 3], out[0]);
    }
    add_prism(top, bottom, rises);
}

/// The tetrahedra of the lattice: two neighbouring cube centres and an edge of the face between them.
void Stuffing::emit() {
    constexpr int kAround[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    for (int z = 1; z < size_[2]; z += 2)
        for (int y = 1; y < size_[1]; y += 2)
            for (int x = 1; x < size_[0]; x += 2)
                for (std::size_t d = 0; d < 3; ++d) {
                    Site beyond{x, y, z}, middle{x, y, z};
                    beyond[d] += 2;
                    middle[d] += 1;
                    if (beyond[d] >= size_[d]) continue;
                    const auto corner = [&](int k) {
                        Site s = middle;
                        s[(d + 1) % 3] += kAround[k][0];
                        s[(d + 2) % 3] += kAround[k][1];
                        return index_of(s);
                    };
                    for (int k = 0; k < 4; ++k) stuff({index_of({x, y, z}), index_of(beyond), corner(k), corner(k + 1)});
                }
}

SolidMesh<3> Stuffing::run() {
    find_signs();
    find_cuts();
    warp();
    emit();
    return std::move(mesh_);
}

void check_closed(const TriangleSet& surface) {
    const geometry::MeshReport& r = surface.report;
    if (r.boundary_edges > 0) {
        for (const TriangleSet::Edge& e : surface.edges) {
            if (e.right >= 0) continue;
            const Vec3 at = 0.5 * (surface.positions[static_cast<std::size_t>(e.from)] +
                                   surface.positions[static_cast<std::size_t>(e.to)]);
            throw InputError(
                fmt::format("mesh: the surface is not closed: {} open edges in {} holes, one of them at ({:.6g}, "
                            "{:.6g}, {:.6g}); close it before filling it with tetrahedra",
                            r.boundary_edges, r.holes, at.x, at.y, at.z));
        }
    }
    if (r.nonmanifold_edges > 0 || !r.orientable || !surface.solid())
        throw InputError(
            fmt::format("mesh: the surface encloses no clear volume: {} edges with more than two triangles{}; mend it "
                        "before filling it with tetrahedra",
                        r.nonmanifold_edges, r.orientable ? "" : ", and it has no consistent outside"));
}

/// Distances of vertices and centroids of one surface from the other, both ways.
double distance_between(const TriangleSet& surface, const SolidMesh<3>& mesh) {
    geometry::MeshData data;
    for (const Vector<3>& p : mesh.points) data.positions.push_back(to_vec3(p));
    for (const auto& face : boundary(mesh))
        for (const int v : face) data.triangles.push_back(static_cast<std::uint32_t>(v));
    const geometry::Mesh made = geometry::make_mesh(data);
    const auto farthest = [](const TriangleSet& from, const TriangleSet& to) {
        double most = 0;
        const double reach = 2 * (from.extent + to.extent);
        const auto measure = [&](const Vec3& p) {
            most = std::max(most, std::fabs(geometry::nearest_on_mesh(to, p, reach).signed_distance));
        };
        for (const Vec3& p : from.positions) measure(p);
        for (int t = 0; t < static_cast<int>(from.triangles.size()); ++t)
            measure((from.corner(t, 0) + from.corner(t, 1) + from.corner(t, 2)) / 3);
        return most;
    };
    return std::max(farthest(*made.triangles, surface), farthest(surface, *made.triangles));
}

}  // namespace

SolidMesh<3> tetrahedralise(const TriangleSet& surface, double cell, StuffingReport* out) {
    if (!(cell > 0) || !std::isfinite(cell))
        throw InputError(fmt::format("mesh: cell = {}: must be positive and finite [m]", cell));
    check_closed(surface);
    SolidMesh<3> mesh = Stuffing(surface, cell).run();
    if (mesh.elements.empty())
        throw InputError(
            fmt::format("mesh: cells of {:.3g} m do not resolve the body, whose thickness is {:.3g} m; use smaller cells",
                        cell, surface.thickness));
    detail::snap_features(surface, cell, mesh);
    if (out) *out = {report(mesh), distance_between(surface, mesh)};
    return mesh;
}

}  // namespace asperity::deform

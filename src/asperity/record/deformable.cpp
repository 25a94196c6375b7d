#include "asperity/record/deformable.h"

#include <algorithm>
#include <cmath>

namespace asperity::record {
namespace {

// Two triangles that meet at a smaller angle are drawn as parts of one round surface. Meshes of round bodies have angles of
// up to 30 degrees; with less than that they show facets, with more than 45 degrees the edges of an octagon look round.
const double kCreaseCosine = std::cos(35 * std::numbers::pi / 180);

Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * cross(b - a, c - a); }

}  // namespace

DeformableSurface::DeformableSurface(const DeformableMesh& mesh) : mesh_(mesh) {
    const int nodes = static_cast<int>(mesh.rest.size());
    const auto node = [&](int i) { return mesh.rest[static_cast<std::size_t>(i)]; };
    // A vertex is a node of a solid; of the plane there are two per node, at the front (-y) and at the back.
    const auto add = [&](int vertex) {
        vertex_.push_back(vertex);
        const double shift = !mesh.is_plane() ? 0 : vertex < nodes ? -0.5 * mesh.depth : 0.5 * mesh.depth;
        corners_.push_back({vertex % nodes, shift});
    };
    for (const auto& triangle : mesh.triangles)
        for (const int corner : triangle) add(corner);
    if (mesh.is_plane()) {
        for (const auto& e : mesh.elements) {
            // Seen from the front x points to the right and z up, so a counter-clockwise triangle has the area vector -y.
            const bool front = area_vector(node(e[0]), node(e[1]), node(e[2])).y <= 0;
            const int b = front ? e[1] : e[2], c = front ? e[2] : e[1];
            add(e[0]), add(b), add(c);
            add(nodes + e[0]), add(nodes + c), add(nodes + b);
        }
        for (const auto& [from, to] : mesh.edges) {  // the solid is to the left: outside is to the right
            add(from), add(nodes + to), add(to);
            add(from), add(nodes + from), add(nodes + to);
        }
    }
    const std::size_t vertices = static_cast<std::size_t>(nodes) * (mesh.is_plane() ? 2 : 1);
    first_around_.assign(vertices + 1, 0);
    for (const int v : vertex_) ++first_around_[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 0; v < vertices; ++v) first_around_[v + 1] += first_around_[v];
    around_.resize(vertex_.size());
    std::vector<int> next(first_around_.begin(), first_around_.end() - 1);
    for (std::size_t i = 0; i < vertex_.size(); ++i)
        around_[static_cast<std::size_t>(next[static_cast<std::size_t>(vertex_[i])]++)] = static_cast<int>(i);
}

void DeformableSurface::positions(std::span<const Vec3> nodes, std::vector<Vec3>& out) const {
    out.resize(corners_.size());
    for (std::size_t i = 0; i < corners_.size(); ++i) {
        out[i] = nodes[static_cast<std::size_t>(corners_[i].node)];
        out[i].y += corners_[i].shift;
    }
}

void DeformableSurface::normals(std::span<const Vec3> nodes, std::vector<Vec3>& out) const {
    std::vector<Vec3> corner, flat(triangle_count());
    std::vector<double> angle(corners_.size());
    positions(nodes, corner);
    for (std::size_t t = 0; t < flat.size(); ++t) {
        const Vec3* p = &corner[3 * t];
        flat[t] = normalize_or(area_vector(p[0], p[1], p[2]), {0, 0, 1});
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 u = p[(k + 1) % 3] - p[k], v = p[(k + 2) % 3] - p[k];
            angle[3 * t + k] = std::atan2(length(cross(u, v)), dot(u, v));
        }
    }
    out.resize(corners_.size());
    for (std::size_t i = 0; i < corners_.size(); ++i) {
        const Vec3& own = flat[i / 3];
        const auto v = static_cast<std::size_t>(vertex_[i]);
        Vec3 sum;
        for (int k = first_around_[v]; k < first_around_[v + 1]; ++k) {
            const auto other = static_cast<std::size_t>(around_[static_cast<std::size_t>(k)]);
            if (dot(flat[other / 3], own) > kCreaseCosine) sum += angle[other] * flat[other / 3];
        }
        out[i] = normalize_or(sum, own);
    }
}

std::vector<Vec2> DeformableSurface::uvs() const {
    std::vector<Vec3> corner;
    positions(mesh_.rest, corner);
    std::vector<Vec2> out(corner.size());
    for (std::size_t i = 0; i < corner.size(); ++i) {
        const std::size_t t = i - i % 3;
        const Vec3 n = abs(area_vector(corner[t], corner[t + 1], corner[t + 2])), &p = corner[i];
        out[i] = n.x > n.y && n.x > n.z ? Vec2{p.y, p.z} : n.z > n.y ? Vec2{p.x, p.y} : Vec2{p.x, p.z};
    }
    return out;
}

Vec2 DeformableSurface::tile(const surface::TileSize& size) const {
    Vec3 low, high;
    for (std::size_t i = 0; i < mesh_.rest.size(); ++i) {
        low = i == 0 ? mesh_.rest[i] : min(low, mesh_.rest[i]);
        high = i == 0 ? mesh_.rest[i] : max(high, mesh_.rest[i]);
    }
    const double longest = std::fmax(std::fmax(max_component(high - low), mesh_.depth), 1e-12);
    const double edge = size.metres ? size.edge : size.edge * longest;
    return {edge, edge * size.rise};
}

std::vector<double> nodal_means(const DeformableMesh& mesh, const std::vector<float>& of_elements) {
    std::vector<double> sum(mesh.rest.size()), weight(mesh.rest.size());
    for (std::size_t e = 0; e < mesh.elements.size() && e < of_elements.size(); ++e) {
        const auto& element = mesh.elements[e];
        const auto node = [&](std::size_t k) { return mesh.rest[static_cast<std::size_t>(element[k])]; };
        const Vec3 area = area_vector(node(0), node(1), node(2));
        const double size = mesh.is_plane() ? length(area) : std::fabs(dot(area, node(3) - node(0))) / 3;
        for (std::size_t k = 0; k < (mesh.is_plane() ? 3 : 4); ++k) {
            sum[static_cast<std::size_t>(element[k])] += size * static_cast<double>(of_elements[e]);
            weight[static_cast<std::size_t>(element[k])] += size;
        }
    }
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = weight[i] > 0 ? sum[i] / weight[i] : 0;
    return sum;
}

}  // namespace asperity::record

#include "asperity/deform/detail/snap_features.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "asperity/deform/detail/invariants.h"
#include "asperity/geometry/mesh/mesh_closest.h"

namespace asperity::deform::detail {
namespace {

using geometry::Aabb;
using geometry::MeshTree;
using geometry::TriangleSet;

/// An edge is sharp if its two triangles turn by more than 30 degrees: less is a facet of a round body, where a moved point
/// would spoil elements for nothing.
const double kSharp = std::cos(std::numbers::pi / 6);
/// Angles between faces that a move may leave [rad]: 12 and 155 degrees. Wider bounds reach more features with worse
/// elements.
constexpr double kLeastAngle = 12 * std::numbers::pi / 180, kMostAngle = 155 * std::numbers::pi / 180;
/// Farthest move, in cells.
constexpr double kReach = 0.95;

class Snapping {
  public:
    Snapping(const TriangleSet& surface, double cell, SolidMesh<3>& mesh) : surface_(surface), cell_(cell), mesh_(mesh) {}

    void run() {
        find_features();
        if (sharp_edges_.empty()) return;
        find_surface_points();
        for (int pass = 0; pass < 3; ++pass) {  // a move that was refused may be possible once its neighbours have moved
            const auto done = [&](int corner) { return snap_corner(surface_.positions[index(corner)]); };
            corners_.erase(std::remove_if(corners_.begin(), corners_.end(), done), corners_.end());
            if (!snap_edges() && pass > 0) return;
        }
    }

  private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    /// Sharp edges, corners where they end, meet or turn, and the patches of triangles between them.
    void find_features() {
        patch_.resize(surface_.triangles.size());
        std::iota(patch_.begin(), patch_.end(), 0);
        std::vector<std::vector<int>> at(surface_.positions.size());
        std::vector<Aabb> boxes;
        for (int e = 0; e < static_cast<int>(surface_.edges.size()); ++e) {
            const TriangleSet::Edge& edge = surface_.edges[index(e)];
            if (edge.right < 0) continue;
            if (dot(surface_.face_normals[index(edge.left)], surface_.face_normals[index(edge.right)]) >= kSharp) {
                patch_[index(root(edge.left))] = root(edge.right);
                continue;
            }
            sharp_edges_.push_back(e);
            at[index(edge.from)].push_back(e);
            at[index(edge.to)].push_back(e);
            const Vec3 &a = surface_.positions[index(edge.from)], &b = surface_.positions[index(edge.to)];
            boxes.push_back({min(a, b), max(a, b)});
        }
        edge_tree_.build(boxes);
        for (int v = 0; v < static_cast<int>(at.size()); ++v) {
            const std::vector<int>& edges = at[index(v)];
            if (edges.empty()) continue;
            if (edges.size() != 2 || dot(direction(edges[0], v), direction(edges[1], v)) > -kSharp) corners_.push_back(v);
        }
    }
    int root(int triangle) {
        while (patch_[index(triangle)] != triangle)
            triangle = patch_[index(triangle)] = patch_[index(patch_[index(triangle)])];
        return triangle;
    }
    Vec3 direction(int edge, int from) const {
        const TriangleSet::Edge& e = surface_.edges[index(edge)];
        return normalized(surface_.positions[index(e.from == from ? e.to : e.from)] - surface_.positions[index(from)]);
    }

    void find_surface_points() {
        const std::size_t count = mesh_.points.size();
        first_element_.assign(count + 1, 0);
        for (const auto& element : mesh_.elements)
            for (const int v : element) ++first_element_[index(v) + 1];
        std::partial_sum(first_element_.begin(), first_element_.end(), first_element_.begin());
        elements_.resize(mesh_.elements.size() * 4);
        std::vector<int> next(first_element_.begin(), first_element_.end() - 1);
        for (int e = 0; e < static_cast<int>(mesh_.elements.size()); ++e)
            for (const int v : mesh_.elements[index(e)]) elements_[index(next[index(v)]++)] = e;

        for (const auto& face : boundary(mesh_))
            for (std::size_t k = 0; k < 3; ++k) {
                points_.push_back(face[k]);
                if (face[k] < face[(k + 1) % 3]) surface_edges_.push_back({face[k], face[(k + 1) % 3]});
            }
        std::sort(points_.begin(), points_.end());
        points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
        patch_of_.assign(count, -1);
        snapped_.assign(count, 0);
        std::vector<Aabb> boxes;
        for (const int v : points_) {
            const Vec3 p = to_vec3(mesh_.points[index(v)]);
            boxes.push_back({p, p});
            const int triangle = geometry::nearest_on_mesh(surface_, p, 2 * cell_).triangle;
            patch_of_[index(v)] = triangle < 0 ? -1 : root(triangle);
        }
        point_tree_.build(boxes);
    }

    /// Whether all angles of the elements at v are within the bounds.
    bool fits(int v) const {
        for (int k = first_element_[index(v)]; k < first_element_[index(v) + 1]; ++k) {
            const int e = elements_[index(k)];
            const auto& element = mesh_.elements[index(e)];
            Vector<3> normal[4];  // outward, of the faces opposite to the corners
            constexpr std::size_t kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
            for (std::size_t f = 0; f < 4; ++f) {
                const Vector<3>& a = mesh_.points[index(element[kFaces[f][0]])];
                normal[f] =
                    cross(mesh_.points[index(element[kFaces[f][1]])] - a, mesh_.points[index(element[kFaces[f][2]])] - a);
            }
            if (!(volume(mesh_, e) > 0)) return false;
            for (int a = 0; a < 4; ++a)
                for (int b = a + 1; b < 4; ++b) {
                    const double cosine = -normal[a].dot(normal[b]) / (normal[a].norm() * normal[b].norm());
                    if (!(cosine < std::cos(kLeastAngle) && cosine > std::cos(kMostAngle))) return false;
                }
        }
        return true;
    }
    bool move(int v, const Vec3& to, char state) {
        const Vector<3> old = mesh_.points[index(v)];
        mesh_.points[index(v)] = to_vector(to);
        const bool good = fits(v);
        if (good)
            snapped_[index(v)] = state;
        else
            mesh_.points[index(v)] = old;
        return good;
    }

    /// Moves the nearest point that can be moved there. Points on sharp edges may move on to their corner.
    bool snap_corner(const Vec3& corner) {
        const double reach = kReach * cell_;
        const Vec3 margin{reach, reach, reach};
        std::vector<std::pair<double, int>> near;
        point_tree_.query({corner - margin, corner + margin}, [&](int k) {
            const int v = points_[index(k)];
            const double distance = length(to_vec3(mesh_.points[index(v)]) - corner);
            if (distance <= reach && snapped_[index(v)] < 2) near.push_back({distance, v});
        });
        std::sort(near.begin(), near.end());
        for (const auto& [distance, v] : near)
            if (move(v, corner, 2)) return true;
        return false;
    }

    /// One end of every mesh edge that leads from one patch to another moves onto the sharp edge between, the nearest ends
    /// first. False if none is left.
    bool snap_edges() {
        struct Candidate {
            double distance;
            int vertex;
            Vec3 to;
        };
        std::vector<Candidate> candidates;
        const auto crosses = [&](const std::array<int, 2>& e) {
            return patch_of_[index(e[0])] != patch_of_[index(e[1])] && !snapped_[index(e[0])] && !snapped_[index(e[1])];
        };
        std::vector<int> ends;
        for (const auto& e : surface_edges_)
            if (crosses(e)) ends.insert(ends.end(), {e[0], e[1]});
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        for (const int v : ends) {
            const Vec3 p = to_vec3(mesh_.points[index(v)]);
            double reach_squared = kReach * kReach * cell_ * cell_;
            Candidate best{-1, v, {}};
            edge_tree_.nearest(p, reach_squared, [&](int k) {
                const TriangleSet::Edge& edge = surface_.edges[index(sharp_edges_[index(k)])];
                const Vec3 &a = surface_.positions[index(edge.from)], &b = surface_.positions[index(edge.to)];
                const double part = clamp(dot(p - a, b - a) / length_squared(b - a), 0, 1);
                const Vec3 q = a + part * (b - a);
                const double squared = length_squared(q - p);
                if (squared >= reach_squared) return;
                reach_squared = squared;
                best.distance = squared;
                best.to = q;
            });
            if (best.distance >= 0) candidates.push_back(best);
        }
        std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return std::tie(a.distance, a.vertex) < std::tie(b.distance, b.vertex);
        });
        std::vector<std::vector<int>> beside(mesh_.points.size());
        for (const auto& e : surface_edges_)
            if (crosses(e)) beside[index(e[0])].push_back(e[1]), beside[index(e[1])].push_back(e[0]);
        bool moved = false;
        for (const Candidate& c : candidates) {
            const auto needed = [&](int other) { return !snapped_[index(other)]; };
            if (std::none_of(beside[index(c.vertex)].begin(), beside[index(c.vertex)].end(), needed)) continue;
            moved |= move(c.vertex, c.to, 1);
        }
        return moved;
    }

    const TriangleSet& surface_;
    double cell_;
    SolidMesh<3>& mesh_;
    std::vector<int> patch_, sharp_edges_, corners_;  // of the surface: per triangle a root; edges; vertices
    std::vector<int> points_, patch_of_;              // of the mesh: surface points; per point
    std::vector<char> snapped_;                       // per point of the mesh: 1 on a sharp edge, 2 at a corner
    std::vector<std::array<int, 2>> surface_edges_;   // of the mesh
    std::vector<int> first_element_, elements_;       // at each point of the mesh
    MeshTree edge_tree_, point_tree_;
};

}  // namespace

void snap_features(const TriangleSet& surface, double cell, SolidMesh<3>& mesh) { Snapping(surface, cell, mesh).run(); }

}  // namespace asperity::deform::detail

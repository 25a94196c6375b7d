// Merges coplanar triangles. On an exact hull, the triangles within the tolerance of a triangle's plane form a disc; its
// boundary is the face. Failures within the tolerance are resolved by dropping points and starting again. This ends, since
// each round has fewer points.
#include "asperity/geometry/hull/detail/merge_faces.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "asperity/math/vec.h"

namespace asperity::geometry::detail {
namespace {

// [rad] A sliver may only join neighbours at a smaller angle: its own width times this bounds their distance from its plane.
constexpr double kSliverPart = 1e-2;
// [grid steps] A vertex this near to the line of its neighbours may be off it by snapping alone.
constexpr double kSnapNoise = 4;

Vec3 between(const GridPoint& a, const GridPoint& b) {  // exact: 41 bits
    return {static_cast<double>(b.x - a.x), static_cast<double>(b.y - a.y), static_cast<double>(b.z - a.z)};
}
Vec3 unit_normal(const GridPlane& p) {
    return {static_cast<double>(p.x) / p.length, static_cast<double>(p.y) / p.length, static_cast<double>(p.z) / p.length};
}

struct Face {
    Loop loop;
    Vec3 normal;  // of the seed triangle
};

class Merger {
  public:
    Merger(const TriangulatedHull& hull, std::span<const GridPoint> points)
        : hull_(hull), points_(points), face_of_(hull.triangles.size(), -1) {}

    /// Starts from the larger triangles, because their planes are known better.
    std::vector<Face> faces() {
        std::vector<int> by_area(hull_.triangles.size());
        std::iota(by_area.begin(), by_area.end(), 0);
        std::stable_sort(by_area.begin(), by_area.end(),
                         [&](int a, int b) { return hull_.triangles[a].plane.length > hull_.triangles[b].plane.length; });
        std::vector<Face> faces;
        for (int seed : by_area) {
            if (face_of_[seed] < 0) faces.push_back({grow(seed), unit_normal(hull_.triangles[seed].plane)});
        }
        return faces;
    }

    /// Distance of loop entry i from the line of its neighbours, positive if the loop turns left there; negative if it turns
    /// right.
    double stands_out(const Face& face, size_t i) const {
        const size_t n = face.loop.size();
        const GridPoint &a = points_[face.loop[(i + n - 1) % n]], &b = points_[face.loop[i]],
                        &c = points_[face.loop[(i + 1) % n]];
        return dot(cross(between(a, b), between(b, c)), face.normal) / length(between(a, c));
    }

  private:
    Loop grow(int seed) {
        const HullTriangle& start = hull_.triangles[seed];
        // Everything is near a sliver's plane, so a sliver may join neighbours only within a small part of its own width.
        double near = std::min(hull_.tolerance, kSliverPart * width(start));
        // Across a crease flatter than the tolerance the boundary may wander sideways. A smaller tolerance finds the crease.
        for (int attempt = 0; attempt < 4; ++attempt, near *= 0.1) {
            flood(seed, near);
            const Face face{rim(), unit_normal(start.plane)};
            bool convex = !face.loop.empty();
            for (size_t i = 0; i < face.loop.size() && convex; ++i) convex = stands_out(face, i) >= -hull_.tolerance;
            if (convex) return face.loop;
            for (int m : members_) face_of_[m] = -1;
        }
        face_of_[seed] = seed;
        return {start.corner[0], start.corner[1], start.corner[2]};
    }

    void flood(int seed, double near) {
        const GridPlane& plane = hull_.triangles[seed].plane;
        const Vec3 normal = unit_normal(plane);
        const auto in_plane = [&](const HullTriangle& t) {
            // Both sides of a wedge thinner than the tolerance are near the plane. Only the one facing the same way belongs.
            if (dot(normal, unit_normal(t.plane)) <= 0) return false;
            return std::all_of(t.corner, t.corner + 3, [&](int v) { return std::abs(plane.distance(points_[v])) <= near; });
        };
        members_.assign(1, seed);
        face_of_[seed] = seed;
        for (size_t next = 0; next < members_.size(); ++next) {
            for (int other : hull_.triangles[members_[next]].neighbour) {
                if (face_of_[other] >= 0 || !in_plane(hull_.triangles[other])) continue;
                face_of_[other] = seed;
                members_.push_back(other);
            }
        }
    }

    /// The boundary of the members as one loop; empty if they form no disc.
    Loop rim() const {
        std::vector<std::pair<int, int>> steps;
        for (int m : members_) {
            const HullTriangle& t = hull_.triangles[m];
            for (int e = 0; e < 3; ++e) {
                if (face_of_[t.neighbour[e]] != face_of_[m]) steps.emplace_back(t.corner[e], t.corner[(e + 1) % 3]);
            }
        }
        std::sort(steps.begin(), steps.end());
        const auto same_start = [](const auto& a, const auto& b) { return a.first == b.first; };
        if (std::adjacent_find(steps.begin(), steps.end(), same_start) != steps.end()) return {};
        Loop loop{steps[0].first};
        for (int at = steps[0].second; at != loop[0];) {
            loop.push_back(at);
            at = std::lower_bound(steps.begin(), steps.end(), std::pair{at, -1})->second;
        }
        return loop.size() == steps.size() ? loop : Loop{};
    }

    /// The smallest height of a triangle, in grid steps.
    double width(const HullTriangle& t) const {
        double longest = 0;
        for (int e = 0; e < 3; ++e) {
            longest = std::max(longest, length(between(points_[t.corner[e]], points_[t.corner[(e + 1) % 3]])));
        }
        return t.plane.length / longest;
    }

    const TriangulatedHull& hull_;
    std::span<const GridPoint> points_;
    std::vector<int> face_of_;  // by triangle: seed of its face
    std::vector<int> members_;  // triangles of the face being grown
};

/// Marks the points that stay for the next round; all hull points if nothing is wrong.
std::vector<char> true_corners(const Merger& merger, const std::vector<Face>& faces, size_t point_count, double tolerance) {
    // A vertex of one face lies inside it; a vertex of two faces lies on their common edge.
    std::vector<int> faces_at(point_count, 0);
    for (const Face& face : faces) {
        for (int v : face.loop) ++faces_at[v];
    }
    std::vector<char> stays(point_count);
    for (size_t v = 0; v < point_count; ++v) stays[v] = faces_at[v] >= 3;
    // A vertex on the line of its neighbours in one face is no vertex either. Of two neighbours only one may go at a time,
    // because each defines the line of the other.
    std::vector<char> held(point_count, 0);
    for (const Face& face : faces) {
        const size_t n = face.loop.size();
        for (size_t i = 0; i < n && n > 3; ++i) {
            const int before = face.loop[(i + n - 1) % n], v = face.loop[i], after = face.loop[(i + 1) % n];
            if (held[v] || !stays[v] || !stays[before] || !stays[after]) continue;
            if (merger.stands_out(face, i) > std::min(kSnapNoise, tolerance)) continue;
            stays[v] = 0;
            held[before] = held[after] = 1;
        }
    }
    return stays;
}

}  // namespace

std::vector<Loop> face_loops(std::span<const GridPoint> points, double coarse) {
    std::vector<int> index(points.size());  // original index of each remaining point
    std::iota(index.begin(), index.end(), 0);
    std::vector<GridPoint> left(points.begin(), points.end());
    while (left.size() >= 4) {
        const TriangulatedHull hull = exact_hull(left, coarse);
        if (hull.triangles.empty()) return {};
        Merger merger(hull, left);
        const std::vector<Face> faces = merger.faces();
        const std::vector<char> stays = true_corners(merger, faces, left.size(), hull.tolerance);

        bool clean = true;
        for (const HullTriangle& t : hull.triangles)
            clean = clean && stays[t.corner[0]] && stays[t.corner[1]] && stays[t.corner[2]];
        if (clean) {
            std::vector<Loop> loops;
            for (const Face& face : faces) {
                loops.push_back(face.loop);
                for (int& v : loops.back()) v = index[v];
            }
            return loops;
        }
        size_t kept = 0;
        for (size_t v = 0; v < left.size(); ++v) {
            if (!stays[v]) continue;
            index[kept] = index[v];
            left[kept++] = left[v];
        }
        index.resize(kept);
        left.resize(kept);
    }
    return {};
}

}  // namespace asperity::geometry::detail

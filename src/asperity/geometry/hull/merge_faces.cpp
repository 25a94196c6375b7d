// Merging coplanar triangles. On an exact hull the neighbours of a triangle that lie in its plane up to the tolerance form a
// disc; its rim is the face. What can go wrong within the tolerance is put right by dropping corners and starting again,
// which ends since each round has fewer.
#include "asperity/geometry/hull/detail/merge_faces.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "asperity/math/vec.h"

namespace asperity::geometry::detail {
namespace {

// Of a triangle's width: the turn, in radians, to a neighbour that a sliver may join.
constexpr double kSliverPart = 1e-2;
// A corner this near to the line of its neighbours, in grid steps, has been put off it by snapping alone.
constexpr double kSnapNoise = 4;

Vec3 between(const GridPoint& a, const GridPoint& b) {  // exact: 41 bits
    return {static_cast<double>(b.x - a.x), static_cast<double>(b.y - a.y), static_cast<double>(b.z - a.z)};
}
Vec3 unit_normal(const GridPlane& p) {
    return {static_cast<double>(p.x) / p.length, static_cast<double>(p.y) / p.length, static_cast<double>(p.z) / p.length};
}

struct Face {
    Loop loop;
    Vec3 normal;  // of the seed
};

class Merger {
  public:
    Merger(const TriangulatedHull& hull, std::span<const GridPoint> points)
        : hull_(hull), points_(points), face_of_(hull.triangles.size(), -1) {}

    /// Larger triangles first: their planes are the better known ones.
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

    /// How far corner i stands out of the line of its neighbours to the right of the walk; negative where the loop turns
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
        // Next to a sliver anything is near: it may ask for company only within a small part of its own width.
        double near = std::min(hull_.tolerance, kSliverPart * width(start));
        // Across a crease flatter than the tolerance the rim may wander sideways; a stricter plane finds the crease.
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
            // A wedge thinner than the tolerance has both its sides near the plane; only the one that looks our way belongs.
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

    /// The boundary of the members as one loop; empty when they are no disc.
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
    std::vector<int> face_of_;  // by triangle: the seed of its face
    std::vector<int> members_;  // of the face being grown
};

/// The points that stay for the next round; all hull corners when nothing is wrong.
std::vector<char> true_corners(const Merger& merger, const std::vector<Face>& faces, size_t point_count, double tolerance) {
    // A corner of one face lies inside it, of two faces on their common edge.
    std::vector<int> faces_at(point_count, 0);
    for (const Face& face : faces) {
        for (int v : face.loop) ++faces_at[v];
    }
    std::vector<char> stays(point_count);
    for (size_t v = 0; v < point_count; ++v) stays[v] = faces_at[v] >= 3;
    // A corner on the line of its neighbours in one face is none either. One of two neighbours at a time: each needs the
    // other.
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
    std::vector<int> index(points.size());  // of each point still in the race
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

// Quickhull (Barber, Dobkin, Huhdanpaa 1996, "The Quickhull Algorithm for Convex Hulls") on a grid. Floating-point hulls
// fail for nearly coplanar points: the visible region is then disconnected and its boundary is no loop. Here each sign is
// exact, so the textbook argument holds: the strictly visible triangles form a disc and no new triangle is degenerate.
#include "asperity/geometry/hull/detail/exact_hull.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/core/assert.h"

namespace asperity::geometry::detail {
namespace {

// [-] The tolerance is at most this fraction of a plate's thickness.
constexpr double kThicknessPart = 1e-3;

class QuickHull {
  public:
    explicit QuickHull(std::span<const GridPoint> points)
        : points_(points), starts_at_(points.size(), -1), ends_at_(points.size(), -1) {}

    TriangulatedHull build(double coarse) {
        if (!first_tetrahedron(coarse)) return {};
        bool grown = true;
        while (grown) {
            // Breadth first over triangles in order of creation: deterministic, and long slivers are not refined first.
            for (size_t t = 0; t < facets_.size(); ++t) {
                if (facets_[t].alive && !facets_[t].outside.empty()) add_point(static_cast<int>(t));
            }
            // Beyond a sharp edge, a point may be far out and yet low above both planes. Try such points again once the hull
            // around them has grown: other facets may be below them then.
            grown = false;
            const std::vector<int> again = std::exchange(low_, {});
            for (int p : again) grown = assign(p, 0) || grown;
        }
        return {living_triangles(), tolerance_};
    }

  private:
    struct Facet {
        HullTriangle triangle;
        std::vector<int> outside;  // points above this facet by more than the tolerance, the farthest last
        double farthest = 0;
        bool alive = true;
        bool visible = false;
    };
    struct RimEdge {
        int from, to, beyond;  // beyond: the facet that remains
    };

    // Four points far apart: two ends of the longest axis, the farthest from their line, the farthest from that plane.
    bool first_tetrahedron(double coarse) {
        const int count = static_cast<int>(points_.size());
        int a = 0, b = 0;
        for (int axis = 0; axis < 3; ++axis) {
            int low = 0, high = 0;
            for (int i = 1; i < count; ++i) {
                if (coordinate(i, axis) < coordinate(low, axis)) low = i;
                if (coordinate(i, axis) > coordinate(high, axis)) high = i;
            }
            if (coordinate(high, axis) - coordinate(low, axis) > extent(a, b)) a = low, b = high;
        }
        int c = a;
        double widest = 0;
        for (int i = 0; i < count; ++i) {
            const double area = plane_through(points_[a], points_[b], points_[i]).length;
            if (area > widest) widest = area, c = i;
        }
        if (widest == 0) return false;
        const GridPlane base = plane_through(points_[a], points_[b], points_[c]);
        int d = a;
        for (int i = 0; i < count; ++i) {
            if (magnitude(base.side(points_[i])) > magnitude(base.side(points_[d]))) d = i;
        }
        if (base.side(points_[d]) == 0) return false;
        tolerance_ = std::min(coarse, kThicknessPart * std::abs(base.distance(points_[d])));
        if (base.side(points_[d]) > 0) std::swap(b, c);  // d below a b c: all four faces look outwards

        for (const auto& [i, j, k] : {Corners{a, b, c}, Corners{a, d, b}, Corners{b, d, c}, Corners{c, d, a}})
            add_facet(i, j, k);
        for (int f = 0; f < 4; ++f) {
            for (int g = 0; g < 4; ++g) {
                for (int e = 0; e < 3; ++e) {
                    const int back = f == g ? -1 : edge_index(g, end(f, e), start(f, e));
                    if (back >= 0) facets_[f].triangle.neighbour[e] = g;
                }
            }
        }
        for (int i = 0; i < count; ++i) assign(i, 0);
        return true;
    }

    // Replaces the facets visible from the farthest point of facet `seed` by a fan of new facets from their rim to that
    // point.
    void add_point(int seed) {
        const int apex = facets_[seed].outside.back();
        facets_[seed].outside.pop_back();
        find_visible(seed, points_[apex]);
        const int first_new = static_cast<int>(facets_.size());
        for (const RimEdge& edge : rim_) {
            const int facet = add_facet(edge.from, edge.to, apex);
            facets_[facet].triangle.neighbour[0] = edge.beyond;
            facets_[edge.beyond].triangle.neighbour[edge_index(edge.beyond, edge.to, edge.from)] = facet;
            ASPERITY_ASSERT(starts_at_[edge.from] < first_new && ends_at_[edge.to] < first_new);  // the rim is a simple loop
            starts_at_[edge.from] = ends_at_[edge.to] = facet;
        }
        for (int f = first_new; f < static_cast<int>(facets_.size()); ++f) {
            HullTriangle& t = facets_[f].triangle;
            t.neighbour[1] = starts_at_[t.corner[1]];
            t.neighbour[2] = ends_at_[t.corner[0]];
        }
        // A point above a removed facet is above a new one or inside: no other facet needs a test.
        for (int f : visible_) {
            facets_[f].alive = false;
            const std::vector<int> orphans = std::move(facets_[f].outside);
            for (int p : orphans) assign(p, first_new);
        }
    }

    void find_visible(int seed, const GridPoint& eye) {
        visible_.assign(1, seed);
        rim_.clear();
        facets_[seed].visible = true;
        for (size_t next = 0; next < visible_.size(); ++next) {
            for (int e = 0; e < 3; ++e) {
                const int other = facets_[visible_[next]].triangle.neighbour[e];
                if (facets_[other].visible) continue;
                if (facets_[other].triangle.plane.side(eye) > 0) {
                    facets_[other].visible = true;
                    visible_.push_back(other);
                }
            }
        }
        for (int f : visible_) {
            for (int e = 0; e < 3; ++e) {
                const int other = facets_[f].triangle.neighbour[e];
                if (!facets_[other].visible) rim_.push_back({start(f, e), end(f, e), other});
            }
        }
    }

    // Assigns the point to the living facet, from index `first` on, that it is highest above. A point inside goes to none. A
    // point outside by less than the tolerance goes to `low_`.
    bool assign(int point, int first) {
        int owner = -1;
        double highest = 0;
        for (int f = first; f < static_cast<int>(facets_.size()); ++f) {
            if (!facets_[f].alive) continue;
            const double height = facets_[f].triangle.plane.distance(points_[point]);
            if (height > highest) highest = height, owner = f;
        }
        if (owner < 0) return false;
        if (highest <= tolerance_) {
            low_.push_back(point);
            return false;
        }
        Facet& facet = facets_[owner];
        facet.outside.push_back(point);
        if (highest > facet.farthest) {
            facet.farthest = highest;
        } else {
            std::swap(facet.outside.back(), facet.outside[facet.outside.size() - 2]);
        }
        return true;
    }

    int add_facet(int a, int b, int c) {
        Facet facet;
        facet.triangle = {{a, b, c}, {-1, -1, -1}, plane_through(points_[a], points_[b], points_[c])};
        ASPERITY_ASSERT(facet.triangle.plane.length > 0);
        facets_.push_back(std::move(facet));
        return static_cast<int>(facets_.size()) - 1;
    }

    std::vector<HullTriangle> living_triangles() const {
        std::vector<int> number(facets_.size(), -1);
        std::vector<HullTriangle> triangles;
        for (size_t f = 0; f < facets_.size(); ++f) {
            if (!facets_[f].alive) continue;
            number[f] = static_cast<int>(triangles.size());
            triangles.push_back(facets_[f].triangle);
        }
        for (HullTriangle& t : triangles) {
            for (int& n : t.neighbour) n = number[n];
        }
        return triangles;
    }

    struct Corners {
        int a, b, c;
    };
    static Wide magnitude(Wide x) { return x < 0 ? -x : x; }
    std::int64_t coordinate(int i, int axis) const {
        return axis == 0 ? points_[i].x : axis == 1 ? points_[i].y : points_[i].z;
    }
    std::int64_t extent(int a, int b) const {
        return std::max(
            {coordinate(b, 0) - coordinate(a, 0), coordinate(b, 1) - coordinate(a, 1), coordinate(b, 2) - coordinate(a, 2)});
    }
    int start(int f, int e) const { return facets_[f].triangle.corner[e]; }
    int end(int f, int e) const { return facets_[f].triangle.corner[(e + 1) % 3]; }
    int edge_index(int f, int from, int to) const {
        for (int e = 0; e < 3; ++e) {
            if (start(f, e) == from && end(f, e) == to) return e;
        }
        return -1;
    }

    std::span<const GridPoint> points_;
    std::vector<Facet> facets_;
    std::vector<int> starts_at_, ends_at_;  // by point: newest facet whose rim edge starts or ends there
    std::vector<int> low_;                  // points outside by less than the tolerance
    std::vector<int> visible_;
    std::vector<RimEdge> rim_;
    double tolerance_ = 0;
};

}  // namespace

GridPlane plane_through(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
    const Wide ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
    const Wide vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    GridPlane plane{uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx, a, 0};
    const double x = static_cast<double>(plane.x), y = static_cast<double>(plane.y), z = static_cast<double>(plane.z);
    plane.length = std::sqrt(x * x + y * y + z * z);
    return plane;
}

TriangulatedHull exact_hull(std::span<const GridPoint> points, double coarse) { return QuickHull(points).build(coarse); }

}  // namespace asperity::geometry::detail

// A convex body seen along one direction u. Its interval on each line x + t u starts at a lower plane and ends at an upper
// plane. It needs no vertices or edges, so the planes may be offset freely.
#pragma once
#include <vector>

#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/math/vec.h"

namespace asperity::geometry::detail {

/// A linear function of position.
struct Height {
    Vec3 slope;
    double at_origin;
    double operator()(const Vec3& x) const { return at_origin + dot(slope, x); }
    Height operator-(const Height& o) const { return {slope - o.slope, at_origin - o.at_origin}; }
};

/// A convex polygon in space. Clipping by a plane adds at most one vertex, so a triangle cut by 61 planes fits. Further
/// vertices are dropped.
using ShadowPolygon = FixedBuffer<Vec3, 64>;

/// Keeps the part with f >= 0. Returns false if no area is left.
inline bool keep_positive(const Height& f, ShadowPolygon& polygon) {
    double value[64];
    bool positive = false, negative = false;
    for (int i = 0; i < polygon.size(); ++i) {
        value[i] = f(polygon[i]);
        positive |= value[i] > 0;
        negative |= value[i] < 0;
    }
    if (!positive) return false;
    if (!negative) return true;
    ShadowPolygon kept;
    const int n = polygon.size();
    for (int i = 0; i < n; ++i) {
        const int next = i + 1 < n ? i + 1 : 0;
        if (value[i] >= 0 && !kept.full()) kept.push(polygon[i]);
        if ((value[i] > 0 && value[next] < 0) || (value[i] < 0 && value[next] > 0)) {
            if (!kept.full()) kept.push(polygon[i] + value[i] / (value[i] - value[next]) * (polygon[next] - polygon[i]));
        }
    }
    polygon.clear();
    for (const Vec3& p : kept) polygon.push(p);
    return polygon.size() >= 3;
}

inline void copy(const ShadowPolygon& from, ShadowPolygon& to) {
    to.clear();
    for (const Vec3& p : from) to.push(p);
}

struct ShadowPlanes {
    struct Plane {
        Vec3 normal;
        double offset;
        double above(const Vec3& x) const { return dot(normal, x) - offset; }
    };
    std::vector<Plane> planes;           // all planes: dot(normal, x) <= offset inside
    std::vector<Height> uppers, lowers;  // t <= upper(x), t >= lower(x)
    std::vector<Height> sides;           // >= 0 inside, for planes parallel to u
    Vec3 u;

    /// Sorts the planes into upper, lower and side planes for the direction u.
    void look_along(const Vec3& direction) {
        u = direction;
        uppers.clear();
        lowers.clear();
        sides.clear();
        for (const Plane& p : planes) {
            const double along = dot(p.normal, u);
            if (std::fabs(along) < 1e-9)
                sides.push_back({-p.normal, p.offset});
            else
                (along > 0 ? uppers : lowers).push_back({-p.normal / along, p.offset / along});
        }
    }
    /// The plane nearest to a point inside.
    int nearest(const Vec3& x) const {
        int best = 0;
        for (size_t i = 1; i < planes.size(); ++i)
            if (planes[i].above(x) > planes[static_cast<size_t>(best)].above(x)) best = static_cast<int>(i);
        return best;
    }
};

}  // namespace asperity::geometry::detail

// A convex body seen along one direction u: of every line x + t u it holds an interval, which starts at one of its lower
// planes and ends at one of its upper ones. No corners or edges are needed, so planes may be moved at will.
#pragma once
#include <vector>

#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/math/vec.h"

namespace asperity::geometry::detail {

/// A linear function of place.
struct Height {
    Vec3 slope;
    double at_origin;
    double operator()(const Vec3& x) const { return at_origin + dot(slope, x); }
    Height operator-(const Height& o) const { return {slope - o.slope, at_origin - o.at_origin}; }
};

/// A convex polygon in space; clipping it by a plane adds a corner at most. A cut more is dropped: 61 planes may each take a
/// corner off.
using ShadowPolygon = FixedBuffer<Vec3, 64>;

/// Keeps what has f >= 0. False when nothing of any area is left.
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
    std::vector<Plane> planes;           // all of them: dot(normal, x) <= offset inside
    std::vector<Height> uppers, lowers;  // t <= upper(x), t >= lower(x)
    std::vector<Height> sides;           // >= 0 inside, for planes along u
    Vec3 u;

    /// Sorts the planes for the direction u.
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
    /// The plane that is nearest to a point inside.
    int nearest(const Vec3& x) const {
        int best = 0;
        for (size_t i = 1; i < planes.size(); ++i)
            if (planes[i].above(x) > planes[static_cast<size_t>(best)].above(x)) best = static_cast<int>(i);
        return best;
    }
};

}  // namespace asperity::geometry::detail

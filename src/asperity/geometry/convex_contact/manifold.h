// From contact candidates to the manifold: at most four points that stay put from step to step.
#pragma once
#include <span>

#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/geometry/convex_contact/features.h"

namespace asperity::geometry {

/// Keeps all candidates when there are at most four. Otherwise four that span nearly the largest area, with one among them
/// that is as deep as the deepest (to 1e-5 of the patch). The points of `previous` are kept as a set while they are all
/// still there and span 90 % of the best area; single ones get 5 % advantage; exact ties go to the smaller id. Candidates
/// are about `origin`. Returns false when there are none.
bool reduce(Candidates& candidates, const Vec3& normal, const Vec3& origin, std::span<const std::uint32_t> previous,
            Manifold& out);

inline bool contains(std::span<const std::uint32_t> ids, std::uint32_t id) {
    for (const std::uint32_t i : ids) {
        if (i == id) return true;
    }
    return false;
}

/// The manifold as seen from the other side.
inline void flip(Manifold& m) {
    m.normal = -m.normal;
    for (int i = 0; i < m.count; ++i) {
        const Vec3 a = m.points[i].on_a;
        m.points[i].on_a = m.points[i].on_b;
        m.points[i].on_b = a;
        m.points[i].normal = -m.points[i].normal;
    }
}

}  // namespace asperity::geometry

// From contact candidates to the contact manifold: at most four points that stay from step to step.
#pragma once
#include <span>

#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/geometry/convex_contact/features.h"

namespace asperity::geometry {

/// Keeps all candidates if there are at most four. Otherwise it keeps four that span nearly the largest area; one of them is
/// as deep as the deepest (to 1e-5 of the width). The points of `previous` are kept as a set if all are still here and span
/// 90 % of the best area. Single ones have 5 % advantage; exact ties go to the smaller id. Candidates are relative to
/// `origin`. Returns false if there are none.
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

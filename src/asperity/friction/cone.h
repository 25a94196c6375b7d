// The friction cone C = { (n, f) : n >= 0, f in n K } over a limit set, as one convex set: what methods that treat normal
// and friction together project onto.
#pragma once
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

struct ConePoint {
    double n;
    Vec3 f;
};

/// The nearest point of C to (n, f). Closed form for circles; otherwise the root of one monotone function of n.
/// Exact to 1e-12 of |(n, f)| for sets of radius 1e-3 to 1e3. A point inside comes back as it is, a point of the polar cone
/// gives zero.
ConePoint project_cone(const LimitSet& set, double n, const Vec3& f);

/// Whether (n, f) lies in the dual cone C* = { (a, d) : a >= max over K of -f.d } but for `tolerance`.
inline bool in_dual_cone(const LimitSet& set, double n, const Vec3& f, double tolerance) {
    return n + tolerance >= support(set, -f);
}

}  // namespace asperity::friction

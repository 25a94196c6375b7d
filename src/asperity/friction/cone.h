// The friction cone C = { (n, f) : n >= 0, f in n K } over a limit set as one convex set, for methods that project normal
// and friction part together.
#pragma once
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

struct ConePoint {
    double n;
    Vec3 f;
};

/// The nearest point of C to (n, f). Closed form for circles; else the root of a monotone function of n. Exact to 1e-12 of
/// |(n, f)| for sets of radius 1e-3 to 1e3. A point inside is returned unchanged; a point of the polar cone gives zero.
ConePoint project_cone(const LimitSet& set, double n, const Vec3& f);

/// Whether (n, f) lies in the dual cone C* = { (a, d) : a >= max over K of -f.d }, up to `tolerance`.
inline bool in_dual_cone(const LimitSet& set, double n, const Vec3& f, double tolerance) {
    return n + tolerance >= support(set, -f);
}

}  // namespace asperity::friction

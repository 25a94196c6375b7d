// The projection onto n K and its derivatives by the point and by n, as needed by Newton's method.
#pragma once
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

/// x = project(K, p, n) and its derivatives. At a kink of the projection the derivatives are those of one side.
struct Projection {
    Vec3 point;          ///< x
    bool inside = true;  ///< p was in n K: dx/dp = 1, dx/dn = 0
    Mat3 by_p;           ///< dx/dp: symmetric, eigenvalues in [0, 1], rank below dimension(K) outside
    Vec3 by_n;           ///< dx/dn
};

/// Planar sets leave row and column z zero. n <= 0 is outside, with all derivatives zero.
Projection project_with_derivatives(const LimitSet& set, const Vec3& p, double n);

}  // namespace asperity::friction

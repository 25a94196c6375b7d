// Exact signs of orientation determinants, for all finite doubles: a floating-point filter, then expansion arithmetic (Shewchuk
// 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates"), and a fixed-point sum over the whole
// range of the doubles where an expansion could overflow or underflow.
#pragma once
#include "asperity/math/matrix.h"

namespace asperity::ccd {

/// Sign of det(a - c, b - c): 1 where a, b, c turn counter-clockwise, -1 clockwise, 0 on a line.
int orient2d(const Vector<2>& a, const Vector<2>& b, const Vector<2>& c);
/// Sign of det(a - d, b - d, c - d): 1 where a, b, c turn counter-clockwise as seen from a point on the side away from d...
int orient3d(const Vector<3>& a, const Vector<3>& b, const Vector<3>& c, const Vector<3>& d);

}  // namespace asperity::ccd

// Exact signs of orientation determinants, for all finite doubles: a floating-point filter, then expansion arithmetic
// (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates"), and sums over the
// whole range of the doubles where an expansion could overflow or underflow.
#pragma once
#include "asperity/math/matrix.h"

namespace asperity::ccd {

/// Sign of det(a - c, b - c): 1 where a, b, c turn counter-clockwise, -1 clockwise, 0 where they lie on a line.
int orient2d(const Vector<2>& a, const Vector<2>& b, const Vector<2>& c);
/// Sign of det(a - d, b - d, c - d): -1 where a, b, c turn counter-clockwise as seen from d, 1 clockwise, 0 in a plane. So
/// it is -1 for a point d outside of an outward face.
int orient3d(const Vector<3>& a, const Vector<3>& b, const Vector<3>& c, const Vector<3>& d);

}  // namespace asperity::ccd

// Exact tests whether a segment meets a segment or a triangle, with orient2d and orient3d alone. Segments and triangles are
// closed, so touching counts; zero lengths and areas are allowed.
#pragma once
#include "asperity/math/matrix.h"

namespace asperity::ccd {

/// Whether the segments pq and ab have a point in common.
bool segments_meet(const Vector<2>& p, const Vector<2>& q, const Vector<2>& a, const Vector<2>& b);
bool segments_meet(const Vector<3>& p, const Vector<3>& q, const Vector<3>& a, const Vector<3>& b);
/// Whether the segment pq and the triangle abc have a point in common.
bool segment_meets_triangle(const Vector<3>& p, const Vector<3>& q, const Vector<3>& a, const Vector<3>& b,
                            const Vector<3>& c);

/// Whether segments that share the vertex v have another point in common: they then lie on a line, on the same side of v.
template <int Dim>
bool segments_overlap(const Vector<Dim>& v, const Vector<Dim>& q, const Vector<Dim>& b);
/// Whether the segment vq and the triangle vbc have a point other than v in common: q then lies in the plane of the
/// triangle, in the closed angle at v. A segment off that plane meets it in v alone.
bool segment_overlaps_triangle(const Vector<3>& v, const Vector<3>& q, const Vector<3>& b, const Vector<3>& c);

}  // namespace asperity::ccd

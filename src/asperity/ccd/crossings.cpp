// Exact tests of segments and triangles.
//
// Points of one plane are projected along an axis in which the plane keeps an area. This is exact, and maps the plane one to
// one.
#include "asperity/ccd/crossings.h"

#include <algorithm>

#include "asperity/ccd/predicates.h"

namespace asperity::ccd {
namespace {

Vector<2> without(const Vector<3>& v, int axis) { return {v[(axis + 1) % 3], v[(axis + 2) % 3]}; }

int turn(const Vector<3>& a, const Vector<3>& b, const Vector<3>& c, int axis) {
    return orient2d(without(a, axis), without(b, axis), without(c, axis));
}

/// An axis along which the triangle projects to one with an area; -1 if its corners lie on a line.
int axis_of(const Vector<3>& a, const Vector<3>& b, const Vector<3>& c) {
    for (int axis = 0; axis < 3; ++axis)
        if (turn(a, b, c, axis) != 0) return axis;
    return -1;
}

/// Lexicographic order, which is the order along any line: -1, 0 or 1.
template <int Dim>
int compare(const Vector<Dim>& a, const Vector<Dim>& b) {
    for (int k = 0; k < Dim; ++k)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

/// Whether segments of one line have a point in common.
template <int Dim>
bool intervals_meet(const Vector<Dim>& p, const Vector<Dim>& q, const Vector<Dim>& a, const Vector<Dim>& b) {
    const bool forward = compare<Dim>(p, q) <= 0, along = compare<Dim>(a, b) <= 0;
    return compare<Dim>(forward ? p : q, along ? b : a) <= 0 && compare<Dim>(along ? a : b, forward ? q : p) <= 0;
}

/// Whether the segment and the triangle meet, all in one plane, which is projected along `axis`.
bool meet_in_plane(const Vector<3>& p, const Vector<3>& q, const Vector<3>& a, const Vector<3>& b, const Vector<3>& c,
                   int axis) {
    const Vector<2> p2 = without(p, axis), q2 = without(q, axis), a2 = without(a, axis), b2 = without(b, axis),
                    c2 = without(c, axis);
    const int ab = orient2d(a2, b2, p2), bc = orient2d(b2, c2, p2), ca = orient2d(c2, a2, p2);
    if ((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0)) return true;  // p inside
    return segments_meet(p2, q2, a2, b2) || segments_meet(p2, q2, b2, c2) || segments_meet(p2, q2, c2, a2);
}

bool collinear(const Vector<2>& a, const Vector<2>& b, const Vector<2>& c) { return orient2d(a, b, c) == 0; }
bool collinear(const Vector<3>& a, const Vector<3>& b, const Vector<3>& c) { return axis_of(a, b, c) < 0; }

}  // namespace

bool segments_meet(const Vector<2>& p, const Vector<2>& q, const Vector<2>& a, const Vector<2>& b) {
    const int pq_a = orient2d(p, q, a), pq_b = orient2d(p, q, b);
    if (pq_a * pq_b > 0) return false;
    const int ab_p = orient2d(a, b, p), ab_q = orient2d(a, b, q);
    if (ab_p * ab_q > 0) return false;
    if (pq_a == 0 && pq_b == 0 && ab_p == 0 && ab_q == 0) return intervals_meet<2>(p, q, a, b);
    return true;
}

bool segments_meet(const Vector<3>& p, const Vector<3>& q, const Vector<3>& a, const Vector<3>& b) {
    if (orient3d(p, q, a, b) != 0) return false;
    // Three of the points span the plane, or all four lie on a line, or both segments are points.
    int axis = axis_of(p, q, a);
    if (axis < 0) axis = axis_of(p, q, b);
    if (axis < 0) axis = axis_of(a, b, p);
    if (axis < 0) axis = axis_of(a, b, q);
    if (axis < 0) return intervals_meet<3>(p, q, a, b);
    return segments_meet(without(p, axis), without(q, axis), without(a, axis), without(b, axis));
}

bool segment_meets_triangle(const Vector<3>& p, const Vector<3>& q, const Vector<3>& a, const Vector<3>& b,
                            const Vector<3>& c) {
    const int of_p = orient3d(a, b, c, p), of_q = orient3d(a, b, c, q);
    if (of_p * of_q > 0) return false;
    if (of_p == 0 && of_q == 0) {
        const int axis = axis_of(a, b, c);
        if (axis >= 0) return meet_in_plane(p, q, a, b, c, axis);
        return segments_meet(p, q, a, b) || segments_meet(p, q, b, c) || segments_meet(p, q, c, a);
    }
    // The line pq meets the plane in one point; the signs say on which side of each edge of the triangle it passes.
    const int ab = orient3d(p, q, a, b), bc = orient3d(p, q, b, c);
    if (ab * bc < 0) return false;
    const int ca = orient3d(p, q, c, a);
    return ab * ca >= 0 && bc * ca >= 0;
}

template <int Dim>
bool segments_overlap(const Vector<Dim>& v, const Vector<Dim>& q, const Vector<Dim>& b) {
    return compare<Dim>(q, v) * compare<Dim>(b, v) > 0 && collinear(v, q, b);
}

bool segment_overlaps_triangle(const Vector<3>& v, const Vector<3>& q, const Vector<3>& b, const Vector<3>& c) {
    if (orient3d(v, b, c, q) != 0) return false;
    const int axis = axis_of(v, b, c);
    // On a line: v lies between b and c, or one of the sides at v contains the opposite side.
    if (axis < 0) return segments_overlap<3>(v, q, b) || segments_overlap<3>(v, q, c);
    const int side = turn(v, b, c, axis);
    if (side * turn(v, b, q, axis) < 0 || side * turn(v, q, c, axis) < 0) return false;
    return compare<3>(q, v) != 0;
}

template bool segments_overlap<2>(const Vector<2>&, const Vector<2>&, const Vector<2>&);
template bool segments_overlap<3>(const Vector<3>&, const Vector<3>&, const Vector<3>&);

}  // namespace asperity::ccd

// Closest points of two simplices.
#include "asperity/ccd/distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace asperity::ccd {
namespace {

/// Parameter of the point nearest to p on the line from a to b: 0 at a, 1 at b; 0 for a == b.
template <int Dim>
double foot(const Vector<Dim>& p, const Vector<Dim>& a, const Vector<Dim>& b) {
    const Vector<Dim> edge = b - a;
    const double length = edge.squaredNorm();
    return length > 0 ? (p - a).dot(edge) / length : 0;
}

double clamp_unit(double s) { return s > 0 ? std::min(s, 1.0) : 0; }

/// Puts the closest points of p and the side (i, j) of a triangle in `best` if they are nearer.
void try_side(const Vector<3>& p, const std::array<const Vector<3>*, 3>& v, std::size_t i, std::size_t j,
              Closest<3, 4>& best) {
    const Closest<3, 3> side = point_edge(p, *v[i], *v[j]);
    if (!(side.squared < best.squared)) return;
    best.squared = side.squared;
    best.difference = side.difference;
    best.weights = {1, 0, 0, 0};
    best.weights[1 + i] = side.weights[1];
    best.weights[1 + j] = side.weights[2];
}

/// Closest points of the edges a and b if that of a is at s and that of b at t, or at an end nearer still.
Closest<3, 4> at(const Vector<3>& a0, const Vector<3>& a1, const Vector<3>& b0, const Vector<3>& b1, double s, double t) {
    if (s == 0 || s == 1) {  // an end: differences from it are exact to the last bit
        const Closest<3, 3> end = point_edge(s == 0 ? a0 : a1, b0, b1);
        return {end.squared, end.difference, {1 - s, s, end.weights[1], end.weights[2]}};
    }
    if (t == 0 || t == 1) {
        const Closest<3, 3> end = point_edge(t == 0 ? b0 : b1, a0, a1);
        return {end.squared, -end.difference, {end.weights[1], end.weights[2], 1 - t, t}};
    }
    const Vector<3> difference = (a0 - b0) + s * (a1 - a0) - t * (b1 - b0);
    return {difference.squaredNorm(), difference, {1 - s, s, 1 - t, t}};
}

// Below this squared sine of the angle of two edges all four ends are tried as well. Higher: wasted time; lower: the feet on
// the other edge alone decide.
constexpr double kParallel = 1e-10;
// Above this squared sine of the angle at the corner opposite the longest side, and with all weights above kInside, the
// weights are exact to 1e-13 and the sides need no test.
constexpr double kFull = 1e-6;
constexpr double kInside = 1e-9;

}  // namespace

template <int Dim>
Closest<Dim, 2> point_point(const Vector<Dim>& p, const Vector<Dim>& q) {
    const Vector<Dim> difference = p - q;
    return {difference.squaredNorm(), difference, {1, 1}};
}

template <int Dim>
Closest<Dim, 3> point_edge(const Vector<Dim>& p, const Vector<Dim>& a, const Vector<Dim>& b) {
    const double t = clamp_unit(foot(p, a, b));
    // From the nearer end, so that a point near an end loses nothing to the length of the edge.
    if (t <= 0.5) {
        const Vector<Dim> difference = (p - a) - t * (b - a);
        return {difference.squaredNorm(), difference, {1, 1 - t, t}};
    }
    const double from_b = clamp_unit(foot(p, b, a));
    const Vector<Dim> difference = (p - b) - from_b * (a - b);
    return {difference.squaredNorm(), difference, {1, from_b, 1 - from_b}};
}

/// The foot on the plane if it is inside, otherwise the nearest of the three sides. In slivers the weights of the foot may
/// be wrong in all digits; the sides are then tried as well and the nearest wins. What remains is small: an error e of the
/// foot's position makes sqrt(distance^2 + e^2), and where e is large the height of the sliver is as small as the rounding
/// that made it.
Closest<3, 4> point_triangle(const Vector<3>& p, const Vector<3>& a, const Vector<3>& b, const Vector<3>& c) {
    const std::array<const Vector<3>*, 3> v = {&a, &b, &c};
    // Start from the corner opposite the longest side: the cross product of the two shorter sides has the smallest error.
    const std::array<double, 3> opposite = {(c - b).squaredNorm(), (a - c).squaredNorm(), (b - a).squaredNorm()};
    const std::size_t i =
        opposite[0] >= opposite[1] ? (opposite[0] >= opposite[2] ? 0 : 2) : (opposite[1] >= opposite[2] ? 1 : 2);
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const Vector<3> e = *v[j] - *v[i], f = *v[k] - *v[i], r = p - *v[i];
    const Vector<3> normal = e.cross(f);
    const double size = normal.squaredNorm();
    Closest<3, 4> best;
    best.squared = std::numeric_limits<double>::infinity();
    if (size > 0) {
        const double at_j = r.cross(f).dot(normal) / size, at_k = e.cross(r).dot(normal) / size;
        const double at_i = 1 - at_j - at_k, least = std::min(at_i, std::min(at_j, at_k));
        if (least > 0) {
            best.difference = r - at_j * e - at_k * f;
            best.squared = best.difference.squaredNorm();
            best.weights[0] = 1;
            best.weights[1 + i] = at_i;
            best.weights[1 + j] = at_j;
            best.weights[1 + k] = at_k;
            if (least > kInside && size > kFull * e.squaredNorm() * f.squaredNorm()) return best;
        }
    }
    try_side(p, v, 0, 1, best);
    try_side(p, v, 1, 2, best);
    try_side(p, v, 2, 0, best);
    return best;
}

/// The feet of the common perpendicular, clamped to the edges one after the other (Ericson 2005, "Real-time collision
/// detection", 5.1.9). With the normal from a cross product the foot on a has an error of about u/sin(angle) edge lengths, u
/// the unit roundoff; the squared distance is flat there, with curvature sin^2, so it changes by (u length)^2. The
/// determinant of the dot products in its place would cancel, and err by sqrt(u) lengths.
Closest<3, 4> edge_edge(const Vector<3>& a0, const Vector<3>& a1, const Vector<3>& b0, const Vector<3>& b1) {
    const Vector<3> u = a1 - a0, v = b1 - b0, r = a0 - b0;
    const Vector<3> normal = u.cross(v);
    const double size = normal.squaredNorm();
    double s = size > 0 ? clamp_unit(v.cross(r).dot(normal) / size) : 0;
    const double t = clamp_unit(foot<3>(a0 + s * u, b0, b1));
    s = clamp_unit(foot<3>(b0 + t * v, a0, a1));
    Closest<3, 4> best = at(a0, a1, b0, b1, s, t);
    if (!(size > kParallel * u.squaredNorm() * v.squaredNorm())) {
        const auto take_nearer = [&best](const Closest<3, 4>& other) {
            if (other.squared < best.squared) best = other;
        };
        take_nearer(at(a0, a1, b0, b1, 0, 0.5));
        take_nearer(at(a0, a1, b0, b1, 1, 0.5));
        take_nearer(at(a0, a1, b0, b1, 0.5, 0));
        take_nearer(at(a0, a1, b0, b1, 0.5, 1));
    }
    return best;
}

template Closest<2, 2> point_point<2>(const Vector<2>&, const Vector<2>&);
template Closest<3, 2> point_point<3>(const Vector<3>&, const Vector<3>&);
template Closest<2, 3> point_edge<2>(const Vector<2>&, const Vector<2>&, const Vector<2>&);
template Closest<3, 3> point_edge<3>(const Vector<3>&, const Vector<3>&, const Vector<3>&);

}  // namespace asperity::ccd

// Conservative advancement of two simplices along separating directions.
//
// For any unit vector n and any t, the distance of two convex sets is at least the separation along n,
//     min over vertices a of A, b of B of  n.(x_a - x_b) + t n.(d_a - d_b),
// a minimum of functions that are linear in t. So one n gives a whole interval of t at once: up to the first root of
// separation = bound. From t the method takes n along the closest points, goes to that root, and repeats from there. A step
// is at least as long as that of additive CCD, which replaces n.(d_a - d_b) by minus the largest relative speed, and it
// reaches t_max at once if the pair does not approach along n.
//
// Rounding, u = 2^-53. Only relative positions r = x_a - x_b and displacements w = d_a - d_b enter, each component with a
// relative error of u however far the origin is and however fast the common motion. A computed n may point anywhere: closest
// points are a heuristic, the bound above holds for every n. It remains to bound two dot products: |error of n.r| <= 4.1 u
// |r|_1 with the rounding of r, likewise n.w. The length of n is 1 within 4 u. The certificate below takes 8 u |r|_1 off
// n.r, 8 u |w|_1 off n.w, and raises the bound by a relative 16 u, so that three units remain for the sum, the difference
// and the quotient that follow; the root is shortened by a relative 16 u. Every t that is returned therefore ends a chain of
// intervals, each proven in exact arithmetic, that starts at 0. The bound itself takes the distance at 0 from above: the
// distance of two points of the sets, with what rounding can do to them.
#include "asperity/ccd/time_of_impact.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/ccd/detail/roundoff.h"
#include "asperity/ccd/distance.h"

namespace asperity::ccd {
namespace {

constexpr double kMargin = 8 * kRoundoff;

// Share of the way to the bound that may be left when the method stops. Larger: steps of the caller are shortened for
// nothing, and pairs that would pass each other closely are stopped; smaller: more iterations for pairs that do collide.
constexpr double kSlack = 0.001;
// It goes on nevertheless while a step covers this share of the time left: pairs that pass each other closely.
constexpr double kWorthwhile = 0.01;
// Squared sine of the angle below which two edges count as parallel: their cross product is noise near u^2.
constexpr double kParallel = 1e-24;
// Cap on iterations; what is reached by then is safe. Lower: false stops of rotating slender pairs; higher: only time.
constexpr int kMostIterations = 500;

/// The vertices of both simplices, relative to the first, and the pairs of one of A and one of B.
template <int Dim, int CountA, int CountB>
class Motion {
  public:
    static constexpr std::size_t kCount = CountA + CountB;
    static constexpr std::size_t kPairs = CountA * CountB;
    using Points = std::array<Vector<Dim>, kCount>;

    Motion(const Points& x, const Points& d) : x_(x), d_(d) {
        for (std::size_t a = 0; a < CountA; ++a)
            for (std::size_t b = 0; b < CountB; ++b) {
                Relative& pair = pairs_[a * CountB + b];
                pair.r = x[a] - x[CountA + b];
                pair.w = d[a] - d[CountA + b];
                pair.r_error = kMargin * pair.r.template lpNorm<1>();
                pair.w_error = kMargin * pair.w.template lpNorm<1>();
            }
    }

    /// Relative to the first vertex.
    Points positions(double t) const {
        Points y;
        y[0].setZero();
        for (std::size_t i = 1; i < kCount; ++i) y[i] = (x_[i] - x_[0]) + t * (d_[i] - d_[0]);
        return y;
    }

    /// Whether the boxes of the start and the largest relative speed alone show that the distance stays above the bound
    /// until t.
    bool stays_far(double thickness, double keep, double t) const {
        double fastest = 0;
        for (const Relative& pair : pairs_) fastest = std::max(fastest, pair.w.squaredNorm());
        double gap = 0;  // squared distance of the boxes
        for (int k = 0; k < Dim; ++k) {
            double least = pairs_[0].r[k], most = least;
            for (const Relative& pair : pairs_) {
                least = std::min(least, pair.r[k]);
                most = std::max(most, pair.r[k]);
            }
            const double apart = std::max(0.0, std::max(least, -most));
            gap += apart * apart;
        }
        constexpr double kShare = 1 - 1e-12;  // far more than the roundings here
        return (1 - keep) * (kShare * std::sqrt(gap) - thickness) * kShare >= std::sqrt(fastest) * t && gap > 0;
    }

    /// An upper bound of the distance at t = 0, from the closest points there.
    double distance_from_above(double computed) const {
        double size = 0;
        for (const Relative& pair : pairs_) size = std::max(size, pair.r_error);  // 8 u of the size, in the 1-norm
        return computed * (1 + kMargin) + 8 * size;
    }

    double separation(const Vector<Dim>& n, double t) const {
        double least = std::numeric_limits<double>::infinity();
        for (const Relative& pair : pairs_)
            least = std::min(least, (n.dot(pair.r) - pair.r_error) + t * (n.dot(pair.w) - pair.w_error));
        return least;
    }

    /// The largest time until which the separation along n is proven to be above `bound`, if it is so at t; -1 otherwise. At
    /// most `most`.
    double proven_until(const Vector<Dim>& n, double t, double bound, double most) const {
        double until = most;
        for (const Relative& pair : pairs_) {
            const double q = n.dot(pair.r) - pair.r_error, v = n.dot(pair.w) - pair.w_error;
            if (v >= 0) {  // not approaching
                if (!(q + t * v - kMargin * (std::fabs(q) + t * v) > bound)) return -1;
            } else {
                const double root = (q - bound) / -v * (1 - 2 * kMargin);
                if (!(root > t)) return -1;
                until = std::min(until, root);
            }
        }
        return until;
    }

  private:
    struct Relative {
        Vector<Dim> r, w;
        double r_error, w_error;
    };
    const Points& x_;
    const Points& d_;
    std::array<Relative, kPairs> pairs_;
};

/// The part of v that is perpendicular to an edge, to the last digit: a second pass removes what rounding left in the first.
template <int Dim>
Vector<Dim> perpendicular(Vector<Dim> v, const Vector<Dim>& edge) {
    const double length = edge.squaredNorm();
    for (int pass = 0; pass < 2; ++pass) {
        const double size = v.norm();
        if (!(size > 0 && length > 0)) return v;
        v /= size;
        v -= (v.dot(edge) / length) * edge;
    }
    return v;
}

template <int Dim>
Vector<Dim> along(const Vector<Dim>& normal, const Vector<Dim>& side) {
    return normal.dot(side) < 0 ? Vector<Dim>(-normal) : normal;
}

// Directions of separation. The difference of the closest points has an absolute error of u times the size of the pair, so
// for a pair much closer than its size its direction is off; the normals of the features that touch are exact to u.
template <int Dim>
Vector<Dim> direction(const std::array<Vector<Dim>, 2>&, const Closest<Dim, 2>& c) {
    return c.difference;
}
template <int Dim>
Vector<Dim> direction(const std::array<Vector<Dim>, 3>& y, const Closest<Dim, 3>& c) {
    if (c.weights[1] == 0 || c.weights[2] == 0) return c.difference;
    return perpendicular<Dim>(c.difference, y[2] - y[1]);
}

struct PointTriangle {
    static Closest<3, 4> closest(const std::array<Vector<3>, 4>& y) { return point_triangle(y[0], y[1], y[2], y[3]); }
    static Vector<3> normal(const std::array<Vector<3>, 4>& y, const Closest<3, 4>& c) {
        int zeros = 0;
        std::size_t zero = 0;
        for (std::size_t k = 1; k < 4; ++k)
            if (c.weights[k] == 0) {
                ++zeros;
                zero = k;
            }
        if (zeros == 0) {
            const Vector<3> e = y[2] - y[1], f = y[3] - y[1], g = y[3] - y[2];
            const double e_length = e.squaredNorm(), f_length = f.squaredNorm(), g_length = g.squaredNorm();
            const Vector<3>& longest =
                e_length >= f_length ? (e_length >= g_length ? e : g) : (f_length >= g_length ? f : g);
            return along<3>(perpendicular<3>(e.cross(f), longest), c.difference);
        }
        if (zeros == 1) return perpendicular<3>(c.difference, y[zero % 3 + 1] - y[(zero + 1) % 3 + 1]);
        return c.difference;
    }
};
struct EdgeEdge {
    static Closest<3, 4> closest(const std::array<Vector<3>, 4>& y) { return edge_edge(y[0], y[1], y[2], y[3]); }
    static Vector<3> normal(const std::array<Vector<3>, 4>& y, const Closest<3, 4>& c) {
        const bool end_of_a = c.weights[0] == 0 || c.weights[1] == 0, end_of_b = c.weights[2] == 0 || c.weights[3] == 0;
        const Vector<3> a = y[1] - y[0], b = y[3] - y[2];
        if (end_of_a && end_of_b) return c.difference;
        if (end_of_a) return perpendicular<3>(c.difference, b);
        if (end_of_b) return perpendicular<3>(c.difference, a);
        const Vector<3> cross = a.cross(b);
        if (cross.squaredNorm() <= kParallel * a.squaredNorm() * b.squaredNorm()) return perpendicular<3>(c.difference, a);
        return along<3>(perpendicular<3>(cross, a), c.difference);
    }
};
template <int Dim>
struct PointEdge {
    static Closest<Dim, 3> closest(const std::array<Vector<Dim>, 3>& y) { return point_edge<Dim>(y[0], y[1], y[2]); }
    static Vector<Dim> normal(const std::array<Vector<Dim>, 3>& y, const Closest<Dim, 3>& c) { return direction<Dim>(y, c); }
};
template <int Dim>
struct PointPoint {
    static Closest<Dim, 2> closest(const std::array<Vector<Dim>, 2>& y) { return point_point<Dim>(y[0], y[1]); }
    static Vector<Dim> normal(const std::array<Vector<Dim>, 2>& y, const Closest<Dim, 2>& c) { return direction<Dim>(y, c); }
};

template <class Kind, int Dim, int CountA, int CountB>
double limit(const std::array<Vector<Dim>, CountA + CountB>& x, const std::array<Vector<Dim>, CountA + CountB>& d,
             double thickness, double keep, double t_max) {
    const Motion<Dim, CountA, CountB> motion(x, d);
    if (motion.stays_far(thickness, keep, t_max)) return t_max;
    double t = 0, bound = 0, slack = 0;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
        const auto y = motion.positions(t);
        const auto closest = Kind::closest(y);
        const double distance = std::sqrt(closest.squared);
        if (iteration == 0) {
            const double above = motion.distance_from_above(distance);
            if (!(above > thickness)) return 0;
            bound = (thickness + keep * (above - thickness)) * (1 + 2 * kMargin);
            slack = kSlack * (above - bound);
        }
        Vector<Dim> n = Kind::normal(y, closest).stableNormalized();
        double separation = motion.separation(n, t);
        if (!(separation > 0.9 * distance)) {  // degenerate features
            const Vector<Dim> other = closest.difference.stableNormalized();
            const double of_other = motion.separation(other, t);
            if (!(separation >= of_other)) {
                n = other;
                separation = of_other;
            }
        }
        const double until = motion.proven_until(n, t, bound, t_max);
        if (until >= t_max) return t_max;
        if (!(until > t)) return t;
        const bool near = separation - bound <= slack && until - t <= kWorthwhile * (t_max - t);
        t = until;
        if (near) return t;
    }
    return t;
}

}  // namespace

double point_triangle_limit(const std::array<Vector<3>, 4>& x, const std::array<Vector<3>, 4>& d, double thickness,
                            double keep, double t_max) {
    return limit<PointTriangle, 3, 1, 3>(x, d, thickness, keep, t_max);
}

double edge_edge_limit(const std::array<Vector<3>, 4>& x, const std::array<Vector<3>, 4>& d, double thickness, double keep,
                       double t_max) {
    return limit<EdgeEdge, 3, 2, 2>(x, d, thickness, keep, t_max);
}

template <int Dim>
double point_edge_limit(const std::array<Vector<Dim>, 3>& x, const std::array<Vector<Dim>, 3>& d, double thickness,
                        double keep, double t_max) {
    return limit<PointEdge<Dim>, Dim, 1, 2>(x, d, thickness, keep, t_max);
}

template <int Dim>
double point_point_limit(const std::array<Vector<Dim>, 2>& x, const std::array<Vector<Dim>, 2>& d, double thickness,
                         double keep, double t_max) {
    return limit<PointPoint<Dim>, Dim, 1, 1>(x, d, thickness, keep, t_max);
}

template double point_edge_limit<2>(const std::array<Vector<2>, 3>&, const std::array<Vector<2>, 3>&, double, double,
                                    double);
template double point_edge_limit<3>(const std::array<Vector<3>, 3>&, const std::array<Vector<3>, 3>&, double, double,
                                    double);
template double point_point_limit<2>(const std::array<Vector<2>, 2>&, const std::array<Vector<2>, 2>&, double, double,
                                     double);
template double point_point_limit<3>(const std::array<Vector<3>, 2>&, const std::array<Vector<3>, 2>&, double, double,
                                     double);

}  // namespace asperity::ccd

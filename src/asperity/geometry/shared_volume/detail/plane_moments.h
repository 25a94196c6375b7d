// Moments of plane regions: triangles and segments of discs. Also the sines of small angles that disc segments need.
#pragma once
#include <cmath>
#include <numbers>

#include "asperity/geometry/common/detail/four.h"
#include "asperity/math/vec.h"

namespace asperity::geometry::detail {

/// sin x and 1 - cos x for |x| <= pi/6 by their series; relative error below 1e-13.
template <class T>
T sine_series(const T& x, const T& q) {
    return x *
           (1 - q * (1 / 6.0) * (1 - q * (1 / 20.0) * (1 - q * (1 / 42.0) * (1 - q * (1 / 72.0) * (1 - q * (1 / 110.0))))));
}
template <class T>
T versine_series(const T& q) {
    return q * 0.5 *
           (1 - q * (1 / 12.0) * (1 - q * (1 / 30.0) * (1 - q * (1 / 56.0) * (1 - q * (1 / 90.0) * (1 - q * (1 / 132.0))))));
}
struct SmallAngle {
    double sine, versine;
    explicit SmallAngle(double x) : sine(sine_series(x, x * x)), versine(versine_series(x * x)) {}
    SmallAngle(double s, double v) : sine(s), versine(v) {}
    Vec2 turn(Vec2 v) const { return {v.x - versine * v.x - sine * v.y, v.y + sine * v.x - versine * v.y}; }
};
/// Eight-point Gauss rule on [-1, 1]: inner and outer points.
inline constexpr Four kInnerNodes{-0.5255324099163290, -0.1834346424956498, 0.1834346424956498, 0.5255324099163290},
    kInnerWeights{0.3137066458778873, 0.3626837833783620, 0.3626837833783620, 0.3137066458778873};
inline constexpr Four kOuterNodes{-0.9602898564975363, -0.7966664774136267, 0.7966664774136267, 0.9602898564975363},
    kOuterWeights{0.1012285362903763, 0.2223810344533745, 0.2223810344533745, 0.1012285362903763};
/// Four-point Gauss rule.
inline constexpr Four kFourNodes{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526},
    kFourWeights{0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};

struct FourSmallAngles {
    Four sine, versine;
    explicit FourSmallAngles(const Four& x) : sine(sine_series(x, Four(x * x))), versine(versine_series(Four(x * x))) {}
    SmallAngle operator[](int lane) const { return {sine[lane], versine[lane]}; }
};

/// A point with repeated coordinates, so that the lanes of p q r are xxx xxy xyy yyy and those of q r are xx xy yy yy.
struct FourfoldPoint {
    Four p, q, r;
    explicit FourfoldPoint(Vec2 v) : p{v.x, v.x, v.x, v.y}, q{v.x, v.x, v.y, v.y}, r{v.x, v.y, v.y, v.y} {}
};

/// int of 1, of x and y, and of their products of degree two and three.
struct PlaneMoments {
    double area = 0;
    Vec2 first;
    Four squares{}, cubes{};  // lanes as in FourfoldPoint

    double xx() const { return squares[0]; }
    double xy() const { return squares[1]; }
    double yy() const { return squares[2]; }
    double xxx() const { return cubes[0]; }
    double xxy() const { return cubes[1]; }
    double xyy() const { return cubes[2]; }
    double yyy() const { return cubes[3]; }
    /// A disc about (0, 0).
    void set_disc(double r) {
        area = std::numbers::pi * r * r;
        const double second = 0.25 * r * r * area;
        first = {};
        squares = Four{second, 0, second, second};
        cubes = Four{};
    }
    /// Moments about the point at -d relative to the present origin, without those of degree three.
    PlaneMoments moved(Vec2 d) const {
        const FourfoldPoint to(d), f(first);
        PlaneMoments m;
        m.area = area;
        m.first = first + area * d;
        m.squares = squares + to.q * (f.r + area * to.r) + to.r * f.q;
        return m;
    }
    /// Adds the triangle (0, 0), b, c with D = det(b c), s = b + c. For linear functions f, g, h that vanish at (0, 0):
    ///     int f = D/6 f(s),   int f g = D/24 (fg(b) + fg(c) + fg(s)),   int f g h = D/60 (2 fgh(b) + 2 fgh(c) + fgh(s))
    void add_triangle(Vec2 b, Vec2 c, bool cubic) {
        const double D = cross(b, c);
        const FourfoldPoint fb(b), fc(c), fs(b + c);
        const Four b2 = fb.q * fb.r, c2 = fc.q * fc.r, s2 = fs.q * fs.r;
        area += 0.5 * D;
        first = first + D * (1 / 6.0) * (b + c);
        squares += D * (1 / 24.0) * (b2 + c2 + s2);
        if (cubic) cubes += D * (1 / 60.0) * (2 * (fb.p * b2 + fc.p * c2) + fs.p * s2);
    }
};

/// Moments of a segment of a disc with the half angle b <= pi/6, by series in b^2 with an error of 3e-9. s runs along the
/// chord from its middle, h is the height above it.
struct DiscSegment {
    double area, h, hh, ss, hhh, hss;
    DiscSegment(double radius, double b, bool cubic) {
        const double q = b * b, R2 = radius * radius, b3 = q * b, b5 = b3 * q, b7 = b5 * q;
        const auto series = [q](double c0, double c1, double c2, double c3, double c4, double c5) {
            return c0 + q * (c1 + q * (c2 + q * (c3 + q * (c4 + q * c5))));
        };
        area = R2 * b3 * series(2.0 / 3, -2.0 / 15, 4.0 / 315, -2.0 / 2835, 4.0 / 155925, -4.0 / 6081075);
        h = R2 * radius * b5 *
            series(2.0 / 15, -11.0 / 315, 17.0 / 3780, -461.0 / 1247400, 8303.0 / 389188800, -24911.0 / 27243216000);
        hh = R2 * R2 * b7 * series(4.0 / 105, -4.0 / 315, 4.0 / 1925, -64.0 / 289575, 1208.0 / 70945875, -404.0 / 402026625);
        ss = R2 * R2 * b5 * series(2.0 / 15, -4.0 / 63, 2.0 / 135, -68.0 / 31185, 124.0 / 552825, -8.0 / 467775);
        hhh = hss = 0;
        if (!cubic) return;
        const double R5 = R2 * R2 * radius;
        hhh =
            R5 * b7 * q *
            series(4.0 / 315, -2.0 / 385, 67.0 / 64350, -7727.0 / 56756700, 18617.0 / 1429428000, -121727.0 / 125707982400);
        hss =
            R5 * b7 *
            series(2.0 / 105, -1.0 / 105, 167.0 / 69300, -6493.0 / 16216200, 73067.0 / 1513512000, -688117.0 / 154378224000);
    }
    /// Any half angle, given by its sine and cosine: closed forms where they do not cancel, else the series.
    DiscSegment(double radius, double sine, double cosine) : DiscSegment(radius, 0, false) {
        const double b = std::atan2(sine, cosine);
        if (cosine > 0 && sine < 0.5) {
            *this = DiscSegment(radius, b, false);
            return;
        }
        const double R2 = radius * radius, sector = b - sine * cosine, cube = 2.0 / 3 * sine * sine * sine,
                     chord = radius * cosine;
        area = R2 * sector;
        // from the centre of the disc
        const double first = R2 * radius * cube, second = R2 * R2 / 4 * (sector + 3 * cube * cosine);
        h = first - chord * area;
        hh = second - chord * (2 * first - chord * area);
        ss = R2 * R2 / 4 * (sector - cube * cosine);
    }
    /// Adds the segment with the chord's middle at m and `up` the unit direction away from the chord. Odd powers of s
    /// integrate to zero.
    void add_to(PlaneMoments& sum, Vec2 m, Vec2 up, bool cubic) const {
        const FourfoldPoint fm(m), fu(up), fs(Vec2{-up.y, up.x});
        const Four m2 = fm.q * fm.r, u2 = fu.q * fu.r, s2 = fs.q * fs.r, mu = fm.q * fu.r + fu.q * fm.r;
        sum.area += area;
        sum.first = sum.first + area * m + h * up;
        sum.squares += area * m2 + h * mu + hh * u2 + ss * s2;
        if (!cubic) return;
        const Four ms = fm.q * fs.r + fs.q * fm.r, us = fu.q * fs.r + fs.q * fu.r;
        sum.cubes += area * fm.p * m2 + h * (fm.p * mu + fu.p * m2) + hh * (fu.p * mu + fm.p * u2) + hhh * fu.p * u2 +
                     ss * (fm.p * s2 + fs.p * ms) + hss * (fu.p * s2 + fs.p * us);
    }
};

}  // namespace asperity::geometry::detail

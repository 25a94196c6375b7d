// Random limit sets and points for the friction tests, and slow references in quadruple precision.
#pragma once
#include <array>
#include <ostream>
#include <vector>

#include "asperity/core/random.h"
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

#if defined(__SIZEOF_FLOAT128__)
using Quad = __float128;
#else
using Quad = long double;  // quadruple on ARM
#endif

inline std::ostream& operator<<(std::ostream& out, const LimitSet& set) {
    out.precision(17);
    if (const auto* e = std::get_if<Ellipse>(&set)) out << "Ellipse{" << e->t << ", " << e->b << "}";
    if (const auto* e = std::get_if<Ellipsoid>(&set)) out << "Ellipsoid{" << e->t << ", " << e->b << ", " << e->drill << "}";
    if (const auto* r = std::get_if<Rectangle>(&set))
        out << "Rectangle{" << r->t_minus << ", " << r->t_plus << ", " << r->b_minus << ", " << r->b_plus << "}";
    if (const auto* p = std::get_if<Polygon>(&set)) {
        out << "Polygon{scale " << p->scale;
        for (const Vec2& c : p->corners) out << ", (" << c.x << ", " << c.y << ")";
        out << "}";
    }
    return out;
}

inline double log_uniform(Random& random, double low, double high) {
    return std::exp(random.uniform(std::log(low), std::log(high)));
}
inline double sign(Random& random) { return random.below(2) == 0 ? -1 : 1; }

/// Vertices on an ellipse at random angles, the origin inside: at most `count`, counter-clockwise.
inline std::vector<Vec2> random_corners(Random& random, int count, double t, double b) {
    std::vector<Vec2> corners;
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * 3.141592653589793 * (i + 0.9 * random.uniform()) / count;
        corners.push_back({t * std::cos(angle), b * std::sin(angle)});
    }
    return corners;
}

/// One set of each kind with semi-axes from 1/aspect to 1. `storage` owns the polygon's corners.
inline std::vector<LimitSet> random_sets(Random& random, double aspect, std::vector<Vec2>& storage) {
    const auto axis = [&] { return log_uniform(random, 1 / aspect, 1); };
    storage = random_corners(random, 4 + random.below(29), axis(), axis());
    const double mu = axis();
    return {Ellipse{mu, mu}, Ellipse{axis(), axis()}, Rectangle{axis(), axis(), axis(), axis()}, Polygon{storage, axis()},
            Ellipsoid{axis(), axis(), axis()}};
}

inline double set_radius(const LimitSet& set) {
    double r = 0;
    for (int i = 0; i < 3; ++i)
        for (double s : {-1.0, 1.0}) {
            Vec3 d;
            d[i] = s;
            r = std::max(r, support(set, d));
        }
    return r;
}

/// A point whose coordinates have very different sizes, from deep inside to far outside n K.
inline Vec3 random_point(Random& random, const LimitSet& set, double n) {
    const double size = n * set_radius(set);
    Vec3 p{random.normal(), random.normal(), dimension(set) == 3 ? random.normal() : 0};
    for (int i = 0; i < 3; ++i)
        if (random.below(3) == 0) p[i] *= log_uniform(random, 1e-12, 1);  // close to an axis or a plane
    p = (random.below(8) == 0 ? log_uniform(random, 1, 1e9) : log_uniform(random, 1e-3, 10)) * size * p;
    if (random.below(4) == 0) {  // just outside
        const double g = gauge(set, p);
        if (g > 0) p = (n / g * (1 + log_uniform(random, 1e-15, 1e-3))) * p;
    }
    return p;
}

/// Nearest point of sum (x_i/(n a_i))^2 <= 1 by bisection of the secular equation in quadruple precision.
inline Vec3 reference_ellipsoid(const Vec3& axes, double n, const Vec3& p) {
    Quad a[3], y[3], G = 0, high = 0;
    for (int i = 0; i < 3; ++i) {
        a[i] = Quad(axes[i]) * n;
        y[i] = a[i] > 0 ? Quad(p[i]) : Quad(0);
        if (a[i] > 0) G += (y[i] / a[i]) * (y[i] / a[i]);
        high += a[i] * (y[i] < 0 ? -y[i] : y[i]);
    }
    Quad low = 0;
    for (int k = 0; k < 250 && G > 1; ++k) {
        const Quad t = (low + high) / 2;
        Quad value = 0;
        for (int i = 0; i < 3; ++i)
            if (a[i] > 0) value += (a[i] * y[i] / (t + a[i] * a[i])) * (a[i] * y[i] / (t + a[i] * a[i]));
        (value > 1 ? low : high) = t;
    }
    Vec3 x;
    for (int i = 0; i < 3; ++i)
        x[i] = G <= 1 ? double(y[i]) : a[i] > 0 ? double(a[i] * a[i] * y[i] / (low + a[i] * a[i])) : 0;
    return x;
}

/// Nearest point of a polygon of non-zero area, by the regions of its edges and vertices, in quadruple precision.
inline Vec2 reference_polygon(const std::vector<Vec2>& corners, double scale, Vec2 p) {
    struct Q2 {
        Quad x, y;
    };
    const int m = static_cast<int>(corners.size());
    const auto at = [&](int i) {
        const Vec2& c = corners[static_cast<size_t>((i + m) % m)];
        return Q2{Quad(c.x) * scale, Quad(c.y) * scale};
    };
    const auto from = [&](const Q2& c) { return Q2{p.x - c.x, p.y - c.y}; };
    const auto edge = [&](int i) { return Q2{at(i + 1).x - at(i).x, at(i + 1).y - at(i).y}; };
    const auto qdot = [](const Q2& u, const Q2& v) { return u.x * v.x + u.y * v.y; };
    const auto outside = [&](int i) { return edge(i).x * from(at(i)).y - edge(i).y * from(at(i)).x < 0; };
    for (int i = 0; i < m; ++i) {
        const Quad s = qdot(from(at(i)), edge(i)) / qdot(edge(i), edge(i));
        if (outside(i) && s >= 0 && s <= 1) return {double(at(i).x + s * edge(i).x), double(at(i).y + s * edge(i).y)};
        if ((outside(i) || outside(i - 1)) && s <= 0 && qdot(from(at(i)), edge(i - 1)) >= 0)
            return {double(at(i).x), double(at(i).y)};
    }
    return p;
}

}  // namespace asperity::friction

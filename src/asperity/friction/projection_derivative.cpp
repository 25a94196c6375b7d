#include "asperity/friction/projection_derivative.h"

namespace asperity::friction {
namespace {

/// With A = diag(1/a_i^2) the nearest point satisfies p = x + t A x and x.A x = 1 (the secular equation, ellipsoid.cpp).
/// Differentiated, with M = 1 + t A, w = A x and dA = -2 A dn/n:
///     M dx = dp - w dt',   w.dx = dn/n        (dt' = dt - 2 t dn/n)
///     dx = M^-1 (dp - w dt'),   dt' = (w.M^-1 dp - dn/n) / (w.M^-1 w)
/// Semi-axes of length zero are left out.
void differentiate_ellipsoid(const Vec3& axes, const Vec3& p, double n, Projection& out) {
    Vec3 w, inverse_M, v;  // v = M^-1 w
    double longest = 0;
    for (int i = 0; i < 3; ++i) longest = larger(longest, axes[i]);
    const double flat = 1e-100 * longest;
    double t_above = 0, t_below = 0;
    bool within = true;  // a flat set: p lies above the interior
    for (int i = 0; i < 3; ++i) {
        if (axes[i] <= flat) continue;
        within = within && out.point[i] == p[i];
        w[i] = out.point[i] / axes[i];  // w times a_i, so that thin axes do not overflow
        t_above += (p[i] - out.point[i]) * w[i] * axes[i];
        t_below += w[i] * w[i];
    }
    if (within) {
        for (int i = 0; i < 3; ++i)
            if (axes[i] > flat) out.by_p.r[i][i] = 1;
        return;
    }
    const double t = t_below > 0 ? larger(t_above / t_below, 0.0) : 0;  // (p - x)_i = t x_i/a_i^2
    double wv = 0;
    for (int i = 0; i < 3; ++i) {
        if (axes[i] <= flat) continue;
        const double below = axes[i] * axes[i] + t;
        inverse_M[i] = axes[i] * axes[i] / below;
        v[i] = out.point[i] / below;
        wv += w[i] * w[i] / below;  // x_i^2 / (a_i^2 (a_i^2 + t))
    }
    if (!(wv > 0)) return;
    out.by_p = Mat3::diagonal(inverse_M) + (-1 / wv) * outer(v, v);
    out.by_n = (1 / (n * wv)) * v;
}

void differentiate_polygon(const Polygon& polygon, const Vec3& p, double n, Projection& out) {
    const double scale = n * polygon.scale;
    const Vec2 away{p.x - out.point.x, p.y - out.point.y};
    // the vertex or edge furthest along `away`; project_polygon returns a vertex bitwise as scale * vertex
    const size_t count = polygon.corners.size();
    size_t best = 0;
    for (size_t i = 0; i < count; ++i) {
        const Vec2 c = scale * polygon.corners[i];
        if (c.x == out.point.x && c.y == out.point.y) {
            out.by_n = polygon.scale * Vec3{polygon.corners[i].x, polygon.corners[i].y, 0};
            return;
        }
        const auto reach = [&](size_t k) { return dot(polygon.corners[k] + polygon.corners[(k + 1) % count], away); };
        if (reach(i) > reach(best)) best = i;
    }
    const Vec2 start = polygon.corners[best], end = polygon.corners[(best + 1) % count];
    const Vec2 edge = end - start;
    const double size2 = dot(edge, edge);
    if (!(size2 > 0)) return;
    const Vec3 along{edge.x, edge.y, 0}, normal{edge.y, -edge.x, 0};
    out.by_p = (1 / size2) * outer(along, along);
    out.by_n = (polygon.scale * (normal.x * start.x + normal.y * start.y) / size2) * normal;
}

}  // namespace

Projection project_with_derivatives(const LimitSet& set, const Vec3& p, double n) {
    Projection out;
    if (!(n > 0)) {
        out.inside = false;
        return out;
    }
    out.point = project(set, p, n);
    const bool planar = dimension(set) == 2;
    out.inside = out.point.x == p.x && out.point.y == p.y && (planar || out.point.z == p.z);
    if (out.inside) {
        out.by_p = Mat3::diagonal({1, 1, planar ? 0.0 : 1.0});
        return out;
    }
    if (const auto* e = std::get_if<Ellipse>(&set)) {
        differentiate_ellipsoid({n * e->t, n * e->b, 0}, p, n, out);
    } else if (const auto* e3 = std::get_if<Ellipsoid>(&set)) {
        differentiate_ellipsoid({n * e3->t, n * e3->b, n * e3->drill}, p, n, out);
    } else if (const auto* r = std::get_if<Rectangle>(&set)) {
        const double low[2] = {-r->t_minus, -r->b_minus}, high[2] = {r->t_plus, r->b_plus};
        for (int i = 0; i < 2; ++i) {
            if (out.point[i] == p[i])
                out.by_p.r[i][i] = 1;
            else
                out.by_n[i] = p[i] > out.point[i] ? high[i] : low[i];
        }
    } else {
        differentiate_polygon(*std::get_if<Polygon>(&set), p, n, out);
    }
    return out;
}

}  // namespace asperity::friction

// GJK on B - A, with closest points on simplices by Voronoi regions (Ericson, Real-Time Collision Detection, ch. 5.1).
#include "asperity/geometry/convex_contact/gjk.h"

#include <algorithm>

namespace asperity::geometry {

namespace {

struct SimplexVertex {
    Vec3 a, b, w;  // w = b - a
    double weight;
};
struct Simplex {
    SimplexVertex v[4];
    int count = 0;
    Vec3 closest() const {
        Vec3 p;
        for (int i = 0; i < count; ++i) p += v[i].weight * v[i].w;
        return p;
    }
};

Simplex point_of(const SimplexVertex& p) {
    Simplex s;
    s.v[0] = p;
    s.v[0].weight = 1;
    s.count = 1;
    return s;
}

Simplex nearest_on_segment(const SimplexVertex& p, const SimplexVertex& q) {
    const Vec3 d = q.w - p.w;
    const double t = -dot(p.w, d), l = dot(d, d);
    if (t <= 0) return point_of(p);
    if (t >= l) return point_of(q);
    Simplex s;
    s.v[0] = p;
    s.v[1] = q;
    s.v[1].weight = t / l;
    s.v[0].weight = 1 - s.v[1].weight;
    s.count = 2;
    return s;
}

Simplex nearest_on_triangle(const SimplexVertex& p, const SimplexVertex& q, const SimplexVertex& r) {
    const Vec3 pq = q.w - p.w, pr = r.w - p.w;
    const double d1 = -dot(pq, p.w), d2 = -dot(pr, p.w);
    if (d1 <= 0 && d2 <= 0) return point_of(p);
    const double d3 = -dot(pq, q.w), d4 = -dot(pr, q.w);
    if (d3 >= 0 && d4 <= d3) return point_of(q);
    const double d5 = -dot(pq, r.w), d6 = -dot(pr, r.w);
    if (d6 >= 0 && d5 <= d6) return point_of(r);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return nearest_on_segment(p, q);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return nearest_on_segment(p, r);
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return nearest_on_segment(q, r);
    const double sum = va + vb + vc;
    if (!(sum > 0)) {  // a needle: take the best of its sides
        Simplex best = nearest_on_segment(p, q);
        for (const Simplex& other : {nearest_on_segment(p, r), nearest_on_segment(q, r)}) {
            if (length_squared(other.closest()) < length_squared(best.closest())) best = other;
        }
        return best;
    }
    Simplex s;
    s.v[0] = p;
    s.v[1] = q;
    s.v[2] = r;
    s.v[1].weight = vb / sum;
    s.v[2].weight = vc / sum;
    s.v[0].weight = 1 - s.v[1].weight - s.v[2].weight;
    s.count = 3;
    return s;
}

// Count 4 means that the origin is inside.
Simplex nearest_on_tetrahedron(const Simplex& t) {
    static constexpr int face[4][4] = {
        {0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};  // three vertices, then the opposite one
    Simplex best;
    double nearest = 0;
    for (const auto& f : face) {
        const Vec3 &p = t.v[f[0]].w, &q = t.v[f[1]].w, &r = t.v[f[2]].w, &apex = t.v[f[3]].w;
        const Vec3 normal = cross(q - p, r - p);
        const double origin_side = -dot(p, normal), apex_side = dot(apex - p, normal);
        // A flat tetrahedron has no inside: every face is then a candidate.
        const double flat = 1e-14 * length(normal) * std::max(length(apex), length(p));
        if (std::fabs(apex_side) > flat && origin_side * apex_side > 0) continue;
        const Simplex s = nearest_on_triangle(t.v[f[0]], t.v[f[1]], t.v[f[2]]);
        const double d = length_squared(s.closest());
        if (best.count == 0 || d < nearest) {
            best = s;
            nearest = d;
        }
    }
    return best.count ? best : t;
}

}  // namespace

GjkResult gjk_distance(const Convex& a, const Convex& b, const Vec3& shift, const Vec3& guess, double scale) {
    constexpr int iteration_limit = 128;  // polyhedra need about 10; cylinders converge linearly
    constexpr double relative = 1e-14;    // [-] of the distance
    constexpr double absolute = 8e-16;    // [-] of the coordinates: rounding of a support point
    GjkResult result;
    const auto support = [&](const Vec3& v) {
        SimplexVertex p;
        p.a = a.support(v);
        p.b = b.support(-v);
        if (scale != 1) {
            p.a = a.middle + scale * (p.a - a.middle);
            p.b = b.middle + scale * (p.b - b.middle);
        }
        p.b += shift;
        p.w = p.b - p.a;
        p.weight = 1;
        return p;
    };
    Simplex simplex = point_of(support(length_squared(guess) > 0 ? guess : Vec3{0, 0, 1}));
    Vec3 v = simplex.v[0].w;
    double v2 = length_squared(v);
    const double size = std::sqrt(v2) + a.extent + b.extent;
    for (result.iterations = 0; result.iterations < iteration_limit; ++result.iterations) {
        const double d = std::sqrt(v2);
        if (d <= 1e-15 * size) {
            result.overlap = true;
            return result;
        }
        const SimplexVertex w = support(v);
        // v2 - v.w bounds how much nearer the true nearest point can be.
        if (v2 - dot(v, w.w) <= relative * v2 + absolute * size * d) break;
        bool stuck = false;  // the support point is already a vertex: the nearest point of the simplex was inexact
        for (int i = 0; i < simplex.count; ++i) stuck = stuck || simplex.v[i].w == w.w;
        simplex.v[simplex.count++] = w;
        Simplex next;
        if (!stuck && simplex.count == 2) next = nearest_on_segment(simplex.v[1], simplex.v[0]);
        if (!stuck && simplex.count == 3) next = nearest_on_triangle(simplex.v[2], simplex.v[1], simplex.v[0]);
        if (!stuck && simplex.count == 4) next = nearest_on_tetrahedron(simplex);
        // v.w > 0 proves that the cores are apart, whatever a sliver of a tetrahedron gives.
        if (next.count == 4 && !(dot(v, w.w) > absolute * size * d)) {
            result.overlap = true;
            return result;
        }
        Vec3 closest = next.closest();
        double c2 = length_squared(closest);
        if (stuck || next.count == 4 || !(c2 < v2)) {
            // Clustered rim points make slivers. Replace the last simplex by its nearest point, which is a point of B - A
            // like any other. From there the segment to w always makes progress, until rounding stops it.
            SimplexVertex folded{};
            for (int i = 0; i + 1 < simplex.count; ++i) {
                folded.a += simplex.v[i].weight * simplex.v[i].a;
                folded.b += simplex.v[i].weight * simplex.v[i].b;
            }
            folded.w = folded.b - folded.a;
            next = nearest_on_segment(folded, w);
            closest = next.closest();
            c2 = length_squared(closest);
            if (!(c2 < v2)) {
                --simplex.count;
                break;
            }
        }
        simplex = next;
        v = closest;
        v2 = c2;
    }
    for (int i = 0; i < simplex.count; ++i) {
        result.on_a += simplex.v[i].weight * simplex.v[i].a;
        result.on_b += simplex.v[i].weight * simplex.v[i].b;
    }
    result.distance = std::sqrt(v2);
    result.normal = v / result.distance;
    if (simplex.count == 3) {  // the normal of a triangle keeps its digits however near the origin is
        const Vec3 m = cross(simplex.v[1].w - simplex.v[0].w, simplex.v[2].w - simplex.v[0].w);
        const Vec3 n = normalize_or(dot(m, v) < 0 ? -m : m, result.normal);
        const auto separation = [&](const Vec3& direction) { return dot(direction, support(direction).w); };
        if (separation(n) >= separation(result.normal)) result.normal = n;
    }
    return result;
}

namespace {

/// Newton's method for the direction in which two curved surfaces face each other. There the support points lie on one line
/// along n: g(n) = w - (w.n) n = 0 with w = b(-n) - a(n). Differences replace curvatures. Stops where the supports are
/// vertices.
void polish(const Convex& a, const Convex& b, ClosestAxis& axis) {
    const auto gap_vector = [&](const Vec3& n) { return b.support(-n) - a.support(n); };
    constexpr double step = 1e-5;
    for (int round = 0; round < 4; ++round) {
        const Vec3 n = axis.normal, w = gap_vector(n), t = any_tangent(n), s = cross(n, t);
        const Vec2 g{dot(w, t), dot(w, s)};
        const auto at = [&](double x, double y) {
            const Vec3 m = normalized(n + x * t + y * s);
            const Vec3 v = gap_vector(m);
            const Vec3 side = v - dot(v, m) * m;
            return Vec2{dot(side, t), dot(side, s)};
        };
        const Vec2 gx = (at(step, 0) - at(-step, 0)) / (2 * step), gy = (at(0, step) - at(0, -step)) / (2 * step);
        const double determinant = cross(gx, gy);
        if (std::fabs(determinant) < 1e-12 * (dot(gx, gx) + dot(gy, gy))) return;
        const double x = -cross(g, gy) / determinant, y = -cross(gx, g) / determinant;
        if (std::fabs(x) + std::fabs(y) > 1e-2) return;
        const Vec3 m = normalized(n + x * t + y * s), v = gap_vector(m);
        if (!(length(v - dot(v, m) * m) < 0.5 * length(g)) || dot(v, m) < axis.separation) return;  // not towards saddles
        axis.normal = m;
        axis.separation = dot(v, m);
        axis.on_a = a.support(m);
        axis.on_b = axis.on_a + axis.separation * m;
    }
}

ClosestAxis rough_closest_axis(const Convex& a, const Convex& b, const Vec3& start) {
    const double size = std::min(a.extent, b.extent);
    const bool curved = a.kind == Convex::Kind::Cylinder || b.kind == Convex::Kind::Cylinder;
    // Distance at which the normal has 13 digits. Larger for a curved rim, where the normal is only as good as the square
    // root of the relative error of the distance.
    const double apart = (curved ? 3e-2 : 1e-3) * size;
    const double touching = 1e-9 * size;  // nearer, the difference of the nearest points has lost too many digits
    const Vec3 none;
    ClosestAxis axis;
    const auto take = [&](const Vec3& normal, double separation, const Vec3& middle) {
        axis.normal = normal;
        axis.separation = separation;
        // Witness points on one line along the normal; a's on its supporting plane.
        axis.on_a = middle + dot(normal, a.support(normal) - middle) * normal;
        axis.on_b = axis.on_a + separation * normal;
    };

    const GjkResult direct = gjk_distance(a, b, none, start);
    if (!direct.overlap && direct.distance > touching) {
        take(direct.normal, separation_along(a, b, direct.normal), 0.5 * (direct.on_a + direct.on_b));
        if (!curved || direct.distance > 0.1 * apart) return axis;
    } else {
        take(start, separation_along(a, b, start), a.support(start));
        for (const double scale : {0.98, 0.9, 0.7, 0.4}) {
            const GjkResult small = gjk_distance(a, b, none, axis.normal, scale);
            if (small.overlap) continue;
            const double separation = separation_along(a, b, small.normal);
            if (separation > axis.separation) take(small.normal, separation, 0.5 * (small.on_a + small.on_b));
            break;
        }
    }
    for (int round = 0; round < 24; ++round) {
        const Vec3 shift = (apart - axis.separation) * axis.normal;
        const GjkResult pushed = gjk_distance(a, b, shift, axis.normal);
        if (pushed.overlap) break;
        const double separation = separation_along(a, b, pushed.normal), gain = separation - axis.separation;
        const Vec3 middle = 0.5 * (pushed.on_a + pushed.on_b - shift);
        if (gain >= 0) {
            take(pushed.normal, separation, middle);
        } else {
            take(axis.normal, axis.separation, middle);
        }
        if (gain <= (curved ? 1e-10 : 1e-13) * size) break;  // curved surfaces: the normal's error is a square root
    }
    return axis;
}

}  // namespace

ClosestAxis closest_axis(const Convex& a, const Convex& b, const Vec3& start) {
    ClosestAxis axis = rough_closest_axis(a, b, start);
    if (a.kind == Convex::Kind::Cylinder && b.kind == Convex::Kind::Cylinder) polish(a, b, axis);
    return axis;
}

}  // namespace asperity::geometry

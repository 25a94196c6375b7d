// Each surface of a convex shape narrows the interval.
#include "asperity/geometry/shape/line_interval.h"

#include <cmath>
#include <limits>

namespace asperity::geometry {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();  // as the end of an interval

/// Starts with the whole line; each surface narrows it.
struct Narrowed {
    LineInterval r{-kEndless, kEndless, {}, {}};

    /// dot(normal, x) <= offset
    void by_plane(const Vec3& o, const Vec3& d, const Vec3& normal, double offset) {
        const double along = dot(normal, d), above = dot(normal, o) - offset;
        if (along == 0) {
            if (above > 0) r.to = kNothing;
            return;
        }
        const double t = -above / along;
        if (along > 0 && t < r.to) r.to = t, r.normal_to = normal;
        if (along < 0 && t > r.from) r.from = t, r.normal_from = normal;
    }
    /// x|^2 <= radius^2. For a cylinder, `o` and `d` exclude their part along the axis. The normal is x / radius.
    void by_circle(const Vec3& o, const Vec3& d, double radius) {
        const double a = dot(d, d), b = dot(o, d), c = dot(o, o) - radius * radius;
        const double root = b * b - a * c;
        if (a < 1e-24) {
            if (c > 0) r.to = kNothing;
            return;
        }
        if (root < 0) {
            r.to = kNothing;
            return;
        }
        const double s = std::sqrt(root), t0 = (-b - s) / a, t1 = (-b + s) / a;
        if (t0 > r.from) r.from = t0, r.normal_from = (o + t0 * d) / radius;
        if (t1 < r.to) r.to = t1, r.normal_to = (o + t1 * d) / radius;
    }
};

struct LineInShape {
    const Vec3 &o, &d;
    double grow;

    Narrowed operator()(const Sphere& s) const {
        Narrowed n;
        n.by_circle(o, d, s.radius + grow);
        return n;
    }
    Narrowed operator()(const Box& b) const {
        Narrowed n;
        for (int k = 0; k < 3; ++k) {
            Vec3 e;
            e[k] = 1;
            n.by_plane(o, d, e, b.half[k] + grow);
            n.by_plane(o, d, -e, b.half[k] + grow);
        }
        return n;
    }
    Narrowed operator()(const Cylinder& c) const {
        Narrowed n;
        n.by_circle({o.x, o.y, 0}, {d.x, d.y, 0}, c.radius + grow);
        n.by_plane(o, d, {0, 0, 1}, c.half_height + grow);
        n.by_plane(o, d, {0, 0, -1}, c.half_height + grow);
        return n;
    }
    // its parts overlap and their union is convex: from the first entry to the last exit
    Narrowed operator()(const Capsule& c) const {
        Narrowed all{{kEndless, -kEndless, {}, {}}};
        const auto join = [&](const Narrowed& part) {
            if (part.r.empty()) return;
            if (part.r.from < all.r.from) all.r.from = part.r.from, all.r.normal_from = part.r.normal_from;
            if (part.r.to > all.r.to) all.r.to = part.r.to, all.r.normal_to = part.r.normal_to;
        };
        const double r = c.radius + grow;
        for (const double end : {-c.half_length, c.half_length}) {
            Narrowed ball;
            ball.by_circle(o - Vec3{0, 0, end}, d, r);
            join(ball);
        }
        Narrowed middle;
        middle.by_circle({o.x, o.y, 0}, {d.x, d.y, 0}, r);
        middle.by_plane(o, d, {0, 0, 1}, c.half_length);
        middle.by_plane(o, d, {0, 0, -1}, c.half_length);
        join(middle);
        return all;
    }
    Narrowed operator()(const HalfSpace&) const {
        Narrowed n;
        n.by_plane(o, d, {0, 0, 1}, grow);
        return n;
    }
    Narrowed operator()(const Hull& h) const {
        Narrowed n;
        for (const Polyhedron::Face& face : h.polyhedron->faces) n.by_plane(o, d, face.normal, face.offset + grow);
        return n;
    }
    Narrowed operator()(const Mesh&) const {
        ASPERITY_ASSERT(!"a mesh is scanned");
        return {};
    }
};

}  // namespace

LineInterval line_in_convex(const Shape& shape, const Vec3& origin, const Vec3& direction, double grow) {
    return std::visit(LineInShape{origin, direction, grow}, shape).r;
}

}  // namespace asperity::geometry

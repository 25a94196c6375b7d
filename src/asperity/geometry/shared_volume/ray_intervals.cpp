// Intervals of lines in convex shapes, in closed form.
#include "asperity/geometry/shared_volume/detail/ray_intervals.h"

#include <cmath>

namespace asperity::geometry::detail {
namespace {

constexpr double kEndless = 1e30;

/// Starts with the whole line; each surface narrows it.
struct Narrowed {
    RayInterval r{-kEndless, kEndless, {}, {}};
    bool empty() const { return !(r.from < r.to); }

    /// dot(normal, x) <= offset
    void by_plane(const Vec3& o, const Vec3& d, const Vec3& normal, double offset) {
        const double along = dot(normal, d), above = dot(normal, o) - offset;
        if (along == 0) {
            if (above > 0) r.to = -kEndless;
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
            if (c > 0) r.to = -kEndless;
            return;
        }
        if (root <= 0) {
            r.to = -kEndless;
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
            if (part.empty()) return;
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

bool ConvexOnGrid::meets(const Vec3& origin, int axis, RayInterval& out) const {
    const Vec3 from = origin - at_;
    const Vec3 o{dot(turn_.column(0), from), dot(turn_.column(1), from), dot(turn_.column(2), from)}, d = turn_.r[axis];
    const Narrowed n = std::visit(LineInShape{o, d, grow_}, shape_);
    if (n.empty()) return false;
    out = n.r;
    out.normal_from = turn_ * n.r.normal_from;
    out.normal_to = turn_ * n.r.normal_to;
    return true;
}

}  // namespace asperity::geometry::detail

// Shared volumes by an independent method: parallel lines, each cut by both bodies exactly, over a window narrowed to the
// shared volume. The difference of two grids measures the error.
#pragma once
#include <algorithm>

#include "asperity/geometry/shape/face_plane.h"
#include "overlap_fixture.h"

namespace asperity::geometry {

struct Reference {
    double volume = 0;
    Vec3 centre;
    Mat3 second_moment = Mat3::diagonal({0, 0, 0});
    double size = 0;  // root mean square distance from the centre
};

namespace reference {

struct Span {
    double from = -1e300, to = 1e300;
    bool empty() const { return !(from < to); }
};
inline Span both(const Span& a, const Span& b) { return {std::max(a.from, b.from), std::min(a.to, b.to)}; }

/// The part of the line p + t d below a plane; likewise within a ball or, with d and p across an axis, a cylinder.
inline Span below(const FacePlane& plane, const Vec3& p, const Vec3& d) {
    const double h = plane.offset - dot(plane.normal, p), v = dot(plane.normal, d);
    if (v > 0) return {-1e300, h / v};
    if (v < 0) return {h / v, 1e300};
    return h >= 0 ? Span{} : Span{1, 0};
}
inline Span within(const Vec3& p, const Vec3& d, double radius) {
    const double a = dot(d, d), b = dot(p, d), c = dot(p, p) - radius * radius, root = b * b - a * c;
    if (a < 1e-30) return c < 0 ? Span{} : Span{1, 0};
    return root > 0 ? Span{(-b - std::sqrt(root)) / a, (-b + std::sqrt(root)) / a} : Span{1, 0};
}

struct LineIn {
    Vec3 p, d;
    Span mantle(double radius, double half) const {
        const Span ends = both(below({{0, 0, 1}, half}, p, d), below({{0, 0, -1}, half}, p, d));
        return both(within({p.x, p.y, 0}, {d.x, d.y, 0}, radius), ends);
    }
    Span operator()(const Sphere& s) const { return within(p, d, s.radius); }
    Span operator()(const Cylinder& c) const { return mantle(c.radius, c.half_height); }
    Span operator()(const Capsule& c) const {
        Span all{1e300, -1e300};
        for (const Span& s : {mantle(c.radius, c.half_length), within(p - Vec3{0, 0, c.half_length}, d, c.radius),
                              within(p + Vec3{0, 0, c.half_length}, d, c.radius)})
            if (!s.empty()) all = {std::min(all.from, s.from), std::max(all.to, s.to)};
        return all;
    }
    Span operator()(const HalfSpace&) const { return below({{0, 0, 1}, 0}, p, d); }
    Span operator()(const Mesh&) const { return {1, 0}; }
    template <class Polyhedral>
    Span operator()(const Polyhedral& shape) const {
        Span s;
        for (int f = 0; f < plane_face_count(shape); ++f) s = both(s, below(face_plane(shape, f), p, d));
        return s;
    }
};

}  // namespace reference

/// Lines along u, `count` per side, over a window about `about` of half width `reach`.
inline Reference by_lines(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& u,
                          const Vec3& about, double reach, int count) {
    using reference::Span;
    const Vec3 e = any_tangent(u), w = cross(u, e);
    const Vec3 along_a = rotate_inverse(pose_a.orientation, u), along_b = rotate_inverse(pose_b.orientation, u);
    const auto span = [&](double x, double y) {
        const Vec3 p = about + x * e + y * w;
        return both(std::visit(reference::LineIn{pose_a.to_local(p), along_a}, a),
                    std::visit(reference::LineIn{pose_b.to_local(p), along_b}, b));
    };
    Vec2 low{-reach, -reach}, high{reach, reach};
    const auto each = [&](int n, const auto& f) {
        const Vec2 cell = (high - low) / n;
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) {
                const Vec2 p{low.x + (i + 0.5) * cell.x, low.y + (k + 0.5) * cell.y};
                const Span s = span(p.x, p.y);
                if (!s.empty()) f(p, s, cell);
            }
    };
    constexpr int kCoarse = 40;
    for (int go = 0; go < 4; ++go) {
        Vec2 from{1e300, 1e300}, to{-1e300, -1e300};
        each(kCoarse, [&](Vec2 p, const Span&, Vec2) {
            from = {std::min(from.x, p.x), std::min(from.y, p.y)};
            to = {std::max(to.x, p.x), std::max(to.y, p.y)};
        });
        if (from.x > to.x) return {};
        const Vec2 margin = 1.5 / kCoarse * (high - low);
        low = from - margin;
        high = to + margin;
    }
    Reference r;
    Vec3 first;
    Mat3 second = Mat3::diagonal({0, 0, 0});
    each(count, [&](Vec2 p, const Span& s, Vec2 cell) {
        const double length = s.to - s.from, dv = cell.x * cell.y * length;
        const Vec3 at = p.x * e + p.y * w + 0.5 * (s.from + s.to) * u;
        r.volume += dv;
        first += dv * at;
        second = second + dv * outer(at, at) +
                 (dv / 12) * (length * length * outer(u, u) + cell.x * cell.x * outer(e, e) + cell.y * cell.y * outer(w, w));
    });
    if (!(r.volume > 0)) return r;
    const Vec3 c = first / r.volume;
    r.centre = about + c;
    r.second_moment = second + (-r.volume) * outer(c, c);
    r.size = std::sqrt((r.second_moment.r[0].x + r.second_moment.r[1].y + r.second_moment.r[2].z) / r.volume);
    return r;
}

}  // namespace asperity::geometry

// See round_in_solid.h.
#include "asperity/geometry/detail/round_in_solid.h"

#include <cmath>

#include "asperity/geometry/detail/disc_region.h"

namespace asperity::geometry::detail {
namespace {

std::vector<Vec2>& polygon_scratch() {
    thread_local std::vector<Vec2> corners;
    return corners;
}

/// The point of the solid that is nearest to p, which is not inside; false where none is within `reach`. `face_normal` is that of the plane p is farthest above.
bool nearest_point(const SolidFaces& solid, const Vec3& p, double reach, Vec3& nearest, Vec3& face_normal, bool& on_face) {
    double best = reach * reach, highest = -1e300;
    bool found = false;
    for (const SolidFaces::Face& face : solid.faces) {
        const FacePlane& plane = face.plane;
        const double height = dot(plane.normal, p) - plane.offset;
        if (height > highest) highest = height, face_normal = plane.normal;
        if (height >= reach) return false;
        if (!(height > 0) || height * height >= best) continue;
        const int* loop = solid.loop.data() + face.first;
        bool inside = true;
        Vec3 a = solid.corners[static_cast<size_t>(loop[face.count - 1])];
        for (int i = 0; i < face.count; ++i) {
            const Vec3& b = solid.corners[static_cast<size_t>(loop[i])];
            const Vec3 edge = b - a, to = p - a;
            if (dot(cross(edge, to), plane.normal) < 0) {  // beyond this edge
                inside = false;
                const double along = dot(edge, to), all = dot(edge, edge), t = along <= 0 || all <= 0 ? 0 : along >= all ? 1 : along / all;
                const Vec3 at = a + t * edge;
                const double distance2 = length_squared(p - at);
                if (distance2 < best) best = distance2, nearest = at, found = true, on_face = false;
            }
            a = b;
        }
        if (inside) best = height * height, nearest = p - height * plane.normal, found = true, on_face = true;
    }
    if (!found && highest <= 0) {  // in a face, or inside by rounding
        nearest = p;
        return true;
    }
    return found;
}

/// int q^4 k dq and int q^6 k dq times sqrt(1 - c) with k^2 = (1 - c q^2)/(1 - c), for c up to 0.505: polynomials of best fit, within 7e-9.
double fan_first(double c) {
    return 0.19999999571797383 + c * (-0.071427743789953478 + c * (-0.013914573232303725 + c * (-0.0053889683028240736 + c * (-0.004547287990067552 + c * (0.0021220861948781015 - c * 0.0055625279748023312)))));
}
double fan_third(double c) {
    return 0.14285713892354193 + c * (-0.055554795283138472 + c * (-0.011387226579386903 + c * (-0.0045387996726330678 + c * (-0.0040197293545040833 + c * (0.0020086363332416038 - c * 0.0050656762703593385)))));
}

/// Fans from the pole of a ball to steps of the border of its surface, in axes of which the third points from the pole into the ball: r = (x, y, t).
struct Fans {
    double volume = 0, x = 0, y = 0, t = 0, xx = 0, xy = 0, yy = 0, xt = 0, yt = 0, tt = 0;

    void add(const Vec3& r, const Vec3& dr, double over_diameter) {
        const double deep = larger(r.z, 0), c = deep * over_diameter, rest = 1 - c, inverse = 1 / rest, root = std::sqrt(inverse);
        const double w = -deep * inverse * (r.x * dr.y - r.y * dr.x);
        const double first = w * fan_first(c) * root, second = w * (1.0 / 6 - c / 8) * inverse, mixed = w * fan_third(c) * root * deep;
        volume += w;
        x += first * r.x;
        y += first * r.y;
        t += w * deep;
        xx += second * r.x * r.x;
        xy += second * r.x * r.y;
        yy += second * r.y * r.y;
        xt += mixed * r.x;
        yt += mixed * r.y;
        tt += w * deep * deep;
    }
    /// The axes of x and y, and from the ball's centre to the pole.
    void add_to(Moments& sum, const Vec3& a, const Vec3& b, const Vec3& up) const {
        using M = Moments;
        sum.volume += volume / 12;
        sum.first += 0.25 * (x * a + y * b - t / 6 * up);
        const auto twice = [](const Vec3& p, const Vec3& q) { return M::turned(p, q) + M::turned(q, p); };
        sum.squares += 0.2 * (xx * scaled(a, a) + yy * scaled(b, b) + 0.125 * tt * scaled(up, up) + 2 * (xy * scaled(a, b) - xt * scaled(a, up) - yt * scaled(b, up)));
        sum.products += 0.2 * (xx * M::turned(a) + yy * M::turned(b) + 0.125 * tt * M::turned(up) + xy * twice(a, b) - xt * twice(a, up) - yt * twice(b, up));
    }
};

/// A face of the solid in the ball. `foot` is that of the ball's centre, about the pole, and e1, e2 span the face; once in the axes of the solid, once in those of the fans.
struct BallFace {
    struct Frame {
        Vec3 foot, e1, e2;
        Vec3 place(Vec2 p) const { return foot + p.x * e1 + p.y * e2; }
    };
    Fans& fans;
    std::vector<Vec3>& points;
    Vec3 pole;
    Frame here, there;
    double over_diameter;
    bool own;  // a face of the solid itself, not one where it was cut

    void begin(Vec2) {}
    void corner(Vec2 p) {
        if (own) points.push_back(pole + here.place(p));
    }
    /// The border of the ball's surface runs the other way than that of the face.
    void arc(Vec2 p, Vec2 step) { fans.add(there.place(p), step.x * there.e1 + step.y * there.e2, over_diameter); }
};

/// The shadow of a face in the disc.
struct Shadow {
    AreaMoments& surface;
    std::vector<Vec3>& points;
    Vec3& origin;
    bool& has_origin;
    Vec3 normal;
    double offset, sign;
    bool own;  // of one of the two bodies

    double height(Vec2 p) const { return (offset - normal.x * p.x - normal.y * p.y) / normal.z; }
    Vec3 place(Vec2 p) const { return {p.x, p.y, height(p)}; }
    void begin(Vec2 p) {
        if (has_origin) return;
        has_origin = true;
        origin = place(p);
    }
    void corner(Vec2 p) {
        if (own) points.push_back(place(p));
    }
    void arc(Vec2 p, Vec2 step) {  // the mantle up to the face
        const Vec3 r = place(p) - origin;
        const Vec2 n{step.y, -step.x};
        const double half = 0.5 * r.z * r.z;
        surface.area += sign * r.z * Vec3{n.x, n.y, 0};
        surface.turning += sign * Vec3{-half * n.y, half * n.x, (r.x * n.y - r.y * n.x) * r.z};
    }
};

/// Columns from z = 0 to z0 + slope . p over a region that has the moments m, then moved by `at`, whose z is 0.
Moments columns(const PlaneMoments& m, double z0, Vec2 slope, const Vec3& at) {
    const double a = slope.x, b = slope.y;
    const Vec2 lift{m.xx * a + m.xy * b, m.xy * a + m.yy * b};                            // int (x, y) slope . p
    const double rise = a * m.first.x + b * m.first.y, rise2 = a * lift.x + b * lift.y;  // int slope . p and its square
    const double xx = a * m.xxx + b * m.xxy, xy = a * m.xxy + b * m.xyy, yy = a * m.xyy + b * m.yyy;
    const double x2 = a * xx + b * xy, y2 = a * xy + b * yy;  // int (x, y) (slope . p)^2
    const double rise3 = a * x2 + b * y2;
    Moments c;
    c.volume = z0 * m.area + rise;
    c.first = {z0 * m.first.x + lift.x, z0 * m.first.y + lift.y, 0.5 * (z0 * z0 * m.area + 2 * z0 * rise + rise2)};
    c.squares = {z0 * m.xx + xx, z0 * m.yy + yy, (z0 * z0 * z0 * m.area + 3 * z0 * z0 * rise + 3 * z0 * rise2 + rise3) / 3};
    c.products = {0.5 * (z0 * z0 * m.first.y + 2 * z0 * lift.y + y2), 0.5 * (z0 * z0 * m.first.x + 2 * z0 * lift.x + x2), z0 * m.xy + xy};
    return c.moved(at);
}

}  // namespace

void RoundPiece::clear() {
    volume = {};
    surface = {};
    points.clear();
}
void RoundPiece::add(const Moments& v, const AreaMoments& s, const Vec3& about) {
    if (volume.volume == 0) origin = about;
    volume.add(v.moved(about - origin));
    surface.add(s.moved(about - origin));
}

void add_ball(const SolidFaces& solid, const Vec3& centre, double radius, const Vec3& inwards, RoundPiece& out) {
    Vec3 nearest, face_normal;
    bool on_face = false;
    if (!nearest_point(solid, centre, radius, nearest, face_normal, on_face)) return;
    const Vec3 towards = nearest - centre;
    const double gap = length(towards);
    const Vec3 u = on_face ? -face_normal : gap > 1e-9 * radius ? towards / gap : inwards;
    const Vec3 pole = centre + radius * u;
    Moments volume;
    AreaMoments surface;
    Fans fans;
    const Vec3 fan_x = any_tangent(u), fan_y = cross(u, fan_x);
    const auto to_fans = [&](const Vec3& v) { return Vec3{dot(fan_x, v), dot(fan_y, v), -dot(u, v)}; };
    std::vector<Vec2>& polygon = polygon_scratch();
    for (const SolidFaces::Face& face : solid.faces) {
        const FacePlane& plane = face.plane;
        const double height = plane.offset - dot(plane.normal, centre);
        if (std::fabs(height) >= radius) continue;
        const int* loop = solid.loop.data() + face.first;
        const auto corner = [&](int i) { return solid.corners[static_cast<size_t>(loop[i])]; };
        double farthest = 0;
        for (int i = 0; i < face.count; ++i) farthest = larger(farthest, length_squared(corner(i) - centre));
        if (farthest <= radius * radius) {  // all of the face
            const Vec3 a = corner(0) - pole;
            Vec3 b = corner(1) - pole;
            for (int i = 2; i < face.count; ++i) {
                const Vec3 c = corner(i) - pole;
                volume.add_tetrahedron(a, b, c);
                surface.add_triangle(a, c, b);  // seen from the ball
                b = c;
            }
            if (!face.second)
                for (int i = 0; i < face.count; ++i) out.points.push_back(corner(i));
            continue;
        }
        const Vec3 foot = centre + height * plane.normal, e1 = any_tangent(plane.normal), e2 = cross(plane.normal, e1);
        const double disc = std::sqrt((radius - height) * (radius + height));
        Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
        polygon.clear();
        for (int i = 0; i < face.count; ++i) {
            const Vec3 d = corner(i) - foot;
            const Vec2 p{dot(d, e1), dot(d, e2)};
            low = {smaller(low.x, p.x), smaller(low.y, p.y)};
            high = {larger(high.x, p.x), larger(high.y, p.y)};
            polygon.push_back(p);
        }
        if (low.x >= disc || low.y >= disc || high.x <= -disc || high.y <= -disc) continue;
        const BallFace::Frame frame{foot - pole, e1, e2};
        BallFace sink{fans, out.points, pole, frame, {to_fans(frame.foot), to_fans(e1), to_fans(e2)}, 0.5 / radius, !face.second};
        DiscRegion<false, BallFace> region(disc, sink);
        if (!region.share(polygon.data(), face.count)) continue;
        const PlaneMoments& m = region.moments();
        const Vec3 at = frame.place(region.origin()), first = m.first.x * e1 + m.first.y * e2;
        surface.area -= m.area * plane.normal;
        surface.turning -= cross(m.area * at + first, plane.normal);
        // What stands between the pole and the face.
        const double distance = height - radius * dot(plane.normal, u);
        Moments piece;
        piece.volume = m.area;
        piece.first = first;
        piece.squares = m.xx * scaled(e1, e1) + m.yy * scaled(e2, e2) + 2 * m.xy * scaled(e1, e2);
        piece.products = m.xx * Moments::turned(e1, e1) + m.yy * Moments::turned(e2, e2) + m.xy * (Moments::turned(e1, e2) + Moments::turned(e2, e1));
        piece = piece.moved(at);
        volume.add({distance / 3 * piece.volume, distance / 4 * piece.first, distance / 5 * piece.squares, distance / 5 * piece.products});
    }
    fans.add_to(volume, fan_x, fan_y, u);
    out.add(volume, surface, pole);
}

void add_cylinder(const SolidFaces& solid, double radius, bool has_ends, RoundPiece& out) {
    Moments volume;
    AreaMoments surface;
    Vec3 origin;
    bool has_origin = false;
    std::vector<Vec2>& polygon = polygon_scratch();
    for (const SolidFaces::Face& face : solid.faces) {
        const FacePlane& plane = face.plane;
        if (std::fabs(plane.normal.z) < 1e-12) continue;  // no shadow
        const int* loop = solid.loop.data() + face.first;
        const bool up = plane.normal.z > 0;
        polygon.clear();
        for (int i = 0; i < face.count; ++i) {
            const Vec3& p = solid.corners[static_cast<size_t>(loop[up ? i : face.count - 1 - i])];
            polygon.push_back({p.x, p.y});
        }
        const double sign = up ? 1 : -1;
        Shadow sink{surface, out.points, origin, has_origin, plane.normal, plane.offset, sign, has_ends || !face.second};
        DiscRegion<true, Shadow> region(radius, sink);
        if (!region.share(polygon.data(), face.count)) continue;
        const Vec3 at = sink.place(region.origin()) - origin;
        const Vec2 slope{-plane.normal.x / plane.normal.z, -plane.normal.y / plane.normal.z};
        const PlaneMoments& m = region.moments();
        const Moments piece = columns(m, at.z, slope, {at.x, at.y, 0});
        volume.add({sign * piece.volume, sign * piece.first, sign * piece.squares, sign * piece.products});
        if (has_ends && face.second) {
            surface.area.z += sign * m.area;
            surface.turning += sign * Vec3{at.y * m.area + m.first.y, -at.x * m.area - m.first.x, 0};
        }
    }
    if (has_origin) out.add(volume, surface, origin);
}

}  // namespace asperity::geometry::detail

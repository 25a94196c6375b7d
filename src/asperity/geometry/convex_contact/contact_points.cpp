// The overlap of two features as seen along the contact normal. Polygons: Sutherland and Hodgman, "Reentrant polygon
// clipping", CACM 1974, with thick planes: a vertex within `snap` of a plane is on it, so rounding does not change its id.
#include <algorithm>

#include "asperity/geometry/convex_contact/features.h"

namespace asperity::geometry {

namespace {

constexpr double parallel_sine = 1e-3;  // [-] segments at a smaller angle touch along a line: two points instead of one
constexpr double flat_sine = 1e-5;      // [-] a cap tilted by less is flat: rounding would move its lowest point

/// Collects points; `swapped` if the caller's first feature is b.
struct Sink {
    const Vec3& n;
    double margin;
    std::uint32_t tag;
    bool swapped;
    Candidates& out;
    void add(const Vec3& first, const Vec3& second, std::uint32_t code) const {
        const Vec3 &on_a = swapped ? second : first, &on_b = swapped ? first : second;
        const double gap = dot(on_b - on_a, n);
        if (gap <= margin && !out.full()) out.push({on_a, on_b, gap, tag | code});
    }
};

/// p moved along n onto the plane through q with normal m.
Vec3 drop(const Vec3& p, const Vec3& q, const Vec3& m, const Vec3& n) { return p - (dot(p - q, m) / dot(n, m)) * n; }

/// Side planes (outward normals and offsets) of a polygon seen along `view`, against its outward normal.
struct SidePlanes {
    FixedBuffer<Vec3, face_corner_limit> normal;
    FixedBuffer<double, face_corner_limit> offset;
    SidePlanes(const Feature& polygon, const Vec3& view) {
        const int count = polygon.corners.size();
        for (int i = 0; i < count; ++i) {
            const Vec3 &p = polygon.corners[i].p, &q = polygon.corners[i + 1 < count ? i + 1 : 0].p;
            const Vec3 m = normalize_or(cross(q - p, view), {});
            normal.push(m);
            offset.push(dot(m, p));
        }
    }
    bool contains(const Vec3& p, double snap) const {
        for (int i = 0; i < normal.size(); ++i) {
            if (dot(normal[i], p) - offset[i] > snap) return false;
        }
        return true;
    }
};

using ClipPolygon = FixedBuffer<Feature::Corner, 2 * face_corner_limit + 2>;

void clip(const ClipPolygon& in, const Vec3& normal, double offset, int plane, double snap, ClipPolygon& out) {
    out.clear();
    const int count = in.size();
    const auto side_of = [&](double d) { return d > snap ? 1 : d < -snap ? -1 : 0; };
    const auto made = reference_side | static_cast<std::uint32_t>(plane);
    double d = dot(normal, in[0].p) - offset;
    int side = side_of(d);
    const double first_d = d;
    for (int i = 0; i < count; ++i) {
        const Feature::Corner &from = in[i], &to = in[i + 1 < count ? i + 1 : 0];
        const double next_d = i + 1 < count ? dot(normal, to.p) - offset : first_d;
        const int next_side = side_of(next_d);
        if (side <= 0) out.push({from.p, from.code, side == 0 && next_side > 0 ? made : from.side});
        if (side * next_side < 0) {
            const Vec3 p = from.p + (d / (d - next_d)) * (to.p - from.p);
            out.push({p, cut_code(from.side, plane), next_side > 0 ? made : from.side});
        }
        d = next_d;
        side = next_side;
    }
}

void polygon_polygon(const Feature& reference, const Feature& incident, const Vec3& view, double snap, const Sink& sink) {
    const SidePlanes sides(reference, view);
    ClipPolygon buffers[2];
    int current = 0;
    for (const Feature::Corner& c : incident.corners) buffers[0].push(c);
    for (int s = 0; s < sides.normal.size() && !buffers[current].empty(); ++s) {
        clip(buffers[current], sides.normal[s], sides.offset[s], s, snap, buffers[1 - current]);
        current = 1 - current;
    }
    for (const Feature::Corner& c : buffers[current])
        sink.add(drop(c.p, reference.corners[0].p, reference.normal, view), c.p, c.code);
}

/// The part of a segment between parameters t[0] and t[1], and the ids of its ends.
struct Cut {
    double t[2] = {0, 1};
    std::uint32_t code[2];
};

void add_cut_segment(const Feature& reference, const Vec3& plane_point, const Feature& segment, const Cut& cut,
                     const Vec3& view, double snap, const Sink& sink) {
    const Vec3 p = segment.corners[0].p, along = segment.corners[1].p - p;
    const double long_enough = snap / std::max(length(along), snap);
    if (cut.t[1] < cut.t[0]) return;
    for (int k = 0; k < (cut.t[1] - cut.t[0] > long_enough ? 2 : 1); ++k) {
        const Vec3 x = p + cut.t[k] * along;
        sink.add(drop(x, plane_point, reference.normal, view), x, cut.code[k]);
    }
}

void polygon_segment(const Feature& polygon, const Feature& segment, const Vec3& view, double snap, const Sink& sink) {
    const SidePlanes sides(polygon, view);
    Cut cut{{0, 1}, {segment.corners[0].code, segment.corners[1].code}};
    for (int s = 0; s < sides.normal.size(); ++s) {
        const double d0 = dot(sides.normal[s], segment.corners[0].p) - sides.offset[s];
        const double d1 = dot(sides.normal[s], segment.corners[1].p) - sides.offset[s];
        if (d0 > snap && d1 > snap) return;
        if (d0 <= snap && d1 <= snap) continue;
        const double t = clamp(d0 / (d0 - d1), 0, 1);
        const int end = d1 > snap ? 1 : 0;
        if (end == 1 ? t < cut.t[1] : t > cut.t[0]) {
            cut.t[end] = t;
            cut.code[end] = cut_code(segment.corners[0].side, s);
        }
    }
    add_cut_segment(polygon, polygon.corners[0].p, segment, cut, view, snap, sink);
}

void polygon_point(const Feature& polygon, const Feature& point, const Vec3& view, double snap, const Sink& sink) {
    const Feature::Corner& c = point.corners[0];
    if (!SidePlanes(polygon, view).contains(c.p, snap)) return;
    sink.add(drop(c.p, polygon.corners[0].p, polygon.normal, view), c.p, c.code);
}

/// Parameters where the line p + t d meets the circle; false if there are none or the line grazes it.
bool line_circle(const Vec3& p, const Vec3& d, const Vec3& center, double radius, double snap, double (&t)[2]) {
    const double dd = dot(d, d), half_b = dot(p - center, d);
    if (dd < snap * snap) return false;
    const Vec3 foot = p - center - (half_b / dd) * d;
    const double h2 = radius * radius - dot(foot, foot);
    if (h2 <= snap * snap) return false;
    const double h = std::sqrt(h2 / dd);
    t[0] = -half_b / dd - h;
    t[1] = -half_b / dd + h;
    return true;
}

/// Points that represent the rim of a disc. If it is tilted: its lowest point (towards `out`). Also four points fixed in the
/// body, unless the tilt takes the far rim beyond the margin. add(point, code) decides whether they overlap the other
/// feature.
template <class Add>
void rim_points(const Feature& disc, const Vec3& out, double margin, const Add& add) {
    const Vec3 radial = out - dot(out, disc.normal) * disc.normal;
    const double tilt = length(radial);
    if (tilt > flat_sine) add(disc.center + (disc.radius / tilt) * radial, point_code(PointKind::End, disc.code));
    if (tilt > flat_sine && 2 * disc.radius * tilt > margin) return;
    for (std::uint32_t k = 0; k < 4; ++k) {
        const Vec3 spoke = (k & 1 ? -disc.radius : disc.radius) * (k & 2 ? disc.spoke_y : disc.spoke_x);
        add(disc.center + spoke, point_code(PointKind::Rim, disc.code << 2 | k));
    }
}

void disc_polygon(const Feature& disc, const Feature& polygon, const Vec3& from_disc, double margin, double snap,
                  const Sink& sink) {
    if (std::fabs(dot(polygon.normal, from_disc)) < 1e-3) return;  // seen edge-on
    const SidePlanes sides(polygon, -from_disc);
    const Vec3& q = polygon.corners[0].p;
    rim_points(disc, from_disc, margin, [&](const Vec3& p, std::uint32_t code) {
        if (sides.contains(p, snap)) sink.add(p, drop(p, q, polygon.normal, from_disc), code);
    });
    const int count = polygon.corners.size();
    for (int i = 0; i < count; ++i) {
        const Feature::Corner &from = polygon.corners[i], &to = polygon.corners[i + 1 < count ? i + 1 : 0];
        const Vec3 p0 = drop(from.p, disc.center, disc.normal, from_disc),
                   p1 = drop(to.p, disc.center, disc.normal, from_disc);
        if (length(p0 - disc.center) < disc.radius - snap)
            sink.add(p0, from.p, point_code(PointKind::CornerInDisc, from.code));
        double t[2];
        if (!line_circle(p0, p1 - p0, disc.center, disc.radius, snap, t)) continue;
        for (std::uint32_t k = 0; k < 2; ++k) {
            if (t[k] <= 0 || t[k] >= 1) continue;
            sink.add(p0 + t[k] * (p1 - p0), from.p + t[k] * (to.p - from.p),
                     point_code(PointKind::RimAndSide, from.side << 1 | k));
        }
    }
}

void disc_segment(const Feature& disc, const Feature& segment, const Vec3& from_disc, double snap, const Sink& sink) {
    const Vec3 p0 = drop(segment.corners[0].p, disc.center, disc.normal, from_disc);
    const Vec3 p1 = drop(segment.corners[1].p, disc.center, disc.normal, from_disc);
    Cut cut{{0, 1}, {segment.corners[0].code, segment.corners[1].code}};
    double t[2];
    if (!line_circle(p0, p1 - p0, disc.center, disc.radius, snap, t)) return;
    if (t[0] > cut.t[0]) {
        cut.t[0] = t[0];
        cut.code[0] = point_code(PointKind::Crossing, 0);
    }
    if (t[1] < cut.t[1]) {
        cut.t[1] = t[1];
        cut.code[1] = point_code(PointKind::Crossing, 1);
    }
    add_cut_segment(disc, disc.center, segment, cut, from_disc, snap, sink);
}

void disc_disc(const Feature& a, const Feature& b, const Vec3& n, const ClipRules& rules, const Sink& sink) {
    const double margin = rules.margin, snap = rules.snap;
    // Of equal discs, the points of one represent both, so that coaxial stacks need not choose among eight.
    const bool a_small = a.radius != b.radius ? a.radius < b.radius : rules.reference_a;
    rim_points(a, n, margin, [&](const Vec3& p, std::uint32_t code) {
        const Vec3 q = drop(p, b.center, b.normal, n);
        if (length(q - b.center) <= b.radius + (a_small ? snap : -snap)) sink.add(p, q, code | (a_small ? 0u : 8u));
    });
    rim_points(b, -n, margin, [&](const Vec3& p, std::uint32_t code) {
        const Vec3 q = drop(p, a.center, a.normal, n);
        if (length(q - a.center) <= a.radius + (a_small ? -snap : snap)) sink.add(q, p, code | (a_small ? 8u : 0u));
    });
    // The rims cross. Computed as two circles in one plane, so only for caps that are nearly flat on each other.
    const Vec3 offset = drop(b.center, a.center, a.normal, n) - a.center;
    const double d = length(offset);
    if (length(cross(a.normal, n)) + length(cross(b.normal, n)) > 3e-3) return;
    if (d <= std::fabs(a.radius - b.radius) + snap || d >= a.radius + b.radius - snap) return;
    const double x = (d * d + a.radius * a.radius - b.radius * b.radius) / (2 * d);
    const double y = std::sqrt(std::max(0.0, a.radius * a.radius - x * x));
    const Vec3 along = offset / d, across = cross(a.normal, along);
    for (std::uint32_t k = 0; k < 2; ++k) {
        const Vec3 p = a.center + x * along + (k ? -y : y) * across;
        sink.add(p, drop(p, b.center, b.normal, n), point_code(PointKind::Crossing, k));
    }
}

void segment_segment(const Feature& a, const Feature& b, const Vec3& n, double snap, const Sink& sink) {
    const Vec3 pa = a.corners[0].p, pb = b.corners[0].p, da = a.corners[1].p - pa, db = b.corners[1].p - pb;
    // projection along n
    const Vec3 fa = da - dot(da, n) * n, fb = db - dot(db, n) * n;
    const double la = length(fa), lb = length(fb);
    if (la < snap || lb < snap) return;
    const Vec3 r = pb - pa;
    const double turn = dot(cross(fa, fb), n);
    const std::uint32_t pair = (a.corners[0].side * 7 ^ b.corners[0].side) & 0x7ffu;
    if (std::fabs(turn) > parallel_sine * la * lb) {
        const double s = dot(cross(r, fb), n) / turn, t = dot(cross(r, fa), n) / turn;
        if (s < -snap / la || s > 1 + snap / la || t < -snap / lb || t > 1 + snap / lb) return;
        sink.add(pa + clamp(s, 0, 1) * da, pb + clamp(t, 0, 1) * db, point_code(PointKind::Crossing, pair));
        return;
    }
    const Vec3 along = fa / la;
    const double b0 = dot(r, along), b1 = b0 + dot(fb, along);
    double ends[2] = {std::max(0.0, std::min(b0, b1)), std::min(la, std::max(b0, b1))};
    const std::uint32_t owner[2] = {std::min(b0, b1) > 0 ? 2u : 0u, std::max(b0, b1) < la ? 2u : 0u};
    const double overlap = ends[1] - ends[0];
    if (overlap < -snap) return;
    const Vec3 across = cross(n, along);
    for (std::uint32_t k = 0; k < (overlap > snap ? 2u : 1u); ++k) {
        const Vec3 x = pa + (ends[k] / la) * da, y = pb + ((ends[k] - b0) / (b1 - b0)) * db;
        const double miss = dot(y - x, across);
        if (std::fabs(miss) > snap + 2 * parallel_sine * overlap) continue;
        sink.add(x + 0.5 * miss * across, y - 0.5 * miss * across, point_code(PointKind::End, pair << 2 | owner[k] | k));
    }
}

}  // namespace

void contact_points(const Feature& a, const Feature& b, const Vec3& n, const ClipRules& rules, std::uint32_t tag,
                    Candidates& out) {
    using Kind = Feature::Kind;
    const Sink straight{n, rules.margin, tag, false, out}, swapped{n, rules.margin, tag, true, out};
    const double snap = rules.snap, margin = rules.margin;
    if (a.kind == Kind::Polygon && b.kind == Kind::Polygon) {
        return rules.reference_a ? polygon_polygon(a, b, n, snap, straight) : polygon_polygon(b, a, -n, snap, swapped);
    }
    if (a.kind == Kind::Polygon && b.kind == Kind::Segment) return polygon_segment(a, b, n, snap, straight);
    if (b.kind == Kind::Polygon && a.kind == Kind::Segment) return polygon_segment(b, a, -n, snap, swapped);
    if (a.kind == Kind::Polygon && b.kind == Kind::Point) return polygon_point(a, b, n, snap, straight);
    if (b.kind == Kind::Polygon && a.kind == Kind::Point) return polygon_point(b, a, -n, snap, swapped);
    if (a.kind == Kind::Disc && b.kind == Kind::Polygon) return disc_polygon(a, b, n, margin, snap, straight);
    if (b.kind == Kind::Disc && a.kind == Kind::Polygon) return disc_polygon(b, a, -n, margin, snap, swapped);
    if (a.kind == Kind::Disc && b.kind == Kind::Segment) return disc_segment(a, b, n, snap, straight);
    if (b.kind == Kind::Disc && a.kind == Kind::Segment) return disc_segment(b, a, -n, snap, swapped);
    if (a.kind == Kind::Disc && b.kind == Kind::Disc) return disc_disc(a, b, n, rules, straight);
    if (a.kind == Kind::Segment && b.kind == Kind::Segment) return segment_segment(a, b, n, snap, straight);
}

void plane_points(const Feature& a, const Vec3& point, const Vec3& n, double margin, std::uint32_t tag, Candidates& out) {
    const Sink sink{n, margin, tag, false, out};
    const auto add = [&](const Vec3& p, std::uint32_t code) { sink.add(p, p + dot(point - p, n) * n, code); };
    if (a.kind == Feature::Kind::Disc) return rim_points(a, n, margin, add);
    for (const Feature::Corner& c : a.corners) add(c.p, c.code);
}

}  // namespace asperity::geometry

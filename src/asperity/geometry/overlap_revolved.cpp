// Cylinders and capsules below a plane, in slices across their axis z. The plane s x + c z = o cuts a disc of radius rho at x = q(z) = (o - c z)/s: what is
// below it is a segment of the disc, whose moments are closed forms of its height d = q + rho. Along the axis these are summed with Gauss points in the angle
// round the section, where everything is smooth:
//     mantle, |c| > s:  z = (o + s rho cos t)/c        mantle, else:  z = z_0 + (z_1 - z_0) sin^2 t
//     ball about z_b, p = o - c z_b, a^2 = r^2 - p^2:  z = z_b + c p - s a cos t
// 12 points leave an error below 1e-6, and 1e-9 where the ends of a capsule take no part. The boundary of the body below the plane and the section close the volume, so the gradient is that of the section.
#include <array>
#include <cmath>
#include <numbers>

#include "asperity/geometry/detail/overlap_parts.h"
#include "asperity/geometry/detail/revolved.h"

namespace asperity::geometry::detail {
namespace {

constexpr double kPi = std::numbers::pi;

/// Moments of a segment of the unit disc of the given height, about its lowest point (x) and its middle (y).
struct Segment {
    double area, first, second, across;
};
constexpr double kFlatSegment = 0.125;
constexpr int kTerms = 10;  // what is left out is below 0.0625^10

Segment full_disc() { return {kPi, kPi, 1.25 * kPi, 0.25 * kPi}; }

/// With v the height above the lowest point: 2 int sqrt(2v - v^2) v^k and 2/3 int (2v - v^2)^(3/2), by their series.
Segment flat_segment(double height) {
    double root = 1, cube = 1;  // coefficients of (1 - v/2)^(1/2) and (1 - v/2)^(3/2), times height^k
    Segment s{};
    for (int k = 0; k < kTerms; ++k) {
        s.area += root / (k + 1.5);
        s.first += root / (k + 2.5);
        s.second += root / (k + 3.5);
        s.across += cube / (k + 2.5);
        root *= (k - 0.5) / (k + 1) * 0.5 * height;
        cube *= (k - 1.5) / (k + 1) * 0.5 * height;
    }
    const double scale = 2 * std::numbers::sqrt2 * height * std::sqrt(height);
    return {scale * s.area, scale * height * s.first, scale * height * height * s.second, 2.0 / 3 * scale * height * s.across};
}
Segment segment(double height) {
    if (height <= kFlatSegment) return flat_segment(larger(height, 0));
    if (height >= 2) return full_disc();
    const double cosine = 1 - height, sine = std::sqrt(height * (2 - height)), angle = std::acos(cosine);
    const double sine2 = 2 * sine * cosine, sine4 = 2 * sine2 * (1 - 2 * sine * sine);
    const double area = angle - sine * cosine, x = 2.0 / 3 * sine * sine * sine, xx = (angle - sine4 / 4) / 4;  // from the middle, downwards
    return {area, area - x, area - 2 * x + xx, 2.0 / 3 * (3 * angle / 8 - sine2 / 4 + sine4 / 32)};
}

struct GaussPoint {
    double x, weight;
};
constexpr GaussPoint kSixPairs[6] = {{0.1252334085114689, 0.2491470458134028}, {0.3678314989981802, 0.2334925365383548}, {0.5873179542866175, 0.2031674267230659},
                                     {0.7699026741943047, 0.1600783285433462}, {0.9041172563704749, 0.1069393259953184}, {0.9815606342467192, 0.0471753363865118}};
/// f(x, weight) for 12 points of [from, to].
template <class F>
void at_gauss_points(double from, double to, const F& f) {
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    for (const GaussPoint& g : kSixPairs) {
        f(middle - half * g.x, half * g.weight);
        f(middle + half * g.x, half * g.weight);
    }
}

constexpr int kStations = 8;   // places along a section whose outline is looked at
constexpr int kRimPoints = 24;  // round a disc

/// The body in axes where the plane is s x + c z = o, everything about the deepest point.
struct Submerged {
    double s, c, o, r;
    Vec3 deepest;
    Moments volume;
    double section = 0, section_x = 0, section_z = 0;  // area of the section, and its first moments
    OutermostPoints points;

    Submerged(double sine, double cosine, double offset, double radius, const Vec3& lowest)
        : s(sine), c(cosine), o(offset), r(radius), deepest(lowest), points({sine, 0, cosine}, {}) {
        points.add({});
    }

    /// A slice of the volume weight `dz`, and of the section weight `dz`/s.
    void add_slice(double z, double rho, double height, double dz, double dz_over_s) {
        const Segment g = segment(height / rho);
        const double area = rho * rho * g.area, shift = -rho - deepest.x, from_low = rho * rho * rho * g.first;
        const double x = from_low + shift * area, xx = rho * rho * rho * rho * g.second + shift * (2 * from_low + shift * area);
        z -= deepest.z;
        volume.volume += dz * area;
        volume.first += dz * Vec3{x, 0, z * area};
        volume.squares += dz * Vec3{xx, rho * rho * rho * rho * g.across, z * z * area};
        volume.products += dz * Vec3{0, z * x, 0};
        const double chord = 2 * std::sqrt(larger(height * (2 * rho - height), 0)) * dz_over_s;
        section += chord;
        section_x += chord * (shift + height);
        section_z += chord * z;
    }
    void add_station(double z, double rho, double height) {
        const double y = std::sqrt(larger(height * (2 * rho - height), 0)), shift = -rho - deepest.x;
        z -= deepest.z;
        points.add({shift + height, y, z});
        points.add({shift + height, -y, z});
        points.add({shift, 0, z});
        if (height > rho) {
            points.add({shift + rho, rho, z});
            points.add({shift + rho, -rho, z});
        }
    }
    /// The part of a flat end that lies below the plane.
    void add_end(double z, double height) {
        const double angle = height >= 2 * r ? kPi : std::acos(1 - clamp(height / r, 0, 2));
        const int count = height >= 2 * r ? kRimPoints / 2 : kStations / 2;
        for (int k = 0; k <= count; ++k) {
            const double t = angle * k / count, x = -r * std::cos(t) - deepest.x, y = r * std::sin(t);
            points.add({x, y, z - deepest.z});
            points.add({x, -y, z - deepest.z});
        }
    }
    double height(double z, double rho) const { return (o - c * z) / s + rho; }

    /// Whole discs of radius^2 = r^2 - (z - middle)^2, or r^2 without a middle: three Gauss points are exact.
    void add_discs(double from, double to, const double* middle) {
        if (!(from < to)) return;
        constexpr double kNode = 0.7745966692414834;
        const double mid = 0.5 * (from + to), half = 0.5 * (to - from);
        for (int k = -1; k <= 1; ++k) {
            const double z = mid + k * kNode * half, rho = middle ? std::sqrt(larger(r * r - (z - *middle) * (z - *middle), 1e-300)) : r;
            add_slice(z, rho, 2 * rho, half * (k ? 5.0 / 9 : 8.0 / 9), 0);
        }
    }

    void add_mantle(double from, double to) {
        // Below z_full (for c > 0) whole discs lie under the plane, beyond z_none nothing does.
        if (std::fabs(c) > s) {
            const double z_full = (o - s * r) / c;
            c > 0 ? add_discs(from, smaller(to, z_full), nullptr) : add_discs(larger(from, z_full), to, nullptr);
            const auto angle_at = [&](double z) { return std::acos(clamp((c * z - o) / larger(s * r, 1e-300), -1, 1)); };
            const double t0 = angle_at(c > 0 ? to : from), t1 = angle_at(c > 0 ? from : to);
            if (!(t0 < t1)) return;
            const auto z_at = [&](double t) { return (o + s * r * std::cos(t)) / c; };
            at_gauss_points(t0, t1, [&](double t, double w) {
                const double half = std::sin(0.5 * t), across = w * r * std::sin(t) / std::fabs(c);
                add_slice(z_at(t), r, 2 * r * half * half, s * across, across);
            });
            for (int k = 0; k <= kStations; ++k) {
                const double t = lerp(t0, t1, static_cast<double>(k) / kStations), half = std::sin(0.5 * t);
                add_station(z_at(t), r, 2 * r * half * half);
            }
            return;
        }
        if (c != 0) {  // part of the length may be dry, or covered
            const double z_full = (o - s * r) / c, z_none = (o + s * r) / c;
            if (c > 0) {
                add_discs(from, smaller(to, z_full), nullptr);
                from = larger(from, z_full), to = smaller(to, z_none);
            } else {
                add_discs(larger(from, z_full), to, nullptr);
                from = larger(from, z_none), to = smaller(to, z_full);
            }
        } else if (o >= s * r) {
            return add_discs(from, to, nullptr);
        }
        if (!(from < to) || height(0.5 * (from + to), r) <= 0) return;
        at_gauss_points(0, 0.5 * kPi, [&](double t, double w) {
            const double sine = std::sin(t), z = from + (to - from) * sine * sine, dz = w * (to - from) * 2 * sine * std::cos(t);
            add_slice(z, r, height(z, r), dz, dz / s);
        });
        for (int k = 0; k <= kStations / 2; ++k) {
            const double z = lerp(from, to, 2.0 * k / kStations);
            add_station(z, r, clamp(height(z, r), 0, 2 * r));
        }
    }

    /// The part of a ball about `middle` between two heights.
    void add_ball(double middle, double from, double to) {
        const double p = o - c * middle, a2 = (r - p) * (r + p);
        if (a2 <= 0) {
            if (p > 0) add_discs(from, to, &middle);
            return;
        }
        const double a = std::sqrt(a2), low = middle + c * p - s * a, high = middle + c * p + s * a;
        const auto add_if_below = [&](double z0, double z1) {
            if (z0 < z1 && o - c * 0.5 * (z0 + z1) > 0) add_discs(z0, z1, &middle);
        };
        add_if_below(from, smaller(to, low));
        add_if_below(larger(from, high), to);
        const auto angle_at = [&](double z) { return std::acos(clamp((middle + c * p - z) / larger(s * a, 1e-300), -1, 1)); };
        const double t0 = angle_at(from), t1 = angle_at(to);
        if (!(t0 < t1)) return;
        struct Place {
            double z, rho, height;
        };
        const auto place_at = [&](double t) {
            const double along = c * p - s * a * std::cos(t), rho = std::sqrt(larger(r * r - along * along, 1e-300));
            return Place{middle + along, rho, clamp(s * p + c * a * std::cos(t) + rho, 0, 2 * rho)};
        };
        at_gauss_points(t0, t1, [&](double t, double w) {
            const Place at = place_at(t);
            add_slice(at.z, at.rho, at.height, w * s * a * std::sin(t), w * a * std::sin(t));
        });
        for (int k = 0; k <= kStations; ++k) {
            const Place at = place_at(lerp(t0, t1, static_cast<double>(k) / kStations));
            add_station(at.z, at.rho, at.height);
        }
    }
};

/// The box, about `origin` in the axes t, y and n of the section, of what lies below the plane.
struct SectionBox {
    Pose frame;
    Vec3 origin, n, t;
    double low_t, high_t, half_y, depth;
    /// Whether all of it lies below another plane of the body's axes; a little more, for its outline was looked at in places.
    bool below(const FacePlane& plane, const Pose& body) const {
        const Vec3 m = rotate_inverse(frame.orientation, rotate(body.orientation, plane.normal));
        const double along = dot(m, t), widen = 0.05 * (high_t - low_t);
        const double reach = larger(along * (low_t - widen), along * (high_t + widen)) + 1.05 * std::fabs(m.y) * half_y + larger(dot(m, n) * depth, 0);
        return dot(m, origin) + reach <= plane.offset;
    }
};

/// A is what the plane belongs to, B the body; `plane` is in B's axes and already moved out. Returns false where nothing counts.
bool overlap_plane(const Revolved& body, const Pose& pose, const FacePlane& plane, Overlap& out, SectionBox& box) {
    const double s = std::hypot(plane.normal.x, plane.normal.y), c = plane.normal.z, depth = -body.clearance(plane);
    if (!(depth > 0)) return false;
    const double turn = s > 0 ? std::atan2(plane.normal.y, plane.normal.x) : 0;
    const Pose frame{pose.position, pose.orientation * rotation({0, 0, turn})};
    const double end = c > 0 ? -body.half : c < 0 ? body.half : 0;
    const Vec3 deepest = body.balls ? Vec3{-body.radius * s, 0, end - body.radius * c} : Vec3{-body.radius, 0, end};
    Submerged sub(s, c, plane.offset, body.radius, deepest);
    sub.add_mantle(-body.half, body.half);
    if (body.balls) {
        sub.add_ball(-body.half, -body.half - body.radius, -body.half);
        sub.add_ball(body.half, body.half, body.half + body.radius);
    } else {
        for (const double z : {-body.half, body.half}) {
            const double under = plane.offset - c * z + s * body.radius;  // of the end's deepest point
            if (under > 0) sub.add_end(z, under >= 2 * s * body.radius ? 2 * body.radius : under / s);
        }
    }
    const Vec3 n{s, 0, c};
    AreaMoments surface;
    surface.area = -sub.section * n;
    surface.turning = -cross({sub.section_x, 0, sub.section_z}, n);
    if (!counts(sub.volume.volume, surface.area, 8 * body.radius * body.radius * body.end())) return false;
    out.method = Overlap::Method::Closed;
    set_totals(sub.volume, surface, frame, deepest, out);
    OverlapPart& part = whole(out);
    part.normal = rotate(frame.orientation, n);
    // Along the rim the height over the plane is r s (1 - cos angle) above that of the deepest point.
    const bool all_round = !body.balls && depth >= 2 * body.radius * s, both_ends = 2 * body.half * std::fabs(c) < depth;
    part.curvature = all_round ? OverlapPart::Curvature::Flat : both_ends ? OverlapPart::Curvature::Line : OverlapPart::Curvature::Point;
    if (part.curvature == OverlapPart::Curvature::Line) part.axis = rotate(pose.orientation, {0, 0, 1});
    sub.points.write({frame * deepest, frame.orientation}, part);
    part.depth = depth;

    box = {frame, deepest, n, {c, 0, -s}, 1e300, -1e300, 0, depth};
    for (int i = 0; i < part.point_count; ++i) {
        const Vec3 p = rotate_inverse(frame.orientation, part.points[static_cast<size_t>(i)] - frame.position) - deepest;
        box.low_t = smaller(box.low_t, dot(p, box.t));
        box.high_t = larger(box.high_t, dot(p, box.t));
        box.half_y = larger(box.half_y, std::fabs(p.y));
    }
    return true;
}

}  // namespace

void gather_planes(const Shape& shape, const Pose& pose, const Pose& frame, double grow, std::vector<FacePlane>& out) {
    const PlaneMover moved(pose, frame, grow);
    out.clear();
    if (std::holds_alternative<HalfSpace>(shape)) {
        out.push_back(moved({{0, 0, 1}, 0}));
    } else if (const auto* hull = std::get_if<Hull>(&shape)) {
        for (const Polyhedron::Face& f : hull->polyhedron->faces) out.push_back(moved({f.normal, f.offset}));
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
        static const std::array<Vec3, kPrismSides> directions = [] {
            std::array<Vec3, kPrismSides> d;
            for (int k = 0; k < kPrismSides; ++k) d[static_cast<size_t>(k)] = {std::cos(2 * kPi * k / kPrismSides), std::sin(2 * kPi * k / kPrismSides), 0};
            return d;
        }();
        const double half = kPi / kPrismSides, reach = cylinder->radius * std::sqrt(half / std::tan(half));  // a polygon of the disc's area
        for (const double side : {1.0, -1.0}) out.push_back(moved({{0, 0, side}, cylinder->half_height}));
        for (const Vec3& d : directions) out.push_back(moved({d, reach}));
    } else {
        for (int f = 0; f < plane_face_count(shape); ++f) out.push_back(moved(face_plane(shape, f)));
    }
}

void overlap_revolved_half_space(const Pose& half_space, const Shape& body, const Pose& pose, double skin, Overlap& out) {
    const FacePlane plane = PlaneMover(half_space, pose, 2 * skin)({{0, 0, 1}, 0});
    SectionBox box;
    out.grown_a = 2 * skin;
    overlap_plane(revolved(body), pose, plane, out, box);
}

bool overlap_revolved_face(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out) {
    const Revolved body = revolved(b);
    thread_local std::vector<FacePlane> planes;
    gather_planes(a, pose_a, pose_b, 2 * skin, planes);
    size_t nearest = 0;
    double farthest = -1e300;
    for (size_t i = 0; i < planes.size(); ++i) {
        const double above = body.clearance(planes[i]);
        if (above >= 0) return true;
        if (above > farthest) farthest = above, nearest = i;
    }
    SectionBox box;
    Overlap one;
    one.grown_a = 2 * skin;
    if (!overlap_plane(body, pose_b, planes[nearest], one, box)) return false;
    for (size_t i = 0; i < planes.size(); ++i)
        if (i != nearest && !box.below(planes[i], pose_b)) return false;
    out = one;
    return true;
}

}  // namespace asperity::geometry::detail

// The region of a patch: its outline in the contact plane, from its contacts and the touching faces.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/geometry/convex_contact/touching_points.h"
#include "asperity/geometry/shared_volume/outline.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PatchContact;

// Largest deviation of gaps from a plane [m]. If they deviate more, only the nearest points form the patch.
constexpr double kFlat = 1e-6;
constexpr double kRim = 1e-6;  // of the radius: tolerance for a point on the rim
constexpr int kManifold = 4;   // largest number of contacts that the narrow phase keeps for two faces

/// A point of the patch: coordinates in the contact plane relative to the first contact, and gap.
struct RegionPoint {
    Vec2 at;
    double gap;
};

using RegionPoints = geometry::FixedBuffer<RegionPoint, geometry::kMostOutlinePoints>;

/// Least-squares plane gap + slope.(x - centre) through the gaps. Gaps below `least` count as `least`; by default
/// overlaps count as touching. `rest` is the largest deviation of a point from the plane.
struct GapPlane {
    double gap;
    Vec2 slope;
    double rest;
};
GapPlane fit_gaps(const RegionPoints& points, Vec2 centre, double least = 0) {
    const int count = points.size();
    Vec2 mean;
    double gap = 0;
    for (int i = 0; i < count; ++i) {
        mean = mean + points[i].at / count;
        gap += larger(points[i].gap, least) / count;
    }
    double xx = 0, xy = 0, yy = 0, xg = 0, yg = 0;
    for (int i = 0; i < count; ++i) {
        const Vec2 r = points[i].at - mean;
        const double g = larger(points[i].gap, least) - gap;
        xx += r.x * r.x, xy += r.x * r.y, yy += r.y * r.y, xg += r.x * g, yg += r.y * g;
    }
    const double det = xx * yy - xy * xy, size = xx + yy;
    GapPlane out{gap, {}, 0};
    if (det > 1e-12 * size * size)
        out.slope = {(xg * yy - yg * xy) / det, (yg * xx - xg * xy) / det};
    else if (size > 0)  // points on a line: the slope is along the line
        out.slope = Vec2{xg, yg} / size;
    for (int i = 0; i < count; ++i)
        out.rest = larger(out.rest, std::fabs(larger(points[i].gap, least) - gap - dot(out.slope, points[i].at - mean)));
    out.gap += dot(out.slope, centre - mean);
    return out;
}

/// Keeps the points within a band above the nearest; points farther away do not touch at the same time.
void keep_nearest(RegionPoints& points, double band) {
    double lowest = points[0].gap;
    for (const RegionPoint& p : points) lowest = smaller(lowest, p.gap);
    points.resize_down(
        static_cast<int>(std::partition(points.begin(), points.end(),
                                        [&](const RegionPoint& p) { return p.gap <= larger(lowest, 0.0) + band; }) -
                         points.begin()));
}

/// Keeps only the nearest contacts in the patch. The others, such as other bumps of a rough face, stay points: as part
/// of the patch they would have no row, and the position pass would lift the body out of them without an impulse, which
/// adds energy.
void keep_nearest_contacts(ContactSet& set, PatchContact& p) {
    const auto first = static_cast<size_t>(p.first), last = first + static_cast<size_t>(p.count);
    double lowest = set.gap[first];
    for (size_t i = first; i < last; ++i) lowest = smaller(lowest, set.gap[i]);
    p.count = static_cast<int>(
        gather(set, first, last, [&](const Contact& c) { return c.gap <= larger(lowest, 0.0) + kFlat; }) - first);
}

/// Axes of the contact plane; the origin is the first contact of the patch.
struct Frame {
    Vec3 origin, a, b;
    Frame(const Vec3& at, const Vec3& n) : origin(at), a(any_tangent(n)), b(cross(n, a)) {}
    RegionPoint region_point(const Vec3& point, double gap) const {
        return {{dot(point - origin, a), dot(point - origin, b)}, gap};
    }
};

/// Adds all corners of the intersection of two faces, because the narrow phase keeps only four of them. Returns false
/// if the contact is not between two faces.
bool add_corners(const ContactInput& in, const ContactSet& set, const contact::PairMemory& memory, const PatchContact& p,
                 const Frame& frame, RegionPoints& spots) {
    const Contact* contacts = &set.contacts[static_cast<size_t>(memory.first)];
    const auto kind = static_cast<geometry::AxisKind>(contacts[0].feature >> 30);
    const auto a = static_cast<size_t>(p.at.collider_a), b = static_cast<size_t>(p.at.collider_b);
    const geometry::Shape &shape_a = in.model.bodies.colliders[a].shape, &shape_b = in.model.bodies.colliders[b].shape;
    if (memory.count != kManifold || geometry::has_mesh(shape_a, shape_b) ||
        (kind != geometry::AxisKind::FaceOfA && kind != geometry::AxisKind::FaceOfB))
        return false;
    double nearest = 1e300;
    for (int i = 0; i < memory.count; ++i) {
        if (dot(contacts[i].normal, p.at.normal) < kSameDirection) return false;
        nearest = smaller(nearest, gap_at_end(in, contacts[i]));
    }
    geometry::Candidates corners;
    geometry::touching_points(shape_a, in.search.collider_pose[a], shape_b, in.search.collider_pose[b], p.at.normal,
                              memory.margin, corners);
    const double far = max_end_gap(in, nearest);
    for (const geometry::Candidate& c : corners) {
        const Vec3 middle = 0.5 * (c.on_a + c.on_b);
        if (gap_at_end(in, p.at, middle, c.gap) <= far) spots.push(frame.region_point(middle, c.gap));
    }
    return !spots.empty();
}

/// Computes region, centre and gap; the axis u is along the longest side.
void span_outline(const ContactInput& in, ContactSet& set, const contact::PairMemory& memory, PatchContact& p) {
    const Contact* contacts = &set.contacts[static_cast<size_t>(p.first)];
    const Frame frame(contacts[0].point, p.at.normal);
    const Vec3 &a = frame.a, &b = frame.b;
    RegionPoints spots;
    const double radius = in.model.pairs.pair(p.at.material_a, p.at.material_b).patch_radius;
    if ((p.count == 1 && radius > 0) || !add_corners(in, set, memory, p, frame, spots))
        for (int i = 0; i < p.count; ++i) spots.push(frame.region_point(contacts[i].point, contacts[i].gap));
    GapPlane plane = fit_gaps(spots, {});
    if (plane.rest > kFlat && fit_gaps(spots, {}, -1e300).rest <= kFlat) {
        // The true gaps are a plane, but some corners overlap and count as touching. The whole face touches: raise the
        // plane until no corner lies below zero.
        for (int i = 0; i < spots.size(); ++i) plane.gap = larger(plane.gap, -dot(plane.slope, spots[i].at));
    } else if (plane.rest > kFlat) {
        keep_nearest(spots, kFlat);
        plane = fit_gaps(spots, {});
        keep_nearest_contacts(set, p);
    }
    Vec2 points[geometry::kMostOutlinePoints];
    for (int i = 0; i < spots.size(); ++i) points[i] = spots[i].at;
    geometry::ConvexOutline outline;
    geometry::convex_outline({points, static_cast<size_t>(spots.size())}, outline);
    geometry::drop_corners(outline, geometry::PolygonRegion::kCapacity);
    const Vec2 centre = centroid(outline);
    p.at.point = frame.origin + centre.x * a + centre.y * b;
    p.at.gap = plane.gap + dot(plane.slope, centre);
    if (outline.size() == 1) {
        p.u = a;
        p.region = geometry::EllipseRegion{radius, radius};
        p.rolls = true;
        p.slope = {};
        return;
    }
    Vec2 along;
    for (int i = 0; i < outline.size(); ++i)
        if (const Vec2 side = outline[(i + 1) % outline.size()] - outline[i]; dot(side, side) > 1.0001 * dot(along, along))
            along = side;
    const Vec2 u = along / length(along), w{-u.y, u.x};
    p.u = u.x * a + u.y * b;
    p.slope = {dot(plane.slope, u), dot(plane.slope, w)};
    geometry::PolygonRegion region;
    region.count = outline.size();
    for (int i = 0; i < outline.size(); ++i) {
        const Vec2 r = outline[i] - centre;
        region.corners[static_cast<size_t>(i)] = {dot(r, u), dot(r, w)};
    }
    p.region = region;
}

/// A cylinder's cap on a flat surface touches with its full disc; the manifold has only four points of the rim.
bool span_cap(const ContactInput& in, const ContactSet& set, PatchContact& p) {
    if (p.count < 3) return false;
    const Contact* points = &set.contacts[static_cast<size_t>(p.first)];
    for (const int collider : {p.at.collider_a, p.at.collider_b}) {
        const rigid::Collider& c = in.model.bodies.colliders[static_cast<size_t>(collider)];
        const auto* cylinder = std::get_if<geometry::Cylinder>(&c.shape);
        if (!cylinder) continue;
        const Pose pose =
            in.state.bodies.pose[static_cast<size_t>(in.model.bodies.collider_body[static_cast<size_t>(collider)])] *
            c.local;
        const Vec3 axis = rotate(pose.orientation, {0, 0, 1}), n = p.at.normal;
        if (std::fabs(dot(axis, n)) < kSameDirection) continue;
        bool rim = true;
        for (int i = 0; i < p.count && rim; ++i) {
            const Vec3 r = points[i].point - pose.position;
            rim = std::fabs(length(r - dot(r, axis) * axis) - cylinder->radius) < kRim * cylinder->radius;
        }
        if (!rim) continue;
        const double way = dot(p.at.point - pose.position, n) / dot(axis, n);
        p.at.point = pose.position + way * axis;  // span_region() adds the change of the gap along its slope
        p.region = geometry::EllipseRegion{cylinder->radius, cylinder->radius};
        return true;
    }
    return false;
}

}  // namespace

void span_region(const ContactInput& in, ContactSet& set, const contact::PairMemory& memory, PatchContact& p) {
    span_outline(in, set, memory, p);
    const Vec3 centre = p.at.point;
    if (span_cap(in, set, p)) p.at.gap += dot(p.slope.x * p.u + p.slope.y * p.w(), p.at.point - centre);
}

friction::PressureRegion pressure_region(const geometry::PatchRegion& region, bool rolls) {
    friction::PressureRegion out;
    out.rolls = rolls;
    if (const auto* ellipse = std::get_if<geometry::EllipseRegion>(&region)) {
        out.a = ellipse->a;
        out.b = ellipse->b;
    } else {
        const auto& polygon = std::get<geometry::PolygonRegion>(region);
        out.count = polygon.count;
        out.corners = polygon.corners;
    }
    return out;
}

}  // namespace asperity::sim

// Part of stage 2: contact points of pairs that ask for it become patches, one for each direction in which a pair touches.
//
// The points of a flat contact span the region in which its pressure may lie: their convex hull in the plane of contact, which for faces is exact. A lone
// point is a patch of no size, or the disc that the pair's patch_radius gives it. Over the hull the gap is a plane through the points' gaps, so that a face that
// comes down askew is one patch, too: it lifts or touches at each point where the points would.
//
// Points on meshes are a choice of few among many, with normals of their own. Where a mesh touches, patches are made of the volume that the bodies share, grown
// by a skin: one for each direction in which their surfaces face each other, however many triangles meet. Until they are that near, the points count.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/collide.h"
#include "asperity/geometry/make_patch.h"
#include "asperity/geometry/mesh.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PatchContact;

constexpr double kSameDirection = 0.9998;   // cosine of 1 degree: normals within it make one patch
constexpr double kKept = 0.9;               // a patch whose normal turned farther since the last step is another one
constexpr double kFlat = 1e-6;              // [m] what gaps may differ from a plane; rougher contacts press with their nearest points alone
constexpr double kFar = 0.2;                // of the contact margin: points that stay farther away do not take part, as the upper rim of a coin that leans; they stay points
constexpr double kRim = 1e-6;               // of the radius: what counts as on the rim
constexpr int kMostPoints = geometry::ContactList::kCapacity;

/// A point of the patch: along u and w from the first one, and its gap.
struct Spot {
    Vec2 at;
    double gap;
};

/// Convex hull, counter-clockwise (Andrew's monotone chain); points on its sides are left out.
int hull(Spot* points, int count, Vec2* out) {
    std::sort(points, points + count, [](const Spot& p, const Spot& q) { return p.at.x != q.at.x ? p.at.x < q.at.x : p.at.y < q.at.y; });
    double size = 0;
    for (int i = 1; i < count; ++i) size = larger(size, length(points[i].at - points[0].at));
    const double flat = 1e-9 * size * size;
    int k = 0;
    const auto turn = [&](Vec2 p) {
        while (k >= 2 && cross(out[k - 1] - out[k - 2], p - out[k - 1]) <= flat) --k;
        out[k++] = p;
    };
    for (int i = 0; i < count; ++i) turn(points[i].at);
    if (k < 2 || size == 0) return 1;
    const int lower = k;
    for (int i = count - 2; i >= 0; --i) {
        while (k > lower && cross(out[k - 1] - out[k - 2], points[i].at - out[k - 1]) <= flat) --k;
        out[k++] = points[i].at;
    }
    return k - 1;   // the first corner came twice; two are a line
}

Vec2 centroid(const Vec2* corners, int count) {
    if (count <= 2) return count == 1 ? corners[0] : 0.5 * (corners[0] + corners[1]);
    Vec2 sum;
    double area = 0;
    for (int i = 1; i + 1 < count; ++i) {
        const double part = cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
        area += part;
        sum = sum + part / 3 * (corners[0] + corners[i] + corners[i + 1]);
    }
    return sum / area;
}

/// The plane gap + slope.(x - centre) through the gaps, overlaps counted as touching, by least squares; `rest` is the farthest that one is off.
struct GapPlane {
    double gap;
    Vec2 slope;
    double rest;
};
GapPlane fit_gaps(const Spot* points, int count, Vec2 centre) {
    Vec2 mean;
    double gap = 0;
    for (int i = 0; i < count; ++i) {
        mean = mean + points[i].at / count;
        gap += larger(points[i].gap, 0.0) / count;
    }
    double xx = 0, xy = 0, yy = 0, xg = 0, yg = 0;
    for (int i = 0; i < count; ++i) {
        const Vec2 r = points[i].at - mean;
        const double g = larger(points[i].gap, 0.0) - gap;
        xx += r.x * r.x, xy += r.x * r.y, yy += r.y * r.y, xg += r.x * g, yg += r.y * g;
    }
    const double det = xx * yy - xy * xy, size = xx + yy;
    GapPlane out{gap, {}, 0};
    if (det > 1e-12 * size * size)
        out.slope = {(xg * yy - yg * xy) / det, (yg * xx - xg * xy) / det};
    else if (size > 0)   // along a line, whose direction carries all
        out.slope = Vec2{xg, yg} / size;
    for (int i = 0; i < count; ++i)
        out.rest = larger(out.rest, std::fabs(larger(points[i].gap, 0.0) - gap - dot(out.slope, points[i].at - mean)));
    out.gap += dot(out.slope, centre - mean);
    return out;
}

/// Keeps the points within a band above the nearest: what is farther does not touch at once.
int nearest_spots(Spot* points, int count, double band) {
    double lowest = points[0].gap;
    for (int i = 1; i < count; ++i) lowest = smaller(lowest, points[i].gap);
    return static_cast<int>(std::partition(points, points + count, [&](const Spot& p) { return p.gap <= larger(lowest, 0.0) + band; }) - points);
}

/// Region, centre and gap from the points; the axis u along the longest side.
void span_region(const StepData& d, double radius, PatchContact& p) {
    const Contact* points = &d.contacts[static_cast<size_t>(p.first)];
    const Vec3 origin = points[0].point, n = p.at.normal, a = any_tangent(n), b = cross(n, a);
    Spot spots[kMostPoints];
    int count = p.count;
    for (int i = 0; i < count; ++i) spots[i] = {{dot(points[i].point - origin, a), dot(points[i].point - origin, b)}, points[i].gap};
    GapPlane plane = fit_gaps(spots, count, {});
    if (plane.rest > kFlat) {
        count = nearest_spots(spots, count, kFlat);
        plane = fit_gaps(spots, count, {});
    }
    Vec2 corners[2 * kMostPoints];
    int sides = hull(spots, count, corners);
    if (sides > geometry::PolygonRegion::kCapacity) {   // every second corner: still inside the hull
        for (int i = 0; i < sides / 2; ++i) corners[i] = corners[2 * i];
        sides /= 2;
    }
    const Vec2 centre = centroid(corners, sides);
    p.at.point = origin + centre.x * a + centre.y * b;
    p.at.gap = plane.gap + dot(plane.slope, centre);
    if (sides == 1) {
        p.u = p.at.t == Vec3{} ? a : normalize_or(p.at.t - dot(p.at.t, n) * n, a);
        p.region = geometry::EllipseRegion{radius, radius};
        p.rolls = true;
        p.slope = {};
        return;
    }
    Vec2 along;
    for (int i = 0; i < sides; ++i)
        if (const Vec2 side = corners[(i + 1) % sides] - corners[i]; dot(side, side) > 1.0001 * dot(along, along)) along = side;
    const Vec2 u = along / length(along), w{-u.y, u.x};
    p.u = u.x * a + u.y * b;
    p.slope = {dot(plane.slope, u), dot(plane.slope, w)};
    geometry::PolygonRegion region;
    region.count = sides;
    for (int i = 0; i < sides; ++i) {
        const Vec2 r = corners[i] - centre;
        region.corners[static_cast<size_t>(i)] = {dot(r, u), dot(r, w)};
    }
    p.region = region;
}

/// The cap of a cylinder on something flat touches with all its disc; the manifold has four points of the rim.
bool span_cap(const World& world, const StepData& d, PatchContact& p) {
    if (p.count < 3) return false;
    const Contact* points = &d.contacts[static_cast<size_t>(p.first)];
    for (const int collider : {p.at.collider_a, p.at.collider_b}) {
        const rigid::Collider& c = world.bodies.colliders[static_cast<size_t>(collider)];
        const auto* cylinder = std::get_if<geometry::Cylinder>(&c.shape);
        if (!cylinder) continue;
        const Pose pose = world.bodies.pose[static_cast<size_t>(world.bodies.collider_body[static_cast<size_t>(collider)])] * c.local;
        const Vec3 axis = rotate(pose.orientation, {0, 0, 1}), n = p.at.normal;
        if (std::fabs(dot(axis, n)) < kSameDirection) continue;
        bool rim = true;
        for (int i = 0; i < p.count && rim; ++i) {
            const Vec3 r = points[i].point - pose.position;
            rim = std::fabs(length(r - dot(r, axis) * axis) - cylinder->radius) < kRim * cylinder->radius;
        }
        if (!rim) continue;
        const double way = dot(p.at.point - pose.position, n) / dot(axis, n);
        p.at.point = pose.position + way * axis;   // the gap there is that of the rim's middle: its slope carries it over
        p.region = geometry::EllipseRegion{cylinder->radius, cylinder->radius};
        return true;
    }
    return false;
}

/// Pairs whose patches are left to points: round bodies, which touch meshes in points and lines, and ground, which has no lower side.
bool left_to_points(const geometry::Shape& shape) {
    if (const auto* mesh = std::get_if<geometry::Mesh>(&shape)) return mesh->triangles->ground();
    return std::holds_alternative<geometry::Sphere>(shape) || std::holds_alternative<geometry::Capsule>(shape) || std::holds_alternative<geometry::Cylinder>(shape);
}

/// What the patch of the last step that faces the same way has carried.
void inherit(PatchContact& p, std::span<const PatchContact> previous) {
    const PatchContact* best = nullptr;
    for (const PatchContact& old : previous)
        if (dot(old.at.normal, p.at.normal) > kKept && (!best || dot(old.at.normal, p.at.normal) > dot(best->at.normal, p.at.normal))) best = &old;
    p.at.impulse = best ? best->at.impulse : Vec3{};
    p.at.t = best ? best->at.t : Vec3{};
    p.torque = best ? best->torque : Vec3{};
    p.pressure = best ? best->pressure : Vec2{};
}

/// The gap that a point would have at the end of the step if nothing stopped it.
double coming_gap(const World& world, const StepData& d, const Contact& c) {
    const double approach = dot(c.normal, world.bodies.velocity_at(c.body_b, c.point) - world.bodies.velocity_at(c.body_a, c.point));
    return c.gap + d.dt * smaller(approach, 0.0);
}

/// Moves the contacts of [first, last) that `belong` to its front, in their order; returns the end of these.
template <class Belongs>
size_t gather(StepData& d, size_t first, size_t last, const Belongs& belongs) {
    size_t end = first;
    for (size_t k = first; k < last; ++k) {
        if (!belongs(d.contacts[k])) continue;
        const auto from = static_cast<std::ptrdiff_t>(end), to = static_cast<std::ptrdiff_t>(k);   // nearly always the same
        std::rotate(d.contacts.begin() + from, d.contacts.begin() + to, d.contacts.begin() + to + 1);
        std::rotate(d.gap.begin() + from, d.gap.begin() + to, d.gap.begin() + to + 1);
        ++end;
    }
    return end;
}

/// Sorts the pair's contacts by direction and makes a patch of those of each that may touch within the step; the others stay points. Returns how many.
int group(const World& world, StepData& d, const contact::PairMemory& memory, PatchContact* out) {
    const auto first = static_cast<size_t>(memory.first), last = first + static_cast<size_t>(memory.count);
    int count = 0;
    for (size_t i = first; i < last;) {
        const Vec3 normal = d.contacts[i].normal;
        const size_t end = gather(d, i, last, [&](const Contact& c) { return dot(c.normal, normal) >= kSameDirection; });
        double nearest = coming_gap(world, d, d.contacts[i]);
        for (size_t k = i + 1; k < end; ++k) nearest = smaller(nearest, coming_gap(world, d, d.contacts[k]));
        const double far = larger(nearest, 0.0) + kFar * world.settings.contact_margin;
        const size_t near_end = gather(d, i, end, [&](const Contact& c) { return coming_gap(world, d, c) <= far; });
        out[count].first = static_cast<int>(i);
        out[count].count = static_cast<int>(near_end - i);
        i = end;
        ++count;
    }
    return count;
}

// Twice this is how near a mesh must be to touch, of the contact margin: 0.1 mm where that is 5 mm.
constexpr double kSkin = 0.01;
constexpr double kOneSide = 0.5;   // cosine of 60 degrees: normals of points that a patch stands for
constexpr double kBeyond = 0.05;   // of the region's size: so far outside it they may lie

/// Patches of a pair with a mesh from the volume it shares with the other body; none where they do not touch or the mesh has no inside.
void share_volume(const World& world, const StepData& d, const contact::PairMemory& memory, geometry::PatchList& out) {
    const auto placed = [&](std::uint64_t collider) {
        const auto c = static_cast<size_t>(collider);
        return world.bodies.pose[static_cast<size_t>(world.bodies.collider_body[c])] * world.bodies.colliders[c].local;
    };
    const std::uint64_t a = memory.pair >> 32, b = memory.pair & 0xffffffffU;
    out.count = 0;
    const geometry::Shape &shape_a = world.bodies.colliders[static_cast<size_t>(a)].shape, &shape_b = world.bodies.colliders[static_cast<size_t>(b)].shape;
    if (!geometry::has_mesh(shape_a, shape_b) || left_to_points(shape_a) || left_to_points(shape_b)) return;
    const double skin = kSkin * world.settings.contact_margin;
    const auto first = d.gap.begin() + memory.first;
    if (*std::min_element(first, first + memory.count) > 2 * skin) return;  // the points know that they are not that near
    geometry::Overlap shared;
    geometry::overlap(shape_a, placed(a), shape_b, placed(b), {.skin = skin}, shared);
    geometry::make_patches(shared, {}, out);
}

/// Whether a patch takes the load of a point: it lies over the region, and faces the same way.
bool covers(const geometry::Patch& patch, const Contact& point) {
    if (dot(point.normal, patch.normal) < kOneSide) return false;
    const Vec3 d = point.point - patch.centre;
    const Vec2 at{dot(d, patch.u), dot(d, patch.w())};
    if (const auto* e = std::get_if<geometry::EllipseRegion>(&patch.region)) return std::hypot(at.x / larger(e->a, 1e-9), at.y / larger(e->b, 1e-9)) <= 1 + kBeyond;
    const auto& polygon = std::get<geometry::PolygonRegion>(patch.region);
    double size = 0;
    for (int i = 0; i < polygon.count; ++i) size = larger(size, length(polygon.corners[static_cast<size_t>(i)]));
    for (int i = 0; i < polygon.count; ++i) {
        const Vec2 from = polygon.corners[static_cast<size_t>(i)], side = polygon.corners[static_cast<size_t>((i + 1) % polygon.count)] - from;
        if (cross(side, at - from) < -kBeyond * size * length(side)) return false;
    }
    return length(at) <= (1 + kBeyond) * size;
}

/// Brings the points that each patch covers together; what none covers is still a point, such as the other foot that comes down.
void share_points(StepData& d, const contact::PairMemory& memory, const geometry::PatchList& list, PatchContact* out) {
    const int last = memory.first + memory.count;
    int at = memory.first;
    for (int i = 0; i < list.count; ++i) {
        out[i].first = at;
        for (int k = at; k < last; ++k) {
            if (!covers(list.items[static_cast<size_t>(i)], d.contacts[static_cast<size_t>(k)])) continue;
            std::rotate(d.contacts.begin() + at, d.contacts.begin() + k, d.contacts.begin() + k + 1);
            std::rotate(d.gap.begin() + at, d.gap.begin() + k, d.gap.begin() + k + 1);
            ++at;
        }
        out[i].count = at - out[i].first;
    }
}

}  // namespace

bool makes_patches(const World& world, const surface::Pair& pair) {
    return pair.contact == surface::ContactModel::Unset ? world.settings.contact_model == surface::ContactModel::Patches
                                                        : pair.contact == surface::ContactModel::Patches;
}

void make_patches(const World& world, StepData& d) {
    d.patches.clear();
    if (!d.any_patches) return;
    size_t k = 0;   // of the last step's patches, which are sorted by pair
    for (const contact::PairMemory& memory : d.pair_memory) {
        if (memory.count == 0) continue;
        const Contact& any = d.contacts[static_cast<size_t>(memory.first)];
        const surface::Pair& pair = world.pairs.pair(any.material_a, any.material_b);
        if (!makes_patches(world, pair)) continue;
        while (k < world.patches.size() && world.patches[k].at.pair < memory.pair) ++k;
        size_t end = k;
        while (end < world.patches.size() && world.patches[end].at.pair == memory.pair) ++end;
        const std::span<const PatchContact> previous(world.patches.data() + k, end - k);

        const size_t at = d.patches.size();
        geometry::PatchList shared;
        share_volume(world, d, memory, shared);
        d.patches.resize(at + static_cast<size_t>(shared.count > 0 ? shared.count : memory.count));
        int count = shared.count;
        if (count > 0)
            share_points(d, memory, shared, &d.patches[at]);
        else
            count = group(world, d, memory, &d.patches[at]);
        d.patches.resize(at + static_cast<size_t>(count));
        for (int i = 0; i < count; ++i) {
            PatchContact& p = d.patches[at + static_cast<size_t>(i)];
            const Contact& point = d.contacts[static_cast<size_t>(p.count > 0 ? p.first : memory.first)];
            const int of_patch = p.first, size = p.count;
            p = {};
            p.first = of_patch;
            p.count = size;
            p.at = point;
            p.at.feature = static_cast<std::uint32_t>(i);
            if (shared.count > 0) p.at.normal = shared.items[static_cast<size_t>(i)].normal;
            inherit(p, previous);
            if (shared.count > 0) {
                const geometry::Patch& patch = shared.items[static_cast<size_t>(i)];
                p.at.point = patch.centre;
                p.at.gap = patch.gap;
                p.from_volume = true;
                p.u = patch.u;
                p.region = patch.region;
            } else {
                span_region(d, pair.patch_radius, p);
                const Vec3 centre = p.at.point;
                if (span_cap(world, d, p)) p.at.gap += dot(p.slope.x * p.u + p.slope.y * p.w(), p.at.point - centre);
            }
            const rigid::Bodies& bodies = world.bodies;
            const auto a = static_cast<size_t>(p.at.body_a), b = static_cast<size_t>(p.at.body_b);
            p.at.local_a = bodies.pose[a].to_local(p.at.point - 0.5 * p.at.gap * p.at.normal) + bodies.center[a];
            p.at.local_b = bodies.pose[b].to_local(p.at.point + 0.5 * p.at.gap * p.at.normal) + bodies.center[b];
            for (int c = p.first; c < p.first + p.count; ++c) d.contacts[static_cast<size_t>(c)].in_patch = true;
        }
    }
}

}  // namespace asperity::sim

// Patches of meshes, from the volume that they share with what they touch.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/collide.h"
#include "asperity/geometry/mesh.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PatchContact;

/// Pairs whose patches are left to points: round bodies, which touch meshes in points and lines, and ground, which has no lower side.
bool left_to_points(const geometry::Shape& shape) {
    if (const auto* mesh = std::get_if<geometry::Mesh>(&shape)) return mesh->triangles->ground();
    return std::holds_alternative<geometry::Sphere>(shape) || std::holds_alternative<geometry::Capsule>(shape) || std::holds_alternative<geometry::Cylinder>(shape);
}

// Twice this is how near a mesh must be to touch, of the contact margin: 0.1 mm where that is 5 mm.
constexpr double kSkin = 0.01;
constexpr double kOneSide = 0.5;   // cosine of 60 degrees: normals of points that a patch stands for
constexpr double kBeyond = 0.05;   // of the region's size: so far outside it they may lie

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

}  // namespace

void share_volume(const World& world, const StepData& d, const contact::PairMemory& memory, geometry::PatchList& out) {
    const auto a = static_cast<size_t>(memory.pair >> 32), b = static_cast<size_t>(memory.pair & 0xffffffffU);
    out.count = 0;
    const geometry::Shape &shape_a = world.bodies.colliders[a].shape, &shape_b = world.bodies.colliders[b].shape;
    if (!geometry::has_mesh(shape_a, shape_b) || left_to_points(shape_a) || left_to_points(shape_b)) return;
    const double skin = kSkin * world.settings.contact_margin;
    const auto first = d.gap.begin() + memory.first;
    if (*std::min_element(first, first + memory.count) > 2 * skin) return;  // the points know that they are not that near
    geometry::Overlap shared;
    geometry::overlap(shape_a, d.collider_pose[a], shape_b, d.collider_pose[b], {.skin = skin}, shared);
    geometry::make_patches(shared, {}, out);
}

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

}  // namespace asperity::sim

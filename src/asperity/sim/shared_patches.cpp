// Patches of meshes, from the volume that they share with what they touch.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shared_volume/mesh_patches.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PatchContact;

/// Pairs whose patches are left to points: round bodies, which touch meshes in points and lines, and ground, which has no
/// lower side.
bool left_to_points(const geometry::Shape& shape) {
    if (const auto* mesh = std::get_if<geometry::Mesh>(&shape)) return mesh->triangles->ground();
    return std::holds_alternative<geometry::Sphere>(shape) || std::holds_alternative<geometry::Capsule>(shape) ||
           std::holds_alternative<geometry::Cylinder>(shape);
}

// Twice this is how near a mesh must be to touch, of the contact margin: 0.1 mm where that is 5 mm.
constexpr double kSkin = 0.01;
constexpr double kDeeper = 1.5;  // than in the last step: how deep two meshes are looked for at first

}  // namespace

bool meet_in_patches(const World& world, StepData& d, size_t index, double ahead, std::span<const Contact> previous) {
    if (!d.any_patches) return false;
    contact::PairMemory& memory = d.pair_memory[index];
    const auto a = static_cast<size_t>(memory.pair >> 32), b = static_cast<size_t>(memory.pair & 0xffffffffU);
    const auto *mesh_a = std::get_if<geometry::Mesh>(&world.bodies.colliders[a].shape),
               *mesh_b = std::get_if<geometry::Mesh>(&world.bodies.colliders[b].shape);
    if (!mesh_a || !mesh_b ||
        !makes_patches(world, world.pairs.pair(d.collider_motion[a].material, d.collider_motion[b].material)) ||
        !geometry::suit_patches(*mesh_a, *mesh_b))
        return false;
    const auto list = static_cast<size_t>(d.mesh_list_of[index]);
    double deepest = 0;
    for (const Contact& c : previous) deepest = larger(deepest, -c.gap);
    const auto body_of = [&](size_t collider) { return static_cast<size_t>(world.bodies.collider_body[collider]); };
    geometry::ContactList& points = d.mesh_lists[list];
    geometry::patches_of_meshes(*mesh_a, d.collider_pose[a], *mesh_b, d.collider_pose[b],
                                {.skin = kSkin * world.settings.contact_margin,
                                 .margin = memory.margin,
                                 .ahead = ahead,
                                 .deep = kDeeper * deepest,
                                 .approach = approach_of(world, d.dt, body_of(a), body_of(b))},
                                d.shared_patches[list], points);
    std::sort(points.items, points.items + points.count,
              [](const auto& p, const auto& q) { return p.point.feature < q.point.feature; });
    memory.count = points.count;
    return true;
}

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

int share_points(StepData& d, size_t pair, const geometry::PatchList& list, PatchContact* out) {
    const contact::PairMemory& memory = d.pair_memory[pair];
    const bool meshes = met_in_patches(d, pair);
    const int last = memory.first + memory.count;
    int at = memory.first;
    for (int i = 0; i < list.count; ++i) {
        const geometry::Patch& patch = list.items[static_cast<size_t>(i)];
        out[i].first = at;
        for (int k = at; k < last; ++k) {
            const Contact& c = d.contacts[static_cast<size_t>(k)];
            const bool own = meshes && c.feature < geometry::kFirstFreeFeature
                                 ? c.feature / geometry::kSpotsOfPatch == static_cast<std::uint32_t>(i)
                                 : geometry::covers(patch, c.point, c.normal);
            if (!own) continue;
            std::rotate(d.contacts.begin() + at, d.contacts.begin() + k, d.contacts.begin() + k + 1);
            std::rotate(d.gap.begin() + at, d.gap.begin() + k, d.gap.begin() + k + 1);
            ++at;
        }
        out[i].count = at - out[i].first;
    }
    return at;
}

}  // namespace asperity::sim

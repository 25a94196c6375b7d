// Patches of meshes, made from the volume that they share with the other body.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shared_volume/mesh_patches.h"
#include "asperity/sim/collide_again.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PatchContact;

/// Whether contacts of a mesh with this shape stay points: round bodies touch meshes in points and lines, and ground
/// has no lower side.
bool stays_points(const geometry::Shape& shape) {
    if (const auto* mesh = std::get_if<geometry::Mesh>(&shape)) return mesh->triangles->ground();
    return std::holds_alternative<geometry::Sphere>(shape) || std::holds_alternative<geometry::Capsule>(shape) ||
           std::holds_alternative<geometry::Cylinder>(shape);
}

// of the contact margin: each body is grown by this, so patches begin at twice this gap (0.1 mm for a margin of 5 mm)
constexpr double kSkin = 0.01;
constexpr double kSearchDepthFactor =
    1.5;  // factor on the deepest overlap of the last step: first search depth of two meshes

}  // namespace

bool collide_closed_meshes(const ContactInput& in, ContactSet& set, size_t index, double ahead,
                           std::span<const Contact> previous) {
    if (!in.derived.any_patches) return false;
    contact::PairMemory& memory = set.pair_memory[index];
    const auto a = contact::pair_low(memory.pair), b = contact::pair_high(memory.pair);
    const auto *mesh_a = std::get_if<geometry::Mesh>(&in.model.bodies.colliders[a].shape),
               *mesh_b = std::get_if<geometry::Mesh>(&in.model.bodies.colliders[b].shape);
    if (!mesh_a || !mesh_b ||
        !makes_patches(in.model.settings,
                       in.model.pairs.pair(in.search.collider_motion[a].material, in.search.collider_motion[b].material)) ||
        !geometry::can_make_patches(*mesh_a, *mesh_b))
        return false;
    const auto list = static_cast<size_t>(set.mesh_list_of[index]);
    double deepest = 0;
    for (const Contact& c : previous) deepest = larger(deepest, -c.gap);
    const auto body_of = [&](size_t collider) { return static_cast<size_t>(in.model.bodies.collider_body[collider]); };
    geometry::ContactList& points = set.mesh_lists[list];
    geometry::patches_of_meshes(*mesh_a, in.search.collider_pose[a], *mesh_b, in.search.collider_pose[b],
                                {.skin = kSkin * in.model.settings.contact_margin,
                                 .margin = memory.margin,
                                 .ahead = ahead,
                                 .deep = kSearchDepthFactor * deepest,
                                 .approach = approach_of(in.state.bodies, in.dt, body_of(a), body_of(b))},
                                set.shared_patches[list], points);
    std::sort(points.items, points.items + points.count,
              [](const auto& p, const auto& q) { return p.point.feature < q.point.feature; });
    memory.count = points.count;
    return true;
}

void patches_from_volume(const ContactInput& in, const ContactSet& set, const contact::PairMemory& memory,
                         geometry::PatchList& out) {
    const auto a = contact::pair_low(memory.pair), b = contact::pair_high(memory.pair);
    out.count = 0;
    const geometry::Shape &shape_a = in.model.bodies.colliders[a].shape, &shape_b = in.model.bodies.colliders[b].shape;
    if (!geometry::has_mesh(shape_a, shape_b) || stays_points(shape_a) || stays_points(shape_b)) return;
    const double skin = kSkin * in.model.settings.contact_margin;
    const auto first = set.gap.begin() + memory.first;
    if (*std::min_element(first, first + memory.count) > 2 * skin) return;  // too far apart to share a volume
    geometry::Overlap shared;
    geometry::overlap(shape_a, in.search.collider_pose[a], shape_b, in.search.collider_pose[b], {.skin = skin}, shared);
    geometry::make_patches(shared, {}, out);
}

int group_covered_points(ContactSet& set, size_t pair, const geometry::PatchList& list, PatchContact* out) {
    const contact::PairMemory& memory = set.pair_memory[pair];
    const bool meshes = met_in_patches(set, pair);
    const int last = memory.first + memory.count;
    int at = memory.first;
    for (int i = 0; i < list.count; ++i) {
        const geometry::Patch& patch = list.items[static_cast<size_t>(i)];
        out[i].first = at;
        for (int k = at; k < last; ++k) {
            const Contact& c = set.contacts[static_cast<size_t>(k)];
            const bool own = meshes && c.feature < geometry::kFirstFreeFeature
                                 ? c.feature / geometry::kDeepPointsOfPatch == static_cast<std::uint32_t>(i)
                                 : geometry::covers(patch, c.point, c.normal);
            if (!own) continue;
            std::rotate(set.contacts.begin() + at, set.contacts.begin() + k, set.contacts.begin() + k + 1);
            std::rotate(set.gap.begin() + at, set.gap.begin() + k, set.gap.begin() + k + 1);
            ++at;
        }
        out[i].count = at - out[i].first;
    }
    return at;
}

}  // namespace asperity::sim

// Contact patches: the contact points of a pair with patches become one patch for each direction in which the pair
// touches.
//
// The region of a flat patch is the convex hull of its points in the contact plane; for two faces it is the hull of all
// corners of their intersection. A single point is a patch of zero size, or a disc of radius patch_radius. Over the
// region the gap is a plane through the gaps of the points. So a tilted face that approaches is one patch, which
// separates or touches at each point as the point itself would.
//
// Round bodies that touch along a line, such as a lying capsule, have two points. With a patch_radius each point is a
// disc, so the line has the rolling resistance of a ball and tips over its ends. Pairs with contact points and a
// patch_radius have such discs only while they roll. If their surfaces hit or slip faster than bounce_threshold, they
// stay points, as do all other contacts: a disc would change their motion little, and patches are expensive while a
// pile lands.
//
// Contact points on meshes are few out of many, with different normals. So patches with a mesh are made from the volume
// that the bodies share, each grown by a skin: one for each direction in which their surfaces face each other, for any
// number of triangles. Until the bodies are that near, the points are used.
#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PatchContact;

constexpr double kCap = 0.999;  // cosine of 2.6 degrees: a cylinder that leans by less stands on its cap

/// Whether a collider can roll: spheres, capsules and cylinders.
bool rolls(const ContactInput& in, int collider) {
    const geometry::Shape& shape = in.model.bodies.colliders[static_cast<size_t>(collider)].shape;
    return std::holds_alternative<geometry::Sphere>(shape) || std::holds_alternative<geometry::Capsule>(shape) ||
           std::holds_alternative<geometry::Cylinder>(shape);
}
/// Whether it can roll on a contact with this normal: cylinders do not roll on their caps.
bool rolls_along(const ContactInput& in, int collider, const Vec3& normal) {
    const auto k = static_cast<size_t>(collider);
    if (!rolls(in, collider)) return false;
    return !std::holds_alternative<geometry::Cylinder>(in.model.bodies.colliders[k].shape) ||
           std::fabs(dot(rotate(in.search.collider_pose[k].orientation, {0, 0, 1}), normal)) < kCap;
}

/// Groups the contacts of a pair by direction. Those of each group that may touch within the step become a patch, or a
/// disc each; the others stay points. Returns the number of patches.
int group(const ContactInput& in, ContactSet& set, const surface::Pair& pair, size_t first, size_t last, PatchContact* out) {
    const bool patches = makes_patches(in.model.settings, pair);
    int count = 0;
    for (size_t i = first; i < last;) {
        const Vec3 normal = set.contacts[i].normal;
        const size_t end = gather(set, i, last, [&](const Contact& c) { return dot(c.normal, normal) >= kSameDirection; });
        double nearest = gap_at_end(in, set.contacts[i]);
        for (size_t k = i + 1; k < end; ++k) nearest = smaller(nearest, gap_at_end(in, set.contacts[k]));
        const double far = max_end_gap(in, nearest);
        const size_t near_end = gather(set, i, end, [&](const Contact& c) { return gap_at_end(in, c) <= far; });
        const auto add = [&](size_t from, size_t to) {
            out[count].first = static_cast<int>(from);
            out[count++].count = static_cast<int>(to - from);
        };
        const auto is_disc = [&](const Contact& c) {
            return patches || length_squared(in.state.bodies.velocity_at(c.body_b, c.point) -
                                             in.state.bodies.velocity_at(c.body_a, c.point)) <
                                  in.model.settings.bounce_threshold * in.model.settings.bounce_threshold;
        };
        if (pair.patch_radius > 0 &&
            (rolls_along(in, set.contacts[i].collider_a, normal) || rolls_along(in, set.contacts[i].collider_b, normal)))
            for (size_t k = i; k < near_end; ++k) {
                if (is_disc(set.contacts[k])) add(k, k + 1);
            }
        else if (patches)
            add(i, near_end);
        i = end;
    }
    return count;
}

/// The patches of a pair with a mesh that were made from the shared volume; null if there are none.
const geometry::PatchList* volume_patches_of(const ContactSet& set, size_t pair) {
    if (set.mesh_list_of[pair] < 0) return nullptr;
    const geometry::PatchList& list = set.shared_patches[static_cast<size_t>(set.mesh_list_of[pair])];
    return list.count > 0 ? &list : nullptr;
}

/// Fills all fields of a patch except the range of its contacts.
void fill_patch(const ContactInput& in, ContactSet& set, size_t index) {
    const auto pair = static_cast<size_t>(set.patch_pair[index]);
    const contact::PairMemory& memory = set.pair_memory[pair];
    PatchContact& p = set.patches[index];
    const int first = p.first, count = p.count;
    const auto first_of_pair = std::lower_bound(set.patch_pair.begin(), set.patch_pair.end(), set.patch_pair[index]);
    const auto number = index - static_cast<size_t>(first_of_pair - set.patch_pair.begin());
    const geometry::PatchList* list = volume_patches_of(set, pair);
    const geometry::Patch* shared = list && number < static_cast<size_t>(list->count) ? &list->items[number] : nullptr;
    p = {};
    p.first = first;
    p.count = count;
    p.at = set.contacts[static_cast<size_t>(count > 0 ? first : memory.first)];
    p.at.feature = static_cast<std::uint32_t>(number);
    if (shared) p.at.normal = shared->normal;
    if (shared) {
        p.at.point = shared->centre;
        p.at.gap = shared->gap;
        p.from_volume = true;
        p.u = shared->u;
        p.region = shared->region;
    } else {
        span_region(in, set, memory, p);
    }
    const auto in_body = [&](int body, const Vec3& point) {
        const auto i = static_cast<size_t>(body);
        return in.state.bodies.pose[i].to_local(point) + in.model.bodies.center[i];
    };
    p.at.local_a = in_body(p.at.body_a, p.at.point - 0.5 * p.at.gap * p.at.normal);
    p.at.local_b = in_body(p.at.body_b, p.at.point + 0.5 * p.at.gap * p.at.normal);
    for (int c = p.first; c < p.first + p.count; ++c) set.contacts[static_cast<size_t>(c)].in_patch = true;
}

}  // namespace

bool makes_patches(const Settings& settings, const surface::Pair& pair) {
    return pair.contact == surface::ContactModel::Unset ? settings.contact_model == surface::ContactModel::Patches
                                                        : pair.contact == surface::ContactModel::Patches;
}

void make_patches(const Model& model, const State& state, const Derived& derived, const PairSearch& search, double dt,
                  ContactSet& set) {
    const ContactInput in{model, state, derived, search, dt};
    set.patches.clear();
    set.patch_pair.clear();
    if (!derived.any_patches) return;
    const auto materials = [&](const contact::PairMemory& memory) -> const surface::Pair& {
        const Contact& any = set.contacts[static_cast<size_t>(memory.first)];
        return in.model.pairs.pair(any.material_a, any.material_b);
    };
    const auto wanted = [&](const contact::PairMemory& memory) {
        if (memory.count == 0) return false;
        const Contact& any = set.contacts[static_cast<size_t>(memory.first)];
        const surface::Pair& pair = materials(memory);
        return makes_patches(in.model.settings, pair) ||
               (pair.patch_radius > 0 && (rolls(in, any.collider_a) || rolls(in, any.collider_b)));
    };
    // Shared volumes of meshes, first and in parallel: they take by far the longest.
    parallel_for(
        static_cast<int>(set.pair_memory.size()),
        [&](int i) {
            const auto k = static_cast<size_t>(i);
            if (set.mesh_list_of[k] < 0 || met_in_patches(set, k) || !wanted(set.pair_memory[k])) return;
            geometry::PatchList& list = set.shared_patches[static_cast<size_t>(set.mesh_list_of[k])];
            list.count = 0;
            if (makes_patches(in.model.settings, materials(set.pair_memory[k])))
                patches_from_volume(in, set, set.pair_memory[k], list);
        },
        1);
    for (size_t k = 0; k < set.pair_memory.size(); ++k) {
        const contact::PairMemory& memory = set.pair_memory[k];
        if (!wanted(memory)) continue;
        const geometry::PatchList* shared = volume_patches_of(set, k);
        const size_t at = set.patches.size();
        const bool meshes = met_in_patches(set, k);
        set.patches.resize(at + static_cast<size_t>(shared ? shared->count + (meshes ? memory.count : 0) : memory.count));
        int count = shared ? shared->count : 0, first = memory.first;
        if (shared) first = group_covered_points(set, k, *shared, &set.patches[at]);
        // for two meshes, the points that no patch covers are few, and become patches
        if (!shared || meshes)
            count += group(in, set, materials(memory), static_cast<size_t>(first),
                           static_cast<size_t>(memory.first + memory.count), &set.patches[at + static_cast<size_t>(count)]);
        set.patches.resize(at + static_cast<size_t>(count));
        set.patch_pair.resize(set.patches.size(), static_cast<int>(k));
    }
    parallel_for(
        static_cast<int>(set.patches.size()), [&](int i) { fill_patch(in, set, static_cast<size_t>(i)); }, 8);
    inherit_impulses(in, set);
}

}  // namespace asperity::sim

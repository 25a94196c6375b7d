// How patches are made, file by file: make_patches.cpp decides which contacts are one patch, patch_region.cpp gives each its
// region, shared_patches.cpp makes those of meshes, and inherit_patches.cpp hands on what they carried.
#pragma once
#include <algorithm>

#include "asperity/geometry/shared_volume/make_patch.h"
#include "asperity/sim/position_pass.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {

constexpr double kSameDirection = 0.9998;  // cosine of 1 degree: normals within it make one patch

/// The gap that a point would have at the end of the step if nothing stopped it. Of the contact, or of another point of the
/// same two bodies.
inline double coming_gap(const World& world, const StepData& d, const contact::Contact& c, const Vec3& point, double gap) {
    const double approach =
        dot(c.normal, world.bodies.velocity_at(c.body_b, point) - world.bodies.velocity_at(c.body_a, point));
    return gap + d.dt * smaller(approach, 0.0);
}
inline double coming_gap(const World& world, const StepData& d, const contact::Contact& c) {
    return coming_gap(world, d, c, c.point, c.gap);
}
/// Points that stay farther away than this do not take part, as the upper rim of a coin that leans; they stay points.
inline double farthest_of_patch(const World& world, double nearest) {
    return larger(nearest, 0.0) + 0.2 * world.settings.contact_margin;
}

/// Moves the contacts of [first, last) that `belong` to its front, in their order; returns the end of these.
template <class Belongs>
size_t gather(StepData& d, size_t first, size_t last, const Belongs& belongs) {
    size_t end = first;
    for (size_t k = first; k < last; ++k) {
        if (!belongs(d.contacts[k])) continue;
        const auto from = static_cast<std::ptrdiff_t>(end), to = static_cast<std::ptrdiff_t>(k);  // nearly always the same
        std::rotate(d.contacts.begin() + from, d.contacts.begin() + to, d.contacts.begin() + to + 1);
        std::rotate(d.gap.begin() + from, d.gap.begin() + to, d.gap.begin() + to + 1);
        ++end;
    }
    return end;
}

/// Region, centre, gap and axis u of a patch, from its contacts and the faces that they belong to; contacts that have no
/// part in it are taken from it. `memory` is that of its pair.
void span_region(const World& world, StepData& d, const contact::PairMemory& memory, contact::PatchContact& p);

/// A rectangle that presses with its edge alone is pressed in there by four times the mean, a disc by five.
constexpr double kEdgeDepth = 5;
/// How deep the springs of a patch of that compliance [m/N] are, on the mean, under the load that it began the step with
/// [m]; ten times what the position pass lets be on top.
inline double spring_depth(double compliance, const contact::PatchContact& p, double dt) {
    return compliance * p.load / dt + 10 * kAllowedError;
}

/// What the patches of the last step have carried.
void inherit_impulses(const World& world, StepData& d);

/// Contacts of two closed meshes whose pair makes patches: the patches and their points at once. `ahead` is how far they may
/// close in within the step [m]. False where the pair is no such.
bool meet_in_patches(const World& world, StepData& d, size_t pair, double ahead, std::span<const contact::Contact> previous);
/// Whether a pair was one.
inline bool met_in_patches(const StepData& d, size_t pair) {
    return d.mesh_list_of[pair] >= 0 && d.met_in_patches[static_cast<size_t>(d.mesh_list_of[pair])];
}
/// Patches of the pair with a mesh from the volume it shares with the other body; none where they do not touch or the mesh
/// has no inside.
void share_volume(const World& world, const StepData& d, const contact::PairMemory& memory, geometry::PatchList& out);
/// Brings the points that each patch covers together; what none covers is still a point, such as the other foot that comes
/// down. Returns the end of those that are covered.
int share_points(StepData& d, size_t pair, const geometry::PatchList& list, contact::PatchContact* out);

}  // namespace asperity::sim

// How patches are made, file by file: make_patches.cpp decides which contacts are one patch, patch_region.cpp gives each its
// region, shared_patches.cpp makes those of meshes, and inherit_patches.cpp hands on what they carried.
#pragma once
#include <algorithm>

#include "asperity/geometry/shared_volume/make_patch.h"
#include "asperity/sim/position_pass.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {

/// What find_contacts and make_patches read.
struct ContactInput {
    const Model& model;
    const State& state;
    const Derived& derived;
    const PairSearch& search;
    double dt;
};

constexpr double kSameDirection = 0.9998;  // cosine of 1 degree: normals within it make one patch

/// The gap that a point would have at the end of the step if nothing stopped it. Of the contact, or of another point of the
/// same two bodies.
inline double coming_gap(const ContactInput& in, const contact::Contact& c, const Vec3& point, double gap) {
    const double approach =
        dot(c.normal, in.state.bodies.velocity_at(c.body_b, point) - in.state.bodies.velocity_at(c.body_a, point));
    return gap + in.dt * smaller(approach, 0.0);
}
inline double coming_gap(const ContactInput& in, const contact::Contact& c) { return coming_gap(in, c, c.point, c.gap); }
/// Points that stay farther away than this do not take part, as the upper rim of a coin that leans; they stay points.
inline double farthest_of_patch(const ContactInput& in, double nearest) {
    return larger(nearest, 0.0) + 0.2 * in.model.settings.contact_margin;
}

/// Moves the contacts of [first, last) that `belong` to its front, in their order; returns the end of these.
template <class Belongs>
size_t gather(ContactSet& set, size_t first, size_t last, const Belongs& belongs) {
    size_t end = first;
    for (size_t k = first; k < last; ++k) {
        if (!belongs(set.contacts[k])) continue;
        const auto from = static_cast<std::ptrdiff_t>(end), to = static_cast<std::ptrdiff_t>(k);  // nearly always the same
        std::rotate(set.contacts.begin() + from, set.contacts.begin() + to, set.contacts.begin() + to + 1);
        std::rotate(set.gap.begin() + from, set.gap.begin() + to, set.gap.begin() + to + 1);
        ++end;
    }
    return end;
}

/// Region, centre, gap and axis u of a patch, from its contacts and the faces that they belong to; contacts that have no
/// part in it are taken from it. `memory` is that of its pair.
void span_region(const ContactInput& in, ContactSet& set, const contact::PairMemory& memory, contact::PatchContact& p);

/// A rectangle that presses with its edge alone is pressed in there by four times the mean, a disc by five.
constexpr double kEdgeDepth = 5;
/// How deep the springs of a patch of that compliance [m/N] are, on the mean, under the load that it began the step with
/// [m]; ten times what the position pass lets be on top.
inline double spring_depth(double compliance, const contact::PatchContact& p, double dt) {
    return compliance * p.load / dt + 10 * kAllowedError;
}

/// Whether contacts between these materials become patches.
bool makes_patches(const Settings& settings, const surface::Pair& pair);
/// How patches of a pair are kept apart, every field set.
surface::Stabilisation stabilisation_of(const Settings& settings, const surface::Pair& pair);
/// Gives a patch the compliance of its pair: of its rows, and in the demand on its normal velocity.
void set_compliance(const Model& model, const ContactSet& set, double dt, size_t patch, solvers::PatchConstraint& out);

/// Demands on the poses of pairs whose overlap is corrected by volume, and no demand where patches have a compliance.
void correct_volumes(const Model& model, const State& state, const PairSearch& search, const ContactSet& set,
                     const solvers::ContactProblem& problem, double dt, PositionSolve& out);

/// What the patches of the last step have carried.
void inherit_impulses(const ContactInput& in, ContactSet& set);

/// Contacts of two closed meshes whose pair makes patches: the patches and their points at once. `ahead` is how far they may
/// close in within the step [m]. False where the pair is no such.
bool meet_in_patches(const ContactInput& in, ContactSet& set, size_t pair, double ahead,
                     std::span<const contact::Contact> previous);
/// Whether a pair was one.
inline bool met_in_patches(const ContactSet& set, size_t pair) {
    return set.mesh_list_of[pair] >= 0 && set.met_in_patches[static_cast<size_t>(set.mesh_list_of[pair])];
}
/// Patches of the pair with a mesh from the volume it shares with the other body; none where they do not touch or the mesh
/// has no inside.
void share_volume(const ContactInput& in, const ContactSet& set, const contact::PairMemory& memory,
                  geometry::PatchList& out);
/// Brings the points that each patch covers together; what none covers is still a point, such as the other foot that comes
/// down. Returns the end of those that are covered.
int share_points(ContactSet& set, size_t pair, const geometry::PatchList& list, contact::PatchContact* out);

}  // namespace asperity::sim

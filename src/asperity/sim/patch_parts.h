// Parts of make_patches. make_patches.cpp selects the contacts of each patch; patch_region.cpp computes its region;
// shared_patches.cpp makes the patches of meshes; inherit_patches.cpp transfers the impulses of the last step.
#pragma once
#include <algorithm>

#include "asperity/geometry/shared_volume/make_patch.h"
#include "asperity/sim/position_pass.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {

/// Inputs of find_contacts and make_patches.
struct ContactInput {
    const Model& model;
    const State& state;
    const Derived& derived;
    const PairSearch& search;
    double dt;
};

constexpr double kSameDirection = 0.9998;  // cosine of 1 degree: contacts with normals this close form one patch

/// Gap at the end of the step if nothing stops the bodies; a gap that opens counts with its present value. `point` and
/// `gap` may be those of another point of the same two bodies.
inline double gap_at_end(const ContactInput& in, const contact::Contact& c, const Vec3& point, double gap) {
    const double approach =
        dot(c.normal, in.state.bodies.velocity_at(c.body_b, point) - in.state.bodies.velocity_at(c.body_a, point));
    return gap + in.dt * smaller(approach, 0.0);
}
inline double gap_at_end(const ContactInput& in, const contact::Contact& c) { return gap_at_end(in, c, c.point, c.gap); }
/// Largest end gap of the points of a patch; points beyond it stay points. Example: the upper rim of a coin that leans.
inline double max_end_gap(const ContactInput& in, double nearest) {
    return larger(nearest, 0.0) + 0.2 * in.model.settings.contact_margin;
}

/// Moves the contacts of [first, last) for which belongs(contact) holds to the front of the range, in their order.
/// Returns the end of these contacts.
template <class Belongs>
size_t gather(ContactSet& set, size_t first, size_t last, const Belongs& belongs) {
    size_t end = first;
    for (size_t k = first; k < last; ++k) {
        if (!belongs(set.contacts[k])) continue;
        const auto from = static_cast<std::ptrdiff_t>(end), to = static_cast<std::ptrdiff_t>(k);  // usually equal
        std::rotate(set.contacts.begin() + from, set.contacts.begin() + to, set.contacts.begin() + to + 1);
        std::rotate(set.gap.begin() + from, set.gap.begin() + to, set.gap.begin() + to + 1);
        ++end;
    }
    return end;
}

/// Computes region, centre, gap and axis u of a patch from its contacts and the touching faces. Removes contacts from
/// the patch that cannot be part of it. `memory` belongs to the pair of the patch.
void span_region(const ContactInput& in, ContactSet& set, const contact::PairMemory& memory, contact::PatchContact& p);

/// The region of a patch as the limits of its wrench take it.
friction::PressureRegion pressure_region(const geometry::PatchRegion& region, bool rolls);

/// Depth at the loaded edge over the mean depth, for springs of which only the edge is loaded: four for a rectangle,
/// five for a disc.
constexpr double kEdgeDepth = 5;
/// Mean depth of the springs of a patch with this compliance [m/N] under the load at the start of the step [m], plus
/// ten times the error that the position pass permits.
inline double spring_depth(double compliance, const contact::PatchContact& p, double dt) {
    return compliance * p.load / dt + 10 * kAllowedError;
}

/// Whether contacts between these materials become patches.
bool makes_patches(const Settings& settings, const surface::Pair& pair);
/// Overlap correction and compliance of the patches of a pair, with defaults resolved: every field is set.
surface::Stabilisation stabilisation_of(const Settings& settings, const surface::Pair& pair);
/// Adds the compliance of the pair to the rows of a patch and to the bias of its normal rows.
void set_compliance(const Model& model, const ContactSet& set, double dt, size_t patch, solvers::PatchConstraint& out);

/// Rows of the position pass for pairs whose overlap is corrected by volume, and gap rates of compliant patches.
void correct_volumes(const Model& model, const State& state, const PairSearch& search, const ContactSet& set,
                     const solvers::ContactProblem& problem, double dt, PositionSolve& out);

/// Transfers the impulses of the patches of the last step to those of this step.
void inherit_impulses(const ContactInput& in, ContactSet& set);

/// Makes patches and their points in the narrow phase, for two closed meshes whose pair makes patches. `ahead` bounds
/// their approach within the step [m]. Returns false for other pairs.
bool collide_closed_meshes(const ContactInput& in, ContactSet& set, size_t pair, double ahead,
                           std::span<const contact::Contact> previous);
/// Whether collide_closed_meshes() has handled the pair.
inline bool met_in_patches(const ContactSet& set, size_t pair) {
    return set.mesh_list_of[pair] >= 0 && set.met_in_patches[static_cast<size_t>(set.mesh_list_of[pair])];
}
/// Makes the patches of a pair with a mesh from the volume that it shares with the other body. None if the bodies do
/// not touch or the mesh has no inside.
void patches_from_volume(const ContactInput& in, const ContactSet& set, const contact::PairMemory& memory,
                         geometry::PatchList& out);
/// Groups the points of the pair by the patch that covers them. Points that no patch covers stay points, for example on
/// a foot that is still coming down. Returns the end of the covered points.
int group_covered_points(ContactSet& set, size_t pair, const geometry::PatchList& list, contact::PatchContact* out);

}  // namespace asperity::sim

// Everything that decides the future of a world, given its model. A snapshot is a copy of this struct.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "asperity/contact/patch_contact.h"
#include "asperity/math/dense.h"
#include "asperity/rigid/body.h"
#include "asperity/rigid/joint.h"
#include "asperity/sim/drag.h"

namespace asperity::sim {

/// Contacts with their impulses: the warm start of the next step.
struct ContactMemory {
    std::vector<contact::Contact> contacts;        ///< sorted by (pair, feature)
    std::vector<contact::PairMemory> pair_memory;  ///< sorted by pair; each knows where its contacts begin
    std::vector<contact::PatchContact> patches;    ///< sorted by pair

    // Points and patches as one list of entries: first the contacts, then the patches, each as a point at its centre.
    size_t entry_count() const { return contacts.size() + patches.size(); }
    const contact::Contact& entry(size_t i) const {
        return i < contacts.size() ? contacts[i] : patches[i - contacts.size()].at;
    }
    /// The direction that the axes of an entry followed in the last step.
    const Vec3& previous_axis(size_t i) const {
        return i < contacts.size() ? contacts[i].t : patches[i - contacts.size()].u;
    }
};

struct State {
    rigid::BodyStates bodies;
    ContactMemory active;   ///< of the last step
    ContactMemory dormant;  ///< of sleeping islands, as they were when these fell asleep
    /// Impulses of each joint's blocks in the last step [N s, N m s].
    std::vector<std::array<Block6, rigid::kMaxJointBlocks>> joint_impulses;
    std::vector<Drag> drags;
    /// Hash of all removals of bodies and joints so far; 0: none. A state fits a world with the same value.
    std::uint64_t removals = 0;
    int next_drag = 0;      ///< the number of the next drag
    double time = 0;        ///< [s]
    double time_carry = 0;  ///< rounding error of the sum of all steps so far [s]
    int steps_done = 0;
    double last_dt = 0;  ///< of the last (sub)step [s]; forces = impulses / last_dt
};

}  // namespace asperity::sim

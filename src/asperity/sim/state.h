// The state of a world: together with the model it determines all future steps. A snapshot is a copy of this struct.
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
    std::vector<contact::Contact> contacts;        ///< sorted by pair
    std::vector<contact::PairMemory> pair_memory;  ///< sorted by pair; each holds the range of its contacts
    std::vector<contact::PatchContact> patches;    ///< sorted by pair

    // Entries: the contacts, then the patches, each patch as a point contact at its centre.
    size_t entry_count() const { return contacts.size() + patches.size(); }
    const contact::Contact& entry(size_t i) const {
        return i < contacts.size() ? contacts[i] : patches[i - contacts.size()].at;
    }
    /// The direction that determined the tangent axes of the entry in the last step.
    const Vec3& previous_axis(size_t i) const {
        return i < contacts.size() ? contacts[i].t : patches[i - contacts.size()].u;
    }
};

struct State {
    rigid::BodyStates bodies;
    ContactMemory active;   ///< contacts of the last step between bodies that are awake
    ContactMemory dormant;  ///< contacts of sleeping islands, unchanged since the island fell asleep
    /// Impulses of each joint's blocks in the last step [N s, N m s].
    std::vector<std::array<Block6, rigid::kMaxJointBlocks>> joint_impulses;
    std::vector<Drag> drags;
    /// Hash of all removals of bodies and joints so far; 0: none. A state fits a world with the same value.
    std::uint64_t removals = 0;
    int next_drag = 0;      ///< id of the next drag
    double time = 0;        ///< [s]
    double time_carry = 0;  ///< compensation term of the sum of all steps [s]
    int steps_done = 0;
    double last_dt = 0;  ///< of the last (sub)step [s]; forces = impulses / last_dt
};

}  // namespace asperity::sim

#include "asperity/sim/check_state.h"

#include <fmt/format.h>
#include <cmath>
#include <limits>

namespace asperity::sim {
namespace {

// Squares of larger numbers overflow, and no world has them: the diameter of the visible universe is 1e27 m.
constexpr double kLargest = 1e60;

bool sound(double x) { return std::fabs(x) <= kLargest; }  // false for NaN
bool sound(const Vec3& v) { return sound(v.x) && sound(v.y) && sound(v.z); }
bool sound(const Quat& q) {
    // Poses are normalised in every step; 1e-3 leaves room for a user who sets them.
    return std::fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-3;
}

/// An island is named after its smallest body, and all its bodies are dynamic.
std::string islands(const Model& model, const rigid::BodyStates& b) {
    for (size_t i = 0; i < b.island.size(); ++i) {
        const int root = b.island[i];
        if (root == -1) continue;
        if (root < 0 || root > static_cast<int>(i) || b.island[static_cast<size_t>(root)] != root ||
            !model.is_dynamic(static_cast<int>(i)))
            return "a body sleeps in an island that does not exist";
    }
    return {};
}

std::string bodies(const Model& model, const rigid::BodyStates& b) {
    const size_t count = model.bodies.motion.size();
    for (const size_t size : {b.pose.size(), b.velocity.size(), b.angular_velocity.size(), b.angular_impulse.size(),
                              b.trusted_impulse.size(), b.island.size(), b.quiet_time.size()})
        if (size != count) return fmt::format("the snapshot has {} bodies, the world has {}", size, count);
    for (size_t i = 0; i < count; ++i) {
        const auto wrong = [&](const char* what) { return fmt::format("body \"{}\" has {}", model.bodies.name[i], what); };
        if (!sound(b.pose[i].position) || !sound(b.velocity[i]) || !sound(b.angular_velocity[i]))
            return wrong("a position or velocity that is not finite");
        if (!sound(b.pose[i].orientation)) return wrong("an orientation that is no unit quaternion");
        if (!sound(b.angular_impulse[i]) || !sound(b.trusted_impulse[i])) return wrong("an impulse that is not finite");
        if (!(b.quiet_time[i] >= 0) || !sound(b.quiet_time[i])) return wrong("been quiet for no time that there is");
    }
    return islands(model, b);
}

std::string entry(const Model& model, const contact::Contact& c) {
    const size_t colliders = model.bodies.colliders.size();
    const size_t a = contact::pair_low(c.pair), b = contact::pair_high(c.pair);
    if (a >= colliders || b >= colliders) return "a contact is on a shape that does not exist";
    for (const Vec3& v : {c.impulse, c.t, c.local_a, c.local_b, c.local_normal, c.point, c.normal})
        if (!sound(v)) return "a contact has a number that is not finite";
    if (!sound(c.gap) || !sound(c.drilling)) return "a contact has a number that is not finite";
    return {};
}

/// Pairs ascend, and their contacts follow each other without gaps.
std::string memory(const Model& model, const ContactMemory& m) {
    for (const contact::Contact& c : m.contacts)
        if (std::string why = entry(model, c); !why.empty()) return why;
    const size_t colliders = model.bodies.colliders.size();
    size_t next = 0;
    std::uint64_t last = 0;
    for (size_t i = 0; i < m.pair_memory.size(); ++i) {
        const contact::PairMemory& pair = m.pair_memory[i];
        const size_t a = contact::pair_low(pair.pair), b = contact::pair_high(pair.pair);
        if (a >= colliders || b >= colliders) return "a contact is on a shape that does not exist";
        if (model.bodies.collider_body[a] == model.bodies.collider_body[b]) return "a body touches itself";
        if (i > 0 && pair.pair <= last) return "its pairs of shapes are not in order";
        last = pair.pair;
        if (pair.first < 0 || pair.count < 0 || static_cast<size_t>(pair.first) != next ||
            static_cast<size_t>(pair.count) > m.contacts.size() - next)
            return "a pair of shapes has contacts that do not exist";
        for (const size_t end = next + static_cast<size_t>(pair.count); next < end; ++next)
            if (m.contacts[next].pair != pair.pair) return "a contact belongs to another pair than its place says";
        if (std::isnan(pair.margin) || !sound(pair.relative_pose.position)) return "a pair has a number that is not finite";
    }
    if (next != m.contacts.size()) return "a contact belongs to no pair";
    last = 0;
    for (const contact::PatchContact& p : m.patches) {
        if (std::string why = entry(model, p.at); !why.empty()) return why;
        if (p.at.pair < last) return "its patches are not in order";
        last = p.at.pair;
        if (!sound(p.torque) || !sound(p.pressed) || !sound(Vec3{p.pressure.x, p.pressure.y, p.reach}))
            return "a patch has a number that is not finite";
    }
    return {};
}

}  // namespace

std::string defect(const Model& model, const State& state, size_t joints) {
    if (std::string why = bodies(model, state.bodies); !why.empty()) return why;
    if (state.joint_impulses.size() != joints + state.drags.size())
        return fmt::format("the snapshot has {} joints, the world has {}", state.joint_impulses.size() - state.drags.size(),
                           joints);
    for (const auto& joint : state.joint_impulses)
        for (const Block6& block : joint)
            for (const double impulse : block)
                if (!sound(impulse)) return "a joint has an impulse that is not finite";
    for (size_t i = 0; i < state.drags.size(); ++i) {
        const Drag& drag = state.drags[i];
        if (drag.body < 0 || drag.body >= model.bodies.count() || !model.is_dynamic(drag.body))
            return fmt::format("drag {} draws a body that cannot be dragged", drag.id.number);
        if (!sound(drag.point) || !sound(drag.target) || !(drag.stiffness >= 0 && drag.damping >= 0) ||
            !(drag.max_force >= 0 && drag.angular_damping >= 0) || !sound(drag.stiffness) || !sound(drag.damping) ||
            !sound(drag.angular_damping))
            return fmt::format("drag {} has a number that is not finite, or negative", drag.id.number);
        if (drag.id.number < 0 || drag.id.number == std::numeric_limits<int>::max() ||
            (i > 0 && drag.id.number <= state.drags[i - 1].id.number))
            return "its drags are not in order";
    }
    for (const ContactMemory* m : {&state.active, &state.dormant})
        if (std::string why = memory(model, *m); !why.empty()) return why;
    if (!sound(state.time) || state.time < 0 || !sound(state.time_carry) || !(state.last_dt >= 0) || !sound(state.last_dt) ||
        state.steps_done < 0)
        return "its time or number of steps is negative or not finite";
    return {};
}

}  // namespace asperity::sim

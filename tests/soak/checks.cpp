// The soak's checks, one function per invariant.
#include "checks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "asperity/geometry/shape/shape.h"
#include "asperity/sim/position_pass.h"
#include "asperity/sim/step_data.h"
#include "hidden_overlap.h"

namespace asperity::soak {
namespace {

constexpr double kOverlapShare = 0.1;  ///< of the thinnest body
constexpr double kOverlapKept = 0.8;   ///< share of an overlap that the position pass leaves per step
/// Share of a corner's depth that a correction by volume leaves: V ~ depth^3, so a fifth of V is a fifteenth of the depth.
constexpr double kVolumeKept = 1 - 0.2 / 3;
constexpr double kTransitions = 3;  ///< changes of state in succession
constexpr double kTurning = 1;
constexpr double kSolver = 1e-6;  ///< of the kinetic energy

/// The bounding box of a body in its own axes, with the centre of mass at the origin.
geometry::Aabb extent(const rigid::Bodies& bodies, int i) {
    geometry::Aabb box{{1e30, 1e30, 1e30}, {-1e30, -1e30, -1e30}};
    for (int k = 0; k < bodies.collider_count[i]; ++k) {
        const rigid::Collider& collider = bodies.colliders[bodies.first_collider[i] + k];
        const geometry::Aabb part = geometry::bounds(collider.shape, collider.local);
        box = {min(box.low, part.low), max(box.high, part.high)};
    }
    return box;
}

/// Sum over all pairs of the greatest depth of the pair plus the tolerance of the position pass [m]. Contacts are sorted by
/// pair.
double sum_of_overlaps(const sim::World& world, double dt) {
    const double solved = std::max(sim::kAllowedError, dt * world.model.settings.solve.tolerance);
    double sum = 0, deepest = 0;
    for (std::size_t i = 0; i < world.state.active.contacts.size(); ++i) {
        deepest = std::max(deepest, -world.state.active.contacts[i].gap);
        if (i + 1 < world.state.active.contacts.size() &&
            world.state.active.contacts[i + 1].pair == world.state.active.contacts[i].pair)
            continue;
        sum += deepest + solved;
        deepest = 0;
    }
    return sum;
}

/// Displacement of a centre of mass per radian of joint error: the longer of the two arms [m].
double arm_of(const sim::World& world, const rigid::Joint& joint) {
    double arm = 0;
    for (const auto& [id, frame] : {std::pair{joint.a, joint.frame_a}, std::pair{joint.b, joint.frame_b}})
        if (!id.is_world() && world.model.bodies.motion[id.index] == rigid::Motion::Dynamic)
            arm = std::max(arm, length(frame.position));
    return arm;
}

/// Sum over all joints of the correction due at the start of the step [m]: the linear error, plus the angular error times
/// the arm. An error inside a limit does not count.
double sum_of_joint_errors(const sim::World& world) {
    const sim::Assembly& d = world.data().assembly;
    double sum = 0;
    for (std::size_t i = 0; i < world.model.joints.size() && i < d.joint_block_count.size(); ++i) {
        double apart2 = 0, turned2 = 0;
        for (int k = 0; k < d.joint_block_count[i]; ++k) {
            const rigid::JointBlock& block = d.joints[i][k];
            if (!block.holds_position) continue;
            for (int r = 0; r < block.rows; ++r) {
                double error = block.row[r].error;
                if (std::isfinite(block.low)) error = std::min(error, 0.0);  // acts upwards only: a value above is no error
                if (std::isfinite(block.high)) error = std::max(error, 0.0);
                (block.row[r].linear == Vec3{} ? turned2 : apart2) += error * error;
            }
        }
        sum += std::sqrt(apart2) + std::sqrt(turned2) * arm_of(world, world.model.joints[i]);
    }
    return sum;
}

/// Energy of a point spring, k d^2 / 2; 0 for other joints.
double spring_energy(const rigid::Joint& joint, const rigid::BodyStates& bodies) {
    const auto* spring = std::get_if<rigid::PointSpring>(&joint.kind);
    if (!spring) return 0;
    const double d = rigid::coordinate(joint, bodies);
    return 0.5 * spring->stiffness * d * d;
}

/// Kinetic energy plus energy of gravity.
double body_energy(const sim::World& world, int i) {
    if (world.model.bodies.motion[i] != rigid::Motion::Dynamic) return 0;
    return rigid::kinetic_energy(world.model.bodies, world.state.bodies, i) -
           world.model.bodies.mass[i] * dot(world.model.settings.gravity, world.state.bodies.pose[i].position);
}

std::string deepest_pair(const sim::World& world) {
    const auto deepest = std::min_element(world.state.active.contacts.begin(), world.state.active.contacts.end(),
                                          [](const auto& a, const auto& b) { return a.gap < b.gap; });
    if (deepest == world.state.active.contacts.end()) return "no contact";
    const auto name = [&](int body, int collider) {
        return fmt::format("{} ({})", world.model.bodies.name[body],
                           geometry::name(world.model.bodies.colliders[collider].shape));
    };
    return fmt::format("deepest contact {} - {}, gap {:.3g} m", name(deepest->body_a, deepest->collider_a),
                       name(deepest->body_b, deepest->collider_b), deepest->gap);
}

}  // namespace

Checks::Checks(const sim::World& world, double dt, Room room)
    : room_(room), dt_(dt), gravity_(length(world.model.settings.gravity)) {
    thinnest_ = std::numeric_limits<double>::infinity();
    joint_arm_.assign(static_cast<std::size_t>(world.model.bodies.count()), std::numeric_limits<double>::infinity());
    for (const rigid::Joint& joint : world.model.joints) {
        for (const auto& [id, frame] : {std::pair{joint.a, joint.frame_a}, std::pair{joint.b, joint.frame_b}}) {
            if (!id.is_world())
                joint_arm_[id.index] = std::min(joint_arm_[id.index], std::max(0.05, length(frame.position)));
        }
    }
    thickness_.assign(joint_arm_.size(), 0);
    radius_.assign(joint_arm_.size(), 0);
    lifted_.assign(joint_arm_.size(), 0);
    for (int i = 0; i < world.model.bodies.count(); ++i) {
        if (world.model.bodies.motion[i] != rigid::Motion::Dynamic) continue;
        mass_ += world.model.bodies.mass[i];
        const geometry::Aabb box = extent(world.model.bodies, i);
        const Vec3 size = box.high - box.low;
        thickness_[i] = std::min({size.x, size.y, size.z});
        radius_[i] = length(max(abs(box.low), abs(box.high)));
        thinnest_ = std::min(thinnest_, thickness_[i]);
        ++bodies_;
    }
    joints_ = static_cast<int>(world.model.joints.size());
    lowest_energy_ = start_energy_ = last_energy_ = energy(world);
    largest_kinetic_ = world.kinetic_energy();
    overlap_error_ = overlap_error(world);
    remember(world);
}

void Checks::remember(const sim::World& world) {
    pose_ = world.state.bodies.pose;
    velocity_ = world.state.bodies.velocity;
    spin_ = world.state.bodies.angular_velocity;
    body_energy_.resize(pose_.size());
    for (int i = 0; i < world.model.bodies.count(); ++i) body_energy_[i] = body_energy(world, i);
}

/// Time, energy, residual, and the body whose own energy rose most, with the contacts that pushed it.
std::string Checks::describe(const sim::World& world, const sim::StepReport& report) const {
    int gainer = 0;
    const auto gain = [&](int i) { return body_energy(world, i) - body_energy_[i]; };
    for (int i = 1; i < world.model.bodies.count(); ++i) gainer = gain(i) > gain(gainer) ? i : gainer;
    std::string text = fmt::format(
        "{:.4f} s  energy {:.6g} J ({:+.3g})  residual {:.2g} in {} sweeps  overlap {:.2g}  {} {:+.3g} J:", world.state.time,
        energy(world), energy(world) - last_energy_, report.residual, report.sweeps, report.penetration,
        world.model.bodies.name[gainer], gain(gainer));
    for (const contact::Contact& c : world.state.active.contacts) {
        if ((c.body_a != gainer && c.body_b != gainer) || !(length(c.impulse) > 0)) continue;
        const Vec3 before = velocity_at(c.body_b, c.point) - velocity_at(c.body_a, c.point);
        const auto after = [&](int i) {
            return world.state.bodies.velocity[i] +
                   cross(world.state.bodies.angular_velocity[i], c.point - pose_[i].position);
        };
        const Vec3 now = after(c.body_b) - after(c.body_a);
        text += fmt::format(" [{} gap {:.2g} u_n {:.3g} -> {:.3g} u_t {:.3g} -> {:.3g} impulse {:.3g}]",
                            world.model.bodies.name[c.body_a == gainer ? c.body_b : c.body_a], c.gap, dot(c.normal, before),
                            dot(c.normal, now), length(before - dot(c.normal, before) * c.normal),
                            length(now - dot(c.normal, now) * c.normal), length(c.impulse));
    }
    return text;
}

double Checks::energy(const sim::World& world) const {
    double sum = world.kinetic_energy() + world.potential_energy();
    for (const rigid::Joint& joint : world.model.joints) sum += spring_energy(joint, world.state.bodies);
    return sum;
}

double Checks::turning_error(const sim::World& world) const {
    double sum = 0;
    for (int i = 0; i < world.model.bodies.count(); ++i) {
        if (world.model.bodies.motion[i] != rigid::Motion::Dynamic) continue;
        const double turn =
            dt_ * (length(world.state.bodies.angular_velocity[i]) + length(world.state.bodies.velocity[i]) / joint_arm_[i]);
        sum += turn * turn * rigid::kinetic_energy(world.model.bodies, world.state.bodies, i);
    }
    return sum;
}

double Checks::lift(const sim::World& world, int i) const {
    if (world.model.bodies.motion[i] != rigid::Motion::Dynamic) return 0;
    const Vec3 moved = world.state.bodies.pose[i].position - pose_[i].position;
    return -world.model.bodies.mass[i] *
           dot(world.model.settings.gravity, moved - 0.5 * dt_ * (velocity_[i] + world.state.bodies.velocity[i]));
}

std::string Checks::check_place(const sim::World& world) const {
    const rigid::Bodies& bodies = world.model.bodies;
    const rigid::BodyStates& states = world.state.bodies;
    for (int i = 0; i < bodies.count(); ++i) {
        if (bodies.motion[i] != rigid::Motion::Dynamic) continue;
        const Vec3& p = states.pose[i].position;
        if (!is_finite(p) || !is_finite(states.velocity[i]) || !is_finite(states.angular_velocity[i])) {
            return fmt::format("{} is not finite", bodies.name[i]);
        }
        if (!(std::abs(p.x) < room_.half && std::abs(p.y) < room_.half && p.z > 0 && p.z < room_.height)) {
            return fmt::format("{} left the room: centre at ({:.3f}, {:.3f}, {:.3f}); {}", bodies.name[i], p.x, p.y, p.z,
                               deepest_pair(world));
        }
    }
    return {};
}

double Checks::overlap_error(const sim::World& world) const {
    double largest = 0;
    for (int i = 0; i < world.model.bodies.count(); ++i) {
        if (thickness_[i] == 0) continue;
        const double travel =
            dt_ * (length(world.state.bodies.velocity[i]) + length(world.state.bodies.angular_velocity[i]) * radius_[i]);
        largest = std::max(largest, std::min(travel, travel * travel / thickness_[i]));
    }
    return largest;
}

std::string Checks::check_overlap(const sim::World& world, const sim::StepReport& report) {
    // The report has the overlap at the start of the step, so the allowance is that of the steps before.
    const double allowed = kOverlapShare * thinnest_ + 2 * overlap_error_;
    const bool by_volume = world.model.settings.stabilisation.overlap == surface::OverlapBy::Volume;
    overlap_error_ = std::max((by_volume ? kVolumeKept : kOverlapKept) * overlap_error_, overlap_error(world));
    deepest_ = std::max(deepest_, report.penetration);
    largest_overlap_share_ = std::max(largest_overlap_share_, report.penetration / allowed);
    // Overlaps with meshes are those after the step.
    if (const HiddenOverlap hidden = deepest_in_meshes(world);
        hidden.depth > kOverlapShare * thinnest_ + 2 * overlap_error_) {
        return fmt::format("{}, {:.3g} m deep, allowed {:.3g} m, the thinnest body has {:.3g} m", hidden.who, hidden.depth,
                           kOverlapShare * thinnest_ + 2 * overlap_error_, thinnest_);
    }
    if (report.penetration <= allowed) return {};
    return fmt::format("overlap of {:.3g} m, allowed {:.3g} m, the thinnest body has {:.3g} m; {}", report.penetration,
                       allowed, thinnest_, deepest_pair(world));
}

std::string Checks::check_energy(const sim::World& world, const sim::StepReport& report) {
    double fastest = 0;
    for (std::size_t i = 0; i < velocity_.size(); ++i) {
        fastest =
            std::max({fastest, length(velocity_[i]) + length(spin_[i]) * radius_[i],
                      length(world.state.bodies.velocity[i]) + length(world.state.bodies.angular_velocity[i]) * radius_[i]});
    }
    const double overlaps = sum_of_overlaps(world, dt_) + sum_of_joint_errors(world);
    double lifted = 0;
    for (int i = 0; i < world.model.bodies.count(); ++i) lifted += lift(world, i);
    const double most = mass_ * gravity_ * (overlaps + 0.5 * dt_ * fastest) + 1e-6;
    largest_lift_share_ = std::max(largest_lift_share_, lifted / most);
    if (lifted > most) {
        return fmt::format(
            "the position pass lifted by {:.3g} J, allowed {:.3g} J (overlap {:.3g} m, fastest {:.3g} m/s); {}", lifted,
            most, report.penetration, fastest, deepest_pair(world));
    }
    const double now = energy(world), rise = now - lowest_energy_;
    overlaps_ = std::max(overlaps_, overlaps);
    double out_of_overlaps = 0;
    for (int i = 0; i < world.model.bodies.count(); ++i) {
        lifted_[i] += std::max(0.0, lift(world, i));
        out_of_overlaps += std::min(lifted_[i], world.model.bodies.mass[i] * gravity_ * overlaps_);
    }
    turning_ = std::max(turning_, turning_error(world));
    const double landing = mass_ * gravity_ * gravity_ * dt_ * dt_ / 8;
    const double allowed = out_of_overlaps + kTransitions * landing + kTurning * turning_ + kSolver * largest_kinetic_;
    largest_rise_ = std::max(largest_rise_, rise);
    largest_share_ = std::max(largest_share_, rise / allowed);
    if (rise > allowed) {
        return fmt::format(
            "energy {:.6g} J, {:.3g} J above its lowest, allowed {:.3g} J (lifted {:.3g}, landing {:.3g}, turning {:.3g}, "
            "kinetic now "
            "{:.4g}); residual {:.2g} m/s in {} sweeps; {}",
            now, rise, allowed, out_of_overlaps, kTransitions * landing, kTurning * turning_, report.kinetic_energy,
            report.residual, report.sweeps, deepest_pair(world));
    }
    if (rise < 0) {
        lowest_energy_ = now;
        overlaps_ = turning_ = 0;
        lifted_.assign(lifted_.size(), 0);
    }
    return {};
}

std::string Checks::after_step(const sim::World& world, const sim::StepReport& report) {
    if (!report.finite) return fmt::format("not finite, born in {}", sim::kStageNames[static_cast<int>(report.nan_stage)]);
    contacts_ = std::max(contacts_, report.contacts);
    worst_residual_ = std::max(worst_residual_, report.residual);
    largest_kinetic_ = std::max(largest_kinetic_, report.kinetic_energy);
    std::string failure = check_place(world);
    if (failure.empty()) failure = check_overlap(world, report);
    if (failure.empty()) failure = check_energy(world, report);
    trace_ = describe(world, report);
    if (!failure.empty()) failure += "\n    " + trace_;
    last_energy_ = energy(world);
    remember(world);
    return failure;
}

std::string Checks::figures() const {
    return fmt::format(
        "{} bodies, {} joints, {} contacts, dt {:.4f}, deepest {:.3g} m ({:.2g} of what is allowed), residual {:.2g} m/s, "
        "energy {:.4g} -> "
        "{:.4g} J, kinetic {:.4g} J, largest rise {:.3g} J ({:.3g} of what is allowed), largest lift {:.2g} of what is "
        "allowed",
        bodies_, joints_, contacts_, dt_, deepest_, largest_overlap_share_, worst_residual_, start_energy_, lowest_energy_,
        largest_kinetic_, largest_rise_, largest_share_, largest_lift_share_);
}

}  // namespace asperity::soak

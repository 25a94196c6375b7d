// Invariants that must hold after every step of a scene without drives.
#pragma once
#include <string>
#include <vector>

#include "asperity/sim/world.h"

namespace asperity::soak {

/// Bounds that no centre of mass may leave: |x|, |y| < half, 0 < z < height [m].
struct Room {
    double half, height;
};
constexpr Room kOpen{1e300, 1e300};  // a floor without walls

/// Checked in this order:
///   finite       Every pose and velocity is finite.
///   inside       No centre of mass is behind the floor, a wall or the ceiling, as far as the room has them.
///   overlap      At most a tenth of the thinnest body, plus twice (for two bodies) the second-order error of the fastest.
///                Contacts are found at the start of a step and extrapolated linearly. A surface that travels by
///                s = dt (v + w R) round something of radius r is then off by s^2 / (2 r), never by more than s. Here r is
///                half the body's thickness and R the distance of its farthest point from the centre. The position pass
///                removes a fifth per step, so errors of earlier steps count by 0.8 for each step since. (With
///                `patch_overlap = "volume"` it removes a fifth of the volume, a fifteenth of the depth of a corner.)
///                The overlap is that of the contacts and, for bodies in solid meshes, also that of the geometry, because
///                missed contacts do not report any (hidden_overlap.h).
///   energy       E = kinetic + gravity + springs never exceeds its lowest value so far by more than
///                    L + 3 M (g dt)^2 / 8 + sum_i (w_i dt)^2 K_i + 1e-6 K
/// The terms:
///   L            Energy that the position pass has added by lifting since that lowest value. It removes overlaps and joint
///                errors from the poses at no cost to the velocities. Per body: the sum of -m g (dx - dt (v_old + v_new)/2),
///                but at most m g times the largest sum, since then, of the overlaps of all pairs and the errors of all
///                joints. (In a stack and in a chain they add up.) Repeated lifting over the same distance would be energy
///                from nothing. Each pair may separate further by the tolerance of the pass: 1e-9 m, or dt times the
///                solver's tolerance. An angular joint error displaces a body's centre by that angle times the distance of
///                the centre from the joint, for the longer of the two arms. In one step all bodies together may be lifted
///                by the overlaps and by the travel of the surfaces in half a step, M g (overlaps + dt v_max / 2).
///   (g dt)^2/8   Contacts without bounce map v_free to the nearest admissible velocity in the kinetic metric. With
///                d = |v_free - v_new|, gravity has added (g dt d)/2 too much and the contact removes at least d^2/2, per
///                mass. The difference is largest at d = g dt/2. Only changes of state (a landing, a stop) come near it, so
///                three in a row are allowed.
///   (w dt)^2 K   Second-order error of rotation. w_i is the spin of body i; for jointed bodies it includes the swing rate,
///                their speed over the distance to the joint. K_i is its kinetic energy. The largest measured value, where
///                the solver converges, is half of this: bodies that swing on joints without gravity.
///   1e-6 K       The solver's tolerance and rounding.
class Checks {
  public:
    Checks(const sim::World& world, double dt, Room room);
    /// Empty, or a message that names the failure and the bodies.
    std::string after_step(const sim::World& world, const sim::StepReport& report);
    /// One line: the extremes so far.
    std::string figures() const;
    /// One line about the last step: energy, and the body that gained most.
    std::string trace() const { return trace_; }

  private:
    std::string check_place(const sim::World& world) const;
    std::string check_overlap(const sim::World& world, const sim::StepReport& report);
    std::string check_energy(const sim::World& world, const sim::StepReport& report);
    double overlap_error(const sim::World& world) const;
    double energy(const sim::World& world) const;
    double turning_error(const sim::World& world) const;  ///< sum of (w dt)^2 K
    /// energy that the position pass added to body i in the last step [J]
    double lift(const sim::World& world, int i) const;
    std::string describe(const sim::World& world, const sim::StepReport& report) const;
    Vec3 velocity_at(int i, const Vec3& point) const { return velocity_[i] + cross(spin_[i], point - pose_[i].position); }
    void remember(const sim::World& world);

    Room room_;
    double dt_, gravity_ = 0, mass_ = 0, thinnest_ = 0;
    std::vector<double> joint_arm_;           ///< per body: distance to the nearest joint; infinite without one [m]
    std::vector<double> thickness_, radius_;  ///< per body; 0 for fixed ones [m]
    std::vector<Pose> pose_;                  ///< at the end of the previous step
    std::vector<Vec3> velocity_, spin_;
    std::vector<double> body_energy_;
    std::string trace_;
    double lowest_energy_ = 0;
    std::vector<double> lifted_;         ///< per body, since the lowest energy [J]
    double overlaps_ = 0, turning_ = 0;  ///< the largest since the lowest energy
    double overlap_error_ = 0;           ///< second-order error of this step, plus the remainder from earlier steps [m]
    double largest_overlap_share_ = 0;
    double largest_kinetic_ = 0, deepest_ = 0, worst_residual_ = 0, largest_rise_ = 0, largest_share_ = 0,
           largest_lift_share_ = 0;
    double start_energy_ = 0, last_energy_ = 0;
    int bodies_ = 0, joints_ = 0, contacts_ = 0;
};

}  // namespace asperity::soak

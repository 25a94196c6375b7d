// What must hold after every step of a scene in which nothing is driven.
#pragma once
#include <string>
#include <vector>

#include "asperity/sim/world.h"

namespace asperity::soak {

/// What must not be left: |x|, |y| < half, 0 < z < height [m].
struct Room {
    double half, height;
};
constexpr Room kOpen{1e300, 1e300};  // a floor without walls

/// Checked, in this order:
///   finite       every pose and velocity
///   inside       no centre of mass behind the floor, a wall or the ceiling of the room, as far as it has them
///   overlap      at most a tenth of the thinnest body, and twice (for two bodies) the second-order error of the fastest
///   one. Contacts
///                are found at the start of a step and kept straight during it; a surface that travels by s = dt (v + w R)
///                round
///                something of radius r is then off by s^2 / (2 r), and never by more than s. r is half the body's
///                thickness, R the
///                distance of its farthest point from the centre. The position pass takes a fifth out per step, so the error
///                of the
///                steps before counts by 0.8 for each (a fifth of the volume, which is a fifteenth of the depth of a corner,
///                with
///                `patch_overlap = "volume"`). As contacts tell, and of bodies in solid meshes also as they lie, since where
///                contacts are missed there are none to tell (hidden_overlap.h).
///   energy       E = kinetic + gravity + springs never rises above its lowest value so far by more than
///                    L + 3 M (g dt)^2 / 8 + sum_i (w_i dt)^2 K_i + 1e-6 K
/// with the derivation:
///   L            what the position pass has lifted since that lowest value: overlaps and joint errors are taken out of the
///   poses, which costs
///                the velocities nothing. Per body the sum of -m g (dx - dt (v_old + v_new)/2), but at most once the way out
///                of the
///                overlaps and of the joints that came apart, m g (their largest sum over all pairs and joints since then;
///                in a stack and in
///                a chain they add up; each pair may be taken farther apart than that by what the pass is solved to, 1e-9 m
///                or dt times the solver's tolerance; a joint that is off by an angle has its bodies' centres off by that
///                angle times the distance of the centre
///                from the joint, whichever of the two turns back): what is lifted again and again is energy from nothing.
///                In one step all bodies together may be lifted by the overlaps and by the way that surfaces would
///                have gone on in half a step, M g (overlaps + dt v_max / 2).
///   (g dt)^2/8   contacts without bounce take v_free to the nearest admissible velocity in the kinetic metric. With d =
///   |v_free - v_new|
///                gravity has given (g dt d)/2 too much and the contact takes at least d^2/2, per mass; the difference is
///                largest at
///                d = g dt/2. Only changes of state (a landing, a stop) come near it, so three in a row are granted.
///   (w dt)^2 K   second-order steps of what turns: w_i is the spin of body i, and for jointed bodies also the rate at which
///   they swing,
///                their speed over the distance to the joint; K_i its kinetic energy. The most that was
///                measured where the solver converges is half of it (seed 17, bodies swinging on joints without gravity).
///   1e-6 K       the solver's tolerance and rounding.
class Checks {
  public:
    Checks(const sim::World& world, double dt, Room room);
    /// Empty, or what went wrong and with whom.
    std::string after_step(const sim::World& world, const sim::StepReport& report);
    /// One line: the extremes so far.
    std::string figures() const;
    /// One line about the last step: energy, and who gained most.
    std::string trace() const { return trace_; }

  private:
    std::string check_place(const sim::World& world) const;
    std::string check_overlap(const sim::World& world, const sim::StepReport& report);
    std::string check_energy(const sim::World& world, const sim::StepReport& report);
    double overlap_error(const sim::World& world) const;
    double energy(const sim::World& world) const;
    double turning_error(const sim::World& world) const;  ///< sum of (w dt)^2 K
    double lift(const sim::World& world, int i) const;    ///< of body i by the position pass in the last step [J]
    std::string describe(const sim::World& world, const sim::StepReport& report) const;
    Vec3 velocity_at(int i, const Vec3& point) const { return velocity_[i] + cross(spin_[i], point - pose_[i].position); }
    void remember(const sim::World& world);

    Room room_;
    double dt_, gravity_ = 0, mass_ = 0, thinnest_ = 0;
    std::vector<double> joint_arm_;           ///< per body: distance to the nearest joint; infinite without one [m]
    std::vector<double> thickness_, radius_;  ///< per body; 0 for fixed ones [m]
    std::vector<Pose> pose_;                  ///< at the end of the step before
    std::vector<Vec3> velocity_, spin_;
    std::vector<double> body_energy_;
    std::string trace_;
    double lowest_energy_ = 0;
    std::vector<double> lifted_;         ///< per body, since the lowest [J]
    double overlaps_ = 0, turning_ = 0;  ///< the largest since then
    double overlap_error_ = 0;           ///< second order, of this step and what is left of those before [m]
    double largest_overlap_share_ = 0;
    double largest_kinetic_ = 0, deepest_ = 0, worst_residual_ = 0, largest_rise_ = 0, largest_share_ = 0,
           largest_lift_share_ = 0;
    double start_energy_ = 0, last_energy_ = 0;
    int bodies_ = 0, joints_ = 0, contacts_ = 0;
};

}  // namespace asperity::soak

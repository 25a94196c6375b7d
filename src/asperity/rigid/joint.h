// Joints between two bodies, or a body and the world, and the constraint rows that they add to a step.
#pragma once
#include <concepts>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "asperity/math/dense.h"
#include "asperity/rigid/body.h"

namespace asperity::rigid {

using TimeFunction = std::function<double(double)>;  ///< of the time [s]

/// Bound of a force [N] or torque [N m]: a number, or a function of time. Negative values count as 0.
class Effort {
  public:
    Effort(double value = std::numeric_limits<double>::infinity()) : value_(value) {}
    template <std::invocable<double> F>
    Effort(F of_time) : value_(0), of_time_(std::move(of_time)) {}
    double at(double time) const {
        const double effort = of_time_ ? of_time_(time) : value_;
        return effort < 0 ? 0 : effort;
    }

  private:
    double value_;
    TimeFunction of_time_;
};

struct Limits {
    double low, high;  ///< [rad] or [m]
};
/// Drives the joint at a given speed, with an effort of at most max_effort.
struct Motor {
    TimeFunction speed;  ///< [rad/s] or [m/s]
    Effort max_effort;
};
/// A spring and damper on the joint coordinate. Solved implicitly, so stable for any stiffness.
struct Drive {
    TimeFunction target;        ///< [rad] or [m]
    double stiffness, damping;  ///< [N m/rad] or [N/m]; [N m s/rad] or [N s/m]
    Effort max_effort{};
};
/// Dry friction in the bearing: holds the joint still up to max_effort. Above that it slips and resists with max_effort.
struct Brake {
    Effort max_effort;
};

/// The points coincide; all rotations are free.
struct Ball {};
/// The points coincide and the z axes of both frames stay aligned. Joint coordinate: the angle about z.
struct Hinge {
    std::optional<Limits> limits;
    std::optional<Motor> motor;
    std::optional<Drive> drive;
    std::optional<Brake> brake;
};
/// The frames stay parallel and b moves along z of frame a. Joint coordinate: the offset.
struct Slider {
    std::optional<Limits> limits;
    std::optional<Motor> motor;
    std::optional<Drive> drive;
    std::optional<Brake> brake;
};
/// The frames coincide.
struct Weld {};
/// The points keep a distance, which may be a function of time. With `rope`, only larger distances are forbidden.
struct Distance {
    TimeFunction length;  ///< [m]
    bool rope = false;
};
/// A spring and damper that pulls the point on b towards the point on a, as when a pointer drags a body.
struct PointSpring {
    double stiffness, damping;  ///< [N/m], [N s/m]
    double max_force = std::numeric_limits<double>::infinity();
    double angular_damping = 0;  ///< resists rotation of b relative to a [N m s/rad]
};

using JointKind = std::variant<Ball, Hinge, Slider, Weld, Distance, PointSpring>;

struct Joint {
    std::string name;
    BodyId a, b;            ///< a may be the world
    Pose frame_a, frame_b;  ///< in centre-of-mass axes of each body (world axes for the world)
    JointKind kind;
    bool collide = false;  ///< whether the two bodies collide with each other
    JointId id;            ///< set by World::add_joint
};

/// Makes the joint from one frame in world axes, at the bodies' present poses.
Joint joint_at(std::string name, BodyId a, BodyId b, const Pose& world_frame, JointKind kind, const BodyStates& bodies);

/// Joint coordinate: angle of a hinge [rad, in (-pi, pi]], offset of a slider [m], length of a distance or spring [m], else
/// 0.
double coordinate(const Joint& joint, const BodyStates& bodies);

/// Whether time alone may start a motion of the joint (motor, drive, brake or a distance).
bool follows_time(const Joint& joint);

/// Magnitude of the force at the joint's point, from the impulses of its first block over a step of dt [N].
double joint_force(const Joint& joint, const Block6& impulses, double dt);

/// One scalar row. Its rate is dot(linear, v_b - v_a) + dot(angular_b, w_b) - dot(angular_a, w_a).
struct JointRow {
    Vec3 linear, angular_a, angular_b;
    /// C: the present constraint function, relative to its target at the end of the step [m] or [rad]
    double error = 0;
    double target_rate = 0;  ///< target of the rate [m/s] or [rad/s]
};
/// Rows that are solved as one block.
struct JointBlock {
    int rows = 0;
    JointRow row[6];
    double compliance = 0;  ///< rate + compliance * impulse = target (drives and springs) [1/kg or 1/(kg m^2)]
    double low = -std::numeric_limits<double>::infinity();  ///< impulse bounds of a single row
    double high = std::numeric_limits<double>::infinity();
    bool holds_position = true;  ///< the position pass also corrects `error`; false for motors and drives
    /// three rows with the bound |impulse| <= high (a point spring's max_force)
    bool ball_bound = false;
};
constexpr int kMaxJointBlocks = 6;  // a hinge or slider: main block, two limits, motor, drive, brake

/// Writes the rows of a joint for bodies at `poses` (centre-of-mass axes, by body index) and a step of length dt from
/// `time`. Returns the number of blocks. A joint always gives the same number of blocks in the same order, so that impulses
/// can be carried over between steps.
int joint_blocks(const Joint& joint, std::span<const Pose> poses, double time, double dt,
                 std::span<JointBlock, kMaxJointBlocks> out);

}  // namespace asperity::rigid

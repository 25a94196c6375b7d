// Joints between two bodies, or a body and the world: what they are, and the constraint rows they give in a step.
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

/// How hard something may push [N m] or [N]: a number, or a function of the time. What is below 0 counts as 0.
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
/// Drives the joint at a speed, as hard as max_effort allows.
struct Motor {
    TimeFunction speed;  ///< [rad/s] or [m/s]
    Effort max_effort;
};
/// A spring and damper on the joint coordinate, solved implicitly: stable for any stiffness.
struct Drive {
    TimeFunction target;        ///< [rad] or [m]
    double stiffness, damping;  ///< [N m/rad] or [N/m]; [N m s/rad] or [N s/m]
    Effort max_effort{};
};
/// Holds the joint still, as hard as max_effort allows: dry friction in the bearing. Below that load it stands, above it
/// slips and still feels all of it.
struct Brake {
    Effort max_effort;
};

/// The points coincide; turning is free.
struct Ball {};
/// The points coincide and the z axes of both frames stay aligned; the angle about z is the joint coordinate.
struct Hinge {
    std::optional<Limits> limits;
    std::optional<Motor> motor;
    std::optional<Drive> drive;
    std::optional<Brake> brake;
};
/// Frames stay parallel and b moves along z of frame a; the offset is the joint coordinate.
struct Slider {
    std::optional<Limits> limits;
    std::optional<Motor> motor;
    std::optional<Drive> drive;
    std::optional<Brake> brake;
};
/// Frames coincide.
struct Weld {};
/// The points keep a distance, which may follow a function of time; `rope` only forbids larger ones.
struct Distance {
    TimeFunction length;  ///< [m]
    bool rope = false;
};
/// A spring and damper that draws the point on b to the point on a; how a pointer drags a body.
struct PointSpring {
    double stiffness, damping;  ///< [N/m], [N s/m]
    double max_force = std::numeric_limits<double>::infinity();
    double angular_damping = 0;  ///< against turning of b relative to a [N m s/rad]
};

using JointKind = std::variant<Ball, Hinge, Slider, Weld, Distance, PointSpring>;

struct Joint {
    std::string name;
    BodyId a, b;            ///< a may be the world
    Pose frame_a, frame_b;  ///< in centre-of-mass axes of each body (world axes for the world)
    JointKind kind;
    bool collide = false;  ///< whether the two bodies may touch each other
};

/// The joint with its frames made from one frame given in world axes at the bodies' present poses.
Joint joint_at(std::string name, BodyId a, BodyId b, const Pose& world_frame, JointKind kind, const Bodies& bodies);

/// The joint coordinate: angle of a hinge [rad, in (-pi, pi]], offset of a slider [m], length of a distance or spring [m],
/// else 0.
double coordinate(const Joint& joint, const Bodies& bodies);

/// Whether the joint may start to move by itself, because something in it follows time.
bool follows_time(const Joint& joint);

/// The size of the force that acts at the joint's point, from the impulses of its first block over a step of dt [N].
double joint_force(const Joint& joint, const Block6& impulses, double dt);

/// One scalar row: its rate is dot(linear, v_b - v_a) + dot(angular_b, w_b) - dot(angular_a, w_a).
struct JointRow {
    Vec3 linear, angular_a, angular_b;
    /// C: the constraint function now, against where it should be at the end of the step [m] or [rad]
    double error = 0;
    double target_rate = 0;  ///< wanted rate [m/s] or [rad/s]
};
/// Rows that are solved together.
struct JointBlock {
    int rows = 0;
    JointRow row[6];
    double compliance = 0;  ///< rate + compliance * impulse = target (drives and springs) [1/kg or 1/(kg m^2)]
    double low = -std::numeric_limits<double>::infinity();  ///< impulse bounds of a single row
    double high = std::numeric_limits<double>::infinity();
    bool holds_position = true;  ///< the position pass works on `error` too; false for motors and drives
    /// three rows whose impulse is bounded by |impulse| <= high (a point spring's max_force)
    bool ball_bound = false;
};
constexpr int kMaxJointBlocks = 6;  // a hinge or slider: itself, two limits, motor, drive, brake

/// The rows of a joint for bodies at `poses` (centre-of-mass axes, by body index), for a step of length dt that starts at
/// `time`. Returns how many blocks were written: for one joint always the same number in the same order, so that impulses
/// can be carried from step to step.
int joint_blocks(const Joint& joint, std::span<const Pose> poses, double time, double dt,
                 std::span<JointBlock, kMaxJointBlocks> out);

}  // namespace asperity::rigid

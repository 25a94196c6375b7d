// Constraint functions C, their rates and Jacobians. p is the joint's point on each body, r = p - x its arm from the centre
// of mass, z the joint axis, d = p_b - p_a, and e a unit vector:
//     point     C = d . e                 rate  e.(v_b - v_a) + (r_b x e).w_b - (r_a x e).w_a     e = x, y, z
//     axis      C = (z_a x z_b) . e       rate  e.(w_b - w_a)                                     e = two axes across z_a
//     across    C = d . e                 as point, but with the arm p_b - x_a, because e rotates with a
//     turn      C = rotation vector from frame a to frame b
//     length    C = |d| - L
// Effective mass of a block: (J M^-1 J^T)^-1, formed by the contact problem.
#include "asperity/rigid/joint.h"

#include <cmath>
#include <numbers>

namespace asperity::rigid {
namespace {

/// Both joint frames in world axes, and the bodies' centres of mass.
struct JointFrames {
    Pose a, b;
    Vec3 center_a, center_b;
    Mat3 axes_a;  // columns are the joint's x, y, z on a
    Vec3 d;       // from the point on a to the point on b
};

JointFrames place(const Joint& joint, std::span<const Pose> poses) {
    JointFrames p;
    const auto pose = [&](BodyId id) { return id.is_world() ? Pose{} : poses[static_cast<size_t>(id.index)]; };
    p.a = pose(joint.a) * joint.frame_a;
    p.b = pose(joint.b) * joint.frame_b;
    p.center_a = pose(joint.a).position;
    p.center_b = pose(joint.b).position;
    p.axes_a = matrix(p.a.orientation);
    p.d = p.b.position - p.a.position;
    return p;
}

/// Row along e between the point on b and the point `on_a` of a (world).
JointRow linear_row(const JointFrames& p, const Vec3& e, const Vec3& on_a, double error, double target = 0) {
    return {e, cross(on_a - p.center_a, e), cross(p.b.position - p.center_b, e), error, target};
}
JointRow angular_row(const Vec3& e, double error, double target = 0) { return {{}, e, e, error, target}; }

double hinge_angle(const JointFrames& p) {
    const Quat relative = conjugate(p.a.orientation) * p.b.orientation;  // a rotation about z if the axes agree
    const double angle = 2 * std::atan2(relative.z, relative.w);
    return std::remainder(angle, 2 * std::numbers::pi);
}

void add_point(JointBlock& block, const JointFrames& p) {
    for (int k = 0; k < 3; ++k) {
        Vec3 e;
        e[k] = 1;
        block.row[block.rows++] = linear_row(p, e, p.a.position, p.d[k]);
    }
}
void add_turn(JointBlock& block, const JointFrames& p) {
    const Vec3 turn = rotation_vector(p.b.orientation * conjugate(p.a.orientation));
    for (int k = 0; k < 3; ++k) {
        Vec3 e;
        e[k] = 1;
        block.row[block.rows++] = angular_row(e, turn[k]);
    }
}

/// Blocks of limits, motor, drive and brake. All act on one coordinate q whose rate is the row's rate, for hinge and slider
/// alike. Speeds and targets are evaluated at the end of the step. Efforts act over the whole step and are evaluated at its
/// middle, so that a switch on a step boundary is unambiguous.
template <class Axis>
int add_axis_blocks(const Axis& axis, const JointRow& row, double q, double time, double dt, std::span<JointBlock> out) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const auto negated = [](JointRow r) {
        r.linear = -r.linear;
        r.angular_a = -r.angular_a;
        r.angular_b = -r.angular_b;
        return r;
    };
    int count = 0;
    const auto add = [&](JointRow r, double error, double target, double low, double high) -> JointBlock& {
        JointBlock& block = out[static_cast<size_t>(count++)] = JointBlock{};
        r.error = error;
        r.target_rate = target;
        block.rows = 1;
        block.row[0] = r;
        block.low = low;
        block.high = high;
        return block;
    };
    if (axis.limits) {  // one-sided, like a contact: the coordinate may reach the limit within the step, not pass it
        const double room_low = q - axis.limits->low, room_high = axis.limits->high - q;
        add(row, room_low, -std::fmax(room_low, 0.0) / dt, 0, inf);
        add(negated(row), room_high, -std::fmax(room_high, 0.0) / dt, 0, inf);
    }
    if (axis.motor) {
        const double effort = axis.motor->max_effort.at(time + 0.5 * dt) * dt;
        add(row, 0, axis.motor->speed(time + dt), -effort, effort).holds_position = false;
    }
    if (axis.drive) {
        // backward Euler of f = -k (q - target) - c q':  q' + impulse / (dt (c + dt k)) = -k (q - target) / (c + dt k)
        const Drive& drive = *axis.drive;
        const double stiff = drive.damping + dt * drive.stiffness, effort = drive.max_effort.at(time + 0.5 * dt) * dt;
        if (stiff > 0) {
            double offset = q - drive.target(time + dt);
            if constexpr (std::is_same_v<Axis, Hinge>) offset = std::remainder(offset, 2 * std::numbers::pi);
            JointBlock& block = add(row, 0, -drive.stiffness * offset / stiff, -effort, effort);
            block.compliance = 1 / (dt * stiff);
            block.holds_position = false;
        }
    }
    if (axis.brake) {
        const double effort = axis.brake->max_effort.at(time + 0.5 * dt) * dt;
        add(row, 0, 0, -effort, effort).holds_position = false;
    }
    return count;
}

}  // namespace

Joint joint_at(std::string name, BodyId a, BodyId b, const Pose& world_frame, JointKind kind, const BodyStates& bodies) {
    Joint joint{std::move(name), a, b, {}, {}, std::move(kind), false};
    const auto local = [&](BodyId id) {
        if (id.is_world()) return world_frame;
        const Pose& body = bodies.pose[static_cast<size_t>(id.index)];
        return Pose{body.to_local(world_frame.position), conjugate(body.orientation) * world_frame.orientation};
    };
    joint.frame_a = local(a);
    joint.frame_b = local(b);
    return joint;
}

double coordinate(const Joint& joint, const BodyStates& bodies) {
    const JointFrames p = place(joint, bodies.pose);
    if (std::holds_alternative<Hinge>(joint.kind)) return hinge_angle(p);
    if (std::holds_alternative<Slider>(joint.kind)) return dot(p.d, p.axes_a.column(2));
    if (std::holds_alternative<Distance>(joint.kind) || std::holds_alternative<PointSpring>(joint.kind)) return length(p.d);
    return 0;
}

bool follows_time(const Joint& joint) {
    const auto driven = [](const auto& kind) { return kind.motor || kind.drive || kind.brake; };
    if (const auto* hinge = std::get_if<Hinge>(&joint.kind)) return driven(*hinge);
    if (const auto* slider = std::get_if<Slider>(&joint.kind)) return driven(*slider);
    return std::holds_alternative<Distance>(joint.kind);
}

double joint_force(const Joint& joint, const Block6& impulses, double dt) {
    const bool slider = std::holds_alternative<Slider>(joint.kind), distance = std::holds_alternative<Distance>(joint.kind);
    return length(Vec3{impulses[0], distance ? 0 : impulses[1], distance || slider ? 0 : impulses[2]}) / dt;
}

int joint_blocks(const Joint& joint, std::span<const Pose> poses, double time, double dt,
                 std::span<JointBlock, kMaxJointBlocks> out) {
    const JointFrames p = place(joint, poses);
    JointBlock& main = out[0] = JointBlock{};
    const Vec3 x = p.axes_a.column(0), y = p.axes_a.column(1), z = p.axes_a.column(2);

    if (const auto* hinge = std::get_if<Hinge>(&joint.kind)) {
        add_point(main, p);
        const Vec3 lean = cross(z, rotate(p.b.orientation, {0, 0, 1}));
        main.row[main.rows++] = angular_row(x, dot(lean, x));
        main.row[main.rows++] = angular_row(y, dot(lean, y));
        return 1 + add_axis_blocks(*hinge, angular_row(z, 0), hinge_angle(p), time, dt, out.subspan(1));
    }
    if (const auto* slider = std::get_if<Slider>(&joint.kind)) {
        for (const Vec3& e : {x, y}) main.row[main.rows++] = linear_row(p, e, p.b.position, dot(p.d, e));
        add_turn(main, p);
        return 1 + add_axis_blocks(*slider, linear_row(p, z, p.b.position, 0), dot(p.d, z), time, dt, out.subspan(1));
    }
    if (const auto* distance = std::get_if<Distance>(&joint.kind)) {
        const double now = length(p.d), wanted = distance->length(time + dt);
        const Vec3 e = normalize_or(p.d, {0, 0, 1});
        const double rate = distance->rope ? std::fmax(wanted - now, 0.0) / dt : (wanted - distance->length(time)) / dt;
        main.row[main.rows++] = linear_row(p, e, p.a.position, now - wanted, rate);
        if (distance->rope) main.high = 0;  // a rope only pulls
        return 1;
    }
    if (const auto* spring = std::get_if<PointSpring>(&joint.kind)) {
        const double stiff = spring->damping + dt * spring->stiffness;
        if (stiff <= 0) return 0;
        // Both forces act at the point on b: a force of any direction then leaves the total angular momentum unchanged.
        for (int k = 0; k < 3; ++k) {
            Vec3 e;
            e[k] = 1;
            main.row[main.rows++] = linear_row(p, e, p.b.position, p.d[k], -spring->stiffness * p.d[k] / stiff);
        }
        main.compliance = 1 / (dt * stiff);
        main.high = spring->max_force * dt;
        main.ball_bound = std::isfinite(spring->max_force);
        main.holds_position = false;
        if (spring->angular_damping <= 0) return 1;
        JointBlock& turning = out[1] = JointBlock{};
        for (int k = 0; k < 3; ++k) {
            Vec3 e;
            e[k] = 1;
            turning.row[turning.rows++] = angular_row(e, 0);
        }
        turning.compliance = 1 / (dt * spring->angular_damping);
        turning.holds_position = false;
        return 2;
    }
    add_point(main, p);
    if (std::holds_alternative<Weld>(joint.kind)) add_turn(main, p);
    return 1;
}

}  // namespace asperity::rigid

#include "asperity/implicit/turning.h"

#include <algorithm>

#include "asperity/implicit/kinematics.h"

namespace asperity::implicit {
namespace {

/// Turns [rad] along a direction that are bent. Below, the bend is lost in the rounding of the direction; above, the
/// direction is too rough a guess of the turn.
constexpr double kLeastTurn = 1e-8;
constexpr double kMostTurn = 1;

template <int Dim>
bool is_held(const Model<Dim>& model, const Body<Dim>& body) {
    for (int k = body.first_node; k < body.first_node + body.node_count; ++k)
        if (!model.is_free(k)) return true;
    return body.kind == Kind::Obstacle;
}

/// Sets d.bend of the body's nodes. False if it does not turn.
template <int Dim>
bool bend_body(const Model<Dim>& model, int body, StepData<Dim>& d) {
    const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
    const MeanMotion<Dim> mean = mean_motion<Dim>(model, body, d.rest, d.now.x, d.direction);
    const Vec3 turn = mean.angular_velocity;  // along the whole of the direction [rad]
    const double angle = length(turn);
    if (!(angle > kLeastTurn && angle < kMostTurn)) return false;
    const Quat q = rotation(turn);
    for (int k = b.first_node; k < b.first_node + b.node_count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const Vec3 arm = to_vec3(d.now.x[i]) - (model.node_translates[i] ? mean.pose.position : Vec3{});
        d.bend[i] = from_vec3<Dim>(rotate(q, arm) - arm - cross(turn, arm));
    }
    return true;
}

template <int Dim>
Vector<Dim> bend_at(const BodyPoint<Dim>& point, const StepData<Dim>& d) {
    Vector<Dim> sum = Vector<Dim>::Zero();
    for (std::size_t k = 0; k < static_cast<std::size_t>(point.count); ++k)
        sum += point.weights[k] * d.bend[static_cast<std::size_t>(point.nodes[k])];
    return sum;
}

/// Shifts bodies so that joints do not open, one body after the other from those that are `settled`.
template <int Dim>
void close_joints(const Model<Dim>& model, std::vector<char>& settled, StepData<Dim>& d) {
    const auto is_settled = [&](int body) { return body < 0 || settled[static_cast<std::size_t>(body)] != 0; };
    const auto settle_by_joint = [&] {
        bool any = false;
        for (const Attachment<Dim>& joint : model.attachments) {
            if (is_settled(joint.a.body) == is_settled(joint.b.body)) continue;
            const BodyPoint<Dim>&fixed = is_settled(joint.a.body) ? joint.a : joint.b,
                  &follows = &fixed == &joint.a ? joint.b : joint.a;
            const Vector<Dim> shift = bend_at(fixed, d) - bend_at(follows, d);
            const Body<Dim>& body = model.bodies[static_cast<std::size_t>(follows.body)];
            for (int k = body.first_node; k < body.first_node + body.node_count; ++k)
                if (model.node_translates[static_cast<std::size_t>(k)]) d.bend[static_cast<std::size_t>(k)] += shift;
            settled[static_cast<std::size_t>(follows.body)] = 1;
            any = true;
        }
        return any;
    };
    for (;;) {
        while (settle_by_joint()) {}
        const auto open = std::find(settled.begin(), settled.end(), 0);
        if (open == settled.end()) return;
        *open = 1;  // a group that nothing holds turns about the centre of its first body
    }
}

}  // namespace

template <int Dim>
bool bend_direction(const Model<Dim>& model, StepData<Dim>& d) {
    bool any = false;
    d.bend.assign(d.direction.size(), Vector<Dim>::Zero());
    std::vector<char> held(model.bodies.size());
    for (std::size_t b = 0; b < held.size(); ++b) {
        held[b] = is_held(model, model.bodies[b]);
        if (!held[b] && bend_body(model, static_cast<int>(b), d)) any = true;
    }
    if (!any) return false;
    if (!model.attachments.empty()) close_joints(model, held, d);
    for (std::size_t i = 0; i < d.bend.size(); ++i) d.direction[i] += d.bend[i];
    return true;
}

template bool bend_direction<2>(const Model<2>&, StepData<2>&);
template bool bend_direction<3>(const Model<3>&, StepData<3>&);

}  // namespace asperity::implicit

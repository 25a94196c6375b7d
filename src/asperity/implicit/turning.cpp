#include "asperity/implicit/turning.h"

#include "asperity/implicit/kinematics.h"

namespace asperity::implicit {
namespace {

/// Below, the bend is lost in the rounding of the direction. [rad]
constexpr double kLeastTurn = 1e-8;
constexpr double kMostTurn = 1;

template <int Dim>
bool is_held(const Model<Dim>& model, const Body<Dim>& body) {
    for (int k = body.first_node; k < body.first_node + body.node_count; ++k)
        if (!model.is_free(k)) return true;
    return false;
}

}  // namespace

template <int Dim>
bool bend_direction(const Model<Dim>& model, StepData<Dim>& d) {
    bool any = false;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body<Dim>& body = model.bodies[b];
        if (body.kind == Kind::Obstacle || is_held(model, body)) continue;
        const MeanMotion<Dim> mean = mean_motion<Dim>(model, static_cast<int>(b), d.rest, d.now.x, d.direction);
        const Vec3 turn = mean.angular_velocity;  // per unit of length along the direction
        const double angle = length(turn);
        if (!(angle > kLeastTurn && angle < kMostTurn)) continue;
        any = true;
        const Quat q = rotation(turn);
        for (int k = body.first_node; k < body.first_node + body.node_count; ++k) {
            const auto i = static_cast<std::size_t>(k);
            const Vec3 arm = to_vec3(d.now.x[i]) - (model.node_translates[i] ? mean.pose.position : Vec3{});
            d.direction[i] += from_vec3<Dim>(rotate(q, arm) - arm - cross(turn, arm));
        }
    }
    return any;
}

template bool bend_direction<2>(const Model<2>&, StepData<2>&);
template bool bend_direction<3>(const Model<3>&, StepData<3>&);

}  // namespace asperity::implicit

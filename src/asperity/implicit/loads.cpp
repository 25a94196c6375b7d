#include "asperity/implicit/loads.h"

#include "asperity/implicit/attachments.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/mass.h"

namespace asperity::implicit {
namespace {

/// Area of a face times its outward normal. In 2D the body is to the left of the way along the face.
Vector<3> area_vector(const std::array<Vector<3>, 3>& p) {
    return 0.5 * Vector<3>(Eigen::Vector3d(p[1] - p[0]).cross(Eigen::Vector3d(p[2] - p[0])));
}
Vector<2> area_vector(const std::array<Vector<2>, 2>& p) { return {p[1][1] - p[0][1], p[0][0] - p[1][0]}; }

}  // namespace

template <int Dim>
bool find_targets(const Model<Dim>& model, double start_time, Attempt<Dim>& a) {
    obstacle_positions(model, start_time, a.obstacle_from);
    obstacle_positions(model, a.time, a.obstacle_to);
    bool moves = a.obstacle_from != a.obstacle_to;
    const std::size_t planes = model.half_spaces.size();
    a.plane_from.resize(planes);
    a.plane_to.resize(planes);
    a.plane_normal.resize(planes);
    for (std::size_t k = 0; k < planes; ++k) {
        const Body<Dim>& body = model.bodies[static_cast<std::size_t>(model.half_spaces[k].body)];
        const Pose from = obstacle_pose(body, start_time), to = obstacle_pose(body, a.time);
        a.plane_normal[k] = from_vec3<Dim>(rotate(from.orientation, to_vec3(model.half_spaces[k].normal)));
        a.plane_from[k] = a.plane_normal[k].dot(from_vec3<Dim>(from.position));
        a.plane_to[k] = a.plane_normal[k].dot(from_vec3<Dim>(to.position));
        moves = moves || a.plane_from[k] != a.plane_to[k];
    }
    find_attached_places(model, start_time, a.attached_from);
    find_attached_places(model, a.time, a.attached_to);
    moves = moves || a.attached_from != a.attached_to;
    a.target = a.start;
    for (const Region<Dim>& region : model.regions)
        for (std::size_t k = 0; k < region.nodes.size(); ++k) {
            const auto node = static_cast<std::size_t>(region.nodes[k]);
            a.target[node] = region.position ? region.position(region.start[k], a.time) : region.start[k];
            moves = moves || a.target[node] != a.start[node];
        }
    return moves;
}

template <int Dim>
void find_loads(const Model<Dim>& model, Attempt<Dim>& a) {
    a.load.resize(a.start.size());
    for (std::size_t i = 0; i < a.load.size(); ++i)
        a.load[i] =
            model.node_translates[i] ? Vector<Dim>(model.node_mass[i] * model.gravity) : Vector<Dim>(Vector<Dim>::Zero());
    for (const Body<Dim>& body : model.bodies) {
        if (!body.push) continue;
        const Vector<Dim> push = body.push(a.time);
        for (int k = body.first_node; k < body.first_node + body.node_count; ++k) {
            const auto i = static_cast<std::size_t>(k);
            a.load[i] += model.node_mass[i] * push;
        }
    }
    a.guided_to.clear();
    for (const Guide<Dim>& guide : model.guides) a.guided_to.push_back(guide.place(a.time));
    std::array<Vector<Dim>, Dim> corners;
    for (const Load<Dim>& load : model.loads) {
        const auto face_area = [&](const std::array<int, Dim>& face) {
            for (std::size_t k = 0; k < Dim; ++k)
                corners[k] = a.start[static_cast<std::size_t>(model.carriers[static_cast<std::size_t>(face[k])].node)];
            return area_vector(corners);
        };
        double total = 0;
        for (const auto& face : load.faces) total += face_area(face).norm();
        const Vector<Dim> force = load.force ? load.force(a.time) : Vector<Dim>(Vector<Dim>::Zero());
        const double pressure = load.pressure ? load.pressure(a.time) : 0;
        for (const auto& face : load.faces) {
            const Vector<Dim> area = face_area(face);
            const Vector<Dim> share = (area.norm() / total * force - pressure * area) / Dim;
            for (const int v : face)
                a.load[static_cast<std::size_t>(model.carriers[static_cast<std::size_t>(v)].node)] += share;
        }
    }
}

template <int Dim>
double guide_lead(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x, std::size_t guide) {
    const Guide<Dim>& g = model.guides[guide];
    const Body<Dim>& body = model.bodies[static_cast<std::size_t>(g.body)];
    double moment = 0;
    for (int node = body.first_node; node < body.first_node + body.node_count; ++node) {
        const auto i = static_cast<std::size_t>(node);
        moment += model.node_mass[i] * g.axis.dot(x[i] - g.origin);
    }
    return moment / body.mass - attempt.guided_to[guide];
}

template <int Dim>
void initial_acceleration(const Model<Dim>& model, StepData<Dim>& d, State<Dim>& state) {
    d.now.x = state.nodes.x;
    d.now.collisions.clear();
    d.now.plane_contacts.clear();
    d.attempt.prediction.x_tilde = state.nodes.x;  // no inertial force
    d.attempt.prediction.w = 1;
    d.attempt.prediction.x_hat.resize(state.nodes.x.size());
    for (std::size_t i = 0; i < state.nodes.x.size(); ++i)  // damping acts on the velocities
        d.attempt.prediction.x_hat[i] = state.nodes.x[i] - d.attempt.h * state.nodes.v[i];
    d.assembly.assemble(model, d.attempt, d.now, d.barrier, {}, deform::Projection::None, false);
    accelerations(model, d, state.nodes.a);
}

template <int Dim>
void accelerations(const Model<Dim>& model, const StepData<Dim>& d, std::vector<Vector<Dim>>& a) {
    const std::span<const Vector<Dim>> gradient = d.assembly.gradient();
    if (has_coupled_mass(model)) {
        std::vector<Vector<Dim>> force(gradient.size());
        for (std::size_t i = 0; i < force.size(); ++i) force[i] = -gradient[i];
        solve_mass<Dim>(model, force, a);
        return;
    }
    for (std::size_t i = 0; i < gradient.size(); ++i)
        a[i] = model.is_free(static_cast<int>(i)) ? Vector<Dim>(-gradient[i] / model.node_mass[i])
                                                  : Vector<Dim>(Vector<Dim>::Zero());
}

template <int Dim>
double gravity_energy(const Model<Dim>& model, std::span<const Vector<Dim>> x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (model.node_translates[i]) sum -= model.node_mass[i] * model.gravity.dot(x[i]);
    return sum;
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                       \
    template bool find_targets<Dim>(const Model<Dim>&, double, Attempt<Dim>&);                                          \
    template void find_loads<Dim>(const Model<Dim>&, Attempt<Dim>&);                                                    \
    template double guide_lead<Dim>(const Model<Dim>&, const Attempt<Dim>&, std::span<const Vector<Dim>>, std::size_t); \
    template void initial_acceleration<Dim>(const Model<Dim>&, StepData<Dim>&, State<Dim>&);                            \
    template void accelerations<Dim>(const Model<Dim>&, const StepData<Dim>&, std::vector<Vector<Dim>>&);               \
    template double gravity_energy<Dim>(const Model<Dim>&, std::span<const Vector<Dim>>);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::implicit

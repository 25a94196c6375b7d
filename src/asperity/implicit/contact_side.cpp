#include "asperity/implicit/contact_side.h"

#include <cmath>

#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/state.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

template <int Dim>
Vec3 ContactSide<Dim>::carry(const Model<Dim>& model, const StepData<Dim>& d, const Vec3& at_rest) const {
    if (point.count == 0) return rotate(turn, at_rest);
    return carry_tangent<Dim>(model.surface, d.topology, d.now.vertices, point, at_rest);
}

template <int Dim>
ContactSide<Dim> side_of(const Model<Dim>& model, const State<Dim>& state, const StepData<Dim>& d, const FrictionContact& c,
                         bool second) {
    ContactSide<Dim> side;
    const bool plane = second && c.plane >= 0;
    const int part = !second ? model.vertex_part[at(c.vertices[0])]
                     : plane ? model.half_spaces[at(c.plane)].part
                             : model.vertex_part[at(c.vertices[at(c.count - 1)])];
    side.part = &model.parts[at(part)];
    side.now_normal = second ? c.normal : -c.normal;
    const std::span<const Vector<Dim>> now = d.now.vertices;
    if (plane) {
        const Body<Dim>& body = model.bodies[at(side.part->body)];
        const Pose pose = obstacle_pose(body, state.time);
        side.turn = pose.orientation * conjugate(body.start.orientation);
        const Vec3 local = pose.to_local(to_vec3(now[at(c.vertices[0])]));
        side.now = pose * Vec3{local.x, local.y, 0};
        side.place = body.start * Vec3{local.x, local.y, 0};
        side.normal = rotate_inverse(side.turn, c.normal);
        return side;
    }
    side.point.outward = side.now_normal;
    for (std::size_t k = 0; k < at(c.count); ++k)
        if ((c.weights[k] < 0) == second) {
            const double weight = std::fabs(c.weights[k]);
            side.point.vertices[at(side.point.count)] = c.vertices[k];
            side.point.weights[at(side.point.count++)] = weight;
            side.now += weight * to_vec3(now[at(c.vertices[k])]);
        }
    side.place = rest_place(model.surface, side.point);
    side.normal = rest_normal(model.surface, d.topology, now, side.point);
    return side;
}

template <int Dim>
surface::Sample sample_side(const Model<Dim>& model, const StepData<Dim>& d, const ContactSide<Dim>& side) {
    const SurfacePart& part = *side.part;
    const surface::Material& material = model.materials[at(part.material)];
    const auto carry = [&](const Vec3& in_body) { return side.carry(model, d, rotate(part.axes.orientation, in_body)); };
    const auto tangential = [&](const Vec3& v) { return v - dot(v, side.now_normal) * side.now_normal; };
    surface::Sample sample;
    const surface::GrainAt grain = surface::read_grain(surface::ask(
        material, part.grain.get(),
        {part.shape, part.shape_pose, part.axes.to_local(side.place), rotate_inverse(part.axes.orientation, side.normal)}));
    const Vec3 carried = carry(grain.direction), along = tangential(carried);
    const double square = length_squared(along);
    // a shorter tangential part has no reliable direction, however much the surface is stretched
    if (square > 1e-12 * length_squared(carried)) sample.grain = grain.strength / std::sqrt(square) * along;
    if (!(material.surface_velocity == Vec3{})) sample.velocity = tangential(carry(material.surface_velocity));
    return sample;
}

#define ASPERITY_INSTANTIATE(Dim)                                                                      \
    template struct ContactSide<Dim>;                                                                  \
    template ContactSide<Dim> side_of<Dim>(const Model<Dim>&, const State<Dim>&, const StepData<Dim>&, \
                                           const FrictionContact&, bool);                              \
    template surface::Sample sample_side<Dim>(const Model<Dim>&, const StepData<Dim>&, const ContactSide<Dim>&);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::implicit

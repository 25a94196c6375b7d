// One of the two surfaces of a friction contact: the material point that touches, where it was at time 0, and how the
// surface around it has turned since. Laws and textures refer to the axes of time 0.
#pragma once
#include "asperity/implicit/friction.h"
#include "asperity/surface/sample.h"

namespace asperity::implicit {

template <int Dim>
struct ContactSide {
    const SurfacePart* part = nullptr;
    Vec3 place, normal;    ///< at time 0, world axes; the normal points out of the body
    Vec3 now, now_normal;  ///< the same in the present configuration
    SkinPoint point;       ///< without vertices: a half-space
    Quat turn;             ///< of a half-space since time 0

    /// A tangent at time 0 as it is carried along, world axes.
    Vec3 carry(const Model<Dim>& model, const StepData<Dim>& d, const Vec3& at_rest) const;
};

/// `second`: of body a, else of body b.
template <int Dim>
ContactSide<Dim> side_of(const Model<Dim>& model, const State<Dim>& state, const StepData<Dim>& d, const FrictionContact& c,
                         bool second);
/// Whether the material there has a grain or a surface velocity.
template <int Dim>
bool has_direction(const Model<Dim>& model, const ContactSide<Dim>& side) {
    return surface::has_direction(model.materials[static_cast<std::size_t>(side.part->material)], side.part->grain.get());
}
/// Grain and belt velocity, world axes.
template <int Dim>
surface::Sample sample_side(const Model<Dim>& model, const StepData<Dim>& d, const ContactSide<Dim>& side);

}  // namespace asperity::implicit

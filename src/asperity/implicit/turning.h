// Newton directions that turn bodies: along arcs instead of along tangents.
#pragma once
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// Bends d.direction: a body that nothing prescribes, whose mean rotation along the direction is w, gets
///     d_i + (R(w) - I - w x)(x_i - c) + s
/// A straight line along w x (x - c) stretches the body by w^2/2, and a stiff body resists that: without the bend it turns
/// by no more than the root of what energy over stiffness allows in each iteration, some hundred of them for a tenth of a
/// radian. The shift s is zero for bodies without joints. It keeps bodies together at their joints, from those on that are
/// held: at the first joint of a body with another that comes before it.
///
/// The bend is of second order, so Newton's method converges as before. Rotations above a radian stay as they are: the
/// direction knows little about them. Returns false if no body turns.
template <int Dim>
bool bend_direction(const Model<Dim>& model, StepData<Dim>& d);

}  // namespace asperity::implicit

// Newton directions that turn bodies: along arcs instead of along tangents.
#pragma once
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// Bends d.direction: a body that nothing prescribes, whose mean rotation along the direction is w, gets
///     d_i + (R(w) - I - w x)(x_i - c) + s
/// A straight line along w x (x - c) stretches the body by w^2/2, and a stiff body resists that. Without the bend an
/// iteration therefore turns a body by very little, and a tenth of a radian takes some hundred iterations. The shift s keeps
/// bodies together at their joints: it closes the first joint of a body with one that was bent before it, starting from
/// bodies that are held. It is zero for bodies without joints.
///
/// The bend is of second order, so Newton's method converges as before. Rotations above a radian stay as they are: the
/// direction knows little about them. Returns false if no body turns.
template <int Dim>
bool bend_direction(const Model<Dim>& model, StepData<Dim>& d);

}  // namespace asperity::implicit

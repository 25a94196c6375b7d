// The incremental potential of an attempt at a step, divided by c h^2, so that it is an energy [J] and its gradient a force:
//     |x - x~|_M^2 / (2 c h^2) + elastic + affine + barrier + joints - loads . (x - start)
//     + |w x - x^|_{beta K + alpha M}^2 / (2 w h) + friction / w
#pragma once
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// Surface positions, active contacts and energy of `at`, whose nodes and progress are set. The candidates must cover it.
/// False if an element is inverted or a surface closer than its thickness allows: the energy is infinite then.
template <int Dim>
bool evaluate(const Model<Dim>& model, StepData<Dim>& d, Configuration<Dim>& at);

}  // namespace asperity::implicit

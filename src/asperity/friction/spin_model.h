// Models of the torque with which a contact patch resists spinning; defined in friction/patch_limits.h.
#pragma once

namespace asperity::friction {

enum class SpinModel { Uniform, FourCorner, Contensou, Integral };

}  // namespace asperity::friction

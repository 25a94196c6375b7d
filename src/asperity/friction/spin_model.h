// How a contact patch resists spinning on the spot; friction/patch_limits.h says what each means.
#pragma once

namespace asperity::friction {

enum class SpinModel { Uniform, FourCorner, Contensou };

}  // namespace asperity::friction

// Validation of a recording. Both save() and load() run it, so every file that save() writes can be loaded again.
#pragma once
#include <string>

#include "asperity/record/recording.h"

namespace asperity::record {

/// The first defect of the recording in one line; empty when it is valid. Poses and velocities may be NaN, so that a run
/// that diverged can still be viewed. All other numbers are finite and every index is in range. Times do not decrease. Each
/// frame holds one pose per body, and for all bodies or for none a velocity and an angular velocity.
std::string defect(const Recording& recording);
/// The same for one frame; `previous_time` is that of the frame before it.
std::string defect(const Frame& frame, std::size_t body_count, double previous_time);

}  // namespace asperity::record

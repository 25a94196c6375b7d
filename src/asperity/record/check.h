// Validation of a recording. Both save() and load() run it, so every file that save() writes can be loaded again.
#pragma once
#include <string>

#include "asperity/record/recording.h"

namespace asperity::record {

/// The first defect of the recording in one line; empty when it is valid. Poses and velocities may be NaN, so that a run
/// that diverged can still be viewed. So may be the nodes and stresses of deformable bodies, and forces. All other numbers
/// are finite and every index is in range. Times do not decrease. Each frame holds one pose per body, for all bodies or for
/// none a velocity and an angular velocity, and one deformation per deformable body, in the order of bodies.
std::string defect(const Recording& recording);

/// Counts that the sizes of a frame must agree with.
struct FrameLayout {
    struct Deformable {
        int body = -1;
        std::size_t nodes = 0, elements = 0;
    };
    std::size_t bodies = 0, regions = 0;
    std::vector<Deformable> deformables = {};
};
FrameLayout layout_of(const Recording& recording);

/// The first defect of one frame; `previous_time` is that of the frame before it.
std::string defect(const Frame& frame, const FrameLayout& layout, double previous_time);

}  // namespace asperity::record

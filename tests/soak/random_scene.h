// Random scenes for the soak: all features of the engine in a closed room. The same seed gives the same text.
#pragma once
#include <cstdint>
#include <string>

#include "asperity/math/vec.h"

namespace asperity::soak {

/// Interior of the room: |x|, |y| < kRoomHalf, 0 < z < kRoomHeight [m]. Its floor is a half-space; its walls and ceiling are
/// slabs.
constexpr double kRoomHalf = 2, kRoomHeight = 4;

/// Returns a scene file (docs/scene-format.md). `mesh_folder` holds the meshes of this test. There are no motors, conveyors
/// or kinematic bodies, so all energy is present at the start. `bounce`: half of the pairs have a restitution; if false, the
/// same scene without restitution.
std::string random_scene(std::uint64_t seed, const std::string& mesh_folder, bool bounce);

}  // namespace asperity::soak

// Random scenes for the soak: everything the engine has, thrown into a closed room. The same seed gives the same text.
#pragma once
#include <cstdint>
#include <string>

#include "asperity/math/vec.h"

namespace asperity::soak {

/// The inside of the room: |x|, |y| < kRoomHalf, 0 < z < kRoomHeight [m]. Its floor is a half-space, its walls and ceiling
/// are slabs.
constexpr double kRoomHalf = 2, kRoomHeight = 4;

/// A scene file (docs/scene-format.md). `mesh_folder` holds the meshes of this test. No motors, no conveyors and nothing
/// kinematic: whatever moves has its energy from the start. `bounce`: half of the pairs have a restitution; otherwise the
/// same scene without.
std::string random_scene(std::uint64_t seed, const std::string& mesh_folder, bool bounce);

}  // namespace asperity::soak

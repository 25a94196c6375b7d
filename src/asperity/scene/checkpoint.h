// The file `checkpoint`: everything from which a run continues with the same bits.
#pragma once
#include <array>
#include <filesystem>
#include <limits>
#include <string>

#include "asperity/implicit/report.h"
#include "asperity/sim/report.h"

namespace asperity::scene {

struct Checkpoint {
    std::string fingerprint;  ///< hash of the scene with its overrides
    double wall_s = 0;        ///< spent so far [s]
    int unconverged = 0, sweeps_max = 0;
    std::array<double, sim::kStageCount> stage_ms{};
    int newton_iterations = 0, halved_steps = 0, friction_misses = 0;  ///< of the implicit world, like the next two
    double gap_min = std::numeric_limits<double>::infinity();
    std::array<double, implicit::kPartCount> part_ms{};
    double last_frame_time = 0;  ///< of the last regular frame [s]
    std::string watch;           ///< Watch::save()
    std::string state;           ///< World::save_state()
    std::string files;           ///< RunFolder::save()
    std::string frame;           ///< of the present state (record::frame_bytes); no state holds its limit surfaces
};

/// Magic bytes, version, size and checksum of the payload, payload.
std::string to_bytes(const Checkpoint& checkpoint);
/// Throws InputError, beginning with the file's name, for bytes that to_bytes() did not make.
Checkpoint read_checkpoint(const std::filesystem::path& path);
/// Whether the file begins as a checkpoint of this program does, of any version.
bool looks_like_checkpoint(const std::filesystem::path& path);

}  // namespace asperity::scene

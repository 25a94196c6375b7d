// Settings of 6D patch contacts: correction of penetration, and compliance.
#pragma once
#include <optional>

namespace asperity::surface {

/// How the overlap of a patch is corrected in the poses. Points: each contact point by its own penetration depth. Volume:
/// one row per pair along the gradient of the shared volume, down to a target (sim/correct_volumes.cpp).
enum class OverlapBy : char { Points, Volume };

/// Per pair of materials. Unset values are taken from the world's settings, then from the default named here.
struct Stabilisation {
    std::optional<OverlapBy> overlap;     ///< default: Points
    std::optional<double> target_volume;  ///< shared volume to leave [m^3], for OverlapBy::Volume; default: 0
    std::optional<double> compliance;  ///< displacement of a patch per force [m/N]; default: 0. See sim/patch_compliance.cpp

    Stabilisation or_else(const Stabilisation& other) const {
        return {overlap ? overlap : other.overlap, target_volume ? target_volume : other.target_volume,
                compliance ? compliance : other.compliance};
    }
};

}  // namespace asperity::surface

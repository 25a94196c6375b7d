// How patches are kept apart, and how far they give way.
#pragma once
#include <optional>

namespace asperity::surface {

/// What takes overlaps of patches out of the poses. Points: their touching points, each by its own overlap. Volume: one row
/// per pair along the gradient of the volume they share, down to a target (sim/correct_volumes.cpp).
enum class OverlapBy : char { Points, Volume };

/// Of a pair; what is not set is as the world's settings say, and what they do not set as named here.
struct Stabilisation {
    std::optional<OverlapBy> overlap;     ///< Points
    std::optional<double> target_volume;  ///< what is left of a shared volume [m^3]; 0. For Volume
    std::optional<double> compliance;     ///< how far a patch gives way per force [m/N]; 0. sim/give_way.cpp

    Stabilisation or_else(const Stabilisation& other) const {
        return {overlap ? overlap : other.overlap, target_volume ? target_volume : other.target_volume,
                compliance ? compliance : other.compliance};
    }
};

}  // namespace asperity::surface

// Heights over a regular grid: a height map, or a profile if it has one row.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "asperity/lab/surfaces/profile.h"

namespace asperity::lab {

/// Rows with x fastest, from the row of least y. NaN: a point without a height, in measured maps only.
struct Topography {
    int width = 0, height = 0;
    double pixel_x = 1, pixel_y = 1;  ///< distance of neighbours, in the same unit as the heights
    std::string unit = "unit";        ///< of lengths and heights: m for measured maps
    bool periodic = false;            ///< the right neighbour of the last column is the first one, and so for rows
    std::vector<double> heights;

    double at(int x, int y) const {
        return heights[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
    bool is_profile() const { return height == 1; }
    double size_x() const { return width * pixel_x; }
    double size_y() const { return height * pixel_y; }
};

/// Larger lengths, and pixels smaller than its inverse, are damage: fourth powers of what is allowed stay finite.
constexpr double kLargestLength = 1e30;

/// Throws InputError, with `where` in front, for fewer than `least` points along x (and along y unless it is a profile),
/// pixel sizes and heights that are missing, infinite or beyond kLargestLength.
void check_complete(const Topography& map, const std::string& where, int least = 8);

struct MapSpec {
    Spectrum spectrum;
    int width = 256, height = 256;  ///< [pixels]; one period
    double pixel = 1;               ///< [units]
    double sigma = 1;               ///< root mean square height Sq [units]
    double slope = 0;               ///< if above 0: root mean square gradient Sdq, instead of sigma
    std::uint64_t seed = 1, stream = 0;
};
/// One period of a random surface with random phases, normalised by spectral energy as make_profile(): Sq, or Sdq, is the
/// wanted one exactly. A mode keeps its phase when size in pixels, band or pixel change at the same size in units. Throws
/// InputError for values out of range and for bands beyond 1/(2 pixel).
Topography make_map(const MapSpec& spec);

/// `count` samples of a profile as a topography of one row; periodic if they cover its period.
Topography sample(const Profile& profile, double first, double step, int count);

}  // namespace asperity::lab

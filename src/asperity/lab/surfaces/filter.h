// What is done to a measured surface before it is used: missing points, tilt and form, filters, subsampling.
#pragma once
#include <cstdint>

#include "asperity/lab/surfaces/topography.h"
#include "asperity/math/vec.h"

namespace asperity::lab {

enum class Trend { Mean, Plane, Quadratic };
/// The least-squares mean, plane or quadratic form removed (ISO 25178-3, F-operator). Missing points are left out of the
/// fit.
Topography detrended(const Topography& map, Trend trend);

/// Gaussian filters of ISO 16610-21 and -61: a wave of length `cutoff` [units] passes by half. low_pass keeps the long waves
/// (S-filter), high_pass the short ones (L-filter); their sum is the map. Near the edges of a map that is not periodic the
/// weights are those inside, scaled to the sum 1. Throws InputError unless 0 < cutoff, and for incomplete maps.
Topography low_pass(const Topography& map, double cutoff);
Topography high_pass(const Topography& map, double cutoff);

/// Missing points replaced by the mean of their neighbours that have heights, from the borders of each hole inwards. Throws
/// InputError if no point has a height.
Topography filled(const Topography& map, const std::string& where = "heights");

/// Rows [y, y + height) and columns [x, x + width). Throws InputError if they leave the map.
Topography cropped(const Topography& map, int x, int y, int width, int height);

/// Points (x, y, height) at least `distance` apart, drawn at random until no further one fits: Poisson-disk sampling
/// (Bridson, "Fast Poisson disk sampling in arbitrary dimensions", 2007). With distance = 1/(2 f_max) no wave above f_max
/// is kept (T3.22). Heights between the pixels are bilinear. Positions from (0, 0) to ((width - 1) pixel_x, (height - 1)
/// pixel_y).
std::vector<Vec3> poisson_disk(const Topography& map, double distance, std::uint64_t seed);

}  // namespace asperity::lab

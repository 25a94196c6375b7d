// One reader and one writer per format of files.h.
#pragma once
#include <string>
#include <string_view>

#include "asperity/lab/surfaces/topography.h"

namespace asperity::lab::detail {

constexpr double kMostPoints = 1 << 26;  ///< larger maps are refused: half a gigabyte of heights

/// Throws InputError unless both are in [1, ...] and their product is at most kMostPoints. Returns the product.
std::size_t point_count(double width, double height, const std::string& name);

// These read heights as they stand in the file; pixel sizes are set only by x3p and sdf.
Topography parse_text(std::string_view bytes, const std::string& name);
Topography parse_npy(std::string_view bytes, const std::string& name);
Topography parse_png(std::string_view bytes, const std::string& name);  ///< heights from 0 to 1
Topography parse_x3p(std::string_view bytes, const std::string& name);
Topography parse_sdf(std::string_view bytes, const std::string& name);

std::string write_text(const Topography& map);
std::string write_npy(const Topography& map);
std::string write_x3p(const Topography& map, double metre);  ///< `metre`: metres per unit of the map
std::string write_sdf(const Topography& map, double metre, bool ascii);

}  // namespace asperity::lab::detail

// Measured surfaces in files: PNG with 16 bits, text matrices, NumPy arrays, .x3p (ISO 25178-72), .sdf (ISO 25178-71).
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "asperity/lab/surfaces/topography.h"

namespace asperity::lab {

/// What pictures, text and arrays do not say, so that the user must. .x3p and .sdf hold their own sizes, in metres.
struct Scale {
    std::optional<double> pixel;         ///< distance of neighbours [unit]
    std::optional<std::string> unit;     ///< of pixel and heights: m, mm, um, nm, or `unit` for lengths without one
    std::optional<double> height_range;  ///< pictures: height of white over black [unit]
};

/// By the extension: .png, .txt (.dat, .csv, .asc), .npy, .x3p, .sdf. The row of least y is the first one of text and
/// arrays, and the lowest one of a picture. Text holds one row per line, numbers apart by blanks, tabs, commas or
/// semicolons; `#` starts a comment. `nan` is a missing height, as is BAD in .sdf and an invalid point in .x3p.
/// Throws InputError that names the file for what cannot be read, for sizes that are needed and missing, and for sizes given
/// to a file that has its own.
Topography read_surface(const std::filesystem::path& file, const Scale& scale);
/// The same from the bytes of a file; `name` stands for it in messages, and its extension decides the format.
Topography parse_surface(std::string_view bytes, const std::string& name, const Scale& scale);

/// By the extension; .sdf is binary, .asc.sdf is ASCII. A PNG holds 16 bits from the lowest to the highest point: `range` is
/// their difference, which the reader needs as height_range. Throws InputError for maps with holes in a PNG, and for .x3p
/// and .sdf without a length unit.
struct WrittenSurface {
    std::string bytes;
    double range = 0;  ///< PNG only [unit]
};
WrittenSurface write_surface(const Topography& map, const std::string& name);

/// Metres in one of m, mm, um, nm; empty for `unit`. Throws InputError for others.
std::optional<double> metres(const std::string& unit, const std::string& where);

}  // namespace asperity::lab

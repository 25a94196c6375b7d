// Pictures as numbers: height maps.
#pragma once
#include <filesystem>
#include <vector>

namespace asperity::mesh {

/// Brightness from 0 (black) to 1 (white), row by row from the bottom left, as stored (no gamma), with up to 16 bits.
struct GreyImage {
    int width = 0, height = 0;
    std::vector<double> values;
};
/// PNG, JPEG and the other formats of stb_image; colours become their luma. Throws InputError that names the file.
GreyImage read_grey(const std::filesystem::path& path);

}  // namespace asperity::mesh

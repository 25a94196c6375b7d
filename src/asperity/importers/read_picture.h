// Reads pictures as numbers, for height maps and grain.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace asperity::importers {

/// Luma from 0 (black) to 1 (white), row by row from the bottom left, as stored (no gamma), up to 16 bits.
struct GreyImage {
    int width = 0, height = 0;
    std::vector<double> values;
};
struct PictureSize {
    int width = 0, height = 0;
};
/// Without decoding the picture. Throws InputError that names the file.
PictureSize picture_size(const std::filesystem::path& path);

/// PNG, JPEG and the other formats of stb_image; colours are converted to luma. Throws InputError that names the file.
GreyImage read_grey(const std::filesystem::path& path);

/// All channels from 0 to 1 as stored, row by row from the bottom left; 8 or 16 bits, palettes resolved.
struct Picture {
    int width = 0, height = 0, channels = 0;  ///< 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha
    std::vector<float> values;
};
Picture read_picture(const std::filesystem::path& path);
/// Same, from the bytes of a file; `name` stands for the file in messages.
Picture decode_picture(std::string_view bytes, const std::string& name);

}  // namespace asperity::importers

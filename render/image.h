// Pictures with eight bits per channel: writing files, reading textures.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace asperity::render {

/// Rows from top to bottom, three bytes per pixel, sRGB.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
    bool operator==(const Image&) const = default;
};

/// Never leaves a partial file. Throws InputError if the file cannot be written.
void save_png(const Image& image, const std::filesystem::path& path);

/// Reads PNG, JPEG and the other formats of stb_image, without alpha. Throws InputError for anything else.
Image load_image(const std::filesystem::path& path);
/// Same, from the bytes of a file; `name` stands for the file in messages.
Image decode_image(std::string_view bytes, const std::string& name);

}  // namespace asperity::render

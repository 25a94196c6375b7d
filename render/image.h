// Pictures: eight bits per channel for files, and reading textures.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace asperity::render {

/// Rows from top to bottom, three bytes per pixel, sRGB.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
    bool operator==(const Image&) const = default;
};

/// Written whole or not at all. Throws InputError when the file cannot be written.
void save_png(const Image& image, const std::filesystem::path& path);

/// PNG, JPEG and what else stb_image reads; alpha is dropped. Throws InputError for anything else.
Image load_image(const std::filesystem::path& path);

}  // namespace asperity::render

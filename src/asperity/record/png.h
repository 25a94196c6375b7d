// Pictures as the bytes of a PNG file: generated textures.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace asperity::record {

/// 8 bits a channel, rows from the top; 1 channel grey, 3 RGB, 4 RGB and alpha. pixels.size() = width * height * channels.
std::string png(int width, int height, int channels, std::span<const std::uint8_t> pixels);
/// The same with 16 bits a channel, each as two bytes, the higher one first: pixels.size() = 2 * width * height * channels.
std::string png16(int width, int height, int channels, std::span<const std::uint8_t> pixels);

}  // namespace asperity::record

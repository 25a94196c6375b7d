// Encodes pictures as PNG, for generated textures.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace asperity::record {

/// 8 bits per channel, rows from the top. Channels: 1 grey, 3 RGB, 4 RGBA. pixels.size() = width * height * channels.
std::string png(int width, int height, int channels, std::span<const std::uint8_t> pixels);
/// The same with 16 bits per channel, the high byte first: pixels.size() = 2 * width * height * channels.
std::string png16(int width, int height, int channels, std::span<const std::uint8_t> pixels);

}  // namespace asperity::record

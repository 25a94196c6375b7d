// The smallest PNG writer that is one: for generated textures of a few pixels.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace asperity::record::detail {

/// 8-bit grey, rows from the top, uncompressed inside. pixels.size() = width * height, and (width + 1) * height < 65536.
std::string png_grey(int width, int height, std::span<const std::uint8_t> pixels);

}  // namespace asperity::record::detail

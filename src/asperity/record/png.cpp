#include "asperity/record/png.h"

#include <new>

#include "asperity/core/assert.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC  // render/ has a copy of its own
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace asperity::record {

std::string png(int width, int height, int channels, std::span<const std::uint8_t> pixels) {
    ASPERITY_ASSERT(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * static_cast<std::size_t>(channels) == pixels.size());
    std::string out;
    const auto append = [](void* to, void* data, int size) { static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size)); };
    if (stbi_write_png_to_func(append, &out, width, height, channels, pixels.data(), width * channels) == 0) throw std::bad_alloc();
    return out;
}

}  // namespace asperity::record

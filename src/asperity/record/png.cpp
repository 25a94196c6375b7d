#include "asperity/record/png.h"

#include <cstdlib>
#include <memory>
#include <new>
#include <string_view>

#include "asperity/core/assert.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC  // render/ has its own copy
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace asperity::record {
namespace {

std::string big_endian(std::uint32_t v) {
    return {static_cast<char>(v >> 24), static_cast<char>(v >> 16 & 0xff), static_cast<char>(v >> 8 & 0xff),
            static_cast<char>(v & 0xff)};
}

/// A PNG chunk (ISO/IEC 15948, 5.3): length, type, content, CRC-32 of type and content.
void add_chunk(std::string& png, std::string_view type, std::string_view content) {
    std::uint32_t crc = 0xffffffffU;
    for (const std::string_view part : {type, content})
        for (const char c : part) {
            crc ^= static_cast<std::uint8_t>(c);
            for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
        }
    png += big_endian(static_cast<std::uint32_t>(content.size()));
    png += type;
    png += content;
    png += big_endian(~crc);
}

}  // namespace

std::string png16(int width, int height, int channels, std::span<const std::uint8_t> pixels) {
    const auto pixel = 2 * static_cast<std::size_t>(channels), row = pixel * static_cast<std::size_t>(width);
    ASPERITY_ASSERT((channels == 1 || channels == 3 || channels == 4) &&
                    pixels.size() == row * static_cast<std::size_t>(height));
    // Each row with filter 1 (Sub): differences to the previous pixel compress better than the values.
    std::string rows;
    rows.reserve(pixels.size() + static_cast<std::size_t>(height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
        rows.push_back(1);
        for (std::size_t i = 0; i < row; ++i)
            rows.push_back(static_cast<char>(pixels[y * row + i] - (i >= pixel ? pixels[y * row + i - pixel] : 0)));
    }
    int size = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> packed(
        stbi_zlib_compress(reinterpret_cast<unsigned char*>(rows.data()), static_cast<int>(rows.size()), &size, 8),
        std::free);
    if (!packed) throw std::bad_alloc();
    std::string out = "\x89PNG\r\n\x1a\n";
    const char kind = channels == 1 ? 0 : channels == 3 ? 2 : 6;
    add_chunk(out, "IHDR",
              big_endian(static_cast<std::uint32_t>(width)) + big_endian(static_cast<std::uint32_t>(height)) +
                  std::string{16, kind, 0, 0, 0});
    add_chunk(out, "IDAT", {reinterpret_cast<const char*>(packed.get()), static_cast<std::size_t>(size)});
    add_chunk(out, "IEND", {});
    return out;
}

std::string png(int width, int height, int channels, std::span<const std::uint8_t> pixels) {
    ASPERITY_ASSERT(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                        static_cast<std::size_t>(channels) ==
                    pixels.size());
    std::string out;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    if (stbi_write_png_to_func(append, &out, width, height, channels, pixels.data(), width * channels) == 0)
        throw std::bad_alloc();
    return out;
}

}  // namespace asperity::record

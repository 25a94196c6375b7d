// Chunks and filters: PNG specification, ISO/IEC 15948. The zlib stream (RFC 1950) holds one stored deflate block
// (RFC 1951, 3.2.4).
#include "asperity/record/detail/png.h"

#include "asperity/core/assert.h"

namespace asperity::record::detail {
namespace {

void put_big_endian(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>((value >> shift) & 0xff));
}

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = 0xffffffffu;
    for (const char c : bytes) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

std::uint32_t adler32(std::string_view bytes) {
    std::uint32_t a = 1, b = 0;
    for (const char c : bytes) {
        a = (a + static_cast<std::uint8_t>(c)) % 65521;
        b = (b + a) % 65521;
    }
    return (b << 16) | a;
}

void put_chunk(std::string& out, std::string_view type, std::string_view data) {
    put_big_endian(out, static_cast<std::uint32_t>(data.size()));
    const std::string body = std::string(type) + std::string(data);
    out += body;
    put_big_endian(out, crc32(body));
}

}  // namespace

std::string png_grey(int width, int height, std::span<const std::uint8_t> pixels) {
    ASPERITY_ASSERT(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) == pixels.size());
    std::string rows;
    for (int y = 0; y < height; ++y) {
        rows.push_back(0);  // no filter
        for (int x = 0; x < width; ++x) rows.push_back(static_cast<char>(pixels[static_cast<std::size_t>(y * width + x)]));
    }
    ASPERITY_ASSERT(rows.size() < 65536);

    std::string header;
    put_big_endian(header, static_cast<std::uint32_t>(width));
    put_big_endian(header, static_cast<std::uint32_t>(height));
    header += std::string{8, 0, 0, 0, 0};  // 8 bits, grey, deflate, adaptive filters, not interlaced

    const auto size = static_cast<std::uint32_t>(rows.size());
    std::string stream{0x78, 0x01, 0x01};  // zlib header; last block, stored
    for (const std::uint32_t n : {size, ~size}) {
        stream.push_back(static_cast<char>(n & 0xff));
        stream.push_back(static_cast<char>((n >> 8) & 0xff));
    }
    stream += rows;
    put_big_endian(stream, adler32(rows));

    std::string png = "\x89PNG\r\n\x1a\n";
    put_chunk(png, "IHDR", header);
    put_chunk(png, "IDAT", stream);
    put_chunk(png, "IEND", "");
    return png;
}

}  // namespace asperity::record::detail

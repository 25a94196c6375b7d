// PNG files of kinds that we never write ourselves: 16 bits, palettes (ISO/IEC 15948). The zlib stream (RFC 1950) consists
// of one stored block.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace asperity::scene {

/// `pixels`: bytes as in the file, row by row from the top, without filter bytes. `kind`: 0 grey, 2 RGB, 3 palette, 4 grey
/// and alpha, 6 RGBA.
inline std::string png_kind(std::uint32_t width, std::uint32_t height, char depth, char kind,
                            const std::vector<std::uint8_t>& pixels, const std::vector<std::uint8_t>& palette = {}) {
    const auto big_endian = [](std::uint32_t v) {
        return std::string{static_cast<char>(v >> 24), static_cast<char>(v >> 16), static_cast<char>(v >> 8),
                           static_cast<char>(v)};
    };
    const auto chunk = [&](const std::string& type, const std::string& data) {
        std::uint32_t crc = 0xffffffffU;
        for (const char c : type + data) {
            crc ^= static_cast<std::uint8_t>(c);
            for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
        }
        return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(~crc);
    };
    std::string rows;
    const std::size_t row = pixels.size() / height;
    for (std::size_t y = 0; y < height; ++y) {
        rows.push_back(0);
        rows.append(reinterpret_cast<const char*>(pixels.data()) + y * row, row);
    }
    std::uint32_t a = 1, b = 0;
    for (const char c : rows) a = (a + static_cast<std::uint8_t>(c)) % 65521, b = (b + a) % 65521;
    std::string stream{0x78, 0x01, 0x01};
    for (const std::size_t n : {rows.size(), ~rows.size()})
        stream.push_back(static_cast<char>(n & 0xff)), stream.push_back(static_cast<char>((n >> 8) & 0xff));
    std::string out =
        "\x89PNG\r\n\x1a\n" + chunk("IHDR", big_endian(width) + big_endian(height) + std::string{depth, kind, 0, 0, 0});
    if (!palette.empty()) out += chunk("PLTE", {palette.begin(), palette.end()});
    return out + chunk("IDAT", stream + rows + big_endian(b << 16 | a)) + chunk("IEND", "");
}

}  // namespace asperity::scene

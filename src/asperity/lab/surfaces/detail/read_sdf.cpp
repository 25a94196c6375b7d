// .sdf, the surface data file of ISO 25178-71 (formerly of BCR): a header with the scales in metres, then the heights, in
// ASCII or binary.
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "asperity/core/bytes.h"
#include "asperity/core/error.h"
#include "asperity/core/one_line.h"
#include "asperity/lab/surfaces/detail/formats.h"

namespace asperity::lab::detail {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Header {
    double points = 0, profiles = 0, x = 0, y = 0, z = 0;  ///< sizes; scales [m]
};

Topography start(const Header& h, const std::string& name) {
    point_count(h.points, h.profiles, name);
    if (!(h.x > 0) || !std::isfinite(h.x) || (h.profiles > 1 && (!(h.y > 0) || !std::isfinite(h.y))))
        throw InputError(fmt::format("{}: Xscale, Yscale = {:g}, {:g} m: must be above 0", name, h.x, h.y));
    if (!(h.z > 0) || !std::isfinite(h.z)) throw InputError(fmt::format("{}: Zscale = {:g} m: must be above 0", name, h.z));
    Topography map{.width = static_cast<int>(h.points), .height = static_cast<int>(h.profiles), .unit = "m"};
    map.pixel_x = h.x;
    map.pixel_y = h.profiles > 1 ? h.y : h.x;
    return map;
}

// ---- ASCII ----

/// Words apart by blanks and line ends, with line numbers.
struct Words {
    std::string_view text;
    std::size_t at = 0;
    int line = 1;

    std::string_view next() {
        const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ';'; };
        while (at < text.size() && blank(text[at])) line += text[at] == '\n', ++at;
        const std::size_t first = at;
        while (at < text.size() && !blank(text[at])) ++at;
        return text.substr(first, at - first);
    }
};

double ascii_number(std::string_view word, const Words& words, const std::string& name) {
    double value = 0;
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || rest != word.data() + word.size())
        throw InputError(fmt::format("{}:{}: '{}' is not a number", name, words.line, one_line(word, 30)));
    return value;
}

Topography parse_ascii(std::string_view bytes, const std::string& name) {
    Header h;
    std::size_t begin = 0;
    int line_number = 0;
    bool ended = false;
    while (begin < bytes.size() && !ended) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        const std::string_view line = bytes.substr(begin, end - begin);
        begin = end + 1;
        ++line_number;
        if (line.starts_with('*')) {
            ended = true;
            break;
        }
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        Words key{line.substr(0, equals)}, value{line.substr(equals + 1)};
        const std::string_view word = key.next();
        const auto number = [&](double& to) {
            value.line = line_number;
            to = ascii_number(value.next(), value, name);
        };
        if (word == "NumPoints") number(h.points);
        if (word == "NumProfiles") number(h.profiles);
        if (word == "Xscale") number(h.x);
        if (word == "Yscale") number(h.y);
        if (word == "Zscale") number(h.z);
    }
    if (!ended) throw InputError(fmt::format("{}: no line '*' ends the header; is the file whole?", name));
    if (h.points != std::floor(h.points) || h.profiles != std::floor(h.profiles))
        throw InputError(
            fmt::format("{}: NumPoints, NumProfiles = {:g}, {:g} are not whole numbers", name, h.points, h.profiles));
    Topography map = start(h, name);
    const auto count = static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height);
    // A height takes two bytes at least, so a damaged size is noticed before its memory is asked for.
    if (count > bytes.size())
        throw InputError(fmt::format("{}: too short for {} x {} heights", name, map.width, map.height));
    map.heights.reserve(count);
    Words words{bytes, std::min(begin, bytes.size()), line_number + 1};
    while (map.heights.size() < count) {
        const std::string_view word = words.next();
        if (word.empty() || word == "*")
            throw InputError(
                fmt::format("{}: ends after {} of {} heights; is the file whole?", name, map.heights.size(), count));
        map.heights.push_back(word == "BAD" ? kMissing : ascii_number(word, words, name) * h.z);
    }
    return map;
}

// ---- binary ----

constexpr std::size_t kHeaderSize = 81;  // 8 version, 10 + 12 + 12 texts, 2 + 2 sizes, 4 x 8 scales, 3 kinds

std::uint64_t bits_at(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t bits = 0;
    for (std::size_t i = size; i-- > 0;) bits = bits << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return bits;
}

/// 0 to 2: unsigned of 8, 16, 32 bits; 3: single; 4 to 6: signed of 8, 16, 32 bits; 7: double.
std::size_t type_size(int type) { return type == 7 ? 8 : std::size_t{1} << (type % 4 < 3 ? type % 4 : 2); }

double decoded(std::uint64_t bits, int type) {
    switch (type) {
        case 3: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case 4: return static_cast<std::int8_t>(bits);
        case 5: return static_cast<std::int16_t>(bits);
        case 6: return static_cast<std::int32_t>(bits);
        case 7: return std::bit_cast<double>(bits);
        default: return static_cast<double>(bits);
    }
}

Topography parse_binary(std::string_view bytes, const std::string& name) {
    if (bytes.size() < kHeaderSize) throw InputError(fmt::format("{}: its header is cut off; is the file whole?", name));
    Header h;
    h.points = static_cast<double>(bits_at(bytes, 42, 2));
    h.profiles = static_cast<double>(bits_at(bytes, 44, 2));
    h.x = std::bit_cast<double>(bits_at(bytes, 46, 8));
    h.y = std::bit_cast<double>(bits_at(bytes, 54, 8));
    h.z = std::bit_cast<double>(bits_at(bytes, 62, 8));
    const int compression = static_cast<std::uint8_t>(bytes[78]), type = static_cast<std::uint8_t>(bytes[79]);
    if (compression != 0)
        throw InputError(fmt::format("{}: compressed (kind {}); only plain files are read", name, compression));
    if (type > 7) throw InputError(fmt::format("{}: DataType {}; known are 0 to 7", name, type));
    Topography map = start(h, name);
    const auto count = static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height), size = type_size(type);
    if (bytes.size() - kHeaderSize < count * size)
        throw InputError(fmt::format("{}: {} bytes for {} x {} heights of {} bytes; is the file whole?", name,
                                     bytes.size() - kHeaderSize, map.width, map.height, size));
    map.heights.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        map.heights.push_back(decoded(bits_at(bytes, kHeaderSize + i * size, size), type) * h.z);
    return map;
}

}  // namespace

Topography parse_sdf(std::string_view bytes, const std::string& name) {
    if (bytes.starts_with("aISO-1.0") || bytes.starts_with("aBCR-1.0")) return parse_ascii(bytes, name);
    if (bytes.starts_with("bISO-1.0") || bytes.starts_with("bBCR-1.0")) return parse_binary(bytes, name);
    throw InputError(
        fmt::format("{}: not a surface data file: it does not start with aISO-1.0, bISO-1.0, aBCR-1.0 or bBCR-1.0", name));
}

std::string write_sdf(const Topography& map, double metre, bool ascii) {
    // Doubles in metres: a Zscale of 1 keeps every bit.
    if (ascii) {
        std::string out = fmt::format(
            "aISO-1.0\nManufacID   = asperity\nCreateDate  = 010120000000\nModDate     = 010120000000\nNumPoints   = {}\n"
            "NumProfiles = {}\nXscale      = {}\nYscale      = {}\nZscale      = 1\nZresolution = -1\nCompression = 0\n"
            "DataType    = 7\nCheckType   = 0\n*\n",
            map.width, map.height, map.pixel_x * metre, map.pixel_y * metre);
        for (int y = 0; y < map.height; ++y)
            for (int x = 0; x < map.width; ++x) {
                const double h = map.at(x, y) * metre;
                out += std::isfinite(h) ? fmt::format("{}", h) : "BAD";
                out += x + 1 < map.width ? ' ' : '\n';
            }
        return out + "*\n";
    }
    ByteWriter out;
    out.bytes = "bISO-1.0asperity  010120000000010120000000";
    for (const int size : {map.width, map.height}) {
        out.u8(static_cast<std::uint8_t>(size & 0xff));
        out.u8(static_cast<std::uint8_t>(size >> 8));
    }
    for (const double scale : {map.pixel_x * metre, map.pixel_y * metre, 1.0, -1.0}) out.f64(scale);
    for (const std::uint8_t kind : {0, 7, 0}) out.u8(kind);
    for (const double h : map.heights) out.f64(h * metre);
    return out.bytes;
}

}  // namespace asperity::lab::detail

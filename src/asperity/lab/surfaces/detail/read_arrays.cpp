// Text matrices, NumPy arrays and pictures.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "asperity/core/bytes.h"
#include "asperity/core/error.h"
#include "asperity/core/one_line.h"
#include "asperity/importers/read_picture.h"
#include "asperity/importers/zip.h"
#include "asperity/lab/surfaces/detail/formats.h"

namespace asperity::lab::detail {

std::size_t point_count(double width, double height, const std::string& name) {
    if (!(width >= 1 && height >= 1 && width * height <= kMostPoints))
        throw InputError(fmt::format("{}: {:g} x {:g} heights; at least 1 along each axis and at most {:g} in all", name,
                                     width, height, kMostPoints));
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

// ---- text ----

Topography parse_text(std::string_view bytes, const std::string& name) {
    Topography map;
    int line_number = 0;
    for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        std::string_view line = bytes.substr(begin, end - begin);
        begin = end + 1;
        ++line_number;
        line = line.substr(0, line.find('#'));
        const std::size_t before = map.heights.size();
        for (std::size_t i = 0; i < line.size();) {
            if (const char c = line[i]; c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r') {
                ++i;
                continue;
            }
            double value = 0;
            const std::size_t start = line[i] == '+' ? i + 1 : i;  // from_chars takes no plus sign
            const auto [rest, error] = std::from_chars(line.data() + start, line.data() + line.size(), value);
            const auto used = static_cast<std::size_t>(rest - line.data());
            const bool ended = used >= line.size() || std::string_view(" \t,;\r").find(line[used]) != std::string_view::npos;
            if (error != std::errc() || !ended)
                throw InputError(
                    fmt::format("{}:{}:{}: '{}' is not a number; a row of heights is numbers apart by blanks, "
                                "tabs, commas or semicolons",
                                name, line_number, i + 1, one_line(line.substr(i, 20), 20)));
            map.heights.push_back(value);
            i = used;
        }
        const std::size_t row = map.heights.size() - before;
        if (row == 0) continue;
        if (map.height == 0) map.width = static_cast<int>(std::min<std::size_t>(row, 1u << 30));
        if (row != static_cast<std::size_t>(map.width))
            throw InputError(
                fmt::format("{}:{}: {} heights in this row, {} in the rows before", name, line_number, row, map.width));
        ++map.height;
        point_count(map.width, map.height, name);
    }
    if (map.height == 0) throw InputError(fmt::format("{}: has no heights", name));
    return map;
}

std::string write_text(const Topography& map) {
    std::string out =
        fmt::format("# {} x {} heights, pixel {} x {} [{}]\n", map.width, map.height, map.pixel_x, map.pixel_y, map.unit);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x)
            fmt::format_to(std::back_inserter(out), "{}{}", map.at(x, y), x + 1 < map.width ? ' ' : '\n');
    return out;
}

// ---- .npy: NumPy format 1.0 to 3.0 (NumPy enhancement proposal 1) ----

namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// The text behind `'key':` in the header's dictionary, up to `stop`.
std::string_view npy_field(std::string_view header, const std::string& key, std::string_view stop, const std::string& name) {
    const std::size_t at = header.find("'" + key + "'");
    const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
    if (colon == std::string_view::npos) throw InputError(fmt::format("{}: its header does not say '{}'", name, key));
    std::string_view value = header.substr(colon + 1);
    value = value.substr(0, value.find_first_of(stop));
    while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    return value;
}

template <class Number>
double number_at(const char* bytes, bool big) {
    using Bits =
        std::conditional_t<sizeof(Number) == 8, std::uint64_t,
                           std::conditional_t<sizeof(Number) == 4, std::uint32_t,
                                              std::conditional_t<sizeof(Number) == 2, std::uint16_t, std::uint8_t>>>;
    Bits bits;
    std::memcpy(&bits, bytes, sizeof bits);
    if (big != (std::endian::native == std::endian::big)) {
        Bits turned = 0;
        for (std::size_t i = 0; i < sizeof bits; ++i)
            turned = static_cast<Bits>((static_cast<std::uint64_t>(turned) << 8) | ((bits >> (8 * i)) & 0xff));
        bits = turned;
    }
    return static_cast<double>(std::bit_cast<Number>(bits));
}

using NumberReader = double (*)(const char* bytes, bool big);
struct NpyType {
    std::string_view name;
    std::size_t size;
    NumberReader read;
};
constexpr NpyType kNpyTypes[] = {
    {"f8", 8, number_at<double>},        {"f4", 4, number_at<float>},         {"i1", 1, number_at<std::int8_t>},
    {"i2", 2, number_at<std::int16_t>},  {"i4", 4, number_at<std::int32_t>},  {"i8", 8, number_at<std::int64_t>},
    {"u1", 1, number_at<std::uint8_t>},  {"u2", 2, number_at<std::uint16_t>}, {"u4", 4, number_at<std::uint32_t>},
    {"u8", 8, number_at<std::uint64_t>},
};

}  // namespace

Topography parse_npy(std::string_view bytes, const std::string& name) {
    const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("{}: {}", name, why)); };
    if (!bytes.starts_with(kNpyMagic) || bytes.size() < 12) refuse("not a NumPy array (.npy)");
    const bool wide = bytes[6] != 1;  // the length of the header has two bytes in version 1, later four
    std::size_t size = 0;
    for (std::size_t i = wide ? 4 : 2; i-- > 0;) size = size << 8 | static_cast<std::uint8_t>(bytes[8 + i]);
    const std::size_t start = wide ? 12 : 10;
    if (size > bytes.size() - start) refuse("its header is cut off; is the file whole?");
    const std::string_view header = bytes.substr(start, size), content = bytes.substr(start + size);

    std::string_view type = npy_field(header, "descr", ",}", name);
    if (type.size() > 2 && type.front() == '\'') type = type.substr(1, type.size() - 2);
    const bool big = type.starts_with('>');
    const NpyType* number = nullptr;
    for (const NpyType& t : kNpyTypes)
        if (type.size() > 1 && std::string_view("<>|=").find(type[0]) != std::string_view::npos && type.substr(1) == t.name)
            number = &t;
    if (!number) refuse(fmt::format("numbers of type {}; known are f4, f8, i1 to i8, u1 to u8", one_line(type, 30)));
    const bool fortran = npy_field(header, "fortran_order", ",}", name).starts_with("True");
    std::string_view shape = npy_field(header, "shape", ")", name);
    if (!shape.starts_with('(')) refuse("its shape is no tuple");
    double sizes[2] = {1, 1};
    int axes = 0;
    for (std::size_t i = 1; i < shape.size();) {
        if (shape[i] == ' ' || shape[i] == ',') {
            ++i;
            continue;
        }
        std::uint64_t value = 0;
        const auto [rest, error] = std::from_chars(shape.data() + i, shape.data() + shape.size(), value);
        if (error != std::errc()) refuse("its shape is damaged");
        if (axes == 2) refuse("has more than two axes; a surface has rows and columns");
        sizes[axes++] = static_cast<double>(value);
        i = static_cast<std::size_t>(rest - shape.data());
    }
    if (axes == 0) refuse("holds one number, not a surface");
    const double height = axes == 2 ? sizes[0] : 1, width = axes == 2 ? sizes[1] : sizes[0];
    const std::size_t count = point_count(width, height, name);
    if (content.size() < count * number->size)
        refuse(fmt::format("holds {} bytes for {:g} x {:g} numbers; is the file whole?", content.size(), width, height));
    Topography map{.width = static_cast<int>(width), .height = static_cast<int>(height)};
    map.heights.reserve(count);
    const auto rows = static_cast<std::size_t>(map.height), columns = static_cast<std::size_t>(map.width);
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x)
            map.heights.push_back(
                number->read(content.data() + number->size * (fortran ? x * rows + y : y * columns + x), big));
    return map;
}

std::string write_npy(const Topography& map) {
    std::string header =
        map.is_profile()
            ? fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", map.width)
            : fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", map.height, map.width);
    // Blanks and a line feed so that the numbers start at a multiple of 64.
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string out(kNpyMagic);
    out += '\1';
    out += '\0';
    out += static_cast<char>(header.size() & 0xff);
    out += static_cast<char>(header.size() >> 8);
    ByteWriter numbers;
    for (const double h : map.heights) numbers.f64(h);
    return out + header + numbers.bytes;
}

// ---- pictures ----

namespace {

/// Refuses a PNG whose chunks are cut off or do not have their checksums: heights of a damaged picture would be wrong
/// without a sign of it.
void check_png(std::string_view bytes, const std::string& name) {
    const auto refuse = [&](const std::string& why) {
        throw InputError(fmt::format("{}: {}; is the file whole?", name, why));
    };
    constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
    if (!bytes.starts_with(kSignature)) refuse("not a PNG");
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
        return value;
    };
    bool data = false;
    for (std::size_t at = kSignature.size();;) {
        if (bytes.size() - at < 12) refuse("ends without its last chunk");
        const std::size_t size = number(at);
        if (size > bytes.size() - at - 12) refuse("a chunk is cut off");
        const std::string_view kind = bytes.substr(at + 4, 4);
        if (importers::crc32(bytes.substr(at + 4, size + 4)) != number(at + 8 + size))
            refuse(fmt::format("the checksum of its chunk '{}' is wrong", one_line(kind, 8)));
        data = data || (kind == "IDAT" && size > 0);
        if (kind == "IDAT" && !data) refuse("has an empty chunk of data");
        if (kind == "IEND") return;
        at += size + 12;
    }
}

}  // namespace

Topography parse_png(std::string_view bytes, const std::string& name) {
    check_png(bytes, name);
    const importers::Picture picture = importers::decode_picture(bytes, name);
    point_count(picture.width, picture.height, name);
    if (picture.channels != 1)
        throw InputError(
            fmt::format("{}: a picture with {} channels; heights need a grey one without transparency, with 16 bits", name,
                        picture.channels));
    Topography map{.width = picture.width, .height = picture.height};
    map.heights.assign(picture.values.begin(), picture.values.end());
    return map;
}

}  // namespace asperity::lab::detail

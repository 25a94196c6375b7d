#include "asperity/lab/surfaces/files.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/one_line.h"
#include "asperity/lab/surfaces/detail/formats.h"
#include "asperity/record/png.h"

namespace asperity::lab {
namespace {

enum class Format { Png, Text, Npy, X3p, Sdf, AsciiSdf };

Format format_of(const std::string& name) {
    const auto ends = [&](std::string_view end) {
        return name.size() >= end.size() &&
               std::equal(end.begin(), end.end(), name.end() - static_cast<std::ptrdiff_t>(end.size()),
                          [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
    };
    if (ends(".png")) return Format::Png;
    if (ends(".npy")) return Format::Npy;
    if (ends(".x3p")) return Format::X3p;
    if (ends(".asc.sdf")) return Format::AsciiSdf;
    if (ends(".sdf")) return Format::Sdf;
    for (const char* text : {".txt", ".dat", ".csv", ".asc"})
        if (ends(text)) return Format::Text;
    throw InputError(fmt::format(
        "{}: the extension names no known format of surfaces; known: .png, .txt, .dat, .csv, .asc, .npy, .x3p, .sdf",
        one_line(name, 200)));
}

bool has_own_scale(Format format) { return format == Format::X3p || format == Format::Sdf || format == Format::AsciiSdf; }

/// The scale of a file that has none of its own.
void apply(const Scale& scale, Format format, const std::string& name, Topography& map) {
    std::string missing;
    if (!scale.pixel) missing += " the pixel size (--pixel)";
    if (!scale.unit) missing += missing.empty() ? " the unit (--unit)" : " and the unit (--unit)";
    if (format == Format::Png && !scale.height_range)
        missing += std::string(missing.empty() ? "" : " and") + " the height of white over black (--height-range)";
    if (!missing.empty())
        throw InputError(fmt::format("{}: a file of this kind does not say how large it is: give{}", name, missing));
    metres(*scale.unit, name);
    map.pixel_x = map.pixel_y = *scale.pixel;
    map.unit = *scale.unit;
    if (format != Format::Png) {
        if (scale.height_range)
            throw InputError(fmt::format("{}: --height-range is for pictures; this file holds heights in its unit", name));
        return;
    }
    if (!(*scale.height_range > 0) || !std::isfinite(*scale.height_range))
        throw InputError(fmt::format("{}: height range {:g}: must be above 0", name, *scale.height_range));
    for (double& h : map.heights) h *= *scale.height_range;
}

}  // namespace

std::optional<double> metres(const std::string& unit, const std::string& where) {
    if (unit == "m") return 1;
    if (unit == "mm") return 1e-3;
    if (unit == "um") return 1e-6;
    if (unit == "nm") return 1e-9;
    if (unit == "unit") return {};
    throw InputError(fmt::format("{}: unknown unit '{}'; known: m, mm, um, nm, unit", where, one_line(unit, 40)));
}

Topography parse_surface(std::string_view bytes, const std::string& name, const Scale& scale) {
    const Format format = format_of(name);
    const std::string shown = one_line(name, 200);
    if (has_own_scale(format) && (scale.pixel || scale.unit || scale.height_range))
        throw InputError(
            fmt::format("{}: a file of this kind holds its own sizes, in metres; leave out --pixel, --unit and "
                        "--height-range",
                        shown));
    Topography map;
    switch (format) {
        case Format::Png: map = detail::parse_png(bytes, shown); break;
        case Format::Text: map = detail::parse_text(bytes, shown); break;
        case Format::Npy: map = detail::parse_npy(bytes, shown); break;
        case Format::X3p: map = detail::parse_x3p(bytes, shown); break;
        default: map = detail::parse_sdf(bytes, shown); break;
    }
    if (!has_own_scale(format)) apply(scale, format, shown, map);
    for (const double h : map.heights)
        if (std::fabs(h) > kLargestLength)
            throw InputError(
                fmt::format("{}: a height is infinite or beyond {:g}; write missing ones as nan", shown, kLargestLength));
    for (const double pixel : {map.pixel_x, map.pixel_y})
        if (!(pixel >= 1 / kLargestLength && pixel <= kLargestLength))
            throw InputError(fmt::format("{}: pixel size {:g} {}: must be in [{:g}, {:g}]", shown, pixel, map.unit,
                                         1 / kLargestLength, kLargestLength));
    return map;
}

Topography read_surface(const std::filesystem::path& file, const Scale& scale) {
    format_of(file.string());  // before a large file is read
    return parse_surface(read_file(file), file.string(), scale);
}

WrittenSurface write_surface(const Topography& map, const std::string& name) {
    const Format format = format_of(name);
    if (format == Format::Text) return {detail::write_text(map)};
    if (format == Format::Npy) return {detail::write_npy(map)};
    if (format == Format::Png) {
        check_complete(map, name, 1);
        const auto [low, high] = std::minmax_element(map.heights.begin(), map.heights.end());
        const double range = *high - *low;
        std::vector<std::uint8_t> pixels;
        pixels.reserve(2 * map.heights.size());
        for (int y = map.height - 1; y >= 0; --y)
            for (int x = 0; x < map.width; ++x) {
                const long level = range > 0 ? std::lround((map.at(x, y) - *low) / range * 65535) : 0;
                pixels.push_back(static_cast<std::uint8_t>(level >> 8));
                pixels.push_back(static_cast<std::uint8_t>(level & 0xff));
            }
        return {record::png16(map.width, map.height, 1, pixels), range};
    }
    const std::optional<double> metre = metres(map.unit, name);
    if (!metre)
        throw InputError(
            fmt::format("{}: this format holds metres, and the surface has no unit of length; give --unit", name));
    if (format == Format::X3p) return {detail::write_x3p(map, *metre)};
    if (map.width > 65535 || map.height > 65535)
        throw InputError(
            fmt::format("{}: {} x {} heights; this format holds at most 65535 along an axis", name, map.width, map.height));
    return {detail::write_sdf(map, *metre, format == Format::AsciiSdf)};
}

}  // namespace asperity::lab

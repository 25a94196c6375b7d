#include "asperity/deform/meshes/read_vtu.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/deform/detail/xml_scanner.h"

namespace asperity::deform {
namespace {

using detail::RawMesh;
using detail::XmlScanner;

/// Groups are made of arrays with at most this many values: more are data, not markers.
constexpr std::size_t kMostGroups = 1000;

int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Up to `most` bytes. Padding may stand in the middle: some writers encode the length and the data one after the other.
/// Ends at the first other character. False for one that is neither base64 nor a blank.
bool decode_base64(std::string_view text, std::size_t most, std::string& out) {
    out.clear();
    unsigned group = 0;
    int bits = 0;
    for (const char c : text) {
        if (out.size() >= most) return true;
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        if (c == '=') {
            group = 0, bits = 0;
            continue;
        }
        const int value = base64_value(c);
        if (value < 0) return false;
        group = group << 6 | static_cast<unsigned>(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out.push_back(static_cast<char>(group >> bits & 0xFF));
        }
    }
    return true;
}

/// One <DataArray>: where its numbers are.
struct Array {
    std::string name, type, format;
    std::size_t at = 0;      ///< of its tag, for messages
    std::string_view text;   ///< of ascii and binary
    std::size_t offset = 0;  ///< of appended
    int components = 1;
};

class VtuReader {
  public:
    VtuReader(std::string_view bytes, const std::string& name) : scanner_(bytes, name) {}

    RawMesh read() {
        scan();
        if (!points_ || !connectivity_ || !offsets_ || !types_)
            scanner_.fail(
                0, "it lacks <Points> or one of connectivity, offsets and types in <Cells>; is it an unstructured grid?");
        const std::vector<double> x = numbers(*points_);
        if (x.size() % 3 != 0) scanner_.fail(points_->at, fmt::format("{} coordinates are no multiple of three", x.size()));
        for (std::size_t i = 0; i < x.size(); i += 3) {
            raw_.points.push_back({x[i], x[i + 1], x[i + 2]});
            if (!raw_.points.back().allFinite()) scanner_.fail(points_->at, fmt::format("point {} is not finite", i / 3));
        }
        if (raw_.points.size() != point_count_)
            scanner_.fail(points_->at,
                          fmt::format("{} points instead of NumberOfPoints = {}", raw_.points.size(), point_count_));
        add_cells();
        if (raw_.cells.size() != cell_count_)
            scanner_.fail(types_->at, fmt::format("{} cells instead of NumberOfCells = {}", raw_.cells.size(), cell_count_));
        add_groups();
        return std::move(raw_);
    }

  private:
    void scan() {
        std::string parent;
        bool file = false;
        for (XmlScanner::Tag tag = scanner_.next(); !tag.name.empty(); tag = scanner_.next()) {
            if (tag.name == "VTKFile") {
                file = true;
                read_header(tag);
            } else if (tag.name == "Piece") {
                if (++pieces_ > 1) scanner_.fail(tag.at, "more than one <Piece>; merge them before saving");
                point_count_ = natural(tag, "NumberOfPoints", 0);
                cell_count_ = natural(tag, "NumberOfCells", 0);
            } else if (tag.name == "Points" || tag.name == "Cells" || tag.name == "CellData" || tag.name == "PointData") {
                parent = tag.empty ? "" : std::string(tag.name);
            } else if (tag.name == "/Points" || tag.name == "/Cells" || tag.name == "/CellData" ||
                       tag.name == "/PointData") {
                parent.clear();
            } else if (tag.name == "DataArray") {
                keep(parent, read_array(tag));
            } else if (tag.name == "AppendedData") {
                const std::string_view encoding = tag.attribute("encoding");
                if (encoding != "raw" && encoding != "base64")
                    scanner_.fail(tag.at, "encoding of appended data: must be raw or base64");
                raw_encoding_ = encoding == "raw";
                const std::size_t mark = scanner_.rest().find('_');
                if (mark == std::string_view::npos) scanner_.fail(tag.at, "appended data begin with '_'");
                appended_ = scanner_.rest().substr(mark + 1);
                break;  // binary data hold anything, '<' included
            }
        }
        if (!file) scanner_.fail(0, "it has no <VTKFile>; is it a .vtu file?");
    }

    void read_header(const XmlScanner::Tag& tag) {
        if (tag.attribute("type") != "UnstructuredGrid")
            scanner_.fail(tag.at, fmt::format("type \"{}\": must be UnstructuredGrid", tag.attribute("type").substr(0, 40)));
        if (!tag.attribute("compressor").empty())
            scanner_.fail(tag.at, "its data are compressed; save it without a compressor, as text or appended raw");
        if (tag.attribute("byte_order") == "BigEndian")
            scanner_.fail(tag.at, "its byte order is not that of this machine; save it as text");
        length_bytes_ = tag.attribute("header_type") == "UInt64" ? 8 : 4;
    }

    std::size_t natural(const XmlScanner::Tag& tag, std::string_view key, std::size_t otherwise) const {
        const std::string_view text = tag.attribute(key);
        if (text.empty()) return otherwise;
        std::size_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size())
            scanner_.fail(tag.at, fmt::format("{} = \"{}\": must be a natural number", key, text.substr(0, 40)));
        return value;
    }
    Array read_array(const XmlScanner::Tag& tag) const {
        Array out;
        out.name = tag.attribute("Name").substr(0, 100);
        out.type = tag.attribute("type").substr(0, 20);
        out.format = tag.attribute("format").empty() ? "ascii" : tag.attribute("format").substr(0, 20);
        out.at = tag.at;
        out.components = static_cast<int>(std::min<std::size_t>(1000, natural(tag, "NumberOfComponents", 1)));
        out.offset = natural(tag, "offset", 0);
        if (!tag.empty) out.text = scanner_.text();
        return out;
    }
    void keep(const std::string& parent, Array array) {
        if (parent == "Points")
            points_ = std::move(array);
        else if (parent == "Cells" && array.name == "connectivity")
            connectivity_ = std::move(array);
        else if (parent == "Cells" && array.name == "offsets")
            offsets_ = std::move(array);
        else if (parent == "Cells" && array.name == "types")
            types_ = std::move(array);
        else if (parent == "CellData" && !marker_ && array.components == 1 && array.type.find("Int") != std::string::npos)
            marker_ = std::move(array);
    }

    // --- numbers
    template <class Number>
    static void append(std::string_view bytes, std::vector<double>& out) {
        for (std::size_t i = 0; i + sizeof(Number) <= bytes.size(); i += sizeof(Number)) {
            Number value;
            std::memcpy(&value, bytes.data() + i, sizeof value);
            out.push_back(static_cast<double>(value));
        }
    }
    std::vector<double> from_bytes(const Array& array, std::string_view bytes) const {
        std::vector<double> out;
        const auto use = [&](std::string_view type, auto number) {
            if (array.type == type) append<decltype(number)>(bytes, out);
            return array.type == type;
        };
        if (!use("Float64", double{}) && !use("Float32", float{}) && !use("Int64", std::int64_t{}) &&
            !use("UInt64", std::uint64_t{}) && !use("Int32", std::int32_t{}) && !use("UInt32", std::uint32_t{}) &&
            !use("UInt8", std::uint8_t{}) && !use("Int8", std::int8_t{}) && !use("Int16", std::int16_t{}) &&
            !use("UInt16", std::uint16_t{}))
            scanner_.fail(array.at, fmt::format("numbers of type \"{}\"", array.type));
        return out;
    }
    std::vector<double> from_text(const Array& array) const {
        std::vector<double> out;
        const char *at = array.text.data(), *end = at + array.text.size();
        for (;;) {
            while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) ++at;
            if (at == end) return out;
            double value = 0;
            const auto [next, error] = std::from_chars(at, end, value);
            const std::string_view word(at, static_cast<std::size_t>(next - at));
            const bool tiny =
                error == std::errc::result_out_of_range && word.find("e-") != std::string_view::npos;  // 1e-320
            if (!tiny && error != std::errc())
                scanner_.fail(array.at, fmt::format("array \"{}\": entry {} is not a number", array.name, out.size()));
            out.push_back(value);
            at = next;
        }
    }
    /// Bytes behind a length of 4 or 8 bytes.
    std::string_view behind_length(const Array& array, std::string_view bytes, std::size_t& length) const {
        if (bytes.size() < length_bytes_) scanner_.fail(array.at, fmt::format("array \"{}\" ends too early", array.name));
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data(), length_bytes_);
        length = static_cast<std::size_t>(value);
        return bytes.substr(length_bytes_);
    }
    std::vector<double> numbers(const Array& array) const {
        if (array.format == "ascii") return from_text(array);
        std::string_view source = array.text;
        if (array.format == "appended") {
            if (array.offset > appended_.size())
                scanner_.fail(array.at, fmt::format("offset {} lies behind the appended data", array.offset));
            source = appended_.substr(array.offset);
        } else if (array.format != "binary") {
            scanner_.fail(array.at, fmt::format("format \"{}\": must be ascii, binary or appended", array.format));
        }
        std::size_t length = 0;
        std::string decoded;
        std::string_view bytes = source;
        if (array.format == "binary" || !raw_encoding_) {
            if (!decode_base64(source, length_bytes_, decoded)) scanner_.fail(array.at, "its data are not base64");
            behind_length(array, decoded, length);
            if (length > source.size() || !decode_base64(source, length_bytes_ + length, decoded))
                scanner_.fail(array.at, fmt::format("array \"{}\" ends too early", array.name));
            bytes = decoded;
        }
        bytes = behind_length(array, bytes, length);
        if (length > bytes.size())
            scanner_.fail(array.at, fmt::format("array \"{}\" has {} bytes of {}", array.name, bytes.size(), length));
        return from_bytes(array, bytes.substr(0, length));
    }

    // --- cells
    void add_cells() {
        const std::vector<double> corners = numbers(*connectivity_), ends = numbers(*offsets_), types = numbers(*types_);
        if (ends.size() != types.size())
            scanner_.fail(types_->at, fmt::format("{} types for {} cells", types.size(), ends.size()));
        double first = 0;
        for (std::size_t c = 0; c < ends.size(); ++c) {
            if (!(ends[c] >= first) || !(ends[c] <= static_cast<double>(corners.size())))
                scanner_.fail(offsets_->at, fmt::format("offset {} of cell {} is out of order", ends[c], c));
            // VTK_VERTEX 1, VTK_LINE 3, VTK_TRIANGLE 5, VTK_TETRA 10
            const int count = types[c] == 10 ? 4 : types[c] == 5 ? 3 : types[c] == 3 ? 2 : types[c] == 1 ? 1 : 0;
            if (count == 0)
                scanner_.fail(
                    types_->at,
                    fmt::format("cell {} has type {}: only triangles (5) and tetrahedra (10) are read; split other "
                                "cells first",
                                c, types[c]));
            if (ends[c] - first != count)
                scanner_.fail(offsets_->at, fmt::format("cell {} has {} corners instead of {}", c, ends[c] - first, count));
            RawMesh::Cell cell{{}, count, -1};
            for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
                const double index = corners[static_cast<std::size_t>(first) + k];
                if (!(index >= 0) || !(index < static_cast<double>(raw_.points.size())) || index != std::floor(index))
                    scanner_.fail(connectivity_->at,
                                  fmt::format("cell {} has corner {}; there are {} points", c, index, raw_.points.size()));
                cell.points[k] = static_cast<int>(index);
            }
            raw_.cells.push_back(cell);
            first = ends[c];
        }
    }
    void add_groups() {
        if (!marker_) return;
        const std::vector<double> markers = numbers(*marker_);
        if (markers.size() != raw_.cells.size())
            scanner_.fail(marker_->at, fmt::format("array \"{}\": {} values for {} cells", marker_->name, markers.size(),
                                                   raw_.cells.size()));
        std::map<double, int> groups;
        for (const double m : markers) {
            if (!std::isfinite(m))
                scanner_.fail(marker_->at, fmt::format("array \"{}\": a marker is not finite", marker_->name));
            groups.try_emplace(m, 0);
            if (groups.size() > kMostGroups) return;
        }
        for (auto& [value, index] : groups) {
            index = static_cast<int>(raw_.groups.size());
            raw_.groups.push_back(fmt::format("{}={}", marker_->name, value));
        }
        for (std::size_t c = 0; c < markers.size(); ++c) raw_.cells[c].group = groups.at(markers[c]);
    }

    XmlScanner scanner_;
    RawMesh raw_;
    std::optional<Array> points_, connectivity_, offsets_, types_, marker_;
    std::string_view appended_;
    bool raw_encoding_ = true;
    std::size_t length_bytes_ = 4;
    int pieces_ = 0;
    std::size_t point_count_ = 0, cell_count_ = 0;
};

}  // namespace

template <int Dim>
MarkedMesh<Dim> read_vtu(std::string_view bytes, const std::string& name) {
    return detail::assemble<Dim>(VtuReader(bytes, name).read(), name);
}
template <int Dim>
MarkedMesh<Dim> read_vtu(const std::filesystem::path& path) {
    return read_vtu<Dim>(read_file(path), path.string());
}

template MarkedMesh<2> read_vtu<2>(std::string_view, const std::string&);
template MarkedMesh<3> read_vtu<3>(std::string_view, const std::string&);
template MarkedMesh<2> read_vtu<2>(const std::filesystem::path&);
template MarkedMesh<3> read_vtu<3>(const std::filesystem::path&);

}  // namespace asperity::deform

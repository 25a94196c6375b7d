// .x3p, ISO 25178-72 (ISO 5436-2): a zip archive of main.xml, which describes the axes, and a binary file of heights.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "asperity/core/bytes.h"
#include "asperity/core/error.h"
#include "asperity/core/one_line.h"
#include "asperity/importers/zip.h"
#include "asperity/lab/surfaces/detail/formats.h"

namespace asperity::lab::detail {
namespace {

/// The text of every element of an XML document with its path of local names, such as "Record1/Axes/CX/Increment" (without
/// the root). Attributes, comments, declarations and processing instructions are skipped.
struct XmlText {
    std::string path, text;
};

class XmlReader {
  public:
    XmlReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    std::vector<XmlText> read() {
        std::vector<XmlText> found;
        std::vector<std::string> open, texts;
        while (at_ < text_.size()) {
            const std::size_t tag = std::min(text_.find('<', at_), text_.size());
            if (!texts.empty()) texts.back() += text_.substr(at_, tag - at_);
            at_ = tag;
            if (at_ == text_.size()) break;
            if (text_.substr(at_).starts_with("<!--")) {
                skip_behind("-->");
            } else if (text_.substr(at_).starts_with("<![CDATA[")) {
                const std::size_t first = at_ + 9;
                skip_behind("]]>");
                if (!texts.empty()) texts.back() += text_.substr(first, at_ - 3 - first);
            } else if (text_.substr(at_).starts_with("<?") || text_.substr(at_).starts_with("<!")) {
                skip_behind(">");
            } else if (text_.substr(at_).starts_with("</")) {
                skip_behind(">");
                if (open.empty()) refuse("an element is closed twice");
                std::string path;
                for (std::size_t i = 1; i < open.size(); ++i) path += (i > 1 ? "/" : "") + open[i];
                found.push_back({path, trimmed(texts.back())});
                open.pop_back(), texts.pop_back();
            } else {
                const std::size_t first = at_ + 1;
                skip_behind(">");
                const std::string_view inside = text_.substr(first, at_ - 1 - first);
                if (inside.ends_with('/')) continue;  // <Empty/>
                std::string_view element = inside.substr(0, inside.find_first_of(" \t\r\n"));
                element = element.substr(element.rfind(':') + 1);  // npos + 1 is 0
                constexpr std::size_t kDeepest = 64, kMost = 10000;
                if (open.size() >= kDeepest || found.size() >= kMost)
                    refuse("too many elements for a description of a surface");
                open.emplace_back(element);
                texts.emplace_back();
            }
        }
        if (!open.empty()) refuse("an element is not closed");
        return found;
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw InputError(fmt::format("{}: main.xml: {}; is the file whole?", name_, why));
    }
    void skip_behind(std::string_view end) {
        const std::size_t found = text_.find(end, at_);
        if (found == std::string_view::npos) refuse(fmt::format("no '{}' ends what begins at byte {}", end, at_));
        at_ = found + end.size();
    }
    static std::string trimmed(const std::string& text) {
        const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
        return first == std::string::npos ? "" : text.substr(first, last - first + 1);
    }
    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
};

struct Description {
    const std::vector<XmlText>& elements;
    const std::string& name;

    /// Null where there is none.
    const std::string* find(const std::string& path) const {
        for (const XmlText& e : elements)
            if (e.path == path) return &e.text;
        return nullptr;
    }
    const std::string& text(const std::string& path) const {
        const std::string* found = find(path);
        if (!found) throw InputError(fmt::format("{}: main.xml: {} is missing", name, path));
        return *found;
    }
    double number(const std::string& path) const {
        const std::string& word = text(path);
        double value = 0;
        const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || rest != word.data() + word.size() || !std::isfinite(value))
            throw InputError(fmt::format("{}: main.xml: {} = '{}' is not a number", name, path, one_line(word, 40)));
        return value;
    }
    double number_or(const std::string& path, double otherwise) const { return find(path) ? number(path) : otherwise; }
};

/// A height of the binary file: I 16 bits, L 32 bits, F single, D double; little-endian.
std::size_t number_size(const std::string& type, const std::string& name) {
    if (type == "I") return 2;
    if (type == "L" || type == "F") return 4;
    if (type == "D") return 8;
    throw InputError(
        fmt::format("{}: main.xml: DataType '{}' of the heights; known are I, L, F and D", name, one_line(type, 20)));
}

double number_at(const char* bytes, char type) {
    std::uint64_t bits = 0;
    const int size = type == 'I' ? 2 : type == 'D' ? 8 : 4;
    for (int i = size; i-- > 0;) bits = bits << 8 | static_cast<std::uint8_t>(bytes[i]);
    switch (type) {
        case 'I': return static_cast<std::int16_t>(bits);
        case 'L': return static_cast<std::int32_t>(bits);
        case 'F': return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        default: return std::bit_cast<double>(bits);
    }
}

bool wanted(std::string_view entry) {
    return entry == "main.xml" || (entry.starts_with("bindata/") && entry.ends_with(".bin"));
}

}  // namespace

Topography parse_x3p(std::string_view bytes, const std::string& name) {
    const auto entries = importers::read_zip(bytes, name, wanted, static_cast<std::size_t>(kMostPoints) * 8);
    const auto entry = [&](const std::string& wanted_name) -> const std::string* {
        for (const importers::ZipEntry& e : entries)
            if (e.name == wanted_name) return &e.content;
        return nullptr;
    };
    const std::string* xml = entry("main.xml");
    if (!xml) throw InputError(fmt::format("{}: not an .x3p file: the archive has no main.xml", name));
    const std::vector<XmlText> elements = XmlReader(*xml, name).read();
    const Description d{elements, name};

    const double width = d.number("Record3/MatrixDimension/SizeX"), height = d.number("Record3/MatrixDimension/SizeY");
    const double layers = d.number_or("Record3/MatrixDimension/SizeZ", 1);
    if (layers != 1)
        throw InputError(fmt::format("{}: {:g} layers (SizeZ); only surfaces of one layer are read", name, layers));
    if (width != std::floor(width) || height != std::floor(height))
        throw InputError(fmt::format("{}: main.xml: SizeX, SizeY = {:g}, {:g} are not whole numbers", name, width, height));
    const std::size_t count = point_count(width, height, name);
    Topography map{.width = static_cast<int>(width), .height = static_cast<int>(height), .unit = "m"};
    map.pixel_x = d.number("Record1/Axes/CX/Increment");
    map.pixel_y = map.is_profile() ? map.pixel_x : d.number("Record1/Axes/CY/Increment");
    if (!(map.pixel_x > 0 && map.pixel_y > 0))
        throw InputError(fmt::format("{}: main.xml: increments {:g} and {:g} m of the axes: must be above 0", name,
                                     map.pixel_x, map.pixel_y));
    // Integer heights count increments; heights in floating point are metres, and may have an increment of 1 or none.
    const double increment = d.number_or("Record1/Axes/CZ/Increment", 1), offset = d.number_or("Record1/Axes/CZ/Offset", 0);
    const std::string& type = d.text("Record1/Axes/CZ/DataType");
    const std::size_t size = number_size(type, name);

    const std::string* link = d.find("Record3/DataLink/PointDataLink");
    if (!link)
        throw InputError(
            fmt::format("{}: main.xml has no Record3/DataLink/PointDataLink; heights written in main.xml itself "
                        "(DataList) are not read: save the file with binary data",
                        name));
    const std::string* data = entry(*link);
    if (!data) throw InputError(fmt::format("{}: the archive has no '{}', which main.xml names", name, one_line(*link, 60)));
    if (data->size() < count * size)
        throw InputError(fmt::format("{}: {} bytes for {:g} x {:g} heights of {} bytes; is the file whole?", name,
                                     data->size(), width, height, size));
    map.heights.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        map.heights.push_back(number_at(data->data() + i * size, type[0]) * increment + offset);
    // One bit per point, the first in the lowest bit; 0 is a point that was not measured.
    if (const std::string* valid_link = d.find("Record3/DataLink/ValidPointsLink")) {
        const std::string* valid = entry(*valid_link);
        if (!valid || valid->size() < (count + 7) / 8)
            throw InputError(fmt::format("{}: '{}', which says which points are valid, is missing or too short", name,
                                         one_line(*valid_link, 60)));
        for (std::size_t i = 0; i < count; ++i)
            if ((static_cast<std::uint8_t>((*valid)[i / 8]) >> (i % 8) & 1) == 0)
                map.heights[i] = std::numeric_limits<double>::quiet_NaN();
    }
    return map;
}

std::string write_x3p(const Topography& map, double metre) {
    const auto axis = [](const char* name, const char* kind, double increment) {
        return fmt::format(
            "<C{0}><AxisType>{1}</AxisType><DataType>D</DataType><Increment>{2}</Increment><Offset>0</Offset></C{0}>", name,
            kind, increment);
    };
    const std::string xml = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<p:ISO5436_2 xmlns:p=\"http://www.opengps.eu/2008/ISO5436_2\">\n"
        "<Record1><Revision>ISO5436 - 2000</Revision><FeatureType>{}</FeatureType><Axes>{}{}{}</Axes></Record1>\n"
        "<Record3><MatrixDimension><SizeX>{}</SizeX><SizeY>{}</SizeY><SizeZ>1</SizeZ></MatrixDimension>"
        "<DataLink><PointDataLink>bindata/data.bin</PointDataLink></DataLink></Record3>\n</p:ISO5436_2>\n",
        map.is_profile() ? "PRF" : "SUR", axis("X", "I", map.pixel_x * metre), axis("Y", "I", map.pixel_y * metre),
        axis("Z", "A", 1), map.width, map.height);
    ByteWriter data;
    for (const double h : map.heights) data.f64(h * metre);
    return importers::write_zip({{"main.xml", xml}, {"bindata/data.bin", data.bytes}});
}

}  // namespace asperity::lab::detail

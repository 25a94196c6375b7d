#include "asperity/deform/meshes/read_msh.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <unordered_map>

#include "asperity/core/error.h"
#include "asperity/core/files.h"

namespace asperity::deform {
namespace {

using detail::RawMesh;

/// Points of Gmsh's element types that are read; 0 for all others.
int points_of(long long type) {
    switch (type) {
        case 15: return 1;
        case 1: return 2;
        case 2: return 3;
        case 4: return 4;
        default: return 0;
    }
}

/// Gmsh numbers are positive; a larger count than this is a damaged file.
constexpr long long kMost = 1LL << 40;

class MshReader {
  public:
    MshReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    RawMesh read() {
        if (header() != "$MeshFormat") fail("it does not begin with $MeshFormat; is it a Gmsh mesh?");
        read_format();
        bool elements = false;
        while (skip_blanks(), at_ < bytes_.size()) {
            const std::string_view section = header();
            if (section == "$PhysicalNames") {
                read_names();
            } else if (section == "$Entities" && new_) {
                read_entities();
            } else if (section == "$Nodes") {
                new_ ? read_new_nodes() : read_old_nodes();
            } else if (section == "$Elements") {
                new_ ? read_new_elements() : read_old_elements();
                elements = true;
            } else if (section.starts_with("$") && !section.starts_with("$End")) {
                const std::string end = fmt::format("$End{}", section.substr(1));
                const std::size_t found = bytes_.find(end, at_);
                if (found == std::string_view::npos) fail(fmt::format("section {} has no end", section.substr(0, 40)));
                at_ = found + end.size();
                continue;
            } else {
                fail(fmt::format("expected a section such as $Nodes, found '{}'", printable(section)));
            }
            const std::string_view end = header();
            if (end != fmt::format("$End{}", section.substr(1)))
                fail(fmt::format("expected $End{}, found '{}'", section.substr(1), printable(end)));
        }
        if (!elements) fail("it has no $Elements; the file may have been cut off");
        return std::move(raw_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { detail::fail_at(name_, bytes_, at_, what); }
    static std::string printable(std::string_view text) {
        std::string out(text.substr(0, 40));
        for (char& c : out)
            if (c < ' ' || c > '~') c = '?';
        return out;
    }

    // --- words, and numbers in either encoding
    void skip_blanks() {
        while (at_ < bytes_.size() &&
               (bytes_[at_] == ' ' || bytes_[at_] == '\n' || bytes_[at_] == '\r' || bytes_[at_] == '\t'))
            ++at_;
    }
    std::string_view word() {
        skip_blanks();
        const std::size_t first = at_;
        while (at_ < bytes_.size() && bytes_[at_] != ' ' && bytes_[at_] != '\n' && bytes_[at_] != '\r' &&
               bytes_[at_] != '\t')
            ++at_;
        return bytes_.substr(first, at_ - first);
    }
    std::string_view header() { return word(); }
    template <class Number>
    Number text_number(const char* what) {
        const std::string_view text = word();
        Number value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty()) fail(fmt::format("the file ends where {} should be", what));
        if (error == std::errc::result_out_of_range && text.find("e-") != std::string_view::npos) return 0;  // 1e-320
        if (error != std::errc() || end != text.data() + text.size())
            fail(fmt::format("expected {}, found '{}'", what, printable(text)));
        return value;
    }
    template <class Number>
    Number binary_number(const char* what) {
        if (bytes_.size() - at_ < sizeof(Number)) fail(fmt::format("the file ends where {} should be", what));
        Number value;
        std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    long long integer(const char* what) {
        return binary_ ? binary_number<std::int32_t>(what) : text_number<long long>(what);
    }
    /// Counts and tags of version 4.1 have 8 bytes.
    long long size(const char* what) { return binary_ ? binary_number<std::int64_t>(what) : text_number<long long>(what); }
    double real(const char* what) { return binary_ ? binary_number<double>(what) : text_number<double>(what); }
    long long count(long long value, const char* what) {
        if (value < 0 || value > kMost) fail(fmt::format("{} = {}", what, value));
        return value;
    }
    /// After a line of text, binary data begin behind its line end.
    void begin_binary() {
        if (!binary_) return;
        while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
        ++at_;
    }

    void read_format() {
        const double version = text_number<double>("a version");
        const auto type = text_number<long long>("0 for ASCII or 1 for binary");
        const auto width = text_number<long long>("the size of a number");
        if (version != 2.2 && version != 4.1)
            fail(fmt::format("version {} of the format; 2.2 and 4.1 are read: save it again with Mesh.MshFileVersion = 4.1",
                             version));
        if (type != 0 && type != 1) fail(fmt::format("file type {}: must be 0 or 1", type));
        if (width != 8) fail(fmt::format("numbers of {} bytes; only 8 are read", width));
        new_ = version == 4.1;
        binary_ = type == 1;
        if (binary_) {
            begin_binary();
            if (binary_number<std::int32_t>("the byte order") != 1)
                fail("its byte order is not that of this machine; save it as ASCII");
        }
        if (header() != "$EndMeshFormat") fail("expected $EndMeshFormat");
    }

    void read_names() {  // text in binary files too
        const long long n = count(text_number<long long>("the number of names"), "number of names");
        for (long long k = 0; k < n; ++k) {
            const auto dimension = text_number<long long>("a dimension");
            const auto tag = text_number<long long>("a tag");
            skip_blanks();
            const std::size_t first = at_ + 1, last = bytes_.find('"', first);
            if (at_ >= bytes_.size() || bytes_[at_] != '"' || last == std::string_view::npos)
                fail("expected a name in quotes");
            at_ = last + 1;
            names_[{dimension, tag}] = std::string(bytes_.substr(first, last - first));
        }
    }

    /// Index of the group of a physical tag, or -1 for tag 0.
    int group(long long dimension, long long tag) {
        if (tag == 0) return -1;
        const auto [at, fresh] = groups_.try_emplace({dimension, tag}, static_cast<int>(raw_.groups.size()));
        if (fresh) {
            const auto named = names_.find({dimension, tag});
            raw_.groups.push_back(named != names_.end() ? named->second : fmt::format("{}", tag));
        }
        return at->second;
    }

    // --- points
    void add_point(long long tag) {
        Vector<3> p;
        for (int d = 0; d < 3; ++d) p[d] = real("a coordinate");
        if (!p.allFinite()) fail(fmt::format("a coordinate of node {} is not finite", tag));
        set_point(tag, p);
    }
    void set_point(long long tag, const Vector<3>& p) {
        if (!index_.try_emplace(tag, static_cast<int>(raw_.points.size())).second)
            fail(fmt::format("node {} occurs twice", tag));
        raw_.points.push_back(p);
    }
    void read_old_nodes() {
        const long long n = count(text_number<long long>("the number of nodes"), "number of nodes");
        begin_binary();
        for (long long k = 0; k < n; ++k) add_point(integer("the number of a node"));
    }
    void read_new_nodes() {
        begin_binary();
        const long long blocks = count(size("the number of blocks"), "number of blocks");
        for (int k = 0; k < 3; ++k) size("a number of nodes");
        std::vector<long long> tags;
        for (long long b = 0; b < blocks; ++b) {
            const long long dimension = integer("a dimension");
            integer("an entity");
            const bool parametric = integer("0 or 1") != 0;
            const long long n = count(size("the number of nodes of a block"), "number of nodes");
            tags.clear();
            for (long long k = 0; k < n; ++k) tags.push_back(size("the number of a node"));
            for (const long long tag : tags) {
                add_point(tag);
                for (long long k = 0; parametric && k < dimension; ++k) real("a parameter");
            }
        }
    }

    // --- elements
    void add_cell(int points, int group) {
        RawMesh::Cell cell{{}, points, group};
        for (std::size_t k = 0; k < static_cast<std::size_t>(points); ++k) {
            const long long tag = new_ ? size("a node") : integer("a node");
            const auto found = index_.find(tag);
            if (found == index_.end()) fail(fmt::format("node {} does not exist; $Nodes must come before $Elements", tag));
            cell.points[k] = found->second;
        }
        raw_.cells.push_back(cell);
    }
    int checked_points(long long type) const {
        const int points = points_of(type);
        if (points == 0)
            fail(
                fmt::format("elements of type {}: only linear triangles (2) and tetrahedra (4) are read; mesh with "
                            "Mesh.ElementOrder = 1 and without recombination",
                            type));
        return points;
    }
    void read_old_elements() {
        const long long n = count(text_number<long long>("the number of elements"), "number of elements");
        begin_binary();
        for (long long done = 0; done < n;) {
            long long type, in_block = 1, tags;
            if (binary_) {
                type = integer("an element type");
                in_block = count(integer("the number of elements of a block"), "number of elements");
                tags = count(integer("the number of tags"), "number of tags");
                if (in_block == 0) fail("a block of no elements");
            } else {
                integer("the number of an element");
                type = integer("an element type");
                tags = count(integer("the number of tags"), "number of tags");
            }
            const int points = checked_points(type);
            for (long long k = 0; k < in_block; ++k) {
                if (binary_) integer("the number of an element");
                long long physical = 0;
                for (long long t = 0; t < tags; ++t) {
                    const long long tag = integer("a tag");
                    if (t == 0) physical = tag;
                }
                add_cell(points, group(points - 1, physical));
            }
            done += in_block;
        }
    }
    void read_new_elements() {
        begin_binary();
        const long long blocks = count(size("the number of blocks"), "number of blocks");
        for (int k = 0; k < 3; ++k) size("a number of elements");
        for (long long b = 0; b < blocks; ++b) {
            const long long dimension = integer("a dimension"), entity = integer("an entity");
            const int points = checked_points(integer("an element type"));
            const long long n = count(size("the number of elements of a block"), "number of elements");
            const auto physical = physical_.find({dimension, entity});
            const int own = physical == physical_.end() ? -1 : group(dimension, physical->second);
            for (long long k = 0; k < n; ++k) {
                size("the number of an element");
                add_cell(points, own);
            }
        }
    }
    /// Version 4.1 gives the physical group of each entity, here the first if there are several.
    void read_entities() {
        begin_binary();
        long long counts[4];
        for (long long& n : counts) n = count(size("a number of entities"), "number of entities");
        for (long long dimension = 0; dimension < 4; ++dimension)
            for (long long k = 0; k < counts[dimension]; ++k) {
                const long long tag = integer("an entity");
                for (int c = 0; c < (dimension == 0 ? 3 : 6); ++c) real("a bound");
                const long long physical = count(size("a number of groups"), "number of groups");
                for (long long p = 0; p < physical; ++p) {
                    const long long group_tag = integer("a group");
                    if (p == 0) physical_[{dimension, tag}] = group_tag;
                }
                if (dimension == 0) continue;
                const long long sides = count(size("a number of bounding entities"), "number of bounding entities");
                for (long long s = 0; s < sides; ++s) integer("an entity");
            }
    }

    std::string_view bytes_;
    const std::string& name_;
    std::size_t at_ = 0;
    bool new_ = false, binary_ = false;
    RawMesh raw_;
    std::unordered_map<long long, int> index_;  // of node tags
    std::map<std::pair<long long, long long>, std::string> names_;
    std::map<std::pair<long long, long long>, int> groups_;
    std::map<std::pair<long long, long long>, long long> physical_;  // of entities
};

}  // namespace

template <int Dim>
MarkedMesh<Dim> read_msh(std::string_view bytes, const std::string& name) {
    return detail::assemble<Dim>(MshReader(bytes, name).read(), name);
}
template <int Dim>
MarkedMesh<Dim> read_msh(const std::filesystem::path& path) {
    return read_msh<Dim>(read_file(path), path.string());
}

template MarkedMesh<2> read_msh<2>(std::string_view, const std::string&);
template MarkedMesh<3> read_msh<3>(std::string_view, const std::string&);
template MarkedMesh<2> read_msh<2>(const std::filesystem::path&);
template MarkedMesh<3> read_msh<3>(const std::filesystem::path&);

}  // namespace asperity::deform

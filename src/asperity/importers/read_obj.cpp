// Wavefront OBJ: v, vt, vn and f lines; other lines are ignored. A backslash at the end of a line continues it on the next.
#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/importers/load.h"

namespace asperity::importers {
namespace {

constexpr std::size_t kMostCorners = 3 * static_cast<std::size_t>(geometry::kMaxMeshTriangles);

class ObjReader {
  public:
    ObjReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    geometry::MeshData read() {
        while (at_ < text_.size()) {
            const std::string_view word = next_word();
            if (word == "v") data_.positions.push_back(numbers3());
            if (word == "vn") normals_.push_back(numbers3());
            if (word == "vt") uvs_.push_back(numbers2());
            if (word == "f") face();
            // skip to the line end: a path in a comment may end in a backslash, which is no continuation
            if (word.starts_with('#')) at_ = std::min(text_.find('\n', at_), text_.size());
            while (!next_word().empty()) {}
            ++at_, ++line_;
        }
        if (!all_normals_) data_.normals.clear();
        if (!all_uvs_) data_.uvs.clear();
        return std::move(data_);
    }

  private:
    struct Corner {
        std::uint32_t position;
        int uv, normal;  // -1: none
    };

    [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}:{}: {}", name_, line_, what)); }

    /// Length of a line continuation at the current position; 0 if there is none.
    std::size_t continuation() const {
        const std::string_view rest = text_.substr(at_, 3);
        return rest == "\\" ? 1 : rest.starts_with("\\\n") ? 2 : rest == "\\\r\n" ? 3 : 0;
    }
    bool at_blank() const { return text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r'; }
    /// Advances to the next word in this line. Returns false if there is none.
    bool skip_blanks() {
        while (at_ < text_.size()) {
            const std::size_t mark = continuation();
            if (mark == 0 && !at_blank()) return text_[at_] != '\n';
            at_ += std::max<std::size_t>(mark, 1);
            line_ += mark > 0;
        }
        return false;
    }
    std::string_view next_word() {
        if (!skip_blanks()) return {};
        const std::size_t first = at_;
        while (at_ < text_.size() && text_[at_] != '\n' && !at_blank() && continuation() == 0) ++at_;
        return text_.substr(first, at_ - first);
    }
    double number() {
        const std::string_view word = next_word();
        double value = 0;
        const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
        const auto [end, error] = std::from_chars(begin, word.data() + word.size(), value);
        if (word.empty() || error == std::errc::invalid_argument || end != word.data() + word.size())
            fail(fmt::format("expected a number, found '{}'", word.substr(0, 40)));
        return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
    }
    Vec3 numbers3() {
        Vec3 v;
        v.x = number(), v.y = number(), v.z = number();
        return v;
    }
    Vec2 numbers2() {
        Vec2 v;
        v.x = number();
        if (skip_blanks()) v.y = number();
        return v;
    }
    /// An index of v, vt or vn: counted from 1, or from the end if negative.
    int index(std::string_view text, std::size_t count, const char* what) const {
        long long value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size())
            fail(fmt::format("expected an index, found '{}'", text.substr(0, 40)));
        const long long from_zero = value > 0 ? value - 1 : static_cast<long long>(count) + value;
        if (value == 0 || from_zero < 0 || from_zero >= static_cast<long long>(count))
            fail(fmt::format("{} {} does not exist; there are {} so far", what, value, count));
        return static_cast<int>(from_zero);
    }
    Corner corner(std::string_view word) const {
        std::string_view part[3];
        for (std::string_view& p : part) {
            const std::size_t slash = std::min(word.find('/'), word.size());
            p = word.substr(0, slash);
            word.remove_prefix(std::min(slash + 1, word.size()));
        }
        return {static_cast<std::uint32_t>(index(part[0], data_.positions.size(), "vertex")),
                part[1].empty() ? -1 : index(part[1], uvs_.size(), "texture coordinate"),
                part[2].empty() ? -1 : index(part[2], normals_.size(), "normal")};
    }
    void add(const Corner& c) {
        data_.triangles.push_back(c.position);
        all_normals_ &= c.normal >= 0;
        all_uvs_ &= c.uv >= 0;
        data_.normals.push_back(c.normal >= 0 ? normals_[static_cast<std::size_t>(c.normal)] : Vec3{});
        data_.uvs.push_back(c.uv >= 0 ? uvs_[static_cast<std::size_t>(c.uv)] : Vec2{});
    }
    void face() {
        std::vector<Corner> corners;
        for (std::string_view word = next_word(); !word.empty(); word = next_word()) corners.push_back(corner(word));
        if (corners.size() < 3) fail(fmt::format("a face has {} corners; 3 are the least", corners.size()));
        if (data_.triangles.size() + 3 * corners.size() > kMostCorners + 6)
            fail(fmt::format("more than {} triangles; simplify the mesh first", geometry::kMaxMeshTriangles));
        for (std::size_t i = 1; i + 1 < corners.size(); ++i) add(corners[0]), add(corners[i]), add(corners[i + 1]);
    }

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
    int line_ = 1;
    geometry::MeshData data_;
    std::vector<Vec3> normals_;
    std::vector<Vec2> uvs_;
    bool all_normals_ = true, all_uvs_ = true;
};

}  // namespace

geometry::MeshData parse_obj(std::string_view text, const std::string& name) { return ObjReader(text, name).read(); }

}  // namespace asperity::importers

// Wavefront OBJ: v, vt, vn and f lines; all others are left aside.
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/mesh/load.h"

namespace asperity::mesh {
namespace {

constexpr std::size_t kMostCorners = 3 * static_cast<std::size_t>(geometry::kMaxMeshTriangles);

class ObjReader {
  public:
    ObjReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    geometry::MeshData read() {
        while (at_ < text_.size()) {
            ++line_;
            const std::size_t end = std::min(text_.find('\n', at_), text_.size());
            rest_ = text_.substr(at_, end - at_);
            at_ = end + 1;
            const std::string_view word = next_word();
            if (word == "v") data_.positions.push_back(numbers3());
            if (word == "vn") normals_.push_back(numbers3());
            if (word == "vt") uvs_.push_back(numbers2());
            if (word == "f") face();
        }
        if (!all_normals_) data_.normals.clear();
        if (!all_uvs_) data_.uvs.clear();
        return std::move(data_);
    }

  private:
    struct Corner {
        std::uint32_t position;
        int uv, normal;  // -1 for none
    };

    [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}:{}: {}", name_, line_, what)); }

    std::string_view next_word() {
        const std::size_t first = rest_.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) return rest_ = {};
        const std::size_t last = std::min(rest_.find_first_of(" \t\r", first), rest_.size());
        const std::string_view word = rest_.substr(first, last - first);
        rest_.remove_prefix(last);
        return word;
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
        if (rest_.find_first_not_of(" \t\r") != std::string_view::npos) v.y = number();
        return v;
    }
    /// One of v/vt/vn: counted from 1, or from the end when negative.
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

    std::string_view text_, rest_;
    const std::string& name_;
    std::size_t at_ = 0;
    int line_ = 0;
    geometry::MeshData data_;
    std::vector<Vec3> normals_;
    std::vector<Vec2> uvs_;
    bool all_normals_ = true, all_uvs_ = true;
};

}  // namespace

geometry::MeshData parse_obj(std::string_view text, const std::string& name) { return ObjReader(text, name).read(); }

}  // namespace asperity::mesh

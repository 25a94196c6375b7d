// glTF 2.0 and GLB: the geometry of all nodes. Khronos Group, "glTF 2.0 Specification", 3.6 (binary data) and 4.4 (GLB).
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "asperity/core/error.h"
#include "asperity/mesh/load.h"

namespace asperity::mesh {
namespace {

using nlohmann::json;

constexpr int kDeepestNode = 64;
constexpr int kByte = 5121, kShort = 5123, kInt = 5125, kFloat = 5126;
constexpr int kTriangles = 4, kStrip = 5, kFan = 6;

/// A linear map and a shift.
struct Affine {
    Mat3 m = Mat3::identity();
    Vec3 shift;
    Vec3 operator*(const Vec3& p) const { return m * p + shift; }
};
Affine operator*(const Affine& a, const Affine& b) { return {a.m * b.m, a.m * b.shift + a.shift}; }
double determinant(const Mat3& m) { return dot(m.r[0], cross(m.r[1], m.r[2])); }

class GltfReader {
  public:
    GltfReader(std::string_view bytes, const std::string& name, const ReadSibling& sibling)
        : name_(name), sibling_(sibling) {
        std::string_view text = bytes;
        if (bytes.starts_with("glTF")) text = open_container(bytes);
        document_ = json::parse(text, nullptr, false);
        if (document_.is_discarded() || !document_.is_object()) fail("not glTF: its JSON does not parse; is it truncated?");
    }

    geometry::MeshData read() {
        try {
            if (document_.contains("extensionsRequired"))
                for (const json& extension : document_["extensionsRequired"])
                    if (const auto word = extension.get<std::string>(); word == "KHR_draco_mesh_compression" ||
                                                                        word == "EXT_meshopt_compression" ||
                                                                        word == "KHR_mesh_quantization")
                        fail(fmt::format("needs the extension {}, which is not read; export it without", word));
            const Affine z_up{{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}, {}};
            if (document_.contains("scenes") && !document_["scenes"].empty()) {
                const json& scene = at("scenes", document_.value("scene", 0));
                for (const json& node : scene.value("nodes", json::array())) add_node(node.get<long long>(), z_up, 0);
            } else if (document_.contains("meshes")) {
                for (std::size_t i = 0; i < document_["meshes"].size(); ++i) add_mesh(static_cast<long long>(i), z_up);
            }
        } catch (const json::exception& error) {
            fail(fmt::format("not as glTF should be: {}", std::string(error.what()).substr(0, 200)));
        }
        if (!all_normals_) data_.normals.clear();
        if (!all_uvs_) data_.uvs.clear();
        if (!all_tangents_) data_.tangents.clear();
        return std::move(data_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}: {}", name_, what)); }

    /// GLB: header of 12 bytes, then chunks of length, type, content. Returns the JSON.
    std::string_view open_container(std::string_view bytes) {
        const auto word = [&](std::size_t offset) {
            if (offset + 4 > bytes.size()) fail("truncated GLB");
            std::uint32_t value = 0;
            for (std::size_t i = 0; i < 4; ++i)
                value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
            return value;
        };
        if (word(4) != 2) fail(fmt::format("GLB of version {}; only version 2 is read", word(4)));
        if (word(8) > bytes.size()) fail(fmt::format("truncated GLB: {} bytes where {} should be", bytes.size(), word(8)));
        std::string_view text;
        for (std::size_t at = 12; at + 8 <= word(8);) {
            const std::uint32_t length = word(at), type = word(at + 4);
            if (length > bytes.size() - at - 8) fail("truncated GLB: a chunk ends beyond the file");
            const std::string_view content = bytes.substr(at + 8, length);
            if (type == 0x4e4f534a && text.empty()) text = content;
            if (type == 0x004e4942 && !has_chunk_) chunk_ = content, has_chunk_ = true;
            at += 8 + (static_cast<std::size_t>(length) + 3) / 4 * 4;
        }
        return text;
    }

    const json& at(const char* list, long long index) const {
        if (!document_.contains(list) || !document_[list].is_array() || index < 0 ||
            index >= static_cast<long long>(document_[list].size()))
            fail(fmt::format("names number {} of its {}, which does not exist", index, list));
        return document_[list][static_cast<std::size_t>(index)];
    }

    std::string decode_base64(std::string_view text) const {
        std::string out;
        std::uint32_t bits = 0;
        int count = 0;
        for (const char c : text) {
            const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                              : c >= 'a' && c <= 'z' ? c - 'a' + 26
                              : c >= '0' && c <= '9' ? c - '0' + 52
                              : c == '+' || c == '-' ? 62
                              : c == '/' || c == '_' ? 63
                                                     : -1;
            if (c == '=') break;
            if (value < 0) fail("a data URI is not base64");
            bits = bits << 6 | static_cast<std::uint32_t>(value);
            count += 6;
            if (count >= 8) count -= 8, out.push_back(static_cast<char>(bits >> count & 0xff));
        }
        return out;
    }
    const std::string& buffer(long long index) {
        if (const auto known = buffers_.find(index); known != buffers_.end()) return known->second;
        const json& description = at("buffers", index);
        std::string content;
        if (description.contains("uri")) {
            const auto uri = description["uri"].get<std::string>();
            const std::size_t comma = uri.find(',');
            content = uri.starts_with("data:") && comma != std::string::npos
                          ? decode_base64(std::string_view(uri).substr(comma + 1))
                          : sibling_(uri);
        } else if (index == 0 && has_chunk_) {
            content = chunk_;
        } else {
            fail(fmt::format("buffer {} has no content: no uri and no GLB chunk", index));
        }
        const auto length = description.value("byteLength", 0LL);
        if (length < 0 || static_cast<std::size_t>(length) > content.size())
            fail(fmt::format("buffer {} has {} bytes where {} should be; is the file truncated?", index, content.size(),
                             length));
        return buffers_[index] = std::move(content);
    }

    /// Numbers of an accessor, `width` per element.
    std::vector<double> numbers(long long index, std::size_t width) {
        const json& accessor = at("accessors", index);
        const auto type = accessor.at("type").get<std::string>();
        const std::size_t given = type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 0;
        if (given != width) fail(fmt::format("accessor {} holds {} where {} numbers were expected", index, type, width));
        if (accessor.contains("sparse") || !accessor.contains("bufferView"))
            fail(fmt::format("accessor {} is sparse, which is not read", index));
        const int component = accessor.at("componentType").get<int>();
        const std::size_t size = component == kByte                         ? 1
                                 : component == kShort                      ? 2
                                 : component == kInt || component == kFloat ? 4
                                                                            : 0;
        if (size == 0) fail(fmt::format("accessor {} has components of type {}, which is not read", index, component));
        const auto count = accessor.at("count").get<long long>();
        const json& view = at("bufferViews", accessor["bufferView"].get<long long>());
        const std::string& bytes = buffer(view.at("buffer").get<long long>());
        const auto view_offset = view.value("byteOffset", 0LL), view_length = view.at("byteLength").get<long long>(),
                   offset = accessor.value("byteOffset", 0LL),
                   stride = view.value("byteStride", static_cast<long long>(size * width));
        const auto element = static_cast<long long>(size * width);
        if (count < 0 || count > 3LL * geometry::kMaxMeshTriangles)
            fail(fmt::format("accessor {} has {} elements; meshes of up to {} triangles are taken; simplify it first", index,
                             count, geometry::kMaxMeshTriangles));
        const bool sane = view_offset >= 0 && view_length >= 0 && offset >= 0 && stride >= element && stride <= 4096 &&
                          view_offset <= static_cast<long long>(bytes.size()) &&
                          view_length <= static_cast<long long>(bytes.size()) - view_offset &&
                          (count == 0 || (offset <= view_length && (count - 1) * stride + element <= view_length - offset));
        if (!sane) fail(fmt::format("accessor {} reaches beyond its buffer; the file is damaged", index));
        std::vector<double> out(static_cast<std::size_t>(count) * width);
        const char* from = bytes.data() + view_offset + offset;
        const bool normalized_integers = accessor.value("normalized", false);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const char* p = from + static_cast<std::size_t>(stride) * (i / width) + size * (i % width);
            if (component == kFloat) {
                float value;
                std::memcpy(&value, p, 4);
                out[i] = value;
                continue;
            }
            std::uint32_t value = 0;
            std::memcpy(&value, p, size);
            out[i] = normalized_integers ? value / (size == 1 ? 255.0 : 65535.0) : value;
        }
        return out;
    }

    Affine local_transform(const json& node) const {
        if (node.contains("matrix")) {
            const auto m = node["matrix"].get<std::vector<double>>();  // by columns
            if (m.size() != 16) fail("a node's matrix does not have 16 numbers");
            return {{{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}}, {m[12], m[13], m[14]}};
        }
        const auto list = [&](const char* key, std::vector<double> fallback) {
            if (!node.contains(key)) return fallback;
            const auto values = node[key].get<std::vector<double>>();
            if (values.size() != fallback.size())
                fail(fmt::format("a node's {} has {} numbers instead of {}", key, values.size(), fallback.size()));
            return values;
        };
        const auto t = list("translation", {0, 0, 0}), q = list("rotation", {0, 0, 0, 1}), s = list("scale", {1, 1, 1});
        const double norm = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
        if (!(norm > 1e-9)) fail("a node's rotation is a zero quaternion");
        return {matrix(normalized(Quat{q[3], q[0], q[1], q[2]})) * Mat3::diagonal({s[0], s[1], s[2]}), {t[0], t[1], t[2]}};
    }
    void add_node(long long index, const Affine& parent, int depth) {
        if (depth > kDeepestNode) fail(fmt::format("its nodes are nested more than {} deep, or in a circle", kDeepestNode));
        if (++nodes_ > 100000) fail("its nodes are visited more than 100000 times");
        const json& node = at("nodes", index);
        const Affine here = parent * local_transform(node);
        if (node.contains("mesh")) add_mesh(node["mesh"].get<long long>(), here);
        for (const json& child : node.value("children", json::array())) add_node(child.get<long long>(), here, depth + 1);
    }
    void add_mesh(long long index, const Affine& place) {
        for (const json& primitive : at("meshes", index).at("primitives")) add_primitive(primitive, place);
    }
    void add_primitive(const json& primitive, const Affine& place) {
        const int mode = primitive.value("mode", kTriangles);
        if (mode != kTriangles && mode != kStrip && mode != kFan) return;  // points and lines have no surface
        const json& attributes = primitive.at("attributes");
        if (!attributes.contains("POSITION")) return;
        const std::vector<double> positions = numbers(attributes["POSITION"].get<long long>(), 3);
        const auto optional = [&](const char* key, std::size_t width, bool& all) {
            std::vector<double> values;
            if (attributes.contains(key)) values = numbers(attributes[key].get<long long>(), width);
            if (values.size() / width != positions.size() / 3) values.clear();
            all &= !values.empty();
            return values;
        };
        const std::vector<double> normals = optional("NORMAL", 3, all_normals_), uvs = optional("TEXCOORD_0", 2, all_uvs_),
                                  tangents = optional("TANGENT", 4, all_tangents_);
        std::vector<double> order;
        if (primitive.contains("indices")) {
            order = numbers(primitive["indices"].get<long long>(), 1);
        } else {
            for (std::size_t i = 0; i < positions.size() / 3; ++i) order.push_back(static_cast<double>(i));
        }
        for (const double i : order)
            if (!(i >= 0) || i >= static_cast<double>(positions.size() / 3))
                fail(fmt::format("an index is {}, but the primitive has {} vertices", i, positions.size() / 3));

        const std::size_t base = data_.positions.size();
        for (std::size_t i = 0; i + 2 < positions.size(); i += 3)
            data_.positions.push_back(place * Vec3{positions[i], positions[i + 1], positions[i + 2]});
        const bool mirrored = determinant(place.m) < 0;
        const Mat3 turn = place.m;
        // normals turn with the cofactors of the map, tangents with the map itself
        const Mat3 cofactors{{cross(turn.r[1], turn.r[2]), cross(turn.r[2], turn.r[0]), cross(turn.r[0], turn.r[1])}};
        const auto corner = [&](std::size_t i) {
            data_.triangles.push_back(static_cast<std::uint32_t>(base + i));
            const auto three = [&](const std::vector<double>& v, std::size_t width) {
                return v.empty() ? Vec3{} : Vec3{v[width * i], v[width * i + 1], v[width * i + 2]};
            };
            data_.normals.push_back((mirrored ? -1.0 : 1.0) * (cofactors * three(normals, 3)));
            data_.tangents.push_back(turn * three(tangents, 4));
            data_.uvs.push_back(uvs.empty() ? Vec2{}
                                            : Vec2{uvs[2 * i], 1 - uvs[2 * i + 1]});  // glTF counts v down the picture
        };
        const auto triangle = [&](std::size_t a, std::size_t b, std::size_t c) {
            if (data_.triangles.size() / 3 >= static_cast<std::size_t>(geometry::kMaxMeshTriangles))
                fail(fmt::format("more than {} triangles; simplify the mesh first", geometry::kMaxMeshTriangles));
            const auto index = [&](std::size_t k) { return static_cast<std::size_t>(order[k]); };
            corner(index(a)), corner(index(mirrored ? c : b)), corner(index(mirrored ? b : c));
        };
        for (std::size_t i = 0; i + 2 < order.size(); i += mode == kTriangles ? 3 : 1) {
            if (mode == kTriangles) triangle(i, i + 1, i + 2);
            if (mode == kStrip) i % 2 == 0 ? triangle(i, i + 1, i + 2) : triangle(i + 1, i, i + 2);
            if (mode == kFan) triangle(0, i + 1, i + 2);
        }
    }

    const std::string& name_;
    const ReadSibling& sibling_;
    json document_;
    std::string_view chunk_;
    bool has_chunk_ = false;
    std::map<long long, std::string> buffers_;
    geometry::MeshData data_;
    bool all_normals_ = true, all_uvs_ = true, all_tangents_ = true;
    int nodes_ = 0;
};

}  // namespace

geometry::MeshData parse_gltf(std::string_view bytes, const std::string& name, const ReadSibling& sibling) {
    return GltfReader(bytes, name, sibling).read();
}

}  // namespace asperity::mesh

// Geometry of all nodes of a glTF 2.0 or GLB file.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/one_line.h"
#include "asperity/importers/detail/gltf_material.h"

namespace asperity::importers {
namespace {

using nlohmann::json;

constexpr int kDeepestNode = 64, kMostNodes = 100000;
constexpr int kTriangles = 4, kStrip = 5, kFan = 6;

/// A linear map and a translation.
struct Affine {
    Mat3 m = Mat3::identity();
    Vec3 shift;
    Vec3 operator*(const Vec3& p) const { return m * p + shift; }
};
Affine operator*(const Affine& a, const Affine& b) { return {a.m * b.m, a.m * b.shift + a.shift}; }
double determinant(const Mat3& m) { return dot(m.r[0], cross(m.r[1], m.r[2])); }

class GltfReader {
  public:
    GltfReader(std::string_view bytes, const std::string& name, const ReadSibling& sibling) : file_(bytes, name, sibling) {}

    geometry::MeshData read() {
        file_.checked([&] {
            const Affine z_up{{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}, {}};
            if (file_.json().contains("scenes") && !file_.json()["scenes"].empty()) {
                const json& scene = file_.at("scenes", file_.json().value("scene", 0));
                for (const json& node : scene.value("nodes", json::array())) add_node(node.get<long long>(), z_up, 0);
            } else if (file_.json().contains("meshes")) {
                for (std::size_t i = 0; i < file_.json()["meshes"].size(); ++i) add_mesh(static_cast<long long>(i), z_up);
            }
        });
        for (const std::string& extension : file_.unread_extensions())
            data_.remarks.push_back(
                fmt::format("{}, which it requires, is not read: that changes only its looks", one_line(extension, 100)));
        if (!any_normals_) data_.normals.clear();
        if (!any_uvs_) data_.uvs.clear();
        if (!any_tangents_) data_.tangents.clear();
        if (!all_grains_) data_.grains.clear();
        return std::move(data_);
    }

  private:
    Affine local_transform(const json& node) const {
        if (node.contains("matrix")) {
            const auto m = node["matrix"].get<std::vector<double>>();  // column-major
            if (m.size() != 16) file_.fail("a node's matrix does not have 16 numbers");
            return {{{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}}, {m[12], m[13], m[14]}};
        }
        const auto list = [&](const char* key, std::vector<double> fallback) {
            if (!node.contains(key)) return fallback;
            const auto values = node[key].get<std::vector<double>>();
            if (values.size() != fallback.size())
                file_.fail(fmt::format("a node's {} has {} numbers instead of {}", key, values.size(), fallback.size()));
            return values;
        };
        const auto t = list("translation", {0, 0, 0}), q = list("rotation", {0, 0, 0, 1}), s = list("scale", {1, 1, 1});
        const double norm = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
        if (!(norm > 1e-9)) file_.fail("a node's rotation is a zero quaternion");
        return {matrix(normalized(Quat{q[3], q[0], q[1], q[2]})) * Mat3::diagonal({s[0], s[1], s[2]}), {t[0], t[1], t[2]}};
    }
    /// EXT_mesh_gpu_instancing: the mesh of a node once per entry of its lists.
    void add_instances(const json& attributes, long long mesh, const Affine& place) {
        const auto list = [&](const char* key, std::size_t width) {
            return attributes.contains(key) ? file_.numbers(attributes[key].get<long long>(), width) : std::vector<double>();
        };
        const std::vector<double> t = list("TRANSLATION", 3), q = list("ROTATION", 4), s = list("SCALE", 3);
        const std::size_t count = std::max({t.size() / 3, q.size() / 4, s.size() / 3});
        const auto fits = [&](std::size_t size) { return size == 0 || size == count; };
        if (!fits(t.size() / 3) || !fits(q.size() / 4) || !fits(s.size() / 3))
            file_.fail("the lists of its EXT_mesh_gpu_instancing have different lengths");
        for (std::size_t i = 0; i < count; ++i) {
            if (++nodes_ > kMostNodes) file_.fail(fmt::format("it has more than {} nodes and instances", kMostNodes));
            Affine own;
            if (!q.empty()) {
                const Quat turn{q[4 * i + 3], q[4 * i], q[4 * i + 1], q[4 * i + 2]};
                if (!(std::hypot(std::hypot(turn.x, turn.y), std::hypot(turn.z, turn.w)) > 1e-9))
                    file_.fail("the rotation of an instance is a zero quaternion");
                own.m = matrix(normalized(turn));
            }
            if (!s.empty()) own.m = own.m * Mat3::diagonal({s[3 * i], s[3 * i + 1], s[3 * i + 2]});
            if (!t.empty()) own.shift = {t[3 * i], t[3 * i + 1], t[3 * i + 2]};
            add_mesh(mesh, place * own);
        }
    }
    void add_node(long long index, const Affine& parent, int depth) {
        if (depth > kDeepestNode)
            file_.fail(fmt::format("its nodes are nested more than {} deep, or in a circle", kDeepestNode));
        if (++nodes_ > kMostNodes) file_.fail(fmt::format("it has more than {} nodes and instances", kMostNodes));
        const json& node = file_.at("nodes", index);
        const Affine here = parent * local_transform(node);
        if (node.contains("mesh")) {
            const auto mesh = node["mesh"].get<long long>();
            const json extensions = node.value("extensions", json::object());
            if (extensions.contains("EXT_mesh_gpu_instancing"))
                add_instances(extensions["EXT_mesh_gpu_instancing"].at("attributes"), mesh, here);
            else
                add_mesh(mesh, here);
        }
        for (const json& child : node.value("children", json::array())) add_node(child.get<long long>(), here, depth + 1);
    }
    void add_mesh(long long index, const Affine& place) {
        for (const json& primitive : file_.at("meshes", index).at("primitives")) add_primitive(primitive, place);
    }
    void add_primitive(const json& primitive, const Affine& place) {
        const int mode = primitive.value("mode", kTriangles);
        if (mode != kTriangles && mode != kStrip && mode != kFan) return;  // points and lines have no surface
        const json& attributes = primitive.at("attributes");
        if (!attributes.contains("POSITION")) return;
        const std::vector<double> positions = file_.numbers(attributes["POSITION"].get<long long>(), 3);
        const auto optional = [&](const char* key, std::size_t width) {
            std::vector<double> values;
            if (attributes.contains(key)) values = file_.numbers(attributes[key].get<long long>(), width);
            if (values.size() / width != positions.size() / 3) values.clear();
            return values;
        };
        const std::vector<double> normals = optional("NORMAL", 3), uvs = optional("TEXCOORD_0", 2),
                                  tangents = optional("TANGENT", 4), grains = optional("_GRAIN", 3);
        any_normals_ |= !normals.empty(), any_uvs_ |= !uvs.empty(), any_tangents_ |= !tangents.empty();
        all_grains_ &= !grains.empty();
        const int part = detail::part_of(file_, primitive);
        std::vector<double> order;
        if (primitive.contains("indices")) {
            order = file_.numbers(primitive["indices"].get<long long>(), 1);
        } else {
            for (std::size_t i = 0; i < positions.size() / 3; ++i) order.push_back(static_cast<double>(i));
        }
        for (const double i : order)
            if (!(i >= 0) || i >= static_cast<double>(positions.size() / 3))
                file_.fail(fmt::format("an index is {}, but the primitive has {} vertices", i, positions.size() / 3));

        const std::size_t base = data_.positions.size();
        for (std::size_t i = 0; i + 2 < positions.size(); i += 3)
            data_.positions.push_back(place * Vec3{positions[i], positions[i + 1], positions[i + 2]});
        const bool mirrored = determinant(place.m) < 0;
        const Mat3 turn = place.m;
        // normals transform with the cofactor matrix, tangents with the matrix itself
        const Mat3 cofactors{{cross(turn.r[1], turn.r[2]), cross(turn.r[2], turn.r[0]), cross(turn.r[0], turn.r[1])}};
        const auto corner = [&](std::size_t i) {
            data_.triangles.push_back(static_cast<std::uint32_t>(base + i));
            const auto three = [&](const std::vector<double>& v, std::size_t width, double otherwise = 0) {
                return v.empty() ? Vec3{otherwise, otherwise, otherwise}
                                 : Vec3{v[width * i], v[width * i + 1], v[width * i + 2]};
            };
            // not a number: the primitive gives none
            data_.normals.push_back((mirrored ? -1.0 : 1.0) * (cofactors * three(normals, 3, std::nan(""))));
            data_.tangents.push_back(turn * three(tangents, 4));
            data_.grains.push_back(turn * three(grains, 3));
            data_.uvs.push_back(uvs.empty() ? Vec2{std::nan(""), std::nan("")}
                                            : Vec2{uvs[2 * i], 1 - uvs[2 * i + 1]});  // glTF counts v down the picture
        };
        const auto triangle = [&](std::size_t a, std::size_t b, std::size_t c) {
            if (data_.triangles.size() / 3 >= static_cast<std::size_t>(geometry::kMaxMeshTriangles))
                file_.fail(fmt::format("more than {} triangles; simplify the mesh first", geometry::kMaxMeshTriangles));
            const auto index = [&](std::size_t k) { return static_cast<std::size_t>(order[k]); };
            corner(index(a)), corner(index(mirrored ? c : b)), corner(index(mirrored ? b : c));
            data_.parts.push_back(part);
        };
        for (std::size_t i = 0; i + 2 < order.size(); i += mode == kTriangles ? 3 : 1) {
            if (mode == kTriangles) triangle(i, i + 1, i + 2);
            if (mode == kStrip) i % 2 == 0 ? triangle(i, i + 1, i + 2) : triangle(i + 1, i, i + 2);
            if (mode == kFan) triangle(0, i + 1, i + 2);
        }
    }

    detail::GltfDocument file_;
    geometry::MeshData data_;
    bool any_normals_ = false, any_uvs_ = false, any_tangents_ = false, all_grains_ = true;
    int nodes_ = 0;
};

}  // namespace

geometry::MeshData parse_gltf(std::string_view bytes, const std::string& name, const ReadSibling& sibling) {
    return GltfReader(bytes, name, sibling).read();
}

}  // namespace asperity::importers

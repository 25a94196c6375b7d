#include "asperity/record/detail/gltf_deformable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace asperity::record::detail {
namespace {

using nlohmann::json;

// Enough to follow a motion, few enough that each target is a picture of the body. A viewer holds all of them in memory,
// with 24 bytes per vertex.
constexpr std::size_t kMostKeys = 60;
// All targets together [bytes]; larger bodies get fewer keys. Viewers in a browser fail above about 1 GiB.
constexpr std::size_t kMostTargets = std::size_t{1} << 28;

bool is_sound(const std::vector<Vec3>& nodes) {
    return std::all_of(nodes.begin(), nodes.end(), [](const Vec3& p) { return length(p) < 1e18; });  // false for NaN
}

std::vector<float> flat(const std::vector<Vec3>& points) {
    std::vector<float> out;
    for (const Vec3& p : points)
        for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(p[k]));
    return out;
}

/// The origin of a body's mesh: the centre of its nodes at rest. Positions relative to it are small, so float32 is exact
/// enough.
Vec3 origin_of(const DeformableMesh& mesh) {
    Vec3 sum;
    for (const Vec3& p : mesh.rest) sum += p;
    return sum / static_cast<double>(mesh.rest.size());
}

}  // namespace

void GltfDeformables::choose_keys(std::size_t vertices) {
    if (vertices == 0 || frames_.size() == 0) return;
    const std::size_t most = std::clamp(kMostTargets / (24 * vertices), std::size_t{2}, kMostKeys);
    const double first = frames_.time(0), duration = frames_.time(frames_.size() - 1) - first;
    const auto add = [&](std::size_t frame) {
        const auto time = static_cast<float>(frames_.time(frame) - first);
        if (!key_times_.empty() && !(time > key_times_.back())) return;  // the times of keys increase
        keys_.push_back(frame), key_times_.push_back(time);
    };
    for (std::size_t k = 0; k < std::min(most, frames_.size()); ++k)
        add(frames_.size() <= most
                ? k
                : frames_.nearest(first + duration * static_cast<double>(k) / static_cast<double>(most - 1)));
}

GltfDeformables::Part::Part(const RecordedBody& body, const Vec2& tile)
    : mesh(body.deformable.get()), surface(*mesh), origin(origin_of(*mesh)), last(mesh->rest) {
    surface.positions(mesh->rest, rest);
    surface.normals(mesh->rest, rest_normals);
    const std::vector<Vec2> uv = surface.uvs();
    std::map<std::tuple<int, double, double, double, double, double, double>, std::uint32_t> vertices;
    for (std::size_t i = 0; i < surface.corners().size(); ++i) {
        const Vec3& n = rest_normals[i];
        const auto [entry, is_new] =
            vertices.try_emplace({surface.corners()[i].node, surface.corners()[i].shift, n.x, n.y, n.z, uv[i].x, uv[i].y},
                                 static_cast<std::uint32_t>(corner.size()));
        indices.push_back(entry->second);
        if (!is_new) continue;
        corner.push_back(i);
        uvs.push_back(static_cast<float>(uv[i].x / tile.x));
        uvs.push_back(static_cast<float>(1 - uv[i].y / tile.y));  // glTF counts v downwards
    }
}

json GltfDeformables::target(GltfBuffer& buffer, Part& part, const std::vector<Vec3>& nodes) const {
    if (is_sound(nodes)) part.last = nodes;
    std::vector<Vec3> positions, normals, moved, turned;
    part.surface.positions(part.last, positions);
    part.surface.normals(part.last, normals);
    for (const std::size_t i : part.corner) {
        moved.push_back(positions[i] - part.rest[i]);
        turned.push_back(normals[i] - part.rest_normals[i]);
    }
    return {{"POSITION", buffer.floats(flat(moved), 3, kVertexData)},
            {"NORMAL", buffer.floats(flat(turned), 3, kVertexData)}};
}

std::vector<json> GltfDeformables::add(GltfBuffer& buffer, json& meshes,
                                       const std::function<Look(const RecordedBody&)>& look) {
    std::vector<json> nodes;
    const std::size_t first_mesh = meshes.size();
    std::vector<Part> parts;
    for (const RecordedBody& body : recording_.bodies) {
        if (!body.deformable) continue;
        const Look worn = look(body);
        const Part& part = parts.emplace_back(body, DeformableSurface(*body.deformable).tile(worn.tile));
        std::vector<Vec3> rest, normals;
        for (const std::size_t i : part.corner)
            rest.push_back(part.rest[i] - part.origin), normals.push_back(part.rest_normals[i]);
        json primitive = {{"attributes",
                           {{"POSITION", buffer.floats(flat(rest), 3, kVertexData)},
                            {"NORMAL", buffer.floats(flat(normals), 3, kVertexData)},
                            {"TEXCOORD_0", buffer.floats(part.uvs, 2, kVertexData)}}},
                          {"indices", buffer.indices(part.indices, part.corner.size())}};
        if (worn.material >= 0) primitive["material"] = worn.material;
        nodes.push_back({{"name", body.name}, {"mesh", meshes.size()}, {"translation", flat({part.origin})}});
        meshes.push_back({{"name", body.name}, {"primitives", json::array({std::move(primitive)})}});
    }
    std::size_t vertices = 0;
    for (const Part& part : parts) vertices += part.corner.size();
    choose_keys(vertices);
    if (keys_.empty()) return nodes;

    std::vector<json> targets(parts.size(), json::array());
    for (const std::size_t key : keys_) {
        const Frame& frame = frames_.at(key);
        for (std::size_t p = 0; p < parts.size(); ++p)
            targets[p].push_back(target(buffer, parts[p], frame.deformations[p].positions));
    }
    json names = json::array(), first = json::array();  // viewers show the names of targets
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        names.push_back(fmt::format("{:.4g} s", key_times_[k]));
        first.push_back(k == 0 ? 1 : 0);
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
        json& mesh = meshes[first_mesh + p];
        mesh["primitives"][0]["targets"] = std::move(targets[p]);
        mesh["weights"] = first;
        mesh["extras"] = {{"targetNames", names}};
    }
    if (keys_.size() < 2) return nodes;
    std::vector<float> one_each(keys_.size() * keys_.size(), 0.0f);  // at key k, target k counts alone
    for (std::size_t k = 0; k < keys_.size(); ++k) one_each[k * keys_.size() + k] = 1;
    times_ = buffer.floats(key_times_, 1, kNoTarget);
    weights_ = buffer.floats(one_each, 1, kNoTarget);
    return nodes;
}

}  // namespace asperity::record::detail

#include "asperity/importers/detail/gltf_material.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

namespace asperity::importers::detail {
namespace {

using nlohmann::json;

/// uv' = scale uv + offset of KHR_texture_transform; with v upwards: v' = scale v + (1 - scale - offset).
void read_transform(const GltfDocument& file, const json& info, const std::string& what, MaterialTexture& out) {
    if (info.value("texCoord", 0) != 0)
        file.fail(fmt::format("its {} uses texture coordinates other than TEXCOORD_0, which are not read", what));
    if (!info.contains("extensions") || !info["extensions"].contains("KHR_texture_transform")) return;
    const json& transform = info["extensions"]["KHR_texture_transform"];
    const auto scale = transform.value("scale", std::vector<double>{1, 1}),
               offset = transform.value("offset", std::vector<double>{0, 0});
    if (scale.size() != 2 || offset.size() != 2 || transform.value("rotation", 0.0) != 0 || !(scale[0] > 0) ||
        std::fabs(scale[1] - scale[0]) > 1e-6 * scale[0] || transform.value("texCoord", 0) != 0)
        file.fail(fmt::format(
            "the transform of its {} turns or stretches it; apply the transform to the texture coordinates and export again",
            what));
    out.tile = 1 / scale[0];
    out.offset = {offset[0], 1 - scale[0] - offset[1]};
}

bool every_primitive_has_uvs(const GltfDocument& file) {
    for (const json& mesh : file.json().value("meshes", json::array()))
        for (const json& primitive : mesh.value("primitives", json::array()))
            if (!primitive.at("attributes").contains("TEXCOORD_0")) return false;
    return true;
}

}  // namespace

const json* shared_property(const GltfDocument& file, const std::string& what,
                            const std::function<const json*(const json&)>& property) {
    std::set<long long> used;
    for (const json& mesh : file.json().value("meshes", json::array()))
        for (const json& primitive : mesh.value("primitives", json::array())) used.insert(primitive.value("material", -1LL));
    const json* found = nullptr;
    bool first = true;
    for (const long long material : used) {
        const json* own = material < 0 ? nullptr : property(file.at("materials", material));
        const bool same = (!own && !found) || (own && found && *own == *found);
        if (!first && !same)
            file.fail(fmt::format(
                "its materials differ in {}, and a body's mesh has one; split it into one file per material", what));
        found = own;
        first = false;
    }
    return found;
}

MaterialTexture read_texture(GltfDocument& file, const json& info, const std::string& what, const std::string& name) {
    if (!every_primitive_has_uvs(file))
        file.fail(fmt::format("its {} needs texture coordinates, and a mesh has none; unwrap it and export again", what));
    MaterialTexture out;
    read_transform(file, info, what, out);
    const json& used = file.at("textures", info.at("index").get<long long>());
    if (!used.contains("source"))
        file.fail(fmt::format("its {} is in a format that only an extension can read; export it as PNG", what));
    const auto image = used["source"].get<long long>();
    out.picture = decode_picture(file.image(image), fmt::format("{} (image {})", name, image));
    return out;
}

}  // namespace asperity::importers::detail

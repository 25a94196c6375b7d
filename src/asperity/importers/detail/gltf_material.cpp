#include "asperity/importers/detail/gltf_material.h"

#include <algorithm>
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
        !(scale[1] > 0) || !std::isfinite(scale[0] + scale[1] + offset[0] + offset[1]) ||
        transform.value("texCoord", 0) != 0)
        file.fail(fmt::format(
            "the transform of its {} turns or mirrors it; apply the transform to the texture coordinates and export again",
            what));
    out.tile = {1 / scale[0], 1 / scale[1]};
    out.offset = {offset[0], 1 - scale[1] - offset[1]};
}

template <class Use>
void for_each_primitive(const GltfDocument& file, const Use& use) {
    for (const json& mesh : file.json().value("meshes", json::array()))
        for (const json& primitive : mesh.value("primitives", json::array())) use(primitive);
}

}  // namespace

std::size_t part_count(const GltfDocument& file) {
    const json& all = file.json();
    return (all.contains("materials") ? all["materials"].size() : 0) + 1;
}

int part_of(const GltfDocument& file, const json& primitive) {
    const auto none = static_cast<int>(part_count(file)) - 1;
    if (!primitive.contains("material")) return none;
    const auto material = primitive["material"].get<long long>();
    file.at("materials", material);  // fails if there is none
    return static_cast<int>(material);
}

void for_each_used_material(const GltfDocument& file,
                            const std::function<void(std::size_t part, const json& material)>& read) {
    std::set<int> used;
    for_each_primitive(file, [&](const json& primitive) { used.insert(part_of(file, primitive)); });
    for (const int part : used)
        if (part + 1 < static_cast<int>(part_count(file))) read(static_cast<std::size_t>(part), file.at("materials", part));
}

MaterialTexture read_texture(const GltfDocument& file, std::size_t part, const json& info, const std::string& what) {
    for_each_primitive(file, [&](const json& primitive) {
        if (part_of(file, primitive) == static_cast<int>(part) && !primitive.at("attributes").contains("TEXCOORD_0"))
            file.fail(
                fmt::format("its {} needs texture coordinates, and a mesh has none; unwrap it and export again", what));
    });
    MaterialTexture out;
    read_transform(file, info, what, out);
    const json& used = file.at("textures", info.at("index").get<long long>());
    if (!used.contains("source"))
        file.fail(fmt::format("its {} is in a format that only an extension can read; export it as PNG", what));
    out.image = used["source"].get<long long>();
    return out;
}

std::shared_ptr<const Picture> Pictures::operator[](long long image) {
    std::shared_ptr<const Picture>& picture = known_[image];
    if (!picture)
        picture =
            std::make_shared<const Picture>(decode_picture(file_.image(image), fmt::format("{} (image {})", name_, image)));
    return picture;
}

}  // namespace asperity::importers::detail

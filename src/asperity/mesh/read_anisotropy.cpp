// KHR_materials_anisotropy of a glTF file: which way its surface is brushed. Khronos Group, the extension's README.
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/mesh/detail/gltf_document.h"

namespace asperity::mesh {
namespace {

using nlohmann::json;

constexpr const char* kExtension = "KHR_materials_anisotropy";

/// The extension of the material that all primitives share, or null.
const json* shared_extension(const detail::GltfDocument& file) {
    std::set<long long> used;
    for (const json& mesh : file.json().value("meshes", json::array()))
        for (const json& primitive : mesh.value("primitives", json::array())) used.insert(primitive.value("material", -1LL));
    const auto extension = [&](long long material) -> const json* {
        if (material < 0) return nullptr;
        const json& m = file.at("materials", material);
        return m.contains("extensions") && m["extensions"].contains(kExtension) ? &m["extensions"][kExtension] : nullptr;
    };
    const json* found = nullptr;
    bool first = true;
    for (const long long material : used) {
        const json* own = extension(material);
        const bool same = (!own && !found) || (own && found && *own == *found);
        if (!first && !same)
            file.fail(fmt::format("its materials differ in {}, and a body's mesh has one grain; split it into one file per material", kExtension));
        found = own;
        first = false;
    }
    return found;
}

/// uv' = scale uv + offset of KHR_texture_transform, in v upwards: v' = scale v + (1 - scale - offset).
void read_transform(const detail::GltfDocument& file, const json& texture, Anisotropy& out) {
    if (texture.value("texCoord", 0) != 0) file.fail("its anisotropy texture uses texture coordinates other than TEXCOORD_0, which are not read");
    if (!texture.contains("extensions") || !texture["extensions"].contains("KHR_texture_transform")) return;
    const json& transform = texture["extensions"]["KHR_texture_transform"];
    const auto scale = transform.value("scale", std::vector<double>{1, 1}), offset = transform.value("offset", std::vector<double>{0, 0});
    if (scale.size() != 2 || offset.size() != 2 || transform.value("rotation", 0.0) != 0 || !(scale[0] > 0) || std::fabs(scale[1] - scale[0]) > 1e-6 * scale[0] ||
        transform.value("texCoord", 0) != 0)
        file.fail("the transform of its anisotropy texture turns or stretches it; apply the transform to the texture coordinates and export again");
    out.tile = 1 / scale[0];
    out.offset = {offset[0], 1 - scale[0] - offset[1]};
}

bool every_primitive_has_uvs(const detail::GltfDocument& file) {
    for (const json& mesh : file.json().value("meshes", json::array()))
        for (const json& primitive : mesh.value("primitives", json::array()))
            if (!primitive.at("attributes").contains("TEXCOORD_0")) return false;
    return true;
}

}  // namespace

std::optional<Anisotropy> parse_anisotropy(std::string_view bytes, const std::string& name, const ReadSibling& sibling) {
    detail::GltfDocument file(bytes, name, sibling);
    try {
        const json* extension = shared_extension(file);
        if (!extension) return {};
        Anisotropy out;
        out.strength = extension->value("anisotropyStrength", 0.0);
        out.rotation = extension->value("anisotropyRotation", 0.0);
        if (!(out.strength >= 0 && out.strength <= 1) || !std::isfinite(out.rotation))
            file.fail(fmt::format("anisotropyStrength = {} and anisotropyRotation = {}; allowed are 0 to 1, and a finite angle", out.strength, out.rotation));
        if (!extension->contains("anisotropyTexture")) return out;
        const json& texture = (*extension)["anisotropyTexture"];
        if (!every_primitive_has_uvs(file)) file.fail("its anisotropy texture needs texture coordinates, and a mesh has none; unwrap it and export again");
        read_transform(file, texture, out);
        const json& used = file.at("textures", texture.at("index").get<long long>());
        if (!used.contains("source")) file.fail("its anisotropy texture is in a format that only an extension can read; export it as PNG");
        const auto image = used["source"].get<long long>();
        out.texture = decode_picture(file.image(image), fmt::format("{} (image {})", name, image));
        return out;
    } catch (const json::exception& error) {
        file.fail(fmt::format("not as glTF should be: {}", std::string(error.what()).substr(0, 200)));
    }
}

}  // namespace asperity::mesh

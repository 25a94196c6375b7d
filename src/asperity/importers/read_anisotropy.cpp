// KHR_materials_anisotropy of a glTF file: the direction of brushing. Source: Khronos Group, README of the extension.
#include <cmath>

#include <fmt/format.h>

#include "asperity/importers/detail/gltf_material.h"

namespace asperity::importers {
namespace {

using nlohmann::json;

constexpr const char* kExtension = "KHR_materials_anisotropy";

const json* extension_of(const json& material) {
    return material.contains("extensions") && material["extensions"].contains(kExtension)
               ? &material["extensions"][kExtension]
               : nullptr;
}

}  // namespace

std::optional<Anisotropy> parse_anisotropy(std::string_view bytes, const std::string& name, const ReadSibling& sibling) {
    detail::GltfDocument file(bytes, name, sibling);
    return file.checked([&]() -> std::optional<Anisotropy> {
        const json* extension = detail::shared_property(file, kExtension, extension_of);
        if (!extension) return {};
        Anisotropy out;
        out.strength = extension->value("anisotropyStrength", 0.0);
        out.rotation = extension->value("anisotropyRotation", 0.0);
        if (!(out.strength >= 0 && out.strength <= 1) || !std::isfinite(out.rotation))
            file.fail(
                fmt::format("anisotropyStrength = {} and anisotropyRotation = {}; allowed are 0 to 1, and a finite angle",
                            out.strength, out.rotation));
        if (!extension->contains("anisotropyTexture")) return out;
        detail::MaterialTexture texture =
            detail::read_texture(file, (*extension)["anisotropyTexture"], "anisotropy texture", name);
        out.texture = std::move(texture.picture);
        out.tile = texture.tile;
        out.offset = texture.offset;
        return out;
    });
}

}  // namespace asperity::importers

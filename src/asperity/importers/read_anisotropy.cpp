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

std::vector<std::optional<Anisotropy>> parse_anisotropies(std::string_view bytes, const std::string& name,
                                                          const ReadSibling& sibling) {
    detail::GltfDocument file(bytes, name, sibling);
    detail::Pictures pictures(file, name);
    return file.checked([&] {
        std::vector<std::optional<Anisotropy>> parts;
        detail::for_each_used_material(file, [&](std::size_t part, const json& material) {
            const json* extension = extension_of(material);
            if (!extension) return;
            Anisotropy out;
            out.strength = extension->value("anisotropyStrength", 0.0);
            out.rotation = extension->value("anisotropyRotation", 0.0);
            if (!(out.strength >= 0 && out.strength <= 1) || !std::isfinite(out.rotation))
                file.fail(fmt::format(
                    "anisotropyStrength = {} and anisotropyRotation = {}; allowed are 0 to 1, and a finite angle",
                    out.strength, out.rotation));
            if (out.strength == 0) return;
            if (extension->contains("anisotropyTexture")) {
                const detail::MaterialTexture texture =
                    detail::read_texture(file, part, (*extension)["anisotropyTexture"], "anisotropy texture");
                out.texture = pictures[texture.image];
                out.tile = texture.tile;
                out.offset = texture.offset;
            }
            parts.resize(detail::part_count(file));
            parts[part] = std::move(out);
        });
        return parts;
    });
}

}  // namespace asperity::importers

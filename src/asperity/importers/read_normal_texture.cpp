// normalTexture of a glTF file: the normal map of its surface. Khronos Group, "glTF 2.0 Specification", 5.19 and 5.20.
#include <cmath>

#include <fmt/format.h>

#include "asperity/importers/detail/gltf_material.h"

namespace asperity::importers {
namespace {

using nlohmann::json;

const json* normal_texture_of(const json& material) {
    return material.contains("normalTexture") ? &material["normalTexture"] : nullptr;
}

}  // namespace

std::vector<std::optional<NormalTexture>> parse_normal_textures(std::string_view bytes, const std::string& name,
                                                                const ReadSibling& sibling) {
    detail::GltfDocument file(bytes, name, sibling);
    detail::Pictures pictures(file, name);
    return file.checked([&] {
        std::vector<std::optional<NormalTexture>> parts;
        detail::for_each_used_material(file, [&](std::size_t part, const json& material) {
            const json* info = normal_texture_of(material);
            if (!info) return;
            NormalTexture out;
            out.scale = info->value("scale", 1.0);
            if (!std::isfinite(out.scale) || std::fabs(out.scale) > 1e3)
                file.fail(fmt::format("the scale of its normalTexture is {}; -1000 to 1000 are taken", out.scale));
            const detail::MaterialTexture texture = detail::read_texture(file, part, *info, "normalTexture");
            out.picture = pictures[texture.image];
            out.tile = texture.tile;
            out.offset = texture.offset;
            parts.resize(detail::part_count(file));
            parts[part] = std::move(out);
        });
        return parts;
    });
}

}  // namespace asperity::importers

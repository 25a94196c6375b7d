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

std::optional<NormalTexture> parse_normal_texture(std::string_view bytes, const std::string& name,
                                                  const ReadSibling& sibling) {
    detail::GltfDocument file(bytes, name, sibling);
    return file.checked([&]() -> std::optional<NormalTexture> {
        const json* info = detail::shared_property(file, "normalTexture", normal_texture_of);
        if (!info) return {};
        NormalTexture out;
        out.scale = info->value("scale", 1.0);
        if (!std::isfinite(out.scale) || std::fabs(out.scale) > 1e3)
            file.fail(fmt::format("the scale of its normalTexture is {}; -1000 to 1000 are taken", out.scale));
        detail::MaterialTexture texture = detail::read_texture(file, *info, "normalTexture", name);
        out.picture = std::move(texture.picture);
        out.tile = texture.tile;
        out.offset = texture.offset;
        return out;
    });
}

}  // namespace asperity::importers

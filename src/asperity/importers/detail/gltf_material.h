// Materials of a glTF document: properties that all primitives share, and their textures.
#pragma once
#include "asperity/importers/detail/gltf_document.h"

namespace asperity::importers::detail {

/// `property` returns its part of a material, or null. The result is its value for the material that all primitives share,
/// or null. Fails where primitives differ; `what` names the property in messages.
const nlohmann::json* shared_property(const GltfDocument& file, const std::string& what,
                                      const std::function<const nlohmann::json*(const nlohmann::json& material)>& property);

struct MaterialTexture {
    Picture picture;
    double tile = 1;  ///< texture coordinates are divided by this, then shifted by `offset` (v upwards)
    Vec2 offset;
};
/// Picture of a texture info ({ index, texCoord, KHR_texture_transform }); `what` names it in messages.
MaterialTexture read_texture(GltfDocument& file, const nlohmann::json& info, const std::string& what,
                             const std::string& name);

}  // namespace asperity::importers::detail

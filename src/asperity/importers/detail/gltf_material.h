// Materials of a glTF document, as far as friction reads them: a property that all primitives share, and the textures it
// names.
#pragma once
#include "asperity/importers/detail/gltf_document.h"

namespace asperity::importers::detail {

/// What `property` finds in the material that all primitives share, or null; it is given a material and returns null where
/// that has nothing. Fails where primitives differ in it; `what` names it.
const nlohmann::json* shared_property(const GltfDocument& file, const std::string& what,
                                      const std::function<const nlohmann::json*(const nlohmann::json& material)>& property);

struct MaterialTexture {
    Picture picture;
    double tile = 1;  ///< texture coordinates are divided by this and moved by `offset` (v upwards)
    Vec2 offset;
};
/// The picture of a texture info ({ index, texCoord, KHR_texture_transform }); `what` names it in messages.
MaterialTexture read_texture(GltfDocument& file, const nlohmann::json& info, const std::string& what,
                             const std::string& name);

}  // namespace asperity::importers::detail

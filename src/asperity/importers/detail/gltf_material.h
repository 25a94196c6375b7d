// Materials of a glTF document and their textures.
#pragma once
#include <functional>

#include "asperity/importers/detail/gltf_document.h"

namespace asperity::importers::detail {

/// Number of the part of a primitive, as in MeshData::parts: its material, or the number of materials if it names none.
int part_of(const GltfDocument& file, const nlohmann::json& primitive);
/// Number of parts: the materials, and one for primitives without a material.
std::size_t part_count(const GltfDocument& file);

/// Calls `read(part, material)` for each material that a primitive uses, in the order of the file.
void for_each_used_material(const GltfDocument& file,
                            const std::function<void(std::size_t part, const nlohmann::json& material)>& read);

struct MaterialTexture {
    long long image = 0;
    Vec2 tile{1, 1}, offset;  ///< texture coordinates are divided by `tile`, then shifted by `offset` (v upwards)
};
/// A texture info ({ index, texCoord, KHR_texture_transform }) of the material `part`; `what` names it in messages. Fails if
/// a primitive with that material has no texture coordinates.
MaterialTexture read_texture(const GltfDocument& file, std::size_t part, const nlohmann::json& info,
                             const std::string& what);

/// Decodes each image of a document once.
class Pictures {
  public:
    Pictures(GltfDocument& file, const std::string& name) : file_(file), name_(name) {}
    std::shared_ptr<const Picture> operator[](long long image);

  private:
    GltfDocument& file_;
    const std::string& name_;
    std::map<long long, std::shared_ptr<const Picture>> known_;
};

}  // namespace asperity::importers::detail

// Private to record/: the materials of motion.glb and their textures.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "asperity/record/detail/gltf_buffer.h"
#include "asperity/record/detail/gltf_grain.h"
#include "asperity/surface/material.h"

namespace asperity::record::detail {

class GltfMaterials {
  public:
    explicit GltfMaterials(GltfBuffer& buffer) : buffer_(buffer) {}

    /// Adds a material and returns its index; indices count from 0 in the order of these calls.
    int add(nlohmann::json material);
    int add(const surface::Material& material);
    /// Adds the look that a mesh file gives to a part.
    int add(const surface::Appearance& look, const std::string& name, TextureSpace& space);
    /// Adds a copy of the material that is brushed along the grain.
    int brushed(int material, const GrainLook& look, TextureSpace& space);
    /// Adds a copy of the material with the normal map that friction uses. 16 bits per channel: 8 bits would change the
    /// slopes.
    int rough(int material, const surface::SlopeTexture& slopes, TextureSpace& space);

    /// Writes all lists into the document, except empty ones, which glTF forbids.
    void write(nlohmann::json& document);

  private:
    std::optional<nlohmann::json> texture(const std::string& path, nlohmann::json& material);
    int add_texture(std::string_view image, const char* mime_type, int sampler);
    int add_picture(const std::string& png);
    int found_or_added(nlohmann::json material);

    GltfBuffer& buffer_;
    nlohmann::json materials_ = nlohmann::json::array(), textures_ = nlohmann::json::array(),
                   images_ = nlohmann::json::array();
    std::map<std::string, int> picture_of_;  // PNG bytes of grain or normals -> texture
    // map -> texture; never iterated, because addresses have no reproducible order
    std::map<const surface::SlopeMap*, int> normals_of_;
    std::map<std::string, int> texture_of_;          // file path -> texture
    std::map<const std::string*, int> embedded_of_;  // picture of a mesh file -> texture; never iterated
    bool brushed_ = false;
    int checker_texture_ = -1;
};

}  // namespace asperity::record::detail

// Private to record/: the materials of motion.glb, with the textures that they wear.
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

    /// Numbers count from 0 in the order of these calls.
    int add(nlohmann::json material);
    int add(const surface::Material& material);
    /// A copy of the material that is brushed along the grain.
    int brushed(int material, const GrainLook& look);
    /// A copy of the material with the normal map that friction reads, in 16 bits: 8 would change it. `tile`: of the texture
    /// coordinates.
    int rough(int material, const surface::SlopeTexture& slopes, double tile);

    /// Puts all lists into the document; empty ones are forbidden there.
    void write(nlohmann::json& document);

  private:
    std::optional<nlohmann::json> texture(const std::string& path, nlohmann::json& material);
    int add_texture(std::string_view image, const char* mime_type, int sampler);
    int add_picture(const std::string& png);
    int found_or_added(nlohmann::json material);

    GltfBuffer& buffer_;
    nlohmann::json materials_ = nlohmann::json::array(), textures_ = nlohmann::json::array(),
                   images_ = nlohmann::json::array();
    std::map<std::string, int> picture_of_;               // grain or normals as PNG -> texture
    std::map<const surface::SlopeMap*, int> normals_of_;  // -> texture; only looked up
    std::map<std::string, int> texture_of_;               // path -> texture
    bool brushed_ = false, transformed_ = false;
    int checker_texture_ = -1;
};

}  // namespace asperity::record::detail

// Grain as the brushed look of a glTF material: KHR_materials_anisotropy and the tangents it is measured from. So what a
// viewer draws is what friction follows, and a file read back has the same grain.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "asperity/record/recording.h"

namespace asperity::record::detail {

/// Equal for fields that look the same on equal shapes.
std::string grain_key(const RecordedGrain& grain);

/// How a shape shows its grain. Pictures keep the tangent frame of the texture coordinates and add themselves as a texture;
/// all other fields bend the tangents along the grain, vertex by vertex (on half-spaces, which have four vertices, they are
/// drawn into a picture first).
struct GrainLook {
    std::vector<float> tangents;  ///< TANGENT, four per vertex
    double rotation = 0;          ///< anisotropyRotation: from the tangent to across the grain
    std::string picture;          ///< PNG, or empty
    double size = 1, tile = 1;    ///< of the picture, as add_transform() takes them
    Vec2 offset;
};
/// `tile` is what the texture coordinates of the mesh are divided by; `extent` the edge of the square that a half-space is
/// drawn as.
GrainLook grain_look(const geometry::Shape& shape, const geometry::TriangleMesh& drawing, const RecordedGrain& grain,
                     double tile, double extent);
/// TANGENT of the texture coordinates, four per vertex.
std::vector<float> texture_tangents(const geometry::Shape& shape, const geometry::TriangleMesh& drawing);
/// Equal for maps that are laid the same way.
std::string slopes_key(const surface::SlopeTexture& slopes);
/// KHR_texture_transform of a picture whose tiles are `size` wide and moved by `offset`, on texture coordinates in tiles of
/// `tile` (v downwards). Returns whether one was needed.
bool add_transform(nlohmann::json& texture, double size, Vec2 offset, double tile);
/// The extension; `texture` is the number of the picture's texture.
nlohmann::json anisotropy(const GrainLook& look, int texture);

}  // namespace asperity::record::detail

// Grain as the brushed look of a glTF material (KHR_materials_anisotropy) and the tangents it refers to. A viewer thus shows
// the grain that friction uses, and reading the file back gives the same grain.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "asperity/record/recording.h"

namespace asperity::record::detail {

/// Key of a grain field: two fields with equal keys look the same on equal shapes.
std::string grain_key(const RecordedGrain& grain);

/// How a shape shows its grain. A grain picture becomes a texture and keeps the tangent frame of the texture coordinates.
/// Any other field turns the tangents along the grain at each vertex. On a half-space, which is drawn with four vertices, a
/// field that varies is baked into a picture first.
struct GrainLook {
    std::vector<float> tangents;  ///< TANGENT, four per vertex
    double rotation = 0;          ///< anisotropyRotation [rad]: from the tangent to the direction across the grain
    std::string picture;          ///< PNG, or empty
    double size = 1, tile = 1;    ///< tile sizes of the picture and of the mesh, as in add_transform()
    Vec2 offset;
};
/// `tile`: the divisor of the mesh's texture coordinates. `extent`: edge length of the square that represents a half-space.
GrainLook grain_look(const geometry::Shape& shape, const geometry::TriangleMesh& drawing, const RecordedGrain& grain,
                     double tile, double extent);
/// The TANGENT attribute along the texture coordinates, four floats per vertex.
std::vector<float> texture_tangents(const geometry::Shape& shape, const geometry::TriangleMesh& drawing);
/// Key of a normal map: equal for the same map with the same tile size and offset.
std::string slopes_key(const surface::SlopeTexture& slopes);
/// Adds KHR_texture_transform for a picture with tiles of size `size`, moved by `offset`, on a mesh whose texture
/// coordinates count tiles of size `tile` (v downwards). Returns whether a transform was needed.
bool add_transform(nlohmann::json& texture, double size, Vec2 offset, double tile);
/// The KHR_materials_anisotropy object; `texture` is the index of the picture's texture.
nlohmann::json anisotropy(const GrainLook& look, int texture);

}  // namespace asperity::record::detail

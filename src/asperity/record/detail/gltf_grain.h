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

/// The texture coordinates of an exported mesh, v downwards. TEXCOORD_0 counts tiles of size `base`. Tiles of the other kind
/// (metres or fractions of a face) have no fixed ratio to them, since faces differ in size: for these there is TEXCOORD_1,
/// which counts metres or faces.
class TextureSpace {
  public:
    TextureSpace(const geometry::Shape& shape, const surface::TileSize& base);
    /// Sets texCoord and KHR_texture_transform of a texture with tiles of this size, moved by `offset`.
    void lay(nlohmann::json& texture, const surface::TileSize& tile, Vec2 offset);
    bool second_set() const { return second_; }
    /// Texture coordinates of the drawing's vertices, two floats each.
    std::vector<float> first(const geometry::TriangleMesh& drawing) const { return coordinates(drawing, base_); }
    std::vector<float> second(const geometry::TriangleMesh& drawing) const;

  private:
    std::vector<float> coordinates(const geometry::TriangleMesh& drawing, const surface::TileSize& tile) const;
    const geometry::Shape& shape_;
    surface::TileSize base_;
    bool second_ = false;
};

/// How a shape shows its grain. A grain picture becomes a texture and keeps the tangent frame of the texture coordinates.
/// Any other field turns the tangents along the grain at each vertex. On a half-space, which is drawn with four vertices, a
/// field that varies is baked into a picture first.
struct GrainLook {
    std::vector<float> tangents;  ///< TANGENT, four per vertex
    double rotation = 0;          ///< anisotropyRotation [rad]: from the tangent to the direction across the grain
    std::string picture;          ///< PNG, or empty
    surface::TileSize size;       ///< of the picture
    Vec2 offset;
};
/// `extent`: edge length of the square that represents a half-space.
GrainLook grain_look(const geometry::Shape& shape, const geometry::TriangleMesh& drawing, const RecordedGrain& grain,
                     double extent);
/// The TANGENT attribute along the texture coordinates, four floats per vertex.
std::vector<float> texture_tangents(const geometry::Shape& shape, const geometry::TriangleMesh& drawing);
/// Key of a normal map: equal for the same map with the same tile size and offset.
std::string slopes_key(const surface::SlopeTexture& slopes);
/// The KHR_materials_anisotropy object; `texture` is the index of the picture's texture.
nlohmann::json anisotropy(const GrainLook& look, int texture, TextureSpace& space);

}  // namespace asperity::record::detail

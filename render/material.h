// Looks of recorded materials: own or palette colours, checkers, textures and normal maps.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "asperity/record/recording.h"
#include "render/texture.h"

namespace asperity::render {

struct Look {
    Float3 color;
    float roughness = 0.6f, metallic = 0;
    bool checker = false;
    surface::TileSize tile;  ///< of a checker square or of the texture
    Vec2 offset;
    const Texture* texture = nullptr;
    const Texture* normal_map = nullptr;
    surface::TileSize normal_tile;
    Vec2 normal_offset;

    bool patterned() const { return checker || texture || normal_map; }
};

/// Where a surface is looked up.
struct PatternPoint {
    Vec2 uv;
    Vec2 tile{1, 1}, normal_tile{1, 1};  ///< tile sizes of the look at this face, in units of (u, v)
    float footprint = 0;  ///< width of a pixel on the surface, in units of (u, v). Finer patterns are averaged
};

/// Appearance at a point of a surface.
struct Paint {
    Float3 color;
    float roughness, metallic;
    Float3 bump{0, 0, 1};  ///< normal from the normal map, along dP/du, n x dP/du, n
};

Paint paint(const Look& look, const PatternPoint& at);

/// The looks of every collider in a recording, with their textures. Throws InputError for a texture that cannot be read and
/// for a material that does not exist.
class LookTable {
  public:
    explicit LookTable(const record::Recording& recording);
    /// One look per part of the collider's shape.
    const std::vector<Look>& looks(int body, int collider) const {
        return looks_[static_cast<std::size_t>(body)][static_cast<std::size_t>(collider)];
    }

  private:
    Look look_of(const surface::Appearance& a, const Float3& palette_color);
    const Texture* load(const std::string& path);
    const Texture* load(const std::shared_ptr<const std::string>& picture);
    const Texture* load(const surface::SlopeMap& map);
    std::map<std::string, std::unique_ptr<Texture>> textures_;
    std::map<const surface::SlopeMap*, std::unique_ptr<Texture>> normal_maps_;
    std::map<const std::string*, std::unique_ptr<Texture>> pictures_;
    std::vector<std::vector<std::vector<Look>>> looks_;  // by body, collider and part
};

}  // namespace asperity::render

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
    float tile = 1;  ///< edge length of a checker square or texture tile, in units of (u, v)
    const Texture* texture = nullptr;
    const Texture* normal_map = nullptr;
    float normal_tile = 1;  ///< tile edge length of the normal map, likewise
    double normal_offset[2] = {0, 0};
};

/// Appearance at a point of a surface.
struct Paint {
    Float3 color;
    float roughness, metallic;
    Float3 bump{0, 0, 1};  ///< normal from the normal map, along dP/du, n x dP/du, n
};

/// `footprint`: width of a pixel on the surface, in units of (u, v). Finer patterns are averaged.
Paint paint(const Look& look, double u, double v, float footprint);

/// The looks of every collider in a recording, with their textures. Throws InputError for a texture that cannot be read and
/// for a material that does not exist.
class LookTable {
  public:
    explicit LookTable(const record::Recording& recording);
    const Look& look(int body, int collider) const {
        return looks_[static_cast<std::size_t>(body)][static_cast<std::size_t>(collider)];
    }

  private:
    const Texture* load(const std::string& path);
    const Texture* load(const surface::SlopeMap& map);
    std::map<std::string, std::unique_ptr<Texture>> textures_;
    std::map<const surface::SlopeMap*, std::unique_ptr<Texture>> normal_maps_;
    std::vector<std::vector<Look>> looks_;
};

}  // namespace asperity::render

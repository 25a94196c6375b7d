// Grain, normal maps and looks that the materials of a glTF file give to its mesh, part by part.
#include <fmt/format.h>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/importers/load.h"
#include "asperity/scene/normal_map.h"
#include "asperity/scene/reader.h"
#include "asperity/surface/make_slopes.h"

namespace asperity::scene {
namespace {

using importers::Anisotropy;
using importers::NormalTexture;

surface::TileSize tile_of(const Vec2& tile) { return {tile.x, tile.y / tile.x}; }

surface::TextureGrain grain_of(const Anisotropy& a, const std::string& file) {
    // Without a texture the grain is the tangent at full strength: red 1, green 1/2, blue 1.
    const surface::Pixels pixels = a.texture ? to_pixels(*a.texture) : surface::Pixels{1, 1, 3, {1, 0.5F, 1}};
    surface::TextureGrain grain;
    grain.texture = surface::decode_grain(pixels, surface::GrainEncoding::GltfAcross, file, a.rotation, a.strength);
    grain.tile = tile_of(a.tile);
    grain.offset = a.offset;
    return grain;
}

bool same_picture(const Anisotropy& a, const Anisotropy& b) {
    return a.texture == b.texture && a.strength == b.strength && a.rotation == b.rotation;
}
bool same_picture(const NormalTexture& a, const NormalTexture& b) { return a.picture == b.picture && a.scale == b.scale; }

/// Index of the first part that shares its picture with this one.
template <class Part>
std::size_t first_like(const std::vector<std::optional<Part>>& parts, std::size_t part) {
    for (std::size_t i = 0; i < part; ++i)
        if (parts[i] && same_picture(*parts[i], *parts[part])) return i;
    return part;
}

}  // namespace

surface::Pixels to_pixels(importers::Picture picture) {
    return {picture.width, picture.height, picture.channels, std::move(picture.values)};
}

std::optional<surface::Grain> grain_of_file(const std::filesystem::path& path, const geometry::TriangleSet& mesh) {
    const std::vector<std::optional<Anisotropy>> parts = importers::read_anisotropies(path);
    if (parts.empty()) return {};
    if (mesh.parts.empty())
        return parts[0] ? std::optional<surface::Grain>(grain_of(*parts[0], path.string())) : std::nullopt;
    surface::PartsGrain grain{std::vector<surface::TextureGrain>(parts.size())};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i]) continue;
        const std::size_t known = first_like(parts, i);
        if (known == i) {
            grain.parts[i] = grain_of(*parts[i], path.string());
        } else {
            grain.parts[i] = grain.parts[known];
            grain.parts[i].tile = tile_of(parts[i]->tile);
            grain.parts[i].offset = parts[i]->offset;
        }
    }
    return grain;
}

std::optional<surface::SlopeTexture> slopes_of_file(Reader& reader, const std::filesystem::path& path,
                                                    const geometry::TriangleSet& mesh) {
    try {
        const std::vector<std::optional<NormalTexture>> parts = importers::read_normal_textures(path);
        if (parts.empty()) return {};
        const auto flat = std::make_shared<const surface::SlopeMap>(surface::ramp_slopes({1, 1}, {}));
        std::vector<surface::SlopeTexture> slopes(parts.size(), {flat});
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!parts[i]) continue;
            const std::size_t known = first_like(parts, i);
            std::shared_ptr<const surface::SlopeMap> map = slopes[known].map;
            if (known == i) {
                map = std::make_shared<const surface::SlopeMap>(
                    surface::decode_normal_map(to_pixels(*parts[i]->picture), path.string(), {.scale = parts[i]->scale}));
                reader.scene.notes.push_back(fmt::format("{}, normal map: {}", path.filename().string(), report(*map)));
            }
            slopes[i] = {map, tile_of(parts[i]->tile), parts[i]->offset};
        }
        if (mesh.parts.empty()) return parts[0] ? std::optional(slopes[0]) : std::nullopt;
        return surface::SlopeTexture{
            nullptr, {}, {}, std::make_shared<const std::vector<surface::SlopeTexture>>(std::move(slopes))};
    } catch (const InputError& error) {
        reader.scene.notes.push_back(fmt::format("its normal maps are not used: {}", error.what()));
        return {};
    }
}

PartLooks looks_of_file(Reader& reader, const std::filesystem::path& path) {
    try {
        const std::vector<std::optional<importers::FileLook>> parts = importers::read_looks(path);
        if (parts.empty()) return {};
        std::vector<std::optional<surface::Appearance>> looks(parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (parts[i]) {
                surface::Appearance& look = looks[i].emplace();
                look.color = parts[i]->color;
                look.roughness = parts[i]->roughness;
                look.metallic = parts[i]->metallic;
                look.picture = parts[i]->picture;
                look.texture_size = tile_of(parts[i]->tile);
                look.texture_offset = parts[i]->offset;
            }
        return std::make_shared<const std::vector<std::optional<surface::Appearance>>>(std::move(looks));
    } catch (const InputError& error) {
        reader.scene.notes.push_back(fmt::format("its colours are not used: {}", error.what()));
        return {};
    }
}

}  // namespace asperity::scene

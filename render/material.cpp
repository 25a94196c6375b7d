#include "render/material.h"

#include <fmt/format.h>

#include <array>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::render {
namespace {

// Alternately warm and cool, all of similar lightness, so that neighbours in a pile are easy to tell apart. sRGB, in hex.
constexpr std::array<std::uint32_t, 10> palette = {0xd9694a, 0x3f88a8, 0xe9b04a, 0x5f9e6e, 0xb4587c,
                                                   0x5a6fb0, 0xe58a5e, 0x3fa39a, 0xc9a77a, 0x8a6bab};
constexpr std::uint32_t stone = 0xd3cdc4;

Float3 from_hex(std::uint32_t hex) {
    const auto channel = [hex](int shift) { return srgb_to_linear(static_cast<float>((hex >> shift) & 255u) / 255); };
    return {channel(16), channel(8), channel(0)};
}

// Average of a +-1 square wave of half period 1 over [x - w/2, x + w/2], by its integral, a triangle wave.
float filtered_square_wave(double x, float w) {
    const auto integral = [](double s) {
        const double h = 0.5 * s, f = h - std::floor(h);
        return 1 - 2 * std::fabs(2 * f - 1);  // rises on [0, 1), falls on [1, 2), slope +-2
    };
    return static_cast<float>((integral(x + 0.5 * w) - integral(x - 0.5 * w)) / (2 * w));
}

bool has_own_color(const surface::Appearance& a) {
    return a.color != surface::Appearance{}.color || a.metallic > 0 || a.checker || a.textured();
}

/// Width of a footprint in tiles.
float in_tiles(float footprint, const Vec2& tile) {
    return std::max(footprint / static_cast<float>(std::sqrt(tile.x * tile.y)), 1e-4f);
}

}  // namespace

Paint paint(const Look& look, const PatternPoint& at) {
    Paint p{look.color, look.roughness, look.metallic, {0, 0, 1}};
    const double s = at.uv.x / at.tile.x + look.offset.x, t = at.uv.y / at.tile.y + look.offset.y;
    const float width = in_tiles(at.footprint, at.tile);
    if (look.checker) {
        const float sign = filtered_square_wave(s, width) * filtered_square_wave(t, width);
        p.color *= 0.86f + 0.14f * sign;
    }
    if (look.texture) p.color *= look.texture->at(s, t, width);
    if (look.normal_map) {
        const Float3 n =
            look.normal_map->at(at.uv.x / at.normal_tile.x + look.normal_offset.x,
                                at.uv.y / at.normal_tile.y + look.normal_offset.y, in_tiles(at.footprint, at.normal_tile));
        p.bump = normalize_or({n.x, n.y, std::max(n.z, 0.05f)}, {0, 0, 1});
    }
    return p;
}

Look LookTable::look_of(const surface::Appearance& a, const Float3& palette_color) {
    Look look;
    look.color = has_own_color(a) ? to_float(a.color) : palette_color;
    look.roughness = static_cast<float>(clamp(a.roughness, 0, 1));
    look.metallic = static_cast<float>(clamp(a.metallic, 0, 1));
    look.checker = a.checker;
    look.tile = a.texture_size;
    look.offset = a.texture_offset;
    if (a.textured()) {
        // The default grey would darken the texture; any other colour tints it.
        if (a.color == surface::Appearance{}.color) look.color = constant(1);
        look.texture = a.picture ? load(a.picture) : load(a.texture);
    }
    return look;
}

LookTable::LookTable(const record::Recording& recording) {
    for (std::size_t body = 0; body < recording.bodies.size(); ++body) {
        const record::RecordedBody& b = recording.bodies[body];
        std::vector<std::vector<Look>>& of_body = looks_.emplace_back();
        for (std::size_t k = 0; k < b.colliders.size(); ++k) {
            const rigid::Collider& collider = b.colliders[k];
            if (collider.material.index < 0 || collider.material.index >= static_cast<int>(recording.materials.size()))
                throw InputError(fmt::format("body '{}' has material {}, but the recording has {} materials, from 0", b.name,
                                             collider.material.index, recording.materials.size()));
            const surface::Appearance& own =
                recording.materials[static_cast<std::size_t>(collider.material.index)].appearance;
            const auto* mesh = std::get_if<geometry::Mesh>(&collider.shape);
            const int parts = mesh ? mesh->triangles->part_count() : 1;
            std::vector<Look>& looks = of_body.emplace_back();
            for (int part = 0; part < parts; ++part) {
                const surface::Appearance* of_file = b.look_of(k, part);
                Look& look = looks.emplace_back(
                    look_of(of_file ? *of_file : own,
                            from_hex(b.motion == rigid::Motion::Fixed ? stone : palette[body % palette.size()])));
                if (of_file) look.color = to_float(of_file->color);  // also where it is the default grey
                const surface::SlopeTexture whole = b.slopes_of(k);
                const surface::SlopeTexture& slopes = whole.on_part(part);
                if (!slopes.map) continue;
                look.normal_map = load(*slopes.map);
                look.normal_tile = slopes.tile;
                look.normal_offset = slopes.offset;
            }
        }
    }
}

const Texture* LookTable::load(const std::string& path) {
    std::unique_ptr<Texture>& texture = textures_[path];
    if (!texture) texture = std::make_unique<Texture>(load_image(path));
    return texture.get();
}

const Texture* LookTable::load(const std::shared_ptr<const std::string>& picture) {
    std::unique_ptr<Texture>& texture = pictures_[picture.get()];
    if (!texture) texture = std::make_unique<Texture>(decode_image(*picture, "a picture of a mesh file"));
    return texture.get();
}

const Texture* LookTable::load(const surface::SlopeMap& map) {
    std::unique_ptr<Texture>& texture = normal_maps_[&map];
    if (!texture) texture = std::make_unique<Texture>(map);
    return texture.get();
}

}  // namespace asperity::render

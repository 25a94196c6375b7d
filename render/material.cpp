#include "render/material.h"

#include <fmt/format.h>

#include <array>

#include "asperity/core/error.h"

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
    return a.color != surface::Appearance{}.color || a.metallic > 0 || a.checker || !a.texture.empty();
}

}  // namespace

Paint paint(const Look& look, double u, double v, float footprint) {
    Paint p{look.color, look.roughness, look.metallic, {0, 0, 1}};
    const double s = u / static_cast<double>(look.tile), t = v / static_cast<double>(look.tile);
    const float width = std::max(footprint / look.tile, 1e-4f);
    if (look.checker) {
        const float sign = filtered_square_wave(s, width) * filtered_square_wave(t, width);
        p.color *= 0.86f + 0.14f * sign;
    }
    if (look.texture) p.color *= look.texture->at(s, t, width);
    if (look.normal_map) {
        const auto tile = static_cast<double>(look.normal_tile);
        const Float3 n = look.normal_map->at(u / tile + look.normal_offset[0], v / tile + look.normal_offset[1],
                                             std::max(footprint / look.normal_tile, 1e-4f));
        p.bump = normalize_or({n.x, n.y, std::max(n.z, 0.05f)}, {0, 0, 1});
    }
    return p;
}

LookTable::LookTable(const record::Recording& recording) {
    for (std::size_t body = 0; body < recording.bodies.size(); ++body) {
        const record::RecordedBody& b = recording.bodies[body];
        std::vector<Look>& looks = looks_.emplace_back();
        for (std::size_t k = 0; k < b.colliders.size(); ++k) {
            const rigid::Collider& collider = b.colliders[k];
            if (collider.material.index < 0 || collider.material.index >= static_cast<int>(recording.materials.size()))
                throw InputError(fmt::format("body '{}' has material {}, but the recording has {} materials, from 0", b.name,
                                             collider.material.index, recording.materials.size()));
            const surface::Appearance& a = recording.materials[static_cast<std::size_t>(collider.material.index)].appearance;
            Look look;
            look.color = to_float(a.color);
            if (!has_own_color(a))
                look.color = from_hex(b.motion == rigid::Motion::Fixed ? stone : palette[body % palette.size()]);
            look.roughness = static_cast<float>(clamp(a.roughness, 0, 1));
            look.metallic = static_cast<float>(clamp(a.metallic, 0, 1));
            look.checker = a.checker;
            look.tile = a.texture_size > 0 ? static_cast<float>(a.texture_size) : 1.0f;
            if (!a.texture.empty()) {
                // The default grey would darken the texture; any other colour tints it.
                if (a.color == surface::Appearance{}.color) look.color = constant(1);
                look.texture = load(a.texture);
            }
            if (const surface::SlopeTexture slopes = b.slopes_of(k); slopes.map) {
                look.normal_map = load(*slopes.map);
                look.normal_tile = static_cast<float>(slopes.tile);
                look.normal_offset[0] = slopes.offset.x, look.normal_offset[1] = slopes.offset.y;
            }
            looks.push_back(look);
        }
    }
}

const Texture* LookTable::load(const std::string& path) {
    std::unique_ptr<Texture>& texture = textures_[path];
    if (!texture) texture = std::make_unique<Texture>(load_image(path));
    return texture.get();
}

const Texture* LookTable::load(const surface::SlopeMap& map) {
    std::unique_ptr<Texture>& texture = normal_maps_[&map];
    if (!texture) texture = std::make_unique<Texture>(map);
    return texture.get();
}

}  // namespace asperity::render

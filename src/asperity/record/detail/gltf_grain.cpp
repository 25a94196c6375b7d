#include "asperity/record/detail/gltf_grain.h"

#include <cmath>
#include <numbers>

#include "asperity/friction/cone_input.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/surface_point.h"
#include "asperity/record/detail/bytes.h"
#include "asperity/record/png.h"

namespace asperity::record::detail {
namespace {

constexpr int kBaked = 512;  // edge length [pixels] of a grain field baked into a picture

/// Grain direction at a vertex, in shape axes, tangent to the surface, unit; zero where there is no grain.
Vec3 grain_in_shape(const geometry::Shape& shape, const RecordedGrain& grain, const Vec3& point, const Vec3& normal) {
    const surface::GrainAt at = surface::grain_at(
        *grain.field, {shape, grain.shape_pose, grain.shape_pose * point, rotate(grain.shape_pose.orientation, normal)});
    const Vec3 s = rotate_inverse(grain.shape_pose.orientation, at.direction), along = s - dot(s, normal) * normal;
    return at.strength > 0 && length(along) > 1e-6 * length(s) ? normalized(along) : Vec3{};
}

struct Frame {
    Vec3 tangent;
    bool mirrored;
};
/// Tangent frame of the texture coordinates at a vertex of the drawing. The drawing of a mesh has one vertex per triangle
/// corner.
Frame texture_frame(const geometry::Shape& shape, const geometry::TriangleMesh& drawing, std::size_t vertex) {
    if (const auto* mesh = std::get_if<geometry::Mesh>(&shape)) {
        const geometry::TriangleSet& set = *mesh->triangles;
        const Vec2* uv = &set.uvs[vertex / 3 * 3];
        return {set.tangents[vertex], cross(uv[1] - uv[0], uv[2] - uv[0]) < 0};
    }
    const geometry::SurfacePoint at = geometry::surface_point(shape, drawing.positions[vertex], drawing.normals[vertex]);
    return {at.tangent, at.mirrored};
}

void push(std::vector<float>& tangents, const Vec3& t, bool mirrored) {
    for (int k = 0; k < 3; ++k) tangents.push_back(static_cast<float>(t[k]));
    tangents.push_back(mirrored ? -1.0F : 1.0F);
}

std::string picture_of(const surface::GrainTexture& texture) {
    return png(texture.width(), texture.height(), 3, surface::encode_grain(texture, surface::GrainEncoding::GltfAcross));
}

/// Bakes a grain field into a picture over the square that represents a half-space.
std::string bake(const geometry::Shape& shape, const RecordedGrain& grain, double extent) {
    std::vector<Vec2> texels;
    for (int y = 0; y < kBaked; ++y)
        for (int x = 0; x < kBaked; ++x) {
            const Vec3 s = grain_in_shape(
                shape, grain, {((x + 0.5) / kBaked - 0.5) * extent, ((y + 0.5) / kBaked - 0.5) * extent, 0}, {0, 0, 1});
            texels.push_back(friction::double_angle(s.x, s.y));
        }
    return picture_of(surface::GrainTexture(kBaked, kBaked, texels));
}

void put(ByteWriter& key, const surface::TileSize& tile, Vec2 offset) {
    key.u8(tile.metres ? 1 : 0);
    for (const double number : {tile.edge, tile.rise, offset.x, offset.y}) key.f64(number);
}

}  // namespace

std::string grain_key(const RecordedGrain& grain) {
    if (!grain.field) return {};
    ByteWriter key;
    key.u8(static_cast<std::uint8_t>(1 + grain.field->index()));
    if (const auto* texture = std::get_if<surface::TextureGrain>(&*grain.field)) {
        key.u64(reinterpret_cast<std::uintptr_t>(texture->texture.get()));
        put(key, texture->tile, texture->offset);
        return key.bytes;  // given in texture coordinates, so the shape's pose in its body does not matter
    }
    if (const auto* parts = std::get_if<surface::PartsGrain>(&*grain.field)) {
        for (const surface::TextureGrain& part : parts->parts) {
            key.u64(reinterpret_cast<std::uintptr_t>(part.texture.get()));
            put(key, part.tile, part.offset);
        }
        return key.bytes;
    }
    const Quat& q = grain.shape_pose.orientation;
    key.vec3(grain.shape_pose.position);
    for (const double number : {q.w, q.x, q.y, q.z}) key.f64(number);
    if (const auto* constant = std::get_if<surface::ConstantGrain>(&*grain.field))
        key.vec3(constant->direction);
    else if (const auto* axis = std::get_if<surface::AxisGrain>(&*grain.field))
        key.vec3(axis->origin), key.vec3(axis->axis), key.f64(axis->radial), key.f64(axis->around), key.f64(axis->along);
    else
        key.u64(reinterpret_cast<std::uintptr_t>(grain.field.get()));
    return key.bytes;
}

GrainLook grain_look(const geometry::Shape& shape, const geometry::TriangleMesh& drawing, const RecordedGrain& grain,
                     double extent) {
    GrainLook look;
    const auto* texture = std::get_if<surface::TextureGrain>(&*grain.field);
    const bool baked = !texture && std::holds_alternative<geometry::HalfSpace>(shape) &&
                       !std::holds_alternative<surface::ConstantGrain>(*grain.field);
    if (texture || baked) {
        look.picture = texture ? picture_of(*texture->texture) : bake(shape, grain, extent);
        look.size = texture ? texture->tile : surface::TileSize(extent);
        look.offset = texture ? texture->offset : Vec2{0.5, 0.5};
    } else {
        // TANGENT is along the grain; the extension counts rotation to across the grain
        look.rotation = 0.5 * std::numbers::pi;
    }
    for (std::size_t i = 0; i < drawing.positions.size(); ++i) {
        const Vec3& n = drawing.normals[i];
        if (look.picture.empty()) {
            const Vec3 s = grain_in_shape(shape, grain, drawing.positions[i], n);
            push(look.tangents, s == Vec3{} ? any_tangent(n) : s, false);
        } else {
            const Frame frame = texture_frame(shape, drawing, i);
            push(look.tangents, frame.tangent, frame.mirrored);
        }
    }
    return look;
}

nlohmann::json anisotropy(const GrainLook& look, int texture, TextureSpace& space) {
    nlohmann::json out = {{"anisotropyStrength", 1.0}, {"anisotropyRotation", look.rotation}};
    if (look.picture.empty()) return out;
    out["anisotropyTexture"] = {{"index", texture}};
    space.lay(out["anisotropyTexture"], look.size, look.offset);
    return out;
}

std::vector<float> texture_tangents(const geometry::Shape& shape, const geometry::TriangleMesh& drawing) {
    std::vector<float> tangents;
    for (std::size_t i = 0; i < drawing.positions.size(); ++i) {
        const Frame frame = texture_frame(shape, drawing, i);
        push(tangents, frame.tangent, frame.mirrored);
    }
    return tangents;
}

std::string slopes_key(const surface::SlopeTexture& slopes) {
    if (slopes.smooth()) return {};
    ByteWriter key;
    key.u8(0xff);  // no grain key starts with this byte
    const std::size_t parts = slopes.parts ? slopes.parts->size() : 1;
    for (std::size_t i = 0; i < parts; ++i) {
        const surface::SlopeTexture& part = slopes.on_part(static_cast<int>(i));
        key.u64(reinterpret_cast<std::uintptr_t>(part.map.get()));
        put(key, part.tile, part.offset);
    }
    return key.bytes;
}

TextureSpace::TextureSpace(const geometry::Shape& shape, const surface::TileSize& base) : shape_(shape), base_(base) {
    base_.metres &= !std::holds_alternative<geometry::HalfSpace>(shape);  // metres either way
}

void TextureSpace::lay(nlohmann::json& texture, const surface::TileSize& tile, Vec2 offset) {
    const bool metres = tile.metres && !std::holds_alternative<geometry::HalfSpace>(shape_), other = metres != base_.metres;
    // The mesh stores (u / base, 1 - v / base). The picture needs (u / tile + offset_u, 1 - (v / tile + offset_v)), which is
    // scale times the stored coordinates plus an offset.
    const Vec2 base = other ? Vec2{1, 1} : Vec2{base_.edge, base_.edge * base_.rise};
    const Vec2 scale{base.x / tile.edge, base.y / (tile.edge * tile.rise)};
    const double down = 1 - scale.y - offset.y;
    second_ |= other;
    if (other) texture["texCoord"] = 1;
    if (scale.x == 1 && scale.y == 1 && offset.x == 0 && down == 0) return;
    texture["extensions"]["KHR_texture_transform"] = {{"scale", {scale.x, scale.y}}, {"offset", {offset.x, down}}};
}

std::vector<float> TextureSpace::second(const geometry::TriangleMesh& drawing) const {
    return coordinates(drawing, base_.metres ? surface::TileSize(1) : surface::TileSize::in_metres(1));
}

std::vector<float> TextureSpace::coordinates(const geometry::TriangleMesh& drawing, const surface::TileSize& tile) const {
    std::vector<float> out(2 * drawing.uvs.size());
    for (std::size_t i = 0; i < drawing.triangles.size(); ++i) {
        const std::size_t vertex = drawing.triangles[i];  // all its triangles lie in one face
        const Vec2 size = tile.on(shape_, drawing.faces[i / 3]), uv = drawing.uvs[vertex];
        out[2 * vertex] = static_cast<float>(uv.x / size.x);
        out[2 * vertex + 1] = static_cast<float>(1 - uv.y / size.y);  // glTF counts v downwards, we count it upwards
    }
    return out;
}

}  // namespace asperity::record::detail

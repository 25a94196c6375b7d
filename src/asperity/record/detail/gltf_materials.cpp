#include "asperity/record/detail/gltf_materials.h"

#include <fmt/format.h>
#include <filesystem>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/record/png.h"
#include "asperity/surface/normal_map.h"

namespace asperity::record::detail {
namespace {

using nlohmann::json;

// filters and wrap modes (glTF specification)
constexpr int kNearest = 9728, kLinear = 9729, kMipmapped = 9987, kRepeat = 10497;
constexpr int kTextureSampler = 0, kCheckerSampler = 1;
json texture_samplers() {
    return {{{"magFilter", kLinear}, {"minFilter", kMipmapped}, {"wrapS", kRepeat}, {"wrapT", kRepeat}},
            {{"magFilter", kNearest}, {"minFilter", kMipmapped}, {"wrapS", kRepeat}, {"wrapT", kRepeat}}};
}

}  // namespace

int GltfMaterials::add_texture(std::string_view image, const char* mime_type, int sampler) {
    images_.push_back({{"bufferView", buffer_.view(image, kNoTarget)}, {"mimeType", mime_type}});
    textures_.push_back({{"source", images_.size() - 1}, {"sampler", sampler}});
    return static_cast<int>(textures_.size()) - 1;
}

/// Embeds the bytes of the image file unchanged. The file may have been deleted since the run: then the material keeps its
/// colour, and its extras name the missing file.
std::optional<json> GltfMaterials::texture(const std::string& path, json& material) {
    if (path.empty()) return {};
    if (const auto known = texture_of_.find(path); known != texture_of_.end()) return json{{"index", known->second}};
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        material["extras"]["missing_textures"].push_back(path);
        return {};
    }
    const std::string image = read_file(path, std::size_t{1} << 28);
    const bool png = image.starts_with("\x89PNG\r\n\x1a\n"), jpeg = image.starts_with("\xff\xd8\xff");
    if (!png && !jpeg)
        throw InputError(fmt::format("{}: neither PNG nor JPEG, the only formats that glTF embeds; convert it", path));
    const int index = add_texture(image, png ? "image/png" : "image/jpeg", kTextureSampler);
    texture_of_[path] = index;
    return json{{"index", index}};
}

int GltfMaterials::add(json material) {
    materials_.push_back(std::move(material));
    return static_cast<int>(materials_.size()) - 1;
}

int GltfMaterials::add(const surface::Material& material) {
    const surface::Appearance& a = material.appearance;
    json out = {{"name", material.name}};
    json pbr = {{"metallicFactor", clamp(a.metallic, 0, 1)}, {"roughnessFactor", clamp(a.roughness, 0, 1)}};
    const Vec3 c = max(min(a.color, {1, 1, 1}), {0, 0, 0});
    pbr["baseColorFactor"] = {c.x, c.y, c.z, 1.0};
    if (const auto base = texture(a.texture, out)) {
        pbr["baseColorTexture"] = *base;
        // glTF multiplies colour and texture: the default grey would darken the picture; any other colour tints it.
        if (a.color == surface::Appearance{}.color) pbr["baseColorFactor"] = {1.0, 1.0, 1.0, 1.0};
    } else if (a.checker) {
        // 221 is 0.72 in linear light (sRGB). The square at u = v = 0, lower left, is bright.
        static constexpr std::uint8_t kShades[] = {221, 255, 255, 221};
        if (checker_texture_ < 0) checker_texture_ = add_texture(png(2, 2, 1, kShades), "image/png", kCheckerSampler);
        pbr["baseColorTexture"] = {{"index", checker_texture_}};
    }
    out["pbrMetallicRoughness"] = std::move(pbr);
    return add(std::move(out));
}

int GltfMaterials::add(const surface::Appearance& look, const std::string& name, TextureSpace& space) {
    const Vec3 c = max(min(look.color, {1, 1, 1}), {0, 0, 0});
    json pbr = {{"metallicFactor", clamp(look.metallic, 0, 1)},
                {"roughnessFactor", clamp(look.roughness, 0, 1)},
                {"baseColorFactor", {c.x, c.y, c.z, 1.0}}};
    if (look.picture) {
        const auto [entry, is_new] = embedded_of_.try_emplace(look.picture.get(), -1);
        if (is_new)
            entry->second = add_texture(*look.picture, look.picture->starts_with("\x89PNG") ? "image/png" : "image/jpeg",
                                        kTextureSampler);
        json base = {{"index", entry->second}};
        space.lay(base, look.texture_size, look.texture_offset);
        pbr["baseColorTexture"] = std::move(base);
    }
    return found_or_added({{"name", name}, {"pbrMetallicRoughness", std::move(pbr)}});
}

int GltfMaterials::brushed(int material, const GrainLook& look, TextureSpace& space) {
    brushed_ = true;
    const int texture = look.picture.empty() ? -1 : add_picture(look.picture);
    json out = materials_[static_cast<std::size_t>(material)];
    out["extensions"]["KHR_materials_anisotropy"] = anisotropy(look, texture, space);
    return found_or_added(std::move(out));
}

int GltfMaterials::rough(int material, const surface::SlopeTexture& slopes, TextureSpace& space) {
    const auto [entry, is_new] = normals_of_.try_emplace(slopes.map.get(), -1);
    if (is_new)
        entry->second =
            add_picture(png16(slopes.map->width, slopes.map->height, 3, surface::encode_normal_map(*slopes.map, 16)));
    json normals = {{"index", entry->second}};
    space.lay(normals, slopes.tile, slopes.offset);
    json out = materials_[static_cast<std::size_t>(material)];
    out["normalTexture"] = std::move(normals);
    return found_or_added(std::move(out));
}

int GltfMaterials::add_picture(const std::string& png) {
    const auto [entry, is_new] = picture_of_.try_emplace(png, -1);
    if (is_new) entry->second = add_texture(png, "image/png", kTextureSampler);
    return entry->second;
}

int GltfMaterials::found_or_added(json material) {
    for (std::size_t i = 0; i < materials_.size(); ++i)
        if (materials_[i] == material) return static_cast<int>(i);
    return add(std::move(material));
}

void GltfMaterials::write(json& document) {
    if (!textures_.empty()) document["samplers"] = texture_samplers();
    const bool transformed = brushed_ || materials_.dump().find("KHR_texture_transform") != std::string::npos;
    if (brushed_)
        document["extensionsUsed"] = {"KHR_materials_anisotropy", "KHR_texture_transform"};
    else if (transformed)
        document["extensionsUsed"] = {"KHR_texture_transform"};
    const std::pair<const char*, json*> lists[] = {
        {"materials", &materials_}, {"textures", &textures_}, {"images", &images_}};
    for (const auto& [key, list] : lists)
        if (!list->empty()) document[key] = std::move(*list);
}

}  // namespace asperity::record::detail

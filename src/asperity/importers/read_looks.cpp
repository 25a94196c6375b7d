// Looks of a glTF file's materials: base colour, metallic and roughness. Khronos Group, "glTF 2.0 Specification", 5.22.
#include <cmath>

#include <fmt/format.h>

#include "asperity/importers/detail/gltf_material.h"

namespace asperity::importers {
namespace {

using nlohmann::json;

/// Mean of one channel of a picture: pictures of a run have one roughness per material.
double mean(const Picture& picture, int channel) {
    double sum = 0;
    const auto step = static_cast<std::size_t>(picture.channels);
    const std::size_t first = picture.channels < 3 ? 0 : static_cast<std::size_t>(channel);
    for (std::size_t i = first; i < picture.values.size(); i += step) sum += static_cast<double>(picture.values[i]);
    return sum * static_cast<double>(step) / static_cast<double>(picture.values.size());
}

double fraction(const detail::GltfDocument& file, const json& pbr, const char* key) {
    const double value = pbr.value(key, 1.0);
    if (!(value >= 0 && value <= 1)) file.fail(fmt::format("its {} is {}; 0 to 1 are taken", key, value));
    return value;
}

}  // namespace

std::vector<std::optional<FileLook>> parse_looks(std::string_view bytes, const std::string& name,
                                                 const ReadSibling& sibling) {
    detail::GltfDocument file(bytes, name, sibling);
    detail::Pictures pictures(file, name);
    std::map<long long, std::shared_ptr<const std::string>> images;  // each kept once
    return file.checked([&] {
        std::vector<std::optional<FileLook>> parts;
        detail::for_each_used_material(file, [&](std::size_t part, const json& material) {
            if (!material.contains("pbrMetallicRoughness")) return;
            const json& pbr = material["pbrMetallicRoughness"];
            FileLook look;
            look.name = material.value("name", "");
            const auto factor = pbr.value("baseColorFactor", std::vector<double>{1, 1, 1, 1});
            if (factor.size() != 4) file.fail("a baseColorFactor does not have 4 numbers");
            look.color = {factor[0], factor[1], factor[2]};
            if (!is_finite(look.color)) file.fail("a baseColorFactor is not finite");
            look.metallic = fraction(file, pbr, "metallicFactor");
            look.roughness = fraction(file, pbr, "roughnessFactor");
            if (pbr.contains("metallicRoughnessTexture")) {
                const auto picture =
                    pictures[detail::read_texture(file, part, pbr["metallicRoughnessTexture"], "metallicRoughnessTexture")
                                 .image];
                look.roughness *= mean(*picture, 1);
                look.metallic *= mean(*picture, 2);
            }
            if (pbr.contains("baseColorTexture")) {
                const detail::MaterialTexture texture =
                    detail::read_texture(file, part, pbr["baseColorTexture"], "baseColorTexture");
                std::shared_ptr<const std::string>& image = images[texture.image];
                if (!image) image = std::make_shared<const std::string>(file.image(texture.image));
                if (!image->starts_with("\x89PNG\r\n\x1a\n") && !image->starts_with("\xff\xd8\xff"))
                    file.fail("its baseColorTexture is neither PNG nor JPEG; export it as one of them");
                look.picture = image;
                look.tile = texture.tile;
                look.offset = texture.offset;
            }
            parts.resize(detail::part_count(file));
            parts[part] = std::move(look);
        });
        return parts;
    });
}

}  // namespace asperity::importers

#include "asperity/importers/load.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/one_line.h"

namespace asperity::importers {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 30;

std::string lower_extension(const std::filesystem::path& path) {
    std::string text = path.extension().string();
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Returns a reader of the files that a glTF file refers to.
ReadSibling siblings_of(const std::filesystem::path& path) {
    return [&path](const std::string& file) {
        try {
            return read_file(path.parent_path() / file, kLargestFile);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: needs {}; keep its files together, or export it as one .glb", path.string(),
                                         one_line(error.what(), 500)));
        }
    };
}

}  // namespace

geometry::MeshData read(const std::filesystem::path& path) {
    const std::string kind = lower_extension(path);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw InputError(fmt::format("{}: is a folder; name the .obj, .gltf or .glb file in it", path.string()));
    if (kind != ".obj" && kind != ".gltf" && kind != ".glb")
        throw InputError(fmt::format("{}: meshes are read from .obj, .gltf and .glb files; convert it", path.string()));
    const std::string bytes = read_file(path, kLargestFile);
    if (kind == ".obj") return parse_obj(bytes, path.string());
    return parse_gltf(bytes, path.string(), siblings_of(path));
}

std::optional<Anisotropy> read_anisotropy(const std::filesystem::path& path) {
    const std::string kind = lower_extension(path);
    if (kind != ".gltf" && kind != ".glb") return {};
    return parse_anisotropy(read_file(path, kLargestFile), path.string(), siblings_of(path));
}

std::optional<NormalTexture> read_normal_texture(const std::filesystem::path& path) {
    const std::string kind = lower_extension(path);
    if (kind != ".gltf" && kind != ".glb") return {};
    return parse_normal_texture(read_file(path, kLargestFile), path.string(), siblings_of(path));
}

geometry::Mesh load(const std::filesystem::path& path, double scale) {
    return geometry::make_mesh(read(path), scale, path.string());
}

}  // namespace asperity::importers

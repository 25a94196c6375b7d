#include "asperity/mesh/load.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"

namespace asperity::mesh {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 30;

std::string lower_extension(const std::filesystem::path& path) {
    std::string text = path.extension().string();
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Reads the files that a glTF file names, if they lie beside it.
ReadSibling siblings_of(const std::filesystem::path& path) {
    return [&path](const std::string& uri) {
        const std::filesystem::path file(uri);
        if (uri.empty() || uri.find('\0') != std::string::npos || uri.find("://") != std::string::npos || file.is_absolute())
            throw InputError(fmt::format("{}: a part of it is at '{}'; only files beside it are read", path.string(), uri.substr(0, 100)));
        return read_file(path.parent_path() / file, kLargestFile);
    };
}

}  // namespace

geometry::MeshData read(const std::filesystem::path& path) {
    const std::string kind = lower_extension(path);
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

}  // namespace asperity::mesh

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

/// Why a file that a glTF file refers to is not read; empty if it may be. The URI was checked, but a part of its path may be
/// a link, and reading a pipe would wait for ever.
std::string defect_of_sibling(const std::filesystem::path& folder, const std::filesystem::path& file) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::weakly_canonical(file, error),
                                home = std::filesystem::weakly_canonical(folder.empty() ? "." : folder, error);
    if (const auto status = std::filesystem::status(file, error); std::filesystem::exists(status) &&
                                                                  !std::filesystem::is_regular_file(status) &&
                                                                  !std::filesystem::is_directory(status))
        return "is a pipe or a device, not a file";
    if (const auto [in_home, in_real] = std::mismatch(home.begin(), home.end(), real.begin(), real.end());
        in_home != home.end())
        return fmt::format("a link that leads to {}, out of the folder", one_line(real.string(), 200));
    return {};
}

/// Returns a reader of the files that a glTF file refers to.
ReadSibling siblings_of(const std::filesystem::path& path) {
    return [&path](const std::string& file) {
        const std::filesystem::path part = path.parent_path() / file;
        try {
            if (const std::string why = defect_of_sibling(path.parent_path(), part); !why.empty())
                throw InputError(fmt::format("{}: {}", part.string(), why));
            return read_file(part, kLargestFile);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: needs {}; keep its files together, or export it as one .glb", path.string(),
                                         one_line(error.what(), 500)));
        }
    };
}

bool is_gltf(const std::filesystem::path& path) {
    const std::string kind = lower_extension(path);
    return kind == ".gltf" || kind == ".glb";
}

/// A property of the materials; nothing for files other than glTF.
template <class Parts>
Parts read_parts(const std::filesystem::path& path,
                 Parts (*parse)(std::string_view bytes, const std::string& name, const ReadSibling& sibling)) {
    if (!is_gltf(path)) return {};
    return parse(read_file(path, kLargestFile), path.string(), siblings_of(path));
}

}  // namespace

geometry::MeshData read(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw InputError(fmt::format("{}: is a folder; name the .obj, .gltf or .glb file in it", path.string()));
    const bool obj = lower_extension(path) == ".obj";
    if (!obj && !is_gltf(path))
        throw InputError(fmt::format("{}: meshes are read from .obj, .gltf and .glb files; convert it", path.string()));
    const std::string bytes = read_file(path, kLargestFile);
    if (obj) return parse_obj(bytes, path.string());
    return parse_gltf(bytes, path.string(), siblings_of(path));
}

std::vector<std::optional<Anisotropy>> read_anisotropies(const std::filesystem::path& path) {
    return read_parts(path, parse_anisotropies);
}

std::vector<std::optional<NormalTexture>> read_normal_textures(const std::filesystem::path& path) {
    return read_parts(path, parse_normal_textures);
}

std::vector<std::optional<FileLook>> read_looks(const std::filesystem::path& path) { return read_parts(path, parse_looks); }

geometry::Mesh load(const std::filesystem::path& path, double scale) {
    return geometry::make_mesh(read(path), scale, path.string());
}

}  // namespace asperity::importers

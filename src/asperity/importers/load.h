// Mesh files: OBJ, glTF and GLB to triangles. Only the syntax is checked here; geometry::make_mesh() checks and repairs
// meshes.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/importers/read_picture.h"

namespace asperity::importers {

/// Reads positions, normals, texture coordinates and polygons, which are triangulated as fans from their first vertex.
/// Coordinates are not transformed. `name` stands for the file in messages "name:line: ...".
geometry::MeshData parse_obj(std::string_view text, const std::string& name);

/// All triangles of all nodes of the scene, transformed by their nodes (instances of EXT_mesh_gpu_instancing included). The
/// part of a triangle is the number of its material, or the number of materials if it has none. glTF has y up, Asperity z
/// up: (x, y, z) becomes (x, -z, y). `sibling` reads the external files of buffers; data URIs and the GLB chunk need none.
/// It receives decoded paths relative to the folder of the glTF file ("my mesh.bin" for "my%20mesh.bin"). URIs that lead out
/// of that folder are rejected before the call.
using ReadSibling = std::function<std::string(const std::string& file)>;
geometry::MeshData parse_gltf(std::string_view bytes, const std::string& name, const ReadSibling& sibling);

// Materials of a glTF file. Each list has one entry per part of the mesh (MeshData::parts); an entry is empty where the
// material has no such property or no triangle uses it, and the list is empty where no material has the property. All throw
// InputError for values out of range, pictures that cannot be read, and a texture on triangles without texture coordinates.
// read_...() give empty lists for files other than glTF.

/// Brushed surface: KHR_materials_anisotropy, if its strength is above 0. The direction is that of greater roughness, across
/// the grooves, in the tangent frame, rotated by `rotation`.
struct Anisotropy {
    double strength = 0, rotation = 0;       ///< 0..1, [rad] counter-clockwise from the tangent
    std::shared_ptr<const Picture> texture;  ///< red and green: direction (2c - 1); blue: factor on the strength; or null
    Vec2 tile{1, 1}, offset;  ///< texture coordinates are divided by `tile`, then shifted by `offset` (v upwards)
};
std::vector<std::optional<Anisotropy>> parse_anisotropies(std::string_view bytes, const std::string& name,
                                                          const ReadSibling& sibling);
std::vector<std::optional<Anisotropy>> read_anisotropies(const std::filesystem::path& path);

struct NormalTexture {
    std::shared_ptr<const Picture> picture;
    double scale = 1;         ///< multiplies x and y of the normals
    Vec2 tile{1, 1}, offset;  ///< as in Anisotropy
};
std::vector<std::optional<NormalTexture>> parse_normal_textures(std::string_view bytes, const std::string& name,
                                                                const ReadSibling& sibling);
std::vector<std::optional<NormalTexture>> read_normal_textures(const std::filesystem::path& path);

/// Colour of a surface: pbrMetallicRoughness.
struct FileLook {
    std::string name;                            ///< of the material
    Vec3 color{1, 1, 1};                         ///< linear RGB; multiplies the picture
    double roughness = 1, metallic = 1;          ///< 0..1; of a texture the mean
    std::shared_ptr<const std::string> picture;  ///< bytes of a PNG or JPEG, or null
    Vec2 tile{1, 1}, offset;                     ///< as in Anisotropy
};
std::vector<std::optional<FileLook>> parse_looks(std::string_view bytes, const std::string& name,
                                                 const ReadSibling& sibling);
std::vector<std::optional<FileLook>> read_looks(const std::filesystem::path& path);

/// Format by extension: .obj, .gltf, .glb. Throws InputError that names the file.
geometry::MeshData read(const std::filesystem::path& path);
geometry::Mesh load(const std::filesystem::path& path, double scale = 1);

}  // namespace asperity::importers

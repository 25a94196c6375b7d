// Mesh files: OBJ, glTF and GLB to triangles. Only the syntax is checked here; geometry::make_mesh() checks and repairs
// meshes.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/importers/read_picture.h"

namespace asperity::importers {

/// Reads positions, normals, texture coordinates and polygons, which are triangulated as fans from their first vertex.
/// Coordinates are not transformed. `name` stands for the file in messages "name:line: ...".
geometry::MeshData parse_obj(std::string_view text, const std::string& name);

/// All triangles of all nodes of the scene, transformed by their nodes. glTF has y up, Asperity z up: (x, y, z) becomes (x,
/// -z, y). `sibling` reads the external files of buffers; data URIs and the GLB chunk need none. It receives decoded paths
/// relative to the folder of the glTF file ("my mesh.bin" for "my%20mesh.bin"). URIs that lead out of that folder are
/// rejected before the call.
using ReadSibling = std::function<std::string(const std::string& file)>;
geometry::MeshData parse_gltf(std::string_view bytes, const std::string& name, const ReadSibling& sibling);

/// Brushed surface of a glTF material: KHR_materials_anisotropy. The direction is that of greater roughness, across the
/// grooves, in the tangent frame, rotated by `rotation`.
struct Anisotropy {
    double strength = 0, rotation = 0;  ///< 0..1, [rad] counter-clockwise from the tangent
    std::optional<Picture> texture;     ///< red and green: direction (2c - 1); blue: factor on the strength
    double tile = 1;                    ///< texture coordinates are divided by this, then shifted by `offset` (v upwards)
    Vec2 offset;
};
/// Anisotropy of the material that all primitives share, or nothing if it has none. Throws InputError where primitives
/// differ, for pictures that cannot be read, and for a texture on a mesh without texture coordinates.
std::optional<Anisotropy> parse_anisotropy(std::string_view bytes, const std::string& name, const ReadSibling& sibling);
/// Nothing for files other than glTF.
std::optional<Anisotropy> read_anisotropy(const std::filesystem::path& path);

/// The normal map of a glTF material.
struct NormalTexture {
    Picture picture;
    double scale = 1;  ///< multiplies x and y of the normals
    double tile = 1;   ///< as in Anisotropy
    Vec2 offset;
};
/// Normal map of the material that all primitives share, or nothing. Throws as parse_anisotropy() does.
std::optional<NormalTexture> parse_normal_texture(std::string_view bytes, const std::string& name,
                                                  const ReadSibling& sibling);
/// Nothing for files other than glTF.
std::optional<NormalTexture> read_normal_texture(const std::filesystem::path& path);

/// Format by extension: .obj, .gltf, .glb. Throws InputError that names the file.
geometry::MeshData read(const std::filesystem::path& path);
geometry::Mesh load(const std::filesystem::path& path, double scale = 1);

}  // namespace asperity::importers

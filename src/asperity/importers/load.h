// Mesh files: OBJ, glTF and GLB in, triangles out. What is in them is checked here only as far as reading goes; repairs and
// refusals are geometry::make_mesh()'s.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/importers/read_picture.h"

namespace asperity::importers {

/// Reads positions, normals, texture coordinates and faces of any size (cut into triangles from their first corner).
/// Coordinates are taken as they stand. `name` stands for the file in messages "name:line: ...".
geometry::MeshData parse_obj(std::string_view text, const std::string& name);

/// All triangles of all nodes of the scene, moved by their nodes. glTF has y up, we have z up: (x, y, z) becomes (x, -z, y).
/// `sibling` reads the files that buffers name; data URIs and the chunk of a GLB need none. It is given paths from the
/// folder of the glTF file that stay within it, decoded ("my mesh.bin" for "my%20mesh.bin"); URIs that lead elsewhere are
/// refused before it is asked.
using ReadSibling = std::function<std::string(const std::string& file)>;
geometry::MeshData parse_gltf(std::string_view bytes, const std::string& name, const ReadSibling& sibling);

/// What the material of a glTF file says about brushed surfaces: KHR_materials_anisotropy. The direction is the one in which
/// the surface is rougher, which is across the grooves, in the tangent frame, turned by `rotation`.
struct Anisotropy {
    double strength = 0, rotation = 0;  ///< 0..1, [rad] counter-clockwise from the tangent
    std::optional<Picture> texture;     ///< red and green (2c - 1): the direction; blue: times the strength
    double tile = 1;                    ///< texture coordinates are divided by this and moved by `offset` (v upwards)
    Vec2 offset;
};
/// Of the material that all primitives of the file share, or nothing where it has none. Throws InputError where primitives
/// differ in it, for pictures that cannot be read, and for a texture on a mesh without texture coordinates.
std::optional<Anisotropy> parse_anisotropy(std::string_view bytes, const std::string& name, const ReadSibling& sibling);
/// Nothing for files that are not glTF.
std::optional<Anisotropy> read_anisotropy(const std::filesystem::path& path);

/// The normal map that the material of a glTF file is drawn with.
struct NormalTexture {
    Picture picture;
    double scale = 1;  ///< multiplies x and y of the normals
    double tile = 1;   ///< as in Anisotropy
    Vec2 offset;
};
/// Of the material that all primitives share, or nothing; throws as parse_anisotropy() does.
std::optional<NormalTexture> parse_normal_texture(std::string_view bytes, const std::string& name,
                                                  const ReadSibling& sibling);
/// Nothing for files that are not glTF.
std::optional<NormalTexture> read_normal_texture(const std::filesystem::path& path);

/// By its ending: .obj, .gltf, .glb. Throws InputError that names the file.
geometry::MeshData read(const std::filesystem::path& path);
geometry::Mesh load(const std::filesystem::path& path, double scale = 1);

}  // namespace asperity::importers

// Mesh files: OBJ, glTF and GLB in, triangles out. What is in them is checked here only as far as reading goes; repairs and
// refusals are geometry::make_mesh()'s.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "asperity/geometry/mesh.h"

namespace asperity::mesh {

/// Reads positions, normals, texture coordinates and faces of any size (cut into triangles from their first corner). Coordinates are
/// taken as they stand. `name` stands for the file in messages "name:line: ...".
geometry::MeshData parse_obj(std::string_view text, const std::string& name);

/// All triangles of all nodes of the scene, moved by their nodes. glTF has y up, we have z up: (x, y, z) becomes (x, -z, y). `sibling`
/// reads the files that buffers name; data URIs and the chunk of a GLB need none.
using ReadSibling = std::function<std::string(const std::string& uri)>;
geometry::MeshData parse_gltf(std::string_view bytes, const std::string& name, const ReadSibling& sibling);

/// By its ending: .obj, .gltf, .glb. Throws InputError that names the file.
geometry::MeshData read(const std::filesystem::path& path);
geometry::Mesh load(const std::filesystem::path& path, double scale = 1);

}  // namespace asperity::mesh

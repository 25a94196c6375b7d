// Gmsh meshes, versions 2.2 and 4.1, ASCII and binary (Gmsh reference manual, "MSH file format"). Linear triangles and
// tetrahedra; lines and points only as members of groups. Physical groups become groups of the mesh.
#pragma once
#include <filesystem>

#include "asperity/deform/meshes/mesh_file.h"

namespace asperity::deform {

/// `bytes`: the whole file; messages call it `name`. Throws InputError with file, line and remedy.
template <int Dim>
MarkedMesh<Dim> read_msh(std::string_view bytes, const std::string& name);
template <int Dim>
MarkedMesh<Dim> read_msh(const std::filesystem::path& path);

}  // namespace asperity::deform

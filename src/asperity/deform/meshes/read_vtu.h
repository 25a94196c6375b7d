// VTK's XML files of unstructured grids (.vtu): triangles and tetrahedra, with data as text, as base64 or appended as
// base64 or raw, uncompressed ("VTK file formats", section XML). Integer cell data become groups, one for each value.
#pragma once
#include <filesystem>

#include "asperity/deform/meshes/mesh_file.h"

namespace asperity::deform {

/// `bytes`: the whole file; messages call it `name`. Throws InputError with file, line and remedy. Groups are named
/// "ARRAY=VALUE"; an array with more than 1000 values has no groups. A cell belongs to the groups of the first such array.
template <int Dim>
MarkedMesh<Dim> read_vtu(std::string_view bytes, const std::string& name);
template <int Dim>
MarkedMesh<Dim> read_vtu(const std::filesystem::path& path);

}  // namespace asperity::deform

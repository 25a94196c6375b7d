// Meshes as read from a file: the elements that fill a body, and named groups of elements and points.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "asperity/deform/meshes/solid_mesh.h"

namespace asperity::deform {

template <int Dim>
struct MarkedMesh {
    struct Group {
        std::string name;
        std::vector<int> elements;  ///< of the mesh; empty for groups of faces, lines and points
        std::vector<int> points;    ///< of everything in the group, ascending
    };
    SolidMesh<Dim> mesh;  ///< passes check()
    std::vector<Group> groups;
    int turned = 0;  ///< elements of the file that were inverted; two of their corners are swapped
    int unused = 0;  ///< points of the file that no element uses, left out
};

namespace detail {

/// The cells that the readers collect: all cells of one to four points, whatever their dimension.
struct RawMesh {
    struct Cell {
        std::array<int, 4> points{};
        int count = 0;   ///< of points: 4 is a tetrahedron, 3 a triangle
        int group = -1;  ///< index into `groups`
    };
    std::vector<Vector<3>> points;
    std::vector<Cell> cells;
    std::vector<std::string> groups;
};

/// Keeps the tetrahedra (3D) or triangles (2D; in a plane of constant z or y, whose other two coordinates are kept), orients
/// them and leaves out unused points. Throws InputError that begins with the file's name.
template <int Dim>
MarkedMesh<Dim> assemble(const RawMesh& raw, const std::string& name);

/// A place in the bytes of a file, for messages with a line number.
[[noreturn]] void fail_at(const std::string& name, std::string_view bytes, std::size_t at, const std::string& what);

}  // namespace detail
}  // namespace asperity::deform

// Triangle meshes as collision shapes: welded and oriented triangles with their neighbours, a box tree over them, what they
// weigh, and normals, tangents and texture coordinates per corner. Built once from what a file says, shared by many bodies.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "asperity/geometry/common/aabb.h"
#include "asperity/geometry/common/volume_integrals.h"
#include "asperity/geometry/mesh/mesh_shape.h"
#include "asperity/geometry/mesh/mesh_tree.h"

namespace asperity::geometry {

/// A mesh as read, before any repair. The lists per corner are empty or have one entry per entry of `triangles`.
struct MeshData {
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;  ///< three indices into `positions` each
    std::vector<Vec3> normals;             ///< per corner
    std::vector<Vec2> uvs;                 ///< per corner, v upwards
    std::vector<Vec3> tangents;            ///< per corner, along +u
    std::vector<Vec3> grains;              ///< per corner: structure directions; zero for none
    std::vector<std::string> remarks;      ///< of its reader, for MeshReport
};

/// What make_mesh() found and did. report() says it in one line.
struct MeshReport {
    int vertices = 0, triangles = 0;  ///< of the result
    int welded = 0;                   ///< vertices at the place of another one
    int degenerate = 0;               ///< triangles without area, removed
    int duplicates = 0;               ///< triangles with the corners of another one, removed
    int unused = 0;                   ///< vertices of no triangle, removed
    int flipped = 0;                  ///< triangles whose winding was turned
    int boundary_edges = 0;           ///< with a triangle on one side only: the mesh is open
    int holes = 0;                    ///< loops of boundary edges, closed by fans for the volume
    int crowded_edges = 0;            ///< with more than two triangles
    /// triangles whose texture coordinates span no area: their tangents are made up from the normals
    int flat_uvs = 0;
    bool made_up_uvs = false;  ///< the file has no texture coordinates: seen along the nearest axis
    bool orientable = true;
    std::vector<std::string> remarks;  ///< what the file asks for and its reader left aside
    bool solid = false;                ///< closed, or its holes are below 15 % of its area; otherwise a sheet with two sides
};
std::string report(const MeshReport& report);

struct TriangleSet {
    enum class EdgeKind : char { Flat, Convex, Concave, Boundary };
    struct Edge {
        int from, to;     ///< vertices
        int left, right;  ///< triangles; `left` runs from -> to; right is -1 at a boundary
        EdgeKind kind;    ///< as seen from outside
    };

    std::vector<Vec3> positions;
    std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
    std::vector<Vec3> normals, tangents;        ///< per corner, 3 per triangle
    std::vector<Vec2> uvs;                      ///< per corner
    std::vector<Vec3> grains;                   ///< per corner, or empty where the file has none

    std::vector<Vec3> face_normals;           ///< unit
    std::vector<std::array<int, 3>> edge_of;  ///< per triangle: the edge from corner i to corner i + 1
    std::vector<Edge> edges;
    std::vector<int> region;                ///< per triangle: equal for triangles joined by flat edges
    std::vector<Vec3> vertex_normals;       ///< unit, weighted by angle: their sign tells inside from outside
    std::vector<int> first_edge, edges_at;  ///< edges of vertex v: edges_at[first_edge[v] .. first_edge[v + 1])
    std::vector<char> sharp;                ///< per vertex: an edge that is not flat ends here
    std::vector<int> vertex_owner;          ///< the triangle that looks after the vertex in searches over triangles
    MeshTree tree;
    Aabb box;                   ///< in mesh axes
    double extent = 0;          ///< longest side of the box
    VolumeIntegrals integrals;  ///< holes closed by fans
    double thickness = 0;       ///< twice the volume over the area: a third of a cube's edge, t for a wall of that thickness
    MeshReport report;

    /// Where the mesh is a height field: its cells, with triangles 2 i and 2 i + 1 in cell i, row by row.
    struct Grid {
        int cells_x = 0, cells_y = 0;
        Vec2 low, cell;  ///< the corner (-x, -y), and the edges of a cell
    };
    Grid grid;

    bool solid() const { return report.solid; }
    bool ground() const { return grid.cells_x > 0; }  ///< a height field, solid all the way down
    const Vec3& corner(int triangle, int i) const {
        return positions[static_cast<size_t>(triangles[static_cast<size_t>(triangle)][static_cast<size_t>(i)])];
    }
};

/// Largest mesh taken; one of this size needs about 1 GB.
constexpr int kMaxMeshTriangles = 2000000;

/// Smallest mesh taken, by the longest side of its box [m]; scenes hold other shapes to the same.
constexpr double kLeastMeshExtent = 1e-6;

/// Welds, removes what has no area or stands there twice, makes the winding consistent and outward, and builds the tree.
/// `scale` multiplies all positions. Throws InputError for no triangles (or none left), too many, indices out of range,
/// coordinates that are not finite and meshes that are too small; `what` names the mesh in these messages.
Mesh make_mesh(const MeshData& data, double scale = 1, const std::string& what = "mesh");

/// A point on a mesh: the triangle and its barycentric coordinates (weights of its three corners).
struct MeshPoint {
    int triangle = -1;
    Vec3 barycentric;
};
/// The point of the mesh nearest to `point` (mesh axes); among equally near triangles the one that looks along `normal`.
MeshPoint locate(const TriangleSet& mesh, const Vec3& point, const Vec3& normal);
/// Values of the corners at a point of the mesh. The frame is orthonormal and right-handed: tangent, bitangent, normal.
Vec2 uv_at(const TriangleSet& mesh, const MeshPoint& at);
struct TangentFrame {
    Vec3 tangent, bitangent, normal;
};
TangentFrame frame_at(const TriangleSet& mesh, const MeshPoint& at);

}  // namespace asperity::geometry

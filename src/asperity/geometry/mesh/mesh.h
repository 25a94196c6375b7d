// Triangle meshes as collision shapes: welded and oriented triangles with their neighbours, a box tree, mass integrals, and
// normals, tangents and texture coordinates per corner. Built once from a file's data, shared by many bodies.
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

/// A mesh as read, before any repair. A list per corner is empty or has one entry per entry of `triangles`. An entry that is
/// not finite (a zero tangent) means that the file gives none at this corner.
struct MeshData {
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;  ///< three indices into `positions` each
    std::vector<Vec3> normals;             ///< per corner
    std::vector<Vec2> uvs;                 ///< per corner, v upwards
    std::vector<Vec3> tangents;            ///< per corner, along +u
    std::vector<Vec3> grains;              ///< per corner: grain directions; zero for none
    std::vector<int> parts;                ///< per triangle, as TriangleSet::parts; or empty
    std::vector<Vec2> uv_sizes;            ///< as TriangleSet::uv_sizes; empty: measured
    std::vector<std::string> remarks;      ///< remarks of the file reader, for MeshReport
};

/// Findings and repairs of make_mesh(). report() says them in one line.
struct MeshReport {
    int vertices = 0, triangles = 0;  ///< of the resulting mesh
    int welded = 0;                   ///< vertices at the position of another one
    int degenerate = 0;               ///< triangles without area, removed
    int duplicates = 0;               ///< triangles with the same vertices as another one, removed
    int unused = 0;                   ///< vertices of no triangle, removed
    int flipped = 0;                  ///< triangles whose winding was reversed
    int boundary_edges = 0;           ///< edges with one triangle: the mesh is open
    int holes = 0;                    ///< loops of boundary edges, closed by fans for the volume
    int nonmanifold_edges = 0;        ///< edges with more than two triangles
    /// triangles whose texture coordinates span no area: their tangents are derived from the normals
    int flat_uvs = 0;
    bool made_up_uvs = false;  ///< triangles without texture coordinates in the file: projected along the nearest axis
    bool orientable = true;
    std::vector<std::string> remarks;  ///< file features that the reader ignored
    bool solid = false;                ///< encloses a volume; holes at most 15 % of its area. Else a two-sided sheet
};
std::string report(const MeshReport& report);

struct TriangleSet {
    enum class EdgeKind : char { Flat, Convex, Concave, Boundary };
    struct Edge {
        int from, to;     ///< vertices
        int left, right;  ///< triangles; `left` winds from -> to; right is -1 at a boundary
        EdgeKind kind;    ///< as seen from outside
    };

    std::vector<Vec3> positions;
    std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise as seen from outside
    std::vector<Vec3> normals, tangents;        ///< per corner, 3 per triangle
    std::vector<Vec2> uvs;                      ///< per corner
    std::vector<Vec3> grains;                   ///< per corner, or empty if the file has none
    std::vector<int> parts;                     ///< per triangle: its material in the file; empty: all are part 0
    std::vector<Vec2> uv_sizes;                 ///< per part: edges of the unit square of u and v [m], see uv_size()

    std::vector<Vec3> face_normals;           ///< unit
    std::vector<std::array<int, 3>> edge_of;  ///< per triangle: the edge from corner i to corner i + 1
    std::vector<Edge> edges;
    std::vector<int> region;                ///< per triangle: a connected component of flat edges shares one number
    std::vector<Vec3> vertex_normals;       ///< unit, weighted by angle: their sign separates inside from outside
    std::vector<int> first_edge, edges_at;  ///< edges of vertex v: edges_at[first_edge[v] .. first_edge[v + 1])
    std::vector<char> sharp;                ///< per vertex: an edge that is not flat ends here
    std::vector<int> vertex_owner;          ///< per vertex: the one triangle that tests it in searches over triangles
    MeshTree tree;
    Aabb box;                   ///< mesh axes
    double extent = 0;          ///< [m] longest side of the box
    VolumeIntegrals integrals;  ///< with holes closed by fans
    double thickness = 0;       ///< [m] twice the volume / area: a third of a cube's edge, t for a wall of thickness t
    MeshReport report;

    /// Cells of a height field, with triangles 2 i and 2 i + 1 in cell i, row by row.
    struct Grid {
        int cells_x = 0, cells_y = 0;
        Vec2 low, cell;  ///< the corner (-x, -y); the edges of a cell
    };
    Grid grid;

    int part_of(int triangle) const { return parts.empty() ? 0 : parts[static_cast<size_t>(triangle)]; }
    int part_count() const { return static_cast<int>(uv_sizes.size()); }
    /// Length on the surface per unit of u and of v [m]. On a height field this is exact along the ground. On other meshes
    /// it is the mean over the triangles of the part: an unwrapping stretches some and squeezes others.
    const Vec2& uv_size(int triangle) const { return uv_sizes[static_cast<size_t>(part_of(triangle))]; }
    bool solid() const { return report.solid; }
    bool ground() const { return grid.cells_x > 0; }  ///< a height field, solid below its surface
    const Vec3& corner(int triangle, int i) const {
        return positions[static_cast<size_t>(triangles[static_cast<size_t>(triangle)][static_cast<size_t>(i)])];
    }
};

/// Most triangles a mesh may have; such a mesh needs about 1 GB.
constexpr int kMaxMeshTriangles = 2000000;

/// Largest number of a part. Chosen: more materials than any model has.
constexpr int kMaxMeshParts = 10000;

/// [m] Smallest longest side that a mesh may have; scenes hold other shapes to the same bound.
constexpr double kLeastMeshExtent = 1e-6;

/// Welds vertices, removes degenerate and duplicate triangles, makes the winding consistent and outward, and builds the
/// tree. `scale` multiplies all positions. Throws InputError for no triangles (or none left), too many, indices out of
/// range, coordinates that are not finite and meshes that are too small; the messages call the mesh `what`.
Mesh make_mesh(const MeshData& data, double scale = 1, const std::string& what = "mesh");

/// A point on a mesh: the triangle and the point's barycentric coordinates (weights of the three corners).
struct MeshPoint {
    int triangle = -1;
    Vec3 barycentric;
};
/// The point of the mesh nearest to `point` (mesh axes). Of equally near triangles it takes the one whose normal is nearest
/// to `normal`.
MeshPoint locate(const TriangleSet& mesh, const Vec3& point, const Vec3& normal);
/// Corner values interpolated at a point of the mesh. The frame (tangent, bitangent, normal) is orthonormal and
/// right-handed.
Vec2 uv_at(const TriangleSet& mesh, const MeshPoint& at);
struct TangentFrame {
    Vec3 tangent, bitangent, normal;
};
TangentFrame frame_at(const TriangleSet& mesh, const MeshPoint& at);

}  // namespace asperity::geometry

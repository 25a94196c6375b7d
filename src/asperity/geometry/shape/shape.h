// The shapes of a collider, their mass integrals, and the parametrisation of their surfaces.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "asperity/geometry/common/aabb.h"
#include "asperity/geometry/common/volume_integrals.h"
#include "asperity/geometry/mesh/mesh_shape.h"
#include "asperity/math/vec.h"

namespace asperity::geometry {

/// Stands for infinity in bounds [m]. Large against any scene; its square and cube still fit a double.
constexpr double kEndless = 1e30;

namespace detail {
struct FaceTable;
}

struct Sphere {
    double radius;
};
struct Box {
    Vec3 half;  ///< [m] half edge lengths
};
/// Everything within `radius` of the segment from -half_length to +half_length on z.
struct Capsule {
    double radius, half_length;
};
/// Axis z, from -half_height to +half_height.
struct Cylinder {
    double radius, half_height;
};
/// Solid for z <= 0; the outward normal is +z. Has no mass: fixed and kinematic bodies only.
struct HalfSpace {};

/// A convex polyhedron: vertices, and faces as loops, counter-clockwise as seen from outside. Coplanar triangles are merged
/// into one face, so a cube has six faces with four vertices each.
struct Polyhedron {
    struct Face {
        Vec3 normal;       ///< unit, outward
        double offset;     ///< dot(normal, x) = offset on the face
        int first, count;  ///< its vertices are loop[first .. first+count)
    };
    struct Edge {
        int from, to;     ///< vertices
        int left, right;  ///< faces on both sides; the loop of `left` runs from -> to
    };
    std::vector<Vec3> vertices;
    std::vector<Face> faces;
    std::vector<int> loop;
    std::vector<Edge> edges;
    /// Half-edges: one for each entry of `loop`, in that order.
    struct Half {
        int from;        ///< the vertex where it starts
        int next, twin;  ///< half-edges: the next one around its face; the opposite one of its edge
        int face;
    };
    std::vector<Half> halves;
    std::vector<int> leaving;                        ///< per vertex: a half-edge that starts there
    std::shared_ptr<const detail::FaceTable> table;  ///< areas and moments of the faces, for shared volumes
};
/// Sets halves, `leaving` and the table from faces and loop. False if the faces do not close the polyhedron.
bool connect_faces(Polyhedron& polyhedron);
/// Shared, because many bodies use the same hull. Never null.
struct Hull {
    std::shared_ptr<const Polyhedron> polyhedron;
};

using Shape = std::variant<Sphere, Box, Capsule, Cylinder, HalfSpace, Hull, Mesh>;

/// The convex hull of the points. Throws InputError for fewer than 4 points, points that are not finite, or points in one
/// plane (volume below 1e-12 of the cube of their extent). Points within 1e-7 of the extent of a face or edge count as on
/// it; plates and needles thinner than 1e-4 have a smaller tolerance. Vertices keep the order of the points; a loop starts
/// at its lowest vertex.
Hull convex_hull(std::span<const Vec3> points);
/// The six-faced polyhedron of a box.
Polyhedron box_polyhedron(const Vec3& half);

/// "sphere", "box", ...: the names used in scene files.
std::string name(const Shape& shape);

/// Axis-aligned bounds, tight. A height field reaches down as far as it is solid. A half-space is infinite (+-1e30) in most
/// directions. Those of a mesh may be larger by up to `slack` [m]: a flat face has thousands of points nearly as far out as
/// the farthest, and the search need not tell them apart.
Aabb bounds(const Shape& shape, const Pose& pose, double slack = 0);

/// Exact: closed form, or the divergence theorem for hulls and meshes, whose holes are closed by fans. A half-space and a
/// flat sheet have volume 0.
VolumeIntegrals volume_integrals(const Shape& shape);
/// The integrals of a shape moved by `pose`, and the sum of several.
VolumeIntegrals transformed(const VolumeIntegrals& integrals, const Pose& pose);
VolumeIntegrals sum(std::span<const VolumeIntegrals> parts);

/// A surface point in the shape's own parametrisation, u and v in [0, 1] on each face; u, v and the outward normal are
/// right-handed. docs/surface-coordinates.md draws them.
///     sphere      u longitude / 2 pi from +x towards +y, v latitude / pi + 1/2
///     box         face 0..5 = +x -x +y -y +z -z; u along +y -y -x +x +x +x, v along +z on the sides, +y on top, -y below
///     capsule     u as on the sphere, v arc length along the profile from the bottom pole / (pi r + 2 half_length)
///     cylinder    face 0 side: u as on the sphere, v (z + half_height) / (2 half_height); face 1 top, 2 bottom: the square
///                 around the disc, u along +x, v along +y on top and -y below
///     half-space  u = x, v = y in metres (not wrapped)
///     hull        face index; the face's bounding rectangle, u along its first edge (loop[first] -> loop[first + 1])
///     mesh        triangle index; u, v interpolated from the corners, as in the file (not wrapped); locate() in mesh.h
///                 also gives the barycentric coordinates
struct SurfaceCoordinates {
    int face = 0;
    double u = 0, v = 0;
};
/// `point`: shape axes, on or near the surface. `normal`: outward direction there (unit), which decides between faces at
/// edges. At poles u is 0.
SurfaceCoordinates surface_coordinates(const Shape& shape, const Vec3& point, const Vec3& normal);

/// The farthest point of the shape along d (shape axes; d need not be unit). Not for half-spaces.
Vec3 support(const Shape& shape, const Vec3& d);

/// A triangle mesh of the shape for drawing and export, with normals and texture coordinates per corner.
struct TriangleMesh {
    std::vector<Vec3> positions, normals;
    std::vector<Vec2> uvs;
    std::vector<std::uint32_t> triangles;  ///< three indices each, counter-clockwise seen from outside
    std::vector<int> faces;                ///< per triangle: its face, as SurfaceCoordinates::face
};
/// `segments` per full circle. A half-space becomes a square of side `half_space_extent` [m].
TriangleMesh triangulate(const Shape& shape, int segments = 48, double half_space_extent = 40);

}  // namespace asperity::geometry

// Precomputed data of each face of a convex polyhedron, for shared volumes. A face wholly inside a round body costs one look
// at its row, four rows at a time. Only faces that are cut are visited vertex by vertex.
#pragma once
#include <cstddef>
#include <vector>

#include "asperity/geometry/common/detail/four.h"
#include "asperity/geometry/convex_contact/convex.h"
#include "asperity/geometry/hull/detail/offset_polyhedron.h"

namespace asperity::geometry::detail {

struct FaceTable {
    /// Columns: normal, offset along it, centroid, distance of the farthest vertex from it, area, and second moments about
    /// the centroid: xx yy zz yz zx xy.
    enum Field {
        kNormalX,
        kNormalY,
        kNormalZ,
        kOffset,
        kCentroidX,
        kCentroidY,
        kCentroidZ,
        kReach,
        kArea,
        kXX,
        kYY,
        kZZ,
        kYZ,
        kZX,
        kXY,
        kFields
    };
    struct Face {
        Four normal, centroid, u, v;  // u and v span the face: u x v = normal
        int first, count;             // vertices: entries of the loop
    };
    std::vector<Face> faces;
    std::vector<Vec2> in_face;  // per entry of the loop: position from the centroid along u and v
    size_t rows = 0;            // multiple of four; rows beyond the faces are far away and have no size
    size_t corner_rows = 0;     // rows of vertices, likewise; those beyond the vertices are NaN

    OffsetPolyhedron grown;  // hulls only

    explicit FaceTable() = default;
    explicit FaceTable(const PolyhedronView& polyhedron) { set(polyhedron); }
    void set(const PolyhedronView& polyhedron);
    /// The same for a box, whose faces and vertices are numbered as in convex.h.
    void set_box(const PolyhedronView& box);
    const double* operator[](Field field) const { return columns_.data() + static_cast<size_t>(field) * rows; }
    /// x, y or z of the vertices.
    const double* corners(int axis) const { return corners_.data() + static_cast<size_t>(axis) * corner_rows; }

  private:
    void make_room(const PolyhedronView& polyhedron);
    void put(Field field, size_t row, double value) { columns_[static_cast<size_t>(field) * rows + row] = value; }
    void put_plane(size_t row, const Vec3& normal, double offset, const Vec3& centroid, double reach, double area);
    std::vector<double> columns_, corners_;
};

}  // namespace asperity::geometry::detail

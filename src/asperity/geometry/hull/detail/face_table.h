// What shared volumes need to know of each face of a convex polyhedron, worked out once: so a face that lies wholly inside a
// round body costs a look at its row, four rows at a time, and only faces that are cut have to be looked at corner by
// corner.
#pragma once
#include <cstddef>
#include <vector>

#include "asperity/geometry/common/detail/four.h"
#include "asperity/geometry/convex_contact/convex.h"
#include "asperity/geometry/hull/detail/grown_form.h"

namespace asperity::geometry::detail {

struct FaceTable {
    /// Columns. Normal, offset along it, centroid, the farthest corner's distance from it, area, and second moments about
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
        int first, count;             // in the loop
    };
    std::vector<Face> faces;
    std::vector<Vec2> in_face;  // per corner of the loop: from the centroid, along u and v
    size_t rows = 0;            // a multiple of four; those beyond the faces are far from everything and have no size
    size_t corner_rows = 0;     // the same for the corners: those beyond are NaN

    GrownForm grown;  // of hulls

    explicit FaceTable() = default;
    explicit FaceTable(const PolyhedronView& polyhedron) { set(polyhedron); }
    void set(const PolyhedronView& polyhedron);
    /// The same for a box, whose faces and corners are as in convex.h.
    void set_box(const PolyhedronView& box);
    const double* operator[](Field field) const { return columns_.data() + static_cast<size_t>(field) * rows; }
    /// x, y or z of the corners
    const double* corners(int axis) const { return corners_.data() + static_cast<size_t>(axis) * corner_rows; }

  private:
    void make_room(const PolyhedronView& polyhedron);
    void put(Field field, size_t row, double value) { columns_[static_cast<size_t>(field) * rows + row] = value; }
    void put_plane(size_t row, const Vec3& normal, double offset, const Vec3& centroid, double reach, double area);
    std::vector<double> columns_, corners_;
};

}  // namespace asperity::geometry::detail

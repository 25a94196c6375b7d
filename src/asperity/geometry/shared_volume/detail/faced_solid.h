// A convex polyhedron in the axes of a round body whose axis is z: its vertices and faces there, and its sections by planes
// across that axis, where a capsule or cylinder changes its form. The polyhedron is not rebuilt. Faces on one side of such a
// plane stay as they are, and faces across it are divided one by one. The lid that closes both parts is found by a walk
// round the polyhedron along these faces.
#pragma once
#include <vector>

#include "asperity/geometry/common/detail/kept_list.h"
#include "asperity/geometry/hull/detail/face_table.h"

namespace asperity::geometry::detail {

/// The section of a solid by z = level: loops of vertices, counter-clockwise seen from above. Normally one loop; rounding
/// may produce several, or none.
struct Lid {
    double level = 0;
    KeptList<Vec2> corners;
    KeptList<size_t> ends;  // end of each loop in `corners`

    template <class F>
    void for_loops(const F& f) const {  // f(corners, count)
        size_t first = 0;
        for (const size_t end : ends) f(corners.data() + first, end - first), first = end;
    }
};

class FacedSolid {
  public:
    /// `turn` and `shift` map into the axes of the round body. `form` and `table` must outlive this object.
    void place(const PolyhedronView& form, const FaceTable& table, const Mat3& turn, const Vec3& shift);
    /// Computes heights of vertices and faces along z; a ball whose centre is outside the solid does not need them.
    void look_along_z();

    const PolyhedronView& form() const { return *form_; }
    const FaceTable& table() const { return *table_; }
    const Mat3& turn() const { return turn_; }
    const FourColumns& turn_columns() const { return columns_; }
    Vec3 to_round(const Vec3& p) const { return turn_ * p + shift_; }
    Vec3 to_solid(const Vec3& p) const { return back_ * (p - shift_); }
    Vec3 axis_in_solid() const { return turn_.r[2]; }
    Vec3 corner(int i) const { return {x_[static_cast<size_t>(i)], y_[static_cast<size_t>(i)], z_[static_cast<size_t>(i)]}; }
    const std::vector<double>& x() const { return x_; }
    const std::vector<double>& y() const { return y_; }
    const std::vector<double>& z() const { return z_; }
    /// Per face: the height of its centroid, and how far its vertices may be above and below that.
    const std::vector<double>& along() const { return along_; }
    const std::vector<double>& rise() const { return rise_; }

    /// False if some plane separates the solid from a disc about (0, 0, z) across the axis, or from the ball there.
    bool may_reach_disc(double z, double radius) const;
    bool may_reach_ball(double z, double radius) const;
    /// The section at z = level, if a disc of that radius may reach the solid. A vertex counts as above the plane if z >
    /// level, for lids and for all faces that they close.
    void find_lid(double level, double radius, Lid& out);

  private:
    void walk(int start, double level, Lid& out);

    const PolyhedronView* form_ = nullptr;
    const FaceTable* table_ = nullptr;
    Mat3 turn_, back_;
    FourColumns columns_;  // columns of `turn_`
    Vec3 shift_;
    std::vector<double> x_, y_, z_, along_, rise_;
    // per face: the height of the origin over its plane; the z of its normal, and the length of the part across z
    std::vector<double> over_, upright_, sine_;
    std::vector<unsigned> walked_;  // per face: number of the last walk that visited it
    unsigned walks_ = 0;
};

/// The part of a polygon above (or below) z = level. Third coordinates are heights; a point at the level is interpolated on
/// its edge.
void keep_beyond(double level, bool above, const KeptList<Vec3>& polygon, KeptList<Vec3>& out);

}  // namespace asperity::geometry::detail

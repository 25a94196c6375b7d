// A convex polyhedron as a round body sees it whose axis is z: corners and faces there, and where the planes across that
// axis cut it, at which a capsule or cylinder changes its form. Nothing is rebuilt: faces that lie on one side of such a
// plane stay as they are, those across it are divided one by one, and the lid that closes both parts is found by walking
// round the polyhedron along them.
#pragma once
#include <vector>

#include "asperity/geometry/common/detail/kept_list.h"
#include "asperity/geometry/hull/detail/face_table.h"

namespace asperity::geometry::detail {

/// Where z = level cuts a solid: loops of corners, counter-clockwise seen from above. One loop; rounding may leave several,
/// or none.
struct Lid {
    double level = 0;
    KeptList<Vec2> corners;
    KeptList<size_t> ends;  // of each loop

    template <class F>
    void for_loops(const F& f) const {  // f(corners, count)
        size_t first = 0;
        for (const size_t end : ends) f(corners.data() + first, end - first), first = end;
    }
};

class FacedSolid {
  public:
    /// `turn` and `shift` lead into the axes of the round body. Both others must outlive this.
    void place(const PolyhedronView& form, const FaceTable& table, const Mat3& turn, const Vec3& shift);
    /// The corners and faces along z, which all but lone balls need.
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
    /// Per face: the height of its centroid, and how far its corners may be above and below that.
    const std::vector<double>& along() const { return along_; }
    const std::vector<double>& rise() const { return rise_; }

    /// Whether no plane keeps the solid from a disc about (0, 0, z) across the axis, or from the ball there.
    bool may_reach_disc(double z, double radius) const;
    bool may_reach_ball(double z, double radius) const;
    /// Where a disc of that radius may meet the solid; a corner counts as above the plane where z > level, for lids and for
    /// all faces that they close.
    void find_lid(double level, double radius, Lid& out);

  private:
    void walk(int start, double level, Lid& out);

    const PolyhedronView* form_ = nullptr;
    const FaceTable* table_ = nullptr;
    Mat3 turn_, back_;
    FourColumns columns_;  // of `turn`
    Vec3 shift_;
    std::vector<double> x_, y_, z_, along_, rise_;
    // per face: the height of the middle over its plane; the z of its normal, and what is across it
    std::vector<double> over_, upright_, sine_;
    std::vector<unsigned> walked_;  // per face: the number of the walk that met it
    unsigned walks_ = 0;
};

/// What is left above (or below) z = level of a polygon whose third coordinates are heights; those in between are where they
/// are on the edges.
void keep_beyond(double level, bool above, const KeptList<Vec3>& polygon, KeptList<Vec3>& out);

}  // namespace asperity::geometry::detail

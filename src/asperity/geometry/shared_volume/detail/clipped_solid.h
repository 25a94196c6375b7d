// A convex solid that planes cut pieces off. A cut looks at all corners, four at a time, but touches only the edges that
// leave those it takes away, so that its cost is that of what changes. Which corner is above a plane is decided once and
// every edge is cut once, and so what is left is always closed, whatever rounding does.
//
// Edges are halves, one for each way along them:            above the plane      u
//     half t of a face F leads from the kept corner w to u;                     /|\        .
//     its twin e leads back in the face G beside it.                      ---- p-+-q ---- the plane
// Cut at p, t leads from w to p and e from p to w. F goes on along a new                w |  w'
// half from p to q, where it comes back; the twin of that, from q to p,
// belongs to the face that the plane opens.
#pragma once
#include <optional>
#include <vector>

#include "asperity/geometry/common/detail/kept_list.h"
#include "asperity/geometry/convex_contact/convex.h"
#include "asperity/geometry/shape/face_plane.h"
#include "asperity/geometry/shape/shape.h"
#include "asperity/geometry/shared_volume/detail/moments.h"

namespace asperity::geometry::detail {

/// A box or hull as a polyhedron, with nothing else worked out.
class PlainPolyhedron {
  public:
    explicit PlainPolyhedron(const Shape& shape) {
        if (const auto* hull = std::get_if<Hull>(&shape))
            view_ = view(*hull->polyhedron);
        else
            view_ = box_.emplace(shape, Pose{}, Vec3{}).poly;
    }
    const PolyhedronView& operator*() const { return view_; }
    const PolyhedronView* operator->() const { return &view_; }

  private:
    std::optional<Convex> box_;
    PolyhedronView view_;
};

/// The faces of a solid as loops of corners, counter-clockwise seen from outside.
struct SolidFaces {
    struct Face {
        FacePlane plane;
        int first, count;  // its corners are loop[first .. first + count)
        bool second;       // body
    };
    std::vector<Vec3> corners;  // some may belong to no face
    std::vector<int> loop;
    std::vector<Face> faces;
};

class ClippedSolid {
  public:
    /// A polyhedron that is cut at once, in one go; its faces belong to the first body. False when nothing is left.
    bool load(const PolyhedronView& polyhedron, const Vec3& normal, double offset);
    /// Keeps dot(normal, x) <= offset. The face that this opens belongs to the second body. False when nothing is left.
    bool cut(const Vec3& normal, double offset);

    /// f(corner), in no order.
    template <class F>
    void for_corners(const F& f) const {
        for (size_t i = 0; i < places_; ++i)
            if (x_[i] == x_[i]) f(Vec3{x_[i], y_[i], z_[i]});
    }
    void list(SolidFaces& out) const;
    /// Moments about `origin`; the surface of the second body inside the first.
    void integrate(const Vec3& origin, Moments& volume, AreaMoments& second_surface) const;
    /// Some corner.
    Vec3 any_corner() const { return corner(halves_[static_cast<size_t>(sides_.back().half)].corner); }

  private:
    struct Half {
        int corner, next, twin, side;  // starts at the corner; `next` round the face
    };
    struct Side {
        FacePlane plane;
        int half;  // one of the face; -1 where nothing is left of it
        bool second;
    };
    void clear();
    /// Room for so many more; cuts then write without looking.
    void make_room(size_t corners, size_t halves);
    int add_corner(const Vec3& p);
    /// Where all halves that come back from above the plane start at their new corners: joins faces along it, and opens a
    /// face there.
    void join_along(const FacePlane& plane);
    Vec3 corner(int i) const { return {x_[static_cast<size_t>(i)], y_[static_cast<size_t>(i)], z_[static_cast<size_t>(i)]}; }

    // Corners. Free places, and those up to the next multiple of four, hold NaN, which is neither above nor below any plane.
    size_t places_ = 0;
    std::vector<double> x_, y_, z_;
    std::vector<double> height_;  // along the present normal; of new corners below all others
    std::vector<int> leaving_;    // per corner: a half that starts there
    std::vector<int> opened_;     // per new corner: whether the opening has come past
    std::vector<Half> halves_;
    size_t half_count_ = 0;
    std::vector<int> free_corners_;
    size_t free_corner_count_ = 0;
    KeptList<Side> sides_;
    double size_ = 0;   // largest sum of coordinates, for rounding
    double limit_ = 0;  // corners higher than this go
    // Of the present cut
    std::vector<int> above_, crossing_;
    size_t crossing_count_ = 0;
    // Of loading
    std::vector<int> place_, number_, side_of_;  // per given corner, half and face
    std::vector<int> given_;                     // per half
    std::vector<double> given_height_;
};

}  // namespace asperity::geometry::detail

// A convex solid clipped by planes. A cut tests all vertices, four at a time, but changes only the edges at the vertices
// that it removes, so its cost grows with the change. Each vertex is classified once per plane and each edge is cut once, so
// the remaining solid is always closed, whatever the rounding.
//
// Each edge has two half-edges, one per direction:                 above the plane      u
//     half-edge t of a face F leads from the kept vertex w to u;                       /|\        .
//     its twin e leads back in the adjacent face G.                              ---- p-+-q ---- the plane
// After a cut at p, t leads from w to p and e from p to w. A new                      w |  w'
// half-edge continues F from p to q, where F returns below the plane.
// The twin of the new half-edge, from q to p, belongs to the face opened by the plane.
#pragma once
#include <optional>
#include <vector>

#include "asperity/geometry/common/detail/kept_list.h"
#include "asperity/geometry/convex_contact/convex.h"
#include "asperity/geometry/shape/face_plane.h"
#include "asperity/geometry/shape/shape.h"
#include "asperity/geometry/shared_volume/detail/moments.h"

namespace asperity::geometry::detail {

/// A box or hull as a polyhedron, without further derived data.
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

/// The faces of a solid as loops of vertices, counter-clockwise seen from outside.
struct SolidFaces {
    struct Face {
        FacePlane plane;
        int first, count;  // its vertices are loop[first .. first + count)
        bool second;       // belongs to the second body
    };
    std::vector<Vec3> corners;  // some may belong to no face
    std::vector<int> loop;
    std::vector<Face> faces;
};

class ClippedSolid {
  public:
    /// Loads a polyhedron and clips it by one plane in a single pass. Its faces belong to the first body. Returns false if
    /// nothing remains.
    bool load(const PolyhedronView& polyhedron, const Vec3& normal, double offset);
    /// Keeps dot(normal, x) <= offset. The new face belongs to the second body. Returns false if nothing remains.
    bool cut(const Vec3& normal, double offset);

    /// Calls f(vertex) for each vertex, in no particular order.
    template <class F>
    void for_corners(const F& f) const {
        for (size_t i = 0; i < slot_count_; ++i)
            if (x_[i] == x_[i]) f(Vec3{x_[i], y_[i], z_[i]});
    }
    void list(SolidFaces& out) const;
    /// Moments about `origin`; `second_surface` is the surface of the second body inside the first.
    void integrate(const Vec3& origin, Moments& volume, AreaMoments& second_surface) const;
    /// Any one vertex.
    Vec3 any_corner() const { return corner(halves_[static_cast<size_t>(sides_.back().half)].corner); }

  private:
    struct Half {
        int corner, next, twin, side;  // starts at `corner`; `next` is the following half-edge of the face
    };
    struct Side {
        FacePlane plane;
        int half;  // one half-edge of the face; -1 if nothing of the face remains
        bool second;
    };
    void clear();
    /// Makes room for this many more, so that cuts write without bounds checks.
    void make_room(size_t corners, size_t halves);
    int add_corner(const Vec3& p);
    /// Closes the cut along the half-edges that return from above the plane and now start at new vertices: connects the
    /// adjacent faces and opens a new face.
    void join_along(const FacePlane& plane);
    Vec3 corner(int i) const { return {x_[static_cast<size_t>(i)], y_[static_cast<size_t>(i)], z_[static_cast<size_t>(i)]}; }

    // Vertices. Free slots, and the padding to a multiple of four, hold NaN, which is neither above nor below any plane.
    size_t slot_count_ = 0;
    std::vector<double> x_, y_, z_;
    std::vector<double> height_;  // along the normal of the current plane; for new vertices below all others
    std::vector<int> leaving_;    // per vertex: a half-edge that starts there
    std::vector<int> opened_;     // per new vertex: whether join_along() has visited it
    std::vector<Half> halves_;
    size_t half_count_ = 0;
    std::vector<int> free_corners_;
    size_t free_corner_count_ = 0;
    KeptList<Side> sides_;
    double size_ = 0;   // largest sum of coordinates, to bound the rounding
    double limit_ = 0;  // vertices higher than this are removed
    // State of the current cut
    std::vector<int> above_, crossing_;
    size_t crossing_count_ = 0;
    // State of load()
    std::vector<int> slot_of_, number_, side_of_;  // per given vertex, half-edge and face
    std::vector<int> given_;                       // per half-edge
    std::vector<double> given_height_;
};

}  // namespace asperity::geometry::detail

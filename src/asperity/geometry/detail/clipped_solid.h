// A convex solid that planes cut pieces off. Its corners are numbered and its faces are loops of numbers, so that every corner is compared with a plane once
// and both faces at an edge get the same new corner. Which corner is above a plane is decided once, and so what is left is always closed, whatever rounding does.
#pragma once
#include <vector>

#include "asperity/geometry/detail/moments.h"
#include "asperity/geometry/shape.h"

namespace asperity::geometry::detail {

class ClippedSolid {
  public:
    void clear();
    /// The solid to begin with: its corners, then its faces, counter-clockwise seen from outside. They belong to the first body.
    void add_corner(const Vec3& p) { corners_.push_back(p); }
    template <class Number>
    void add_face(const Number* loop, int count) {
        faces_.push_back({static_cast<int>(loops_.size()), count, false});
        loops_.insert(loops_.end(), loop, loop + count);
    }
    /// Keeps dot(normal, x) <= offset. The face that this opens belongs to the second body. False when nothing is left.
    bool cut(const Vec3& normal, double offset);

    Aabb box() const;
    /// Moments about `origin`; the surface of the second body inside the first.
    void integrate(const Vec3& origin, Moments& volume, AreaMoments& second_surface) const;
    const std::vector<Vec3>& corners() const { return corners_; }

  private:
    struct Face {
        int first, count;
        bool second;  // body
    };
    /// Where an edge from a kept corner to one above the plane is cut.
    struct EdgeCut {
        int above, corner, next;  // next: of the same kept corner, or -1
    };
    int corner_on_edge(int kept, int above);
    void cut_face(const Face& face);
    void close_opening();

    std::vector<Vec3> corners_, kept_corners_;
    std::vector<int> loops_, kept_loops_;
    std::vector<Face> faces_, kept_faces_;
    std::vector<double> height_;     // of each corner above the plane
    std::vector<int> place_;         // among the kept corners, or -1
    std::vector<int> first_cut_;     // per kept corner: of its edges, or -1
    std::vector<EdgeCut> edge_cuts_;
    std::vector<int> follows_;       // per new corner: the one after it round the opening
    int first_new_ = 0;
};

}  // namespace asperity::geometry::detail

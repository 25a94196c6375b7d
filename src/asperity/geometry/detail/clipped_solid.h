// A convex solid that planes cut pieces off. Its corners are numbered and its faces are loops of numbers, so that every corner is compared with a plane once
// and both faces at an edge get the same new corner. Which corner is above a plane is decided once, and so what is left is always closed, whatever rounding does.
#pragma once
#include <vector>

#include "asperity/geometry/convex.h"
#include "asperity/geometry/detail/moments.h"
#include "asperity/geometry/face_plane.h"
#include "asperity/geometry/shape.h"

namespace asperity::geometry::detail {

class ClippedSolid {
  public:
    void clear();
    /// The solid to begin with: its corners, then its faces, counter-clockwise seen from outside. They belong to the first body.
    void add_corner(const Vec3& p) { corners_.push_back(p); }
    void add_face(const int* loop, int count, const FacePlane& plane) {
        faces_.push_back({static_cast<int>(loops_.size()), count, false, static_cast<int>(planes_.size())});
        planes_.push_back(plane);
        loops_.insert(loops_.end(), loop, loop + count);
    }
    /// A polyhedron that is cut at once, in one go.
    bool load(const PolyhedronView& polyhedron, const Vec3& normal, double offset);
    /// Keeps dot(normal, x) <= offset. The face that this opens belongs to the second body. False when nothing is left.
    bool cut(const Vec3& normal, double offset);
    /// All faces so far belong to the first body.
    void make_one() {
        for (Face& face : faces_) face.second = false;
    }

    /// Into other axes, its planes as well.
    void move(const Mat3& turn, const Vec3& shift);

    /// Moments about `origin`; the surface of the second body inside the first.
    void integrate(const Vec3& origin, Moments& volume, AreaMoments& second_surface) const;
    const std::vector<Vec3>& corners() const { return corners_; }

    struct Face {
        int first, count;  // its corners are loop()[first .. first + count)
        bool second;       // body
        int plane;
    };
    const std::vector<Face>& faces() const { return faces_; }
    const int* loop() const { return loops_.data(); }
    const FacePlane& plane(const Face& face) const { return planes_[static_cast<size_t>(face.plane)]; }

  private:
    /// Where an edge from a kept corner to one above the plane is cut.
    struct EdgeCut {
        int above, corner, next;  // next: of the same kept corner, or -1
    };
    int corner_on_edge(int kept, int above, const Vec3* corners);
    template <class Faces>
    bool cut_faces(const Faces& faces, size_t face_count, const Vec3* corners, size_t corner_count, const int* loops, const FacePlane& plane);
    int kept_face(const int* loop, int count, const Vec3* corners);
    void close_opening();

    std::vector<Vec3> corners_, kept_corners_;
    std::vector<int> loops_, kept_loops_;
    std::vector<Face> faces_, kept_faces_;
    std::vector<FacePlane> planes_;
    std::vector<double> height_;     // of each corner above the plane
    std::vector<int> place_;         // among the kept corners, or -1
    std::vector<int> first_cut_;     // per kept corner: of its edges, or -1
    std::vector<EdgeCut> edge_cuts_;
    std::vector<int> follows_;       // per new corner: the one after it round the opening
    int first_new_ = 0;
};

}  // namespace asperity::geometry::detail

// A convex solid that planes cut pieces off. Its corners are numbered and its faces are loops of numbers, so that every corner is compared with a plane once
// and both faces at an edge get the same new corner. Which corner is above a plane is decided once, and so what is left is always closed, whatever rounding does.
#pragma once
#include <optional>
#include <vector>

#include "asperity/geometry/convex.h"
#include "asperity/geometry/detail/moments.h"
#include "asperity/geometry/face_plane.h"
#include "asperity/geometry/shape.h"

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

class ClippedSolid {
  public:
    void clear();
    /// The solid to begin with: its corners, then its faces, counter-clockwise seen from outside. They belong to the first body.
    void add_corner(const Vec3& p) { corners_.push_back(p); }
    void add_face(const int* loop, int count, const FacePlane& plane) {
        faces_.push_back({loop_count_, count, false, static_cast<int>(planes_.size())});
        planes_.push_back(plane);
        if (loops_.size() < static_cast<size_t>(loop_count_ + count)) loops_.resize(static_cast<size_t>(2 * loop_count_ + count));
        for (int i = 0; i < count; ++i) loops_[static_cast<size_t>(loop_count_++)] = loop[i];
    }
    /// A polyhedron that is cut at once, in one go.
    bool load(const PolyhedronView& polyhedron, const Vec3& normal, double offset);
    /// What is left of another solid.
    bool load(const ClippedSolid& whole, const Vec3& normal, double offset);
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
    bool reaches_above(const Vec3& normal, double offset) const;
    int corner_on_edge(int kept, int above, const Vec3* corners);
    template <class Faces>
    bool cut_faces(const Faces& faces, size_t face_count, const Vec3* corners, size_t corner_count, const int* loops, size_t loop_count, const FacePlane& plane);
    int kept_face(const int* loop, int count, const Vec3* corners, int* out);
    void close_opening();

    std::vector<Vec3> corners_, kept_corners_;
    std::vector<int> loops_, kept_loops_;  // longer than they need be
    int loop_count_ = 0;
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

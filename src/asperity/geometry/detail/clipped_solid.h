// A convex solid that planes cut pieces off, face by face. Every face is a set of directed edges, counter-clockwise seen from outside, in no
// particular order: moments need none, and so the face that a cut opens never has to be sorted into a loop.
#pragma once
#include <vector>

#include "asperity/geometry/detail/moments.h"
#include "asperity/geometry/shape.h"

namespace asperity::geometry::detail {

class ClippedSolid {
  public:
    struct Segment {
        Vec3 from, to;
    };

    void clear();
    /// Faces of the solid to begin with; each is followed by its edges. They belong to the first body.
    void begin_face();
    void add_edge(const Vec3& from, const Vec3& to) { edges_.push_back({from, to}); }
    void end_face() { faces_.back().end = static_cast<int>(edges_.size()); }
    /// Keeps dot(normal, x) <= offset. The face that this opens belongs to the second body. False when nothing is left.
    bool cut(const Vec3& normal, double offset);

    Aabb box() const;
    /// Moments about `origin`; the surface of the second body inside the first.
    void integrate(const Vec3& origin, Moments& volume, AreaMoments& second_surface) const;
    const std::vector<Segment>& edges() const { return edges_; }

  private:
    struct Face {
        int first, end;
        bool second;  // body
    };
    std::vector<Face> faces_, kept_faces_;
    std::vector<Segment> edges_, kept_edges_, opened_;
    std::vector<Vec3> leaves_, returns_;
    std::vector<double> height_;  // of each edge's start above the cutting plane
};

}  // namespace asperity::geometry::detail

// Which of many points over one face may be the first to touch while the body above tilts a little.
//
// Projected along the common direction of a group of contacts, point i lies at p_i (two coordinates) with the gap g_i. A
// small relative motion changes that gap to g_i + h + a.p_i, with the rise h and the tilt a. While the held points stay
// above zero, the lowest gap of point j is
//     -sink_j = g_j + min over |a_x|, |a_y| <= slope of  max over held i of (-g_i - a.p_i)  + a.p_j ,
// a linear program. Its vertices are those of the polyhedron h >= -g_i - a.p_i over the square of tilts. By duality, sink_j
// <= 0 exactly when (p_j, g_j) lies on or above the lower convex hull of the held points and of what a slope can reach from
// them. Such a point stops nothing that the held ones do not stop. So the points to keep are found greedily: hold the one
// that would sink most, until none would sink. Each held point cuts the polyhedron by one plane.
#pragma once
#include <cstdint>

#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/math/vec.h"

namespace asperity::geometry {

class TiltHull {
  public:
    static constexpr int kMaxPoints = 16;  ///< points held at most
    /// vertices of the polyhedron: 4 with the first point, 2 more with each further one
    static constexpr int kMaxCorners = 2 * kMaxPoints + 2;

    /// Tilts up to `slope` [-] (a gradient, > 0) along both axes. Holds the first point.
    TiltHull(double slope, Vec2 first_at, double first_gap);
    /// [m] How far below zero the point may sink while the held ones stay above; negative when it cannot.
    double sink(Vec2 at, double gap) const {
        double most = -1e300;
        for (const Corner& c : corners_) most = larger(most, -gap - c.rise - dot(c.tilt, at));
        return most;
    }
    /// Holds the point as well. No effect when it cannot sink, or when kMaxPoints are held.
    void hold(Vec2 at, double gap);

  private:
    struct Corner {
        Vec2 tilt;
        double rise;
        std::int8_t planes[3];  ///< planes through the vertex: held points from 0 on, sides of the square -1 to -4
    };
    int points_ = 0;
    FixedBuffer<Corner, kMaxCorners> corners_;
};

}  // namespace asperity::geometry

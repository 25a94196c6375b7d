// Which of many points over one face may become the first to touch while the body above tilts a little.
//
// Seen along the common direction of a group of contacts, point i lies at p_i (two coordinates) with the gap g_i. A small
// motion of one body against the other moves it to the gap g_i + h + a.p_i, with the rise h and the tilt a. While some
// points are held above zero, point j gets as low as
//     -sink_j = g_j + min over |a_x|, |a_y| <= slope of  max over held i of (-g_i - a.p_i)  + a.p_j ,
// a linear program whose corners are those of the polyhedron h >= -g_i - a.p_i over the square of tilts. By duality sink_j
// <= 0 exactly when (p_j, g_j) lies on or above the lower convex hull of the held points and of what a slope can reach from
// them: such a point stops nothing that the held ones do not stop. So the points worth keeping are found by taking the one
// that would sink most, again and again, until none would sink: the polyhedron is cut by one plane each time.
#pragma once
#include <cstdint>

#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/math/vec.h"

namespace asperity::geometry {

class TiltHull {
  public:
    static constexpr int kMaxPoints = 16;  ///< held at most
    /// of the polyhedron: 4 with the first point, 2 more with each other one
    static constexpr int kMaxCorners = 2 * kMaxPoints + 2;

    /// Tilts up to `slope` (a gradient, > 0) along both axes; the first point is held.
    TiltHull(double slope, Vec2 first_at, double first_gap);
    /// How far below zero the point may get while those held stay above [m]; negative when it cannot.
    double sink(Vec2 at, double gap) const {
        double most = -1e300;
        for (const Corner& c : corners_) most = larger(most, -gap - c.rise - dot(c.tilt, at));
        return most;
    }
    /// Holds the point as well. Nothing happens when it cannot sink.
    void hold(Vec2 at, double gap);

  private:
    struct Corner {
        Vec2 tilt;
        double rise;
        std::int8_t planes[3];  ///< the planes that meet there: points held from 0 on, sides of the square -1 to -4
    };
    int points_ = 0;
    FixedBuffer<Corner, kMaxCorners> corners_;
};

}  // namespace asperity::geometry

// Where the picture is taken from, and how a view is found that holds everything that moves.
#pragma once
#include "asperity/record/recording.h"
#include "render/float3.h"

namespace asperity::render {

/// A pinhole at `eye`, relative to the origin of the picture (the target of the view).
struct Camera {
    Float3 eye, forward, right, up;  ///< right and up span half the picture each
    float pixel_spread;              ///< how fast a pixel widens with distance [-]

    Camera(const record::View& view, int width, int height);
    /// x and y in pixels from the upper left corner.
    Float3 direction(float x, float y) const {
        return normalized(forward + (2 * x / width_ - 1) * right + (1 - 2 * y / height_) * up);
    }

  private:
    float width_, height_;
};

/// Sizes of a recording that cameras, arrows and trails are scaled by.
struct Extent {
    Vec3 low, high;          ///< where things move, without bodies that flew or fell far away
    double body_radius = 1;  ///< the median over what moves [m]
};
Extent motion_extent(const record::Recording& recording);

/// The farthest point of a body from its centre; half-spaces do not count.
double bounding_radius(const record::RecordedBody& body);

/// A three-quarter view from above on everything that moves over the whole recording, at any aspect ratio width / height.
/// The longer horizontal side lies across the picture.
record::View automatic_view(const record::Recording& recording, double aspect);

}  // namespace asperity::render

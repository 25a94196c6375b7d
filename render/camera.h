// The camera, and the automatic choice of a view that contains everything that moves.
#pragma once
#include "asperity/record/frames.h"
#include "render/float3.h"

namespace asperity::render {

/// A pinhole camera at `eye`, in coordinates relative to the picture's origin (the target of the view).
struct Camera {
    Float3 eye, forward, right, up;  ///< right and up span half of the picture each
    float pixel_spread;              ///< growth of a pixel's width with distance [-]

    Camera(const record::View& view, int width, int height);
    /// x and y in pixels from the upper left.
    Float3 direction(float x, float y) const {
        return normalized(forward + (2 * x / width_ - 1) * right + (1 - 2 * y / height_) * up);
    }

  private:
    float width_, height_;
};

/// Sizes of a recording, used to scale cameras, arrows and trails.
struct Extent {
    Vec3 low, high;          ///< region of the motion, without bodies that flew or fell far away
    double body_radius = 1;  ///< median radius of the moving bodies [m]
};
Extent motion_extent(const record::Footage& footage);

/// Largest distance of a point of the body's colliders from its centre; half-spaces are ignored.
double bounding_radius(const record::RecordedBody& body);

/// A three-quarter view from above that contains everything that moves during the recording, for the aspect ratio
/// width / height. The longer horizontal side lies across the picture.
record::View automatic_view(const record::Footage& footage, double aspect);

}  // namespace asperity::render

// What lies under a contact: a square patch of the contact plane, and the slopes of both surfaces where both are there. All
// contacts of a step go in together and come out direction by direction, so that a sampler may work them off on another
// device.
#pragma once
#include <span>

#include "asperity/friction/ploughing.h"
#include "asperity/geometry/shape/shape.h"
#include "asperity/surface/slope_table.h"

namespace asperity::surface {

/// One of the two surfaces.
struct PatchSide {
    const geometry::Shape* shape = nullptr;
    Pose pose;                           ///< of the shape, world
    Vec3 point;                          ///< the surface's own contact point, world
    const SlopeTable* slopes = nullptr;  ///< null: smooth
    double tile = 1;                     ///< as in SlopeTexture
    Vec2 offset;
};

struct PatchRequest {
    Vec3 normal, t;    ///< unit, world; the normal points from A to B
    double width = 0;  ///< edge of the patch, along t and n x t [m]
    /// of the box around it [m]: surfaces count within half of this above and below their own contact point
    double depth = 0;
    int directions = 16;
    PatchSide a, b;
};

/// The source's box is that deep: the overlap of the bodies and a hundredth of its width.
inline double patch_depth(double width, double gap) { return larger(-gap, 0) + 0.01 * width; }

class PatchSampler {
  public:
    virtual ~PatchSampler() = default;
    /// Fills out[i] for requests[i]. Allocates nothing once it has seen as many requests, and gives the same bits on any
    /// thread count.
    virtual void sample(std::span<const PatchRequest> requests, std::span<friction::FacetAverages> out) = 0;
};

/// Looks at `resolution` x `resolution` points of the patch, along the normal. A point counts where both surfaces are met
/// within the box, each at its first place that faces outward. Slopes are taken against the surface's own normal there and
/// turned into the contact plane: the curve of a ball is no roughness. Where no point counts it looks at a quarter of the
/// patch, and at a quarter of that. Every shape.
class RaySampler final : public PatchSampler {
  public:
    static constexpr int kMostPoints = 64;  ///< along an edge
    static constexpr int kCloserLooks = 2;
    static constexpr double kCloser = 0.25;  ///< of the edge
    explicit RaySampler(int resolution = 16) : resolution_(resolution) {}
    void sample(std::span<const PatchRequest> requests, std::span<friction::FacetAverages> out) override;
    void sample_one(const PatchRequest& request, friction::FacetAverages& out) const;

  private:
    bool sample_within(const PatchRequest& request, double width, friction::FacetAverages& out) const;

    int resolution_;
};

/// Looks up the averages of the slope tables in 4 x 4 parts of what both surfaces cover, where both are flat there; else it
/// asks the rays.
class TableSampler final : public PatchSampler {
  public:
    explicit TableSampler(int resolution = 16) : rays_(resolution) {}
    void sample(std::span<const PatchRequest> requests, std::span<friction::FacetAverages> out) override;
    /// False where a surface is not flat within the patch.
    bool sample_one(const PatchRequest& request, friction::FacetAverages& out) const;

  private:
    RaySampler rays_;
};

}  // namespace asperity::surface

// Sampling of the footprint of a ploughing contact. The footprint is a square in the contact plane. A sampler averages the
// slopes of both surfaces over the part of it where both surfaces lie. All contacts of a step are passed in one call, so
// that a sampler may work on another device.
#pragma once
#include <span>

#include "asperity/friction/ploughing.h"
#include "asperity/geometry/shape/shape.h"
#include "asperity/surface/slope_table.h"

namespace asperity::surface {

/// A slope table as SlopeTexture lays it on a surface.
struct SlopeLayer {
    const SlopeTable* slopes = nullptr;  ///< null: smooth surface
    TileSize tile;
    Vec2 offset;
};
/// The same on one face: texture coordinates are divided by `tile`, then shifted by `offset`.
struct FaceLayer {
    const SlopeTable* slopes = nullptr;
    Vec2 tile{1, 1}, offset;
    Vec2 at(const Vec2& uv) const { return {uv.x / tile.x + offset.x, uv.y / tile.y + offset.y}; }
};

/// One of the two surfaces of a contact.
struct FootprintSide {
    const geometry::Shape* shape = nullptr;
    Pose pose;                           ///< of the shape's axes, world
    Vec3 point;                          ///< contact point on this surface, world
    const SlopeTable* slopes = nullptr;  ///< null: smooth surface
    TileSize tile;
    Vec2 offset;
    std::span<const SlopeLayer> parts = {};  ///< on a mesh of several materials: one per part, instead of the three above

    bool smooth() const { return !slopes && parts.empty(); }
    /// The layer on a face; on a mesh that is the triangle.
    FaceLayer layer(int face) const;
};

struct FootprintRequest {
    Vec3 normal, t;    ///< unit, world; the normal points from A to B
    double width = 0;  ///< edge of the footprint, along t and along n x t [m]
    /// Depth of the box around the footprint [m]. A surface counts where it lies within depth/2 above or below its contact
    /// point.
    double depth = 0;
    int directions = 16;
    FootprintSide a, b;
};

/// Depth of the box [m], as in the source (Andrews et al. 2021): the overlap of the bodies plus 1 % of the width.
inline double footprint_depth(double width, double gap) { return larger(-gap, 0) + 0.01 * width; }

class FootprintSampler {
  public:
    virtual ~FootprintSampler() = default;
    /// Fills out[i] for requests[i]. Allocates no memory once it has seen a call with as many requests. Results have the
    /// same bits on any thread count.
    virtual void sample(std::span<const FootprintRequest> requests, std::span<friction::FacetAverages> out) = 0;
};

/// Casts `resolution` x `resolution` rays along the normal through the footprint. A grid point counts where both surfaces
/// have an outward-facing hit within the box; the first hit is used. Slopes are measured against the surface's own normal at
/// the hit, then rotated into the contact plane, so the curvature of a ball does not count as roughness. If no grid point
/// counts, the sampler retries with a quarter of the edge, then with a sixteenth. Handles every shape.
class RaySampler final : public FootprintSampler {
  public:
    static constexpr int kMostPoints = 64;  ///< along an edge
    static constexpr int kRetries = 2;
    static constexpr double kRetryScale = 0.25;  ///< factor on the edge at each retry
    explicit RaySampler(int resolution = 16) : resolution_(resolution) {}
    void sample(std::span<const FootprintRequest> requests, std::span<friction::FacetAverages> out) override;
    void sample_one(const FootprintRequest& request, friction::FacetAverages& out) const;

  private:
    bool sample_within(const FootprintRequest& request, double width, friction::FacetAverages& out) const;

    int resolution_;
};

/// Clips the footprint to the region that both surfaces cover and divides it into 4 x 4 parts. Reads the average of each
/// part from the slope tables. Falls back to rays where a surface is not flat within the footprint.
class TableSampler final : public FootprintSampler {
  public:
    explicit TableSampler(int resolution = 16) : rays_(resolution) {}
    void sample(std::span<const FootprintRequest> requests, std::span<friction::FacetAverages> out) override;
    /// False where a surface is not flat within the footprint; `out` is then not written.
    bool sample_one(const FootprintRequest& request, friction::FacetAverages& out) const;

  private:
    RaySampler rays_;
};

}  // namespace asperity::surface

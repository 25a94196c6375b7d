// Private to surface/: finds the grid points of a footprint that hit a surface, and reads the facets there.
#pragma once
#include <array>
#include <vector>

#include "asperity/surface/footprint_raster.h"
#include "asperity/surface/slope_sums.h"

namespace asperity::surface {

/// Hit mask: bit i of row j is set where the line along the normal through grid point (i, j) enters the surface from outside
/// within the box.
using RowBits = std::array<std::uint64_t, RaySampler::kMostPoints>;

/// Buffers of FootprintSurface, kept between calls to avoid allocations.
struct FootprintScratch {
    static constexpr size_t kMostPixels = static_cast<size_t>(RaySampler::kMostPoints) * RaySampler::kMostPoints;
    struct RasterFace {
        const SlopeTable* slopes;
        GridFunction u, v;
        Vec2 along_u, along_v;
    };
    struct ShadedTriangle {
        RasterTriangle at;
        const SlopeTable* slopes;
        int triangle;
        bool framed = false;  // whether `normal` and `tangent` are filled
        bool behind = false, mirrored = false;
        float normal[3][3], tangent[3][3];  // per corner k: components along x, y and out
    };
    struct Border {       // edge function, evaluated for eight points at a time
        LaneWords along;  // from the first of the eight points to each
        GridFunction steps;
    };
    std::vector<Border> borders;  // of the face being rasterised
    std::vector<RasterFace> flat;
    std::vector<ShadedTriangle> smooth;
    // per grid point: the highest face, and its height
    alignas(32) std::array<int, kMostPixels> owner, height;
};

/// One of the two surfaces, sampled on the grid.
class FootprintSurface {
  public:
    /// `sign`: 1 for A, -1 for B, as for FootprintFrame.
    FootprintSurface(const FootprintSide& side, const FootprintFrame& frame, double sign, const FootprintGrid& grid,
                     FootprintScratch& scratch)
        : side_(side),
          frame_(frame),
          sign_(sign),
          grid_(grid),
          scratch_(scratch),
          stride_((grid.points + kLanes - 1) / kLanes * kLanes) {}
    void find(RowBits& met);
    /// Adds the facets at `points`, which must all be hits of find().
    void add(const RowBits& points, SlopeSums& sums);

  private:
    void find_on_faces(const LocalFaces& faces, RowBits& met);
    void find_on_hull(RowBits& met);
    void find_on_mesh(RowBits& met);
    void find_on_curve(RowBits& met) const;
    void find_on_ball(double radius, RowBits& met) const;
    bool on_curve(double x, double y, double& height) const;

    void add_border(const GridFunction& steps) { scratch_.borders.push_back({lane_numbers() * steps.dx, steps}); }
    void add_limit(double c, double fx, double fy);
    void draw(int piece, const HeightFunction* height, int i_first, int i_last, int j_first, int j_last, RowBits& met);
    void add_ball(double radius, const RowBits& points, SlopeSums& sums) const;
    void add_curve(const RowBits& points, SlopeSums& sums) const;
    void add_face_facets(const RowBits& points, SlopeSums& sums);
    void add_flat(const FootprintScratch::RasterFace& piece, int i, int j, unsigned bits, SlopeSums& sums) const;
    void add_smooth(FootprintScratch::ShadedTriangle& piece, int i, int j, unsigned bits, SlopeSums& sums) const;

    const FootprintSide& side_;
    const FootprintFrame& frame_;
    double sign_;
    const FootprintGrid& grid_;
    FootprintScratch& scratch_;
    int stride_;                          // grid points of a row, rounded up to whole lanes
    bool curve_ = false, alone_ = false;  // curve_: no faces; alone_: one face covers every hit
};

}  // namespace asperity::surface

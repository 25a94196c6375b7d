// Flat faces and triangles of a surface, rasterised over the grid points of a footprint in integers. Three tests decide by
// sums of integers modulo 2^32: which grid points a face covers, which of two faces is higher, and which texel lies at a
// point. A CPU and a graphics card that are given the same integers therefore decide alike, also for rays close to an edge.
#pragma once
#include <cmath>
#include <cstdint>

#include "asperity/surface/local_faces.h"

namespace asperity::surface {

/// An affine function sampled on the grid: at + i dx + j dy at grid point (i, j), modulo 2^32.
struct GridFunction {
    std::uint32_t at = 0, dx = 0, dy = 0;
    std::uint32_t operator()(int i, int j) const {
        return at + static_cast<std::uint32_t>(i) * dx + static_cast<std::uint32_t>(j) * dy;
    }
};

/// The grid points of a footprint, row by row along x. Coordinate i is -width/2 + (i + 1/2) step.
struct FootprintGrid {
    FootprintGrid(int along_edge, double edge, double box_depth)
        : points(along_edge), width(edge), depth(box_depth), step(edge / along_edge) {}
    int points;  // along an edge
    double width, depth, step;
    double at(int i) const { return (i + 0.5) * step - 0.5 * width; }
    /// First grid index at or beyond x, and last grid index at or before x, with a tolerance of 1e-5 steps outwards.
    int first(double x) const { return static_cast<int>(clamp(std::ceil(x / step + 0.5 * points - 0.5 - 1e-5), 0, points)); }
    int last(double x) const {
        return static_cast<int>(clamp(std::floor(x / step + 0.5 * points - 0.5 + 1e-5), -1, points - 1));
    }
    /// Largest |c + x fx + y fy| over the footprint.
    double most(double c, double fx, double fy) const {
        return std::fabs(c) + 0.5 * width * (std::fabs(fx) + std::fabs(fy));
    }
};

/// A texture coordinate c + x fx + y fy [tiles], as texture words.
GridFunction texture_function(const FootprintGrid& grid, double c, double fx, double fy);

/// An edge function: the inside is where c + x fx + y fy >= 0. Values are scaled to +-2^29 over the footprint, a resolution
/// of about 1e-7 of the grid step. A grid point counts as inside where the sum is >= -points: this slack exceeds the
/// rounding error, so adjacent faces leave no gap.
GridFunction edge_function(const FootprintGrid& grid, double c, double fx, double fy);

/// A height above the contact point of the side. Half the depth of the box is kHalfDepth >> shift. Steep faces get a shift >
/// 0, because their sums would overflow otherwise.
struct HeightFunction {
    static constexpr int kHalfDepth = 1 << 22;
    GridFunction steps;
    int shift = 0;
};
HeightFunction height_function(const FootprintGrid& grid, double c, double fx, double fy);

/// A triangle, ready for rasterisation.
struct RasterTriangle {
    GridFunction border[3];  ///< edge function of the edge opposite to corner k
    HeightFunction height;
    GridFunction u, v;
    float share[3] = {};  ///< factor from edge function k to the barycentric weight of corner k
    int i_first = 0, i_last = 0, j_first = 0, j_last = 0;  ///< range of grid points that may be covered
};
/// From corners in shape axes and their texture coordinates, which `layer` turns into tiles. Returns false where the
/// triangle covers no grid point within the box.
bool raster_triangle(const FaceLayer& layer, const FootprintFrame& frame, const FootprintGrid& grid, const Vec3 corners[3],
                     const Vec2 uvs[3], RasterTriangle& out);

/// Smallest cosine [-] between a face normal and the contact normal. Faces at a smaller cosine are seen edge-on and are
/// skipped.
constexpr double kLeastCosine = 1e-3;

}  // namespace asperity::surface

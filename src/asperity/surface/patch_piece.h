// Flat pieces of a surface under the points of a patch, in whole numbers. Which points a piece covers, which of two pieces
// is higher and which texel lies at a point are decided by sums of integers, modulo 2^32: the processor and a graphics card,
// given the same pieces, decide alike, and no ray is so close to an edge that they may not.
#pragma once
#include <cmath>
#include <cstdint>

#include "asperity/surface/local_faces.h"

namespace asperity::surface {

/// An affine function at the points of a grid: at + i dx + j dy at the point (i, j), modulo 2^32.
struct GridSteps {
    std::uint32_t at = 0, dx = 0, dy = 0;
    std::uint32_t operator()(int i, int j) const {
        return at + static_cast<std::uint32_t>(i) * dx + static_cast<std::uint32_t>(j) * dy;
    }
};

/// The points of a patch, row by row along x: -width/2 + (i + 1/2) step.
struct PatchGrid {
    PatchGrid(int along_edge, double edge, double box_depth)
        : points(along_edge), width(edge), depth(box_depth), step(edge / along_edge) {}
    int points;  // along an edge
    double width, depth, step;
    double at(int i) const { return (i + 0.5) * step - 0.5 * width; }
    /// The first point at or beyond x, the last at or before it; a little generous.
    int first(double x) const { return static_cast<int>(clamp(std::ceil(x / step + 0.5 * points - 0.5 - 1e-5), 0, points)); }
    int last(double x) const {
        return static_cast<int>(clamp(std::floor(x / step + 0.5 * points - 0.5 + 1e-5), -1, points - 1));
    }
    /// The largest |value| of c + x fx + y fy over the patch.
    double most(double c, double fx, double fy) const {
        return std::fabs(c) + 0.5 * width * (std::fabs(fx) + std::fabs(fy));
    }
};

/// A texture coordinate, c + x fx + y fy tiles, as words.
GridSteps texture_steps(const PatchGrid& grid, double c, double fx, double fy);

/// A border, which holds where c + x fx + y fy >= 0: scaled to +-2^29 over the patch, which is 1e-7 of a point's distance
/// from the next. It holds at points where the sum is >= -points: what rounding makes of a border may not open a gap between
/// neighbours.
GridSteps border_steps(const PatchGrid& grid, double c, double fx, double fy);

/// A height above the side's contact point. Half the depth of the box is kHalfDepth >> shift; shifts are for steep pieces,
/// whose sums would overflow.
struct HeightSteps {
    static constexpr int kHalfDepth = 1 << 22;
    GridSteps steps;
    int shift = 0;
};
HeightSteps height_steps(const PatchGrid& grid, double c, double fx, double fy);

/// A triangle under the grid.
struct TrianglePiece {
    GridSteps border[3];  ///< opposite to corner k
    HeightSteps height;
    GridSteps u, v;
    float share[3] = {};  ///< what border k's sum at a point is to be multiplied with for the weight of corner k there
    int i_first = 0, i_last = 0, j_first = 0, j_last = 0;  ///< the points that may lie in it
};
/// From corners in shape axes and their texture coordinates. False where no point of the grid can meet it within the box.
bool triangle_piece(const PatchSide& side, const PatchFrame& frame, const PatchGrid& grid, const Vec3 corners[3],
                    const Vec2 uvs[3], TrianglePiece& out);

/// Pieces whose normal is this close to the contact plane are seen edge on, and are not there.
constexpr double kEdgeOn = 1e-3;

}  // namespace asperity::surface

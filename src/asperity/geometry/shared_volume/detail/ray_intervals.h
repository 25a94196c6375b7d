// The interval of a line that lies in a shape, and the outward normals at its ends.
#pragma once
#include <vector>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry::detail {

struct RayInterval {
    double from = 0, to = 0;
    Vec3 normal_from, normal_to;  // unit
};

/// A convex shape, offset outwards by `grow`, in the axes of the grid.
class ConvexOnGrid {
  public:
    ConvexOnGrid(const Shape& shape, const Pose& in_grid, double grow)
        : shape_(shape), at_(in_grid.position), turn_(matrix(in_grid.orientation)), grow_(grow) {}
    /// The interval on the line `origin` + t e_axis. Returns false if the line misses. On a half-space an end may be at
    /// +-1e30.
    bool meets(const Vec3& origin, int axis, RayInterval& out) const;

  private:
    const Shape& shape_;
    Vec3 at_;
    Mat3 turn_;
    double grow_;
};

/// Cells of a box, shared by three families of rays. Rays along axis k pass through the middles of the cells across it.
struct RayGrid {
    Vec3 low, cell;  // [m]
    int count[3] = {0, 0, 0};

    double middle(int axis, int i) const { return low[axis] + (i + 0.5) * cell[axis]; }
    int rays(int axis) const { return count[(axis + 1) % 3] * count[(axis + 2) % 3]; }
    Vec3 origin(int axis, int ray) const {
        const int u = (axis + 1) % 3, w = (axis + 2) % 3;
        Vec3 o;
        o[u] = middle(u, ray % count[u]);
        o[w] = middle(w, ray / count[u]);
        return o;
    }
    double area(int axis) const { return cell[(axis + 1) % 3] * cell[(axis + 2) % 3]; }
};

/// The intervals of a mesh on all rays along one axis, by scan conversion: each triangle finds the rays it crosses.
/// Neighbours decide consistently about rays through their common edge or vertex, so a ray enters a closed mesh as often as
/// it leaves it.
class MeshOnGrid {
  public:
    void scan(const TriangleSet& mesh, const Pose& in_grid, const RayGrid& grid, int axis);
    struct Range {
        const RayInterval *first, *last;
        const RayInterval* begin() const { return first; }
        const RayInterval* end() const { return last; }
    };
    Range on(int ray) const {
        const auto r = static_cast<size_t>(ray);
        return {intervals_.data() + first_[r], intervals_.data() + first_[r + 1]};
    }
    int skipped() const { return skipped_; }

  private:
    struct Hit {
        int ray;
        int triangle;
        double at;
        bool leaves;
    };
    void scan_triangle(const Vec3* corners, int triangle, const RayGrid& grid, int axis);
    void pair_hits(const TriangleSet& mesh, const Mat3& turn);

    std::vector<Hit> hits_, sorted_;
    std::vector<int> start_;
    std::vector<RayInterval> intervals_;
    std::vector<size_t> first_;
    int skipped_ = 0;
};

}  // namespace asperity::geometry::detail

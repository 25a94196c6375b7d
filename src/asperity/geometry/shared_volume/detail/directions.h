// Area of the contact surfaces over their direction, and its clusters. Each cluster becomes one planar patch.
#pragma once
#include <array>

#include "asperity/geometry/shared_volume/overlap.h"

namespace asperity::geometry::detail {

/// Area per direction, in 96 cells: each face of a cube around the origin has 4 x 4.
class DirectionBins {
  public:
    void add(const Vec3& unit, double area) { sums_[cell(unit)] += area * unit; }
    void add(const DirectionBins& other) {
        for (size_t i = 0; i < kCells; ++i) sums_[i] += other.sums_[i];
    }

  private:
    friend class DirectionClusters;
    static constexpr int kAcross = 4;
    static constexpr size_t kCells = 6 * kAcross * kAcross;
    static size_t cell(const Vec3& d) {
        const Vec3 m = abs(d);
        const int axis = m.x >= m.y && m.x >= m.z ? 0 : m.y >= m.z ? 1 : 2;
        const double longest = m[axis];
        const auto part = [&](double x) {
            const int i = static_cast<int>((x / longest + 1) * (0.5 * kAcross));
            return i < kAcross ? i : kAcross - 1;
        };
        const int side = 2 * axis + (d[axis] < 0 ? 1 : 0);
        return static_cast<size_t>((side * kAcross + part(d[(axis + 1) % 3])) * kAcross + part(d[(axis + 2) % 3]));
    }
    std::array<Vec3, kCells> sums_{};
};

/// Clusters of directions within 40 degrees of their mean. So bumps as steep as 80 degrees on a flat face belong to the
/// face. A further cluster needs at least 3 % of the area.
class DirectionClusters {
  public:
    explicit DirectionClusters(const DirectionBins& bins);
    int count() const { return count_; }
    const Vec3& operator[](int i) const { return means_[static_cast<size_t>(i)]; }
    /// The cluster nearest to a direction.
    int nearest(const Vec3& d) const {
        int best = 0;
        for (int i = 1; i < count_; ++i)
            if (dot(means_[static_cast<size_t>(i)], d) > dot(means_[static_cast<size_t>(best)], d)) best = i;
        return best;
    }

  private:
    static constexpr int kMost = 4;
    int count_ = 0;
    std::array<Vec3, kMost> means_;  // unit
};

}  // namespace asperity::geometry::detail

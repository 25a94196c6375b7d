// Precomputed averages of max(0, slope.d) over squares of a slope map. A footprint then costs a few look-ups, whatever its
// number of texels.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "asperity/friction/ploughing.h"
#include "asperity/math/lanes.h"
#include "asperity/surface/slope_map.h"
#include "asperity/surface/texture_words.h"

namespace asperity::surface {

/// One texel with a facet weight applied: its slope, its weight in the resistance, and its weight in the average.
struct Facet {
    float x = 0, y = 0;
    float resist = 1, weight = 1;
};

/// Weighted sums over texels: 12 values of resist |g.e_i|, then resist g.x, resist g.y, weight, and one unused. Since max(0,
/// x) = (|x| + x)/2, half of the directions and the mean slope suffice. The values for d and -d differ by the mean slope
/// alone.
struct FacetSums {
    Lanes low{}, high{};
    float operator[](int i) const { return i < kLanes ? low[i] : high[i - kLanes]; }
};

/// The map with a facet weight applied, and its averages over squares of 2, 4, 8, ... texels. Periodic with period 1 in u
/// and v.
///
/// The directions e_i are 15 degrees apart. e_0 lies along the steeper principal axis of the slopes, so that ridges keep the
/// direction in which they do not resist. Between two of them the average is interpolated by the circumscribed polygon of
/// the true convex set. It is never below the true value, and above it by at most 0.9 % (1/cos 7.5 degrees) where slopes
/// have no preferred direction.
class SlopeTable {
  public:
    static constexpr int kDirections = 12;  ///< over half a circle

    SlopeTable(const SlopeMap& map, friction::FacetWeight weight);

    int width() const { return width_; }
    int height() const { return height_; }
    /// Row by row from the bottom left.
    std::span<const Facet> facets() const { return facets_; }
    /// Unique among all tables ever made; identifies copies of a table on another device.
    std::uint64_t id() const { return id_; }
    /// Index of the texel at each coordinate. Nearest texel, as rays use it: filtering slopes would smooth the surface.
    LaneWords texels_at(const TextureLanes& at) const {
        const LaneWords width = all_words(static_cast<unsigned>(width_));
        return texel_of(at.v, all_words(static_cast<unsigned>(height_))) * width + texel_of(at.u, width);
    }
    /// Adds the averages over squares of about 2^level texels at these coordinates, bilinear between four entries. Level 0:
    /// the nearest texels.
    void add(const TextureLanes& at, int level, FacetSums& sums) const;
    /// The level whose squares have an area of about `texels` texels.
    int level_of(double texels) const;
    /// <max(0, g.d)> over the whole map in double precision, for unit vectors d in the axes of the texture.
    void whole(std::span<const Vec2> d, std::span<double> out) const;

    /// <max(0, g.d)> from sums made by add(). along_u and along_v are a slope of 1 along u or v in the axes of d. The second
    /// half of the directions d must be the opposites of the first.
    void averages(const FacetSums& sums, Vec2 along_u, Vec2 along_v, std::span<const Vec2> d, std::span<double> out) const;

  private:
    struct Level {
        int width, height;
        size_t first;  // index into cells_
    };
    FacetSums sums_of(const Facet& facet) const;

    int width_, height_;
    std::uint64_t id_;
    std::vector<Facet> facets_;
    std::vector<Level> levels_;  // the first has squares of 2 texels
    std::vector<FacetSums> cells_;
    Lanes cos_low_{}, cos_high_{}, sin_low_{}, sin_high_{};  // cosines and sines of e_i; zero beyond the twelve
    Vec2 axis_{1, 0};                                        // direction of e_0
};

}  // namespace asperity::surface

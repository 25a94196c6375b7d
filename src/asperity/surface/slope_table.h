// Averages of max(0, slope.d) over parts of a slope map, made once per map so that a patch costs a few look-ups, however
// many texels it has.
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

/// One texel as a facet weight sees it: its slope, how much its resistance counts, and how much it counts in the average.
struct Facet {
    float x = 0, y = 0;
    float resist = 1, weight = 1;
};

/// Sums over texels, by their weights: 12 values of resist |g.e_i|, then resist g.x, resist g.y, weight, and nothing. Since
/// max(0, x) = (|x| + x)/2, half the directions and the mean slope are all of them, and what differs between d and -d is the
/// mean slope alone.
struct FacetSums {
    Lanes low{}, high{};
    float operator[](int i) const { return i < kLanes ? low[i] : high[i - kLanes]; }
};

/// The map with a facet weight applied, and its averages over squares of 2, 4, 8, ... texels. Repeats beyond 0..1.
///
/// The directions e_i stand 15 degrees apart, e_0 along the steepest of the map's principal axes, so that ridges keep the
/// direction along which they do not resist. Between two of them the average is that of the polygon around the true set:
/// never below it, and above it by at most
/// 0.9 % (1/cos 7.5 degrees) where slopes have no direction.
class SlopeTable {
  public:
    static constexpr int kDirections = 12;  ///< over half a turn

    SlopeTable(const SlopeMap& map, friction::FacetWeight weight);

    int width() const { return width_; }
    int height() const { return height_; }
    /// Row by row from the bottom left.
    std::span<const Facet> facets() const { return facets_; }
    /// Different for every table ever made: for copies elsewhere that must know theirs.
    std::uint64_t id() const { return id_; }
    /// The texels that rays see there: no filter, for mixing slopes would smooth the surface.
    LaneWords texels_at(const TexturePlaces& at) const {
        const LaneWords width = all_words(static_cast<unsigned>(width_));
        return texel_of(at.v, all_words(static_cast<unsigned>(height_))) * width + texel_of(at.u, width);
    }
    /// Adds the averages over squares of about 2^level texels at these places: linear between four entries. Level 0: the
    /// texels themselves.
    void add(const TexturePlaces& at, int level, FacetSums& sums) const;
    /// The level whose squares have about this area [texels].
    int level_of(double texels) const;
    /// <max(0, g.d)> over the whole map, in double precision, for unit vectors d in the axes of the texture.
    void whole(std::span<const Vec2> d, std::span<double> out) const;

    /// The same from sums that add() made. What a slope of 1 along u or v is in the axes of d stands beside them; the second
    /// half of the directions are the opposites of the first.
    void averages(const FacetSums& sums, Vec2 along_u, Vec2 along_v, std::span<const Vec2> d, std::span<double> out) const;

  private:
    struct Level {
        int width, height;
        size_t first;  // in cells_
    };
    FacetSums sums_of(const Facet& facet) const;

    int width_, height_;
    std::uint64_t id_;
    std::vector<Facet> facets_;
    std::vector<Level> levels_;  // from squares of 2 texels
    std::vector<FacetSums> cells_;
    Lanes cos_low_{}, cos_high_{}, sin_low_{}, sin_high_{};  // of e_i; zero beyond the twelve
    Vec2 axis_{1, 0};                                        // e_0
};

}  // namespace asperity::surface

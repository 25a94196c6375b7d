#include "asperity/surface/slope_table.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace asperity::surface {
namespace {

constexpr int kMeanX = SlopeTable::kDirections, kMeanY = kMeanX + 1, kWeight = kMeanX + 2;
constexpr double kStep = std::numbers::pi / SlopeTable::kDirections;

Facet facet_of(const SlopeMap& map, size_t i, friction::FacetWeight kind) {
    Facet f{map.slopes[i].x, map.slopes[i].y};
    const float counts = map.weight.empty() ? 1.0F : map.weight[i];
    // faces backwards, or is not finite
    if (!(counts > 0) || !std::isfinite(f.x) || !std::isfinite(f.y)) return {0, 0, 0, 0};
    const float steep = std::hypot(f.x, f.y), cut = static_cast<float>(kSteepestSlope);
    if (steep > cut) f.x *= cut / steep, f.y *= cut / steep;
    f.resist = f.weight = counts;
    // true area over projected area: 1/(m.n)
    if (kind == friction::FacetWeight::TrueArea) f.resist = f.weight = counts * std::sqrt(1 + f.x * f.x + f.y * f.y);
    if (kind == friction::FacetWeight::Salience && !map.salience.empty()) f.resist = counts * map.salience[i];
    return f;
}

/// The axis along which the slopes are steepest: eigenvector of their second moments with the larger eigenvalue.
Vec2 principal_axis(const std::vector<Facet>& facets) {
    double xx = 0, xy = 0, yy = 0;
    for (const Facet& f : facets) {
        const double x = static_cast<double>(f.x), y = static_cast<double>(f.y), r = static_cast<double>(f.resist);
        xx += r * x * x, xy += r * x * y, yy += r * y * y;
    }
    const Vec2 q{xx - yy, 2 * xy};  // double-angle form of the axis
    // Without a preferred direction the axis is noise. Then use u, which is the same for all maps.
    if (!(length(q) > 0.05 * (xx + yy))) return {1, 0};
    return friction::half_angle(q);
}

/// Box filter weights from `from` to `to` entries: coarse entry i covers the interval [i, i + 1) from / to.
template <class Add>
void cover(int i, int from, int to, const Add& add) {
    const double scale = static_cast<double>(from) / to, begin = i * scale, end = (i + 1) * scale;
    for (int k = static_cast<int>(begin); k < from && k < end; ++k)
        add(k, (std::fmin(k + 1.0, end) - std::fmax(static_cast<double>(k), begin)) / scale);
}

[[gnu::always_inline]] inline void add_scaled(FacetSums& to, float weight, const FacetSums& from) {
    const Lanes w = all_lanes(weight);
    to.low = mul_add(w, from.low, to.low);
    to.high = mul_add(w, from.high, to.high);
}

}  // namespace

SlopeTable::SlopeTable(const SlopeMap& map, friction::FacetWeight weight) : width_(map.width), height_(map.height) {
    static std::atomic<std::uint64_t> made{0};
    id_ = ++made;
    ASPERITY_ASSERT(width_ >= 1 && height_ >= 1 && width_ <= kMostTexels && height_ <= kMostTexels);
    ASPERITY_ASSERT(map.slopes.size() == static_cast<size_t>(width_) * static_cast<size_t>(height_));
    facets_.resize(map.slopes.size());
    for (size_t i = 0; i < facets_.size(); ++i) facets_[i] = facet_of(map, i, weight);
    axis_ = principal_axis(facets_);
    for (int i = 0; i < kDirections; ++i) {
        const double c = std::cos(kStep * i), s = std::sin(kStep * i);
        const double x = 2 * i == kDirections ? -axis_.y : c * axis_.x - s * axis_.y,
                     y = 2 * i == kDirections ? axis_.x : s * axis_.x + c * axis_.y;
        Lanes &cosines = i < kLanes ? cos_low_ : cos_high_, &sines = i < kLanes ? sin_low_ : sin_high_;
        cosines[i % kLanes] = static_cast<float>(x);
        sines[i % kLanes] = static_cast<float>(y);
    }

    Level fine{width_, height_, 0};
    while (fine.width > 1 || fine.height > 1) {
        const Level coarse{std::max(1, fine.width / 2), std::max(1, fine.height / 2), cells_.size()};
        cells_.resize(cells_.size() + static_cast<size_t>(coarse.width) * static_cast<size_t>(coarse.height));
        const bool from_texels = levels_.empty();
        for (int y = 0; y < coarse.height; ++y)
            for (int x = 0; x < coarse.width; ++x) {
                FacetSums sum;
                cover(y, fine.height, coarse.height, [&](int j, double wy) {
                    cover(x, fine.width, coarse.width, [&](int i, double wx) {
                        const size_t at = static_cast<size_t>(j) * static_cast<size_t>(fine.width) + static_cast<size_t>(i);
                        add_scaled(sum, static_cast<float>(wx * wy),
                                   from_texels ? sums_of(facets_[at]) : cells_[fine.first + at]);
                    });
                });
                cells_[coarse.first + static_cast<size_t>(y) * static_cast<size_t>(coarse.width) + static_cast<size_t>(x)] =
                    sum;
            }
        levels_.push_back(coarse);
        fine = coarse;
    }
}

FacetSums SlopeTable::sums_of(const Facet& f) const {
    const Lanes x = all_lanes(f.x), y = all_lanes(f.y), r = all_lanes(f.resist);
    FacetSums out;
    out.low = r * abs(cos_low_ * x + sin_low_ * y);
    out.high = r * abs(cos_high_ * x + sin_high_ * y);
    out.high[kMeanX - kLanes] = f.resist * f.x;
    out.high[kMeanY - kLanes] = f.resist * f.y;
    out.high[kWeight - kLanes] = f.weight;
    return out;
}

int SlopeTable::level_of(double texels) const {
    if (!(texels > 1)) return 0;
    return std::min(std::ilogb(2 * texels) / 2, static_cast<int>(levels_.size()));  // log2 of the edge, rounded
}

void SlopeTable::add(const TextureLanes& at, int level, FacetSums& sums) const {
    if (level == 0) {
        const LaneWords texels = texels_at(at);
        for (unsigned left = at.which; left != 0; left &= left - 1)
            add_scaled(sums, 1, sums_of(facets_[texels[std::countr_zero(left)]]));
        return;
    }
    const Level& from = levels_[static_cast<size_t>(level) - 1];
    // the two cells whose centres enclose the coordinate, wrapped around the tile, and the interpolation weight between them
    struct Between {
        LaneWords low, high;
        Lanes part;
    };
    const auto between = [](LaneWords place, int cells) {
        const LaneWords count = all_words(static_cast<unsigned>(cells)), whole = texel_of(place, count),
                        rest = place * count;
        const LaneInts first_half = as_ints(rest) >= 0;
        const LaneInts low = as_ints(whole) + first_half, last = all_ints(cells - 1);
        const LaneInts low_in = low < 0 ? last : low, high_in = low_in < last ? low_in + 1 : LaneInts{};
        const LaneInts part = as_ints((rest - 0x80000000U) >> 8);  // keep 24 bits, as many as a float holds
        return Between{reinterpret_cast<LaneWords>(low_in), reinterpret_cast<LaneWords>(high_in),
                       as_floats(part) * 0x1p-24F};
    };
    const Between x = between(at.u, from.width), y = between(at.v, from.height);
    const LaneWords below = y.low * static_cast<unsigned>(from.width), above = y.high * static_cast<unsigned>(from.width);
    // per coordinate: the four cells and their bilinear weights
    alignas(LaneWords) std::array<std::array<unsigned, kLanes>, 4> cell;
    alignas(Lanes) std::array<std::array<float, kLanes>, 4> weight;
    const auto set = [&](size_t corner, LaneWords at_y, LaneWords at_x, Lanes part_x, Lanes part_y) {
        *reinterpret_cast<LaneWords*>(cell[corner].data()) = at_y + at_x;
        *reinterpret_cast<Lanes*>(weight[corner].data()) = part_x * part_y;
    };
    set(0, below, x.low, 1 - x.part, 1 - y.part);
    set(1, below, x.high, x.part, 1 - y.part);
    set(2, above, x.low, 1 - x.part, y.part);
    set(3, above, x.high, x.part, y.part);
    const FacetSums* cells = &cells_[from.first];
    FacetSums corner[4];  // four independent sums, for instruction-level parallelism
    for (unsigned left = at.which; left != 0; left &= left - 1) {
        const auto k = static_cast<size_t>(std::countr_zero(left));
#pragma GCC unroll 4
        for (size_t c = 0; c < 4; ++c) add_scaled(corner[c], weight[c][k], cells[cell[c][k]]);
    }
    sums.low += (corner[0].low + corner[1].low) + (corner[2].low + corner[3].low);
    sums.high += (corner[0].high + corner[1].high) + (corner[2].high + corner[3].high);
}

void SlopeTable::averages(const FacetSums& sums, Vec2 along_u, Vec2 along_v, std::span<const Vec2> d,
                          std::span<double> out) const {
    const double weight = static_cast<double>(sums[kWeight]);
    if (!(weight > 0)) return std::fill(out.begin(), out.end(), 0.0);
    struct Directions {
        std::array<double, kDirections + 1> x, y;
        Lanes x_low, y_low, x_high, y_high;  // e_1 to e_11; NaN beyond, so that comparisons are false
        double one_over_sine = 1 / std::sin(kStep);
    };
    static const Directions e = [] {
        Directions all;
        for (size_t i = 0; i <= kDirections; ++i)
            all.x[i] = std::cos(kStep * static_cast<double>(i)), all.y[i] = std::sin(kStep * static_cast<double>(i));
        for (int i = 0; i < 2 * kLanes; ++i) {
            const bool there = i + 1 < kDirections;
            const float x =
                there ? static_cast<float>(all.x[static_cast<size_t>(i) + 1]) : std::numeric_limits<float>::quiet_NaN();
            const float y = there ? static_cast<float>(all.y[static_cast<size_t>(i) + 1]) : 0;
            Lanes &x_lanes = i < kLanes ? all.x_low : all.x_high, &y_lanes = i < kLanes ? all.y_low : all.y_high;
            x_lanes[i % kLanes] = x;
            y_lanes[i % kLanes] = y;
        }
        return all;
    }();
    std::array<double, kDirections + 1> h;  // of e_i; the last is -e_0 = e_12, with the value of e_0
    for (int i = 0; i < kDirections; ++i) h[static_cast<size_t>(i)] = static_cast<double>(sums[i]);
    h[kDirections] = h[0];
    // e_0, its perpendicular and the mean slope, in the axes of d
    const Vec2 first = axis_.x * along_u + axis_.y * along_v, across = axis_.x * along_v - axis_.y * along_u;
    const Vec2 mean = static_cast<double>(sums[kMeanX]) * along_u + static_cast<double>(sums[kMeanY]) * along_v;
    const double scale = 0.5 / weight;
    const size_t half = d.size() / 2;
    for (size_t k = 0; k < half; ++k) {
        Vec2 q{dot(d[k], first), dot(d[k], across)};
        const double sign = std::copysign(1.0, q.y);  // |g.d| is the same for -d
        q = {sign * q.x, sign * q.y};
        // q lies between e_i and e_i+1. Floats suffice: on a boundary both intervals give the same value.
        const Lanes q_x = all_lanes(static_cast<float>(q.x)), q_y = all_lanes(static_cast<float>(q.y));
        const unsigned beyond = bits_of(e.x_low * q_y >= e.y_low * q_x) | bits_of(e.x_high * q_y >= e.y_high * q_x)
                                                                              << kLanes;
        const auto i = static_cast<size_t>(std::popcount(beyond));
        const double to_low = q.x * e.y[i + 1] - q.y * e.x[i + 1], to_high = e.x[i] * q.y - e.y[i] * q.x;
        // q as a combination of e_i and e_i+1: the support function of the polygon is linear between them
        const double both = (to_low * h[i] + to_high * h[i + 1]) * e.one_over_sine;
        const double along = dot(mean, d[k]);
        out[k] = larger(scale * (both + along), 0);
        out[k + half] = larger(scale * (both - along), 0);
    }
}

void SlopeTable::whole(std::span<const Vec2> d, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    double weight = 0;
    for (const Facet& f : facets_) {
        const Vec2 g{static_cast<double>(f.x), static_cast<double>(f.y)};
        weight += static_cast<double>(f.weight);
        for (size_t k = 0; k < d.size(); ++k) out[k] += static_cast<double>(f.resist) * larger(dot(g, d[k]), 0);
    }
    if (weight > 0)
        for (double& value : out) value /= weight;
}

}  // namespace asperity::surface

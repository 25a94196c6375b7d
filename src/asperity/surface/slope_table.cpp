#include "asperity/surface/slope_table.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

namespace asperity::surface {
namespace {

constexpr int kMeanX = SlopeTable::kDirections, kMeanY = kMeanX + 1, kWeight = kMeanX + 2;
constexpr double kStep = std::numbers::pi / SlopeTable::kDirections;

Facet facet_of(const SlopeMap& map, size_t i, friction::FacetWeight kind) {
    Facet f{map.slopes[i].x, map.slopes[i].y};
    const float counts = map.weight.empty() ? 1.0F : map.weight[i];
    if (!(counts > 0) || !std::isfinite(f.x) || !std::isfinite(f.y)) return {0, 0, 0, 0};   // faces backwards, or is no facet at all
    const float steep = std::hypot(f.x, f.y), cut = static_cast<float>(kSteepestSlope);
    if (steep > cut) f.x *= cut / steep, f.y *= cut / steep;
    f.resist = f.weight = counts;
    if (kind == friction::FacetWeight::TrueArea) f.resist = f.weight = counts * std::sqrt(1 + f.x * f.x + f.y * f.y);   // 1/(m.n)
    if (kind == friction::FacetWeight::Salience && !map.salience.empty()) f.resist = counts * map.salience[i];
    return f;
}

/// The axis along which the slopes are steepest: the larger eigenvector of their second moments.
Vec2 principal_axis(const std::vector<Facet>& facets) {
    double xx = 0, xy = 0, yy = 0;
    for (const Facet& f : facets) {
        const double x = static_cast<double>(f.x), y = static_cast<double>(f.y), r = static_cast<double>(f.resist);
        xx += r * x * x, xy += r * x * y, yy += r * y * y;
    }
    const Vec2 q{xx - yy, 2 * xy};   // double-angle form of the axis
    // Of slopes without a direction the axis is noise: then that of the texture is as good, and the same for all maps.
    if (!(length(q) > 0.05 * (xx + yy))) return {1, 0};
    return friction::half_angle(q);
}

/// One row of weights of a level that has `to` entries where the finer one has `from`: entry i covers [i, i + 1) from / to.
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
    ASPERITY_ASSERT(width_ >= 1 && height_ >= 1 && map.slopes.size() == static_cast<size_t>(width_) * static_cast<size_t>(height_));
    facets_.resize(map.slopes.size());
    for (size_t i = 0; i < facets_.size(); ++i) facets_[i] = facet_of(map, i, weight);
    axis_ = principal_axis(facets_);
    for (int i = 0; i < kDirections; ++i) {
        const double c = std::cos(kStep * i), s = std::sin(kStep * i);
        const double x = 2 * i == kDirections ? -axis_.y : c * axis_.x - s * axis_.y, y = 2 * i == kDirections ? axis_.x : s * axis_.x + c * axis_.y;
        (i < kLanes ? cos_low_[i] : cos_high_[i - kLanes]) = static_cast<float>(x);
        (i < kLanes ? sin_low_[i] : sin_high_[i - kLanes]) = static_cast<float>(y);
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
                        add_scaled(sum, static_cast<float>(wx * wy), from_texels ? sums_of(facets_[at]) : cells_[fine.first + at]);
                    });
                });
                cells_[coarse.first + static_cast<size_t>(y) * static_cast<size_t>(coarse.width) + static_cast<size_t>(x)] = sum;
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
    return std::min(static_cast<int>(std::lround(std::log2(texels))), static_cast<int>(levels_.size()));
}

void SlopeTable::add(double u, double v, int level, FacetSums& sums) const {
    if (level == 0) return add_scaled(sums, 1, sums_of(at(u, v)));
    const Level& from = levels_[static_cast<size_t>(level) - 1];
    const auto split = [](double where, int count, int& low, int& high) {
        where -= static_cast<double>(static_cast<long long>(where));
        const double x = (where < 0 ? where + 1 : where) * count - 0.5;   // -0.5 .. count - 0.5
        const int floor = x < 0 ? -1 : static_cast<int>(x);
        low = floor < 0 ? count - 1 : floor;
        high = floor + 1 < count ? floor + 1 : 0;
        return static_cast<float>(x - floor);
    };
    int x0, x1, y0, y1;
    const float fx = split(u, from.width, x0, x1), fy = split(v, from.height, y0, y1);
    const FacetSums *low = &cells_[from.first + static_cast<size_t>(y0) * static_cast<size_t>(from.width)],
                    *high = &cells_[from.first + static_cast<size_t>(y1) * static_cast<size_t>(from.width)];
    add_scaled(sums, (1 - fx) * (1 - fy), low[x0]);
    add_scaled(sums, fx * (1 - fy), low[x1]);
    add_scaled(sums, (1 - fx) * fy, high[x0]);
    add_scaled(sums, fx * fy, high[x1]);
}

void SlopeTable::averages(const FacetSums& sums, std::span<const Vec2> d, std::span<double> out) const {
    const double weight = static_cast<double>(sums[kWeight]);
    if (!(weight > 0)) return std::fill(out.begin(), out.end(), 0.0);
    std::array<double, kDirections + 1> h;   // of e_i, and of -e_0 = e_12, which has the value of e_0
    for (int i = 0; i < kDirections; ++i) h[static_cast<size_t>(i)] = static_cast<double>(sums[i]);
    h[kDirections] = h[0];
    const Vec2 mean{static_cast<double>(sums[kMeanX]), static_cast<double>(sums[kMeanY])};
    static const double sine = std::sin(kStep);
    static const std::array<Vec2, kDirections + 1> e = [] {
        std::array<Vec2, kDirections + 1> all;
        for (int i = 0; i <= kDirections; ++i) all[static_cast<size_t>(i)] = {std::cos(kStep * i), std::sin(kStep * i)};
        return all;
    }();
    const size_t half = d.size() / 2;
    for (size_t k = 0; k < half; ++k) {
        Vec2 q{dot(d[k], axis_), cross(axis_, d[k])};
        if (q.y < 0 || (q.y == 0 && q.x < 0)) q = -q;   // |g.d| is the same for -d
        // the two e_i beside q: by halves, for twelve are few
        size_t i = 0;
        for (const size_t stride : {8U, 4U, 2U, 1U})
            if (i + stride < kDirections && cross(e[i + stride], q) >= 0) i += stride;
        const double both = (cross(q, e[i + 1]) * h[i] + cross(e[i], q) * h[i + 1]) / sine;   // q = parts of e_i and e_i+1; as a polygon's corner
        out[k] = larger(0.5 * (both + dot(mean, d[k])) / weight, 0);
        out[k + half] = larger(0.5 * (both - dot(mean, d[k])) / weight, 0);
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

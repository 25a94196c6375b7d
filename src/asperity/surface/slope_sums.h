// Private to surface/: sums over the facets of a footprint by direction, eight facets at a time.
#pragma once
#include <array>
#include <span>

#include "asperity/friction/ploughing.h"
#include "asperity/math/int_lanes.h"

namespace asperity::surface {

/// Sums of resist |slope.d_k| for half of the directions, of resist slope, and of weight. Accumulates a few terms in floats,
/// then adds them to doubles.
class SlopeSums {
  public:
    explicit SlopeSums(std::span<const Vec2> d) : d_(d), half_(d.size() / 2) {
        for (size_t k = 0; k < half_; ++k) {
            cos_[k] = static_cast<float>(d[k].x);
            sin_[k] = static_cast<float>(d[k].y);
            few_[k] = Lanes{};
            both_[k] = Doubles{};
        }
    }

    /// Slopes along t and b of the contact plane. Lanes without a facet must have zero `resist` and zero `weight`.
    void add(Lanes x, Lanes y, Lanes resist, Lanes weight) {
        for (size_t k = 0; k < half_; ++k) {
            const Lanes along = mul_add(all_lanes(cos_[k]), x, all_lanes(sin_[k]) * y);
            few_[k] = mul_add(resist, magnitude(along), few_[k]);
        }
        few_x_ = mul_add(resist, x, few_x_);
        few_y_ = mul_add(resist, y, few_y_);
        few_weight_ = few_weight_ + weight;
        if (++added_ == kFloatTerms) empty_into_doubles();
    }
    /// <max(0, sign g.d_k)>, from max(0, x) = (|x| + x)/2
    void averages(double sign, std::array<double, friction::kMostDirections>& out) {
        empty_into_doubles();
        const double weight = sum(weight_);
        const Vec2 mean{sum(x_), sum(y_)};
        for (size_t k = 0; k < half_; ++k) {
            const double along = sign * dot(mean, d_[k]), both = sum(both_[k]);
            out[k] = weight > 0 ? larger(0.5 * (both + along) / weight, 0) : 0;
            out[k + half_] = weight > 0 ? larger(0.5 * (both - along) / weight, 0) : 0;
        }
    }

  private:
    static constexpr int kFloatTerms = 16;  // terms summed in floats; error of at most 16 units in the last place
    static constexpr int kDoubles = kLanes / 2;
    using Doubles = double __attribute__((vector_size(kDoubles * sizeof(double))));
    using FourFloats = float __attribute__((vector_size(kDoubles * sizeof(float))));

    static void empty(Lanes& from, Doubles& into) {
        const FourFloats low = __builtin_shufflevector(from, from, 0, 1, 2, 3),
                         high = __builtin_shufflevector(from, from, 4, 5, 6, 7);
        into = into + __builtin_convertvector(low, Doubles) + __builtin_convertvector(high, Doubles);
        from = Lanes{};
    }
    static double sum(const Doubles& d) { return (d[0] + d[1]) + (d[2] + d[3]); }
    void empty_into_doubles() {
        for (size_t k = 0; k < half_; ++k) empty(few_[k], both_[k]);
        empty(few_x_, x_);
        empty(few_y_, y_);
        empty(few_weight_, weight_);
        added_ = 0;
    }

    std::span<const Vec2> d_;
    size_t half_;
    int added_ = 0;
    std::array<float, friction::kMostDirections / 2> cos_, sin_;  // of these and the next two, half_ entries are used
    std::array<Lanes, friction::kMostDirections / 2> few_;
    std::array<Doubles, friction::kMostDirections / 2> both_;
    Lanes few_x_{}, few_y_{}, few_weight_{};
    Doubles x_{}, y_{}, weight_{};
};

}  // namespace asperity::surface

#include "asperity/lab/contact/half_space.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/math/fft.h"

namespace asperity::lab {
namespace {

constexpr double kPi = std::numbers::pi;
using Complex = std::complex<double>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Displacement at (x, y) of a unit pressure on the rectangle |x| < a, |y| < b, times pi E* (Johnson 3.25).
double love(double x, double y, double a, double b) {
    const double l = x - a, r = x + a, d = y - b, u = y + b;
    const auto term = [](double p, double q, double s) {  // p ln((q + |(p, q)|)/(s + |(p, s)|))
        return p == 0 ? 0.0 : p * (std::asinh(q / std::fabs(p)) - std::asinh(s / std::fabs(p)));
    };
    return term(r, u, d) + term(u, r, l) + term(l, d, u) + term(d, l, r);
}

/// Displacement at x of a unit pressure on the strip |x| < a, times pi E*/2, up to a constant (Johnson 2.30).
double strip(double x, double a) {
    const auto f = [](double s) { return s == 0 ? 0.0 : s * (1 - std::log(std::fabs(s))); };
    return f(x + a) - f(x - a);
}

/// u = K p by transforms.
class HalfSpace {
  public:
    HalfSpace(const Topography& map, const HalfSpaceOptions& o)
        : width_(map.width),
          height_(map.height),
          padded_width_(o.periodic ? map.width : power_of_two_at_least(2 * map.width)),
          padded_height_(o.periodic || map.is_profile() ? map.height : power_of_two_at_least(2 * map.height)),
          fft_(padded_width_, padded_height_),
          grid_(index(padded_width_) * index(padded_height_)) {
        factors_.reserve(grid_.size());
        if (o.periodic) {
            for (int y = 0; y < height_; ++y)
                for (int x = 0; x < width_; ++x) {
                    const double f_x = signed_index(x, width_) / map.size_x(), f_y = signed_index(y, height_) / map.size_y();
                    const double q = 2 * kPi * (map.is_profile() ? std::fabs(f_x) : std::hypot(f_x, f_y));
                    factors_.push_back(q > 0 ? 2 / (o.modulus * q) : 0);
                }
            return;
        }
        for (int y = 0; y < padded_height_; ++y)
            for (int x = 0; x < padded_width_; ++x) {
                const double at_x = signed_index(x, padded_width_) * map.pixel_x,
                             at_y = signed_index(y, padded_height_) * map.pixel_y;
                grid_[index(y) * index(padded_width_) + index(x)] =
                    map.is_profile() ? 2 / (kPi * o.modulus) * strip(at_x, map.pixel_x / 2)
                                     : love(at_x, at_y, map.pixel_x / 2, map.pixel_y / 2) / (kPi * o.modulus);
            }
        fft_.forward(grid_);
        for (const Complex& value : grid_) factors_.push_back(value.real());  // even kernel: real transform
    }

    void apply(const std::vector<double>& p, std::vector<double>& u) {
        std::fill(grid_.begin(), grid_.end(), Complex(0));
        for (int y = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x)
                grid_[index(y) * index(padded_width_) + index(x)] = p[index(y) * index(width_) + index(x)];
        fft_.forward(grid_);
        for (std::size_t i = 0; i < grid_.size(); ++i) grid_[i] *= factors_[i];
        fft_.inverse(grid_);
        for (int y = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x)
                u[index(y) * index(width_) + index(x)] = grid_[index(y) * index(padded_width_) + index(x)].real();
    }

  private:
    static double signed_index(int k, int n) { return 2 * k > n ? k - n : k; }
    int width_, height_, padded_width_, padded_height_;
    Fft2 fft_;
    std::vector<Complex> grid_;
    std::vector<double> factors_;
};

/// Multiplies the pressures so that they sum to `load`, at most `cap` each. Where all that carry are at the cap, the points
/// without pressure share the rest; the iterations then sort out which of them touch. Returns whether they had to.
bool carry(std::vector<double>& p, double load, double cap) {
    for (int pass = 0; pass < 60; ++pass) {
        double free = 0, capped = 0, empty = 0;
        for (const double x : p) {
            (x < cap ? free : capped) += x;
            empty += x == 0 ? 1 : 0;
        }
        if (!(free > 0)) {
            if (empty == 0 || capped >= load) return false;
            for (double& x : p)
                if (x == 0) x = std::min((load - capped) / empty, cap);
            return true;
        }
        const double scale = (load - capped) / free;
        bool clipped = false;
        for (double& x : p)
            if (x < cap) {
                x *= std::max(scale, 0.0);
                if (x > cap) x = cap, clipped = true;
            }
        if (!clipped) return false;
    }
    return false;
}

/// Conjugate gradients on the points strictly between the bounds.
struct Search {
    std::vector<double> direction, image;
    double energy = 1;  // sum of g^2 of the last iteration
    bool restart = true;
    explicit Search(std::size_t n) : direction(n, 0.0), image(n) {}
};

/// The mean gap over points that carry pressure below the cap: the level at which the gap is zero.
template <class Inside>
double mean_of(const std::vector<double>& values, const Inside& inside) {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (inside(i)) sum += values[i], ++count;
    return count > 0 ? sum / count : 0;
}

/// One step along the next conjugate direction: changes p at the inside points by -step times the direction. Returns step.
template <class Inside>
double descend(HalfSpace& space, const std::vector<double>& g, const Inside& inside, Search& s, std::vector<double>& p) {
    double energy = 0;
    for (std::size_t i = 0; i < g.size(); ++i)
        if (inside(i)) energy += g[i] * g[i];
    const double beta = s.restart || !(s.energy > 0) ? 0 : energy / s.energy;
    for (std::size_t i = 0; i < g.size(); ++i) s.direction[i] = inside(i) ? g[i] + beta * s.direction[i] : 0;
    s.energy = energy;
    space.apply(s.direction, s.image);
    const double mean = mean_of(s.image, inside);
    double above = 0, below = 0;
    for (std::size_t i = 0; i < g.size(); ++i)
        if (inside(i)) above += g[i] * s.direction[i], below += (s.image[i] - mean) * s.direction[i];
    const double step = below > 0 ? above / below : 0;
    for (std::size_t i = 0; i < g.size(); ++i)
        if (inside(i)) p[i] -= step * s.direction[i];
    return step;
}

/// dP/d(approach) with the contact held: K dp is the same at all points in contact, and mean dp = 1.
double stiffness_of(HalfSpace& space, const std::vector<double>& pressure, double cap, double load, double tolerance) {
    const auto inside = [&](std::size_t i) { return pressure[i] > 0 && pressure[i] < cap; };
    std::vector<double> dp(pressure.size(), 0.0), u(pressure.size());
    double count = 0;
    for (std::size_t i = 0; i < dp.size(); ++i)
        if (inside(i)) dp[i] = 1, ++count;
    if (count == 0) return 0;
    for (double& x : dp) x *= load / count;
    Search search(dp.size());
    double level = 0;
    for (int iteration = 0; iteration < 500; ++iteration) {
        space.apply(dp, u);
        level = mean_of(u, inside);
        double off = 0;
        std::vector<double> g(u.size(), 0.0);
        for (std::size_t i = 0; i < u.size(); ++i)
            if (inside(i)) g[i] = u[i] - level, off = std::max(off, std::fabs(g[i]));
        if (off <= tolerance * std::fabs(level) || off == 0) break;
        descend(space, g, inside, search, dp);
        search.restart = false;
        const double excess = mean_of(dp, inside) - load / count;
        for (std::size_t i = 0; i < dp.size(); ++i)
            if (inside(i)) dp[i] -= excess;
    }
    return level != 0 ? 1 / level : 0;  // per unit of load = 1
}

void measure_patches(const Topography& map, bool periodic, HalfSpaceContact& c) {
    const int w = map.width, h = map.height;
    const double pixel = map.is_profile() ? map.pixel_x : map.pixel_x * map.pixel_y;
    std::vector<char> seen(c.pressure.size(), 0);
    const auto at = [&](int x, int y) { return index(y) * index(w) + index(x); };
    std::size_t in_contact = 0, borders = 0;
    std::vector<std::size_t> stack;
    for (std::size_t start = 0; start < seen.size(); ++start) {
        if (!(c.pressure[start] > 0)) continue;
        ++in_contact;
        std::size_t size = 0;
        const auto visit = [&](int x, int y) {
            if (periodic) x = (x + w) % w, y = (y + h) % h;
            if (x < 0 || y < 0 || x >= w || y >= h || !(c.pressure[at(x, y)] > 0)) {
                ++borders;
                return;
            }
            if (seen[at(x, y)] == 0) seen[at(x, y)] = 1, stack.push_back(at(x, y));
        };
        if (seen[start] != 0) continue;
        seen[start] = 1, stack.push_back(start);
        while (!stack.empty()) {
            const std::size_t i = stack.back();
            stack.pop_back();
            ++size;
            const int x = static_cast<int>(i % index(w)), y = static_cast<int>(i / index(w));
            visit(x - 1, y), visit(x + 1, y);
            if (!map.is_profile()) visit(x, y - 1), visit(x, y + 1);
        }
        ++c.patches;
        c.patch_area_max = std::max(c.patch_area_max, static_cast<double>(size) * pixel);
    }
    const auto count = static_cast<double>(c.pressure.size());
    c.area_fraction = static_cast<double>(in_contact) / count;
    if (c.patches > 0) c.patch_area_mean = static_cast<double>(in_contact) * pixel / c.patches;
    const double correction = map.is_profile() ? 0 : (kPi - 1 + std::numbers::ln2) / 24;
    c.area_corrected = c.area_fraction - correction * static_cast<double>(borders) / count;
}

}  // namespace

HalfSpaceContact press(const Topography& heights, double mean_pressure, const HalfSpaceOptions& o) {
    check_complete(heights, "boundary elements");
    const auto need = [](const char* what, double value) {
        if (!(value > 0) || std::isnan(value))
            throw InputError(fmt::format("boundary elements: {} = {:g}: must be above 0", what, value));
    };
    need("mean pressure", mean_pressure);
    need("contact modulus", o.modulus);
    need("hardness", o.hardness);
    if (!(mean_pressure < o.hardness))
        throw InputError(
            fmt::format("boundary elements: mean pressure {:g} is not below the hardness {:g}: the whole surface would "
                        "flow",
                        mean_pressure, o.hardness));
    HalfSpace space(heights, o);
    const std::size_t n = heights.heights.size();
    const double load = mean_pressure * static_cast<double>(n);
    HalfSpaceContact c;
    std::vector<double>& p = c.pressure;
    p.assign(n, mean_pressure);
    std::vector<double> g(n), before;
    Search search(n);
    double level = 0;
    const auto inside = [&](std::size_t i) { return p[i] > 0 && p[i] < o.hardness; };
    const auto find_gap = [&] {
        space.apply(p, g);
        for (std::size_t i = 0; i < n; ++i) g[i] -= heights.heights[i];
        level = mean_of(g, inside);
        for (double& x : g) x -= level;
    };
    for (c.iterations = 0; c.iterations < o.max_iterations && !c.converged; ++c.iterations) {
        find_gap();
        before = p;
        const double step = descend(
            space, g, [&](std::size_t i) { return before[i] > 0 && before[i] < o.hardness; }, search, p);
        search.restart = false;
        for (std::size_t i = 0; i < n; ++i) {
            if (before[i] > 0 && before[i] < o.hardness) {
                p[i] = std::clamp(p[i], 0.0, o.hardness);
                continue;
            }
            // A closed gap needs pressure; a point that flowed and opens loses some.
            if ((before[i] == 0 && g[i] < 0) || (before[i] > 0 && g[i] > 0))
                p[i] = std::clamp(p[i] - step * g[i], 0.0, o.hardness), search.restart = true;
        }
        if (carry(p, load, o.hardness)) search.restart = true;
        double change = 0;
        for (std::size_t i = 0; i < n; ++i) change += std::fabs(p[i] - before[i]);
        c.error = change / load;
        c.converged = c.error <= o.tolerance;
    }
    find_gap();
    c.gap = g;
    double sum = 0;
    for (const double x : g) sum += x;
    c.gap_mean = sum / static_cast<double>(n);
    c.approach = o.periodic || heights.is_profile() ? 0 : level;
    c.max_pressure = *std::max_element(p.begin(), p.end());
    measure_patches(heights, o.periodic, c);
    // Periodic: pressure over mean gap. Free: force, so the load of a pixel's area.
    const double pixel = heights.is_profile() ? heights.pixel_x : heights.pixel_x * heights.pixel_y;
    const double unit_load = o.periodic ? static_cast<double>(n) : 1 / pixel;
    c.stiffness = stiffness_of(space, p, o.hardness, unit_load, 1e-6);
    return c;
}

}  // namespace asperity::lab

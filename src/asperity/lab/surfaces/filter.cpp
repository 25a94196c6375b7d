#include "asperity/lab/surfaces/filter.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/math/fft.h"

namespace asperity::lab {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kMostTerms = 6;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// The terms of the trend at a point; x and y from -1 to 1 over the map, so that the normal equations are well scaled.
int trend_terms(Trend trend, bool profile, double x, double y, double* terms) {
    int n = 0;
    terms[n++] = 1;
    if (trend == Trend::Mean) return n;
    terms[n++] = x;
    if (!profile) terms[n++] = y;
    if (trend == Trend::Plane) return n;
    terms[n++] = x * x;
    if (!profile) terms[n++] = x * y, terms[n++] = y * y;
    return n;
}

/// Solves a symmetric positive semidefinite system by elimination; a column that depends on earlier ones gets 0.
void solve(double (&a)[kMostTerms][kMostTerms], double (&b)[kMostTerms], int n) {
    for (int k = 0; k < n; ++k) {
        if (a[k][k] < 1e-12) {
            for (int j = 0; j < n; ++j) a[k][j] = a[j][k] = 0;
            a[k][k] = 1, b[k] = 0;
            continue;
        }
        for (int i = k + 1; i < n; ++i) {
            const double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

/// Convolution with a Gaussian whose transform is exp(-pi (alpha cutoff f)^2) = 1/2 at f = 1/cutoff: alpha^2 = ln 2/pi.
std::vector<double> smoothed(const Topography& map, const std::vector<double>& values, double cutoff, int w, int h) {
    std::vector<std::complex<double>> grid(index(w) * index(h));
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x)
            grid[index(y) * index(w) + index(x)] = values[index(y) * index(map.width) + index(x)];
    const Fft2 fft(w, h);
    fft.forward(grid);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const double f_x = (2 * x > w ? x - w : x) / (w * map.pixel_x),
                         f_y = (2 * y > h ? y - h : y) / (h * map.pixel_y);
            grid[index(y) * index(w) + index(x)] *= std::exp(-std::numbers::ln2 * cutoff * cutoff * (f_x * f_x + f_y * f_y));
        }
    fft.inverse(grid);
    std::vector<double> out;
    out.reserve(values.size());
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) out.push_back(grid[index(y) * index(w) + index(x)].real());
    return out;
}

}  // namespace

Topography detrended(const Topography& map, Trend trend) {
    double a[kMostTerms][kMostTerms] = {}, b[kMostTerms] = {}, terms[kMostTerms];
    int n = 0;
    const auto scaled = [](int i, int size) { return size > 1 ? 2.0 * i / (size - 1) - 1 : 0.0; };
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            if (!std::isfinite(map.at(x, y))) continue;
            n = trend_terms(trend, map.is_profile(), scaled(x, map.width), scaled(y, map.height), terms);
            for (int i = 0; i < n; ++i) {
                for (int j = 0; j < n; ++j) a[i][j] += terms[i] * terms[j];
                b[i] += terms[i] * map.at(x, y);
            }
        }
    solve(a, b, n);
    Topography out = map;
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            trend_terms(trend, map.is_profile(), scaled(x, map.width), scaled(y, map.height), terms);
            for (int i = 0; i < n; ++i) out.heights[index(y) * index(map.width) + index(x)] -= b[i] * terms[i];
        }
    return out;
}

Topography low_pass(const Topography& map, double cutoff) {
    check_complete(map, "filter", 2);
    if (!(cutoff > 0) || !std::isfinite(cutoff))
        throw InputError(fmt::format("filter: cut-off {:g} {}: must be above 0", cutoff, map.unit));
    Topography out = map;
    if (map.periodic) {
        out.heights = smoothed(map, map.heights, cutoff, map.width, map.height);
        return out;
    }
    // Zeros as wide as the map keep opposite edges apart; the smoothed ones hold the weights inside.
    const int w = 2 * map.width, h = map.is_profile() ? 1 : 2 * map.height;
    out.heights = smoothed(map, map.heights, cutoff, w, h);
    const std::vector<double> weights = smoothed(map, std::vector<double>(map.heights.size(), 1.0), cutoff, w, h);
    for (std::size_t i = 0; i < weights.size(); ++i) out.heights[i] /= weights[i];
    return out;
}

Topography high_pass(const Topography& map, double cutoff) {
    Topography out = low_pass(map, cutoff);
    for (std::size_t i = 0; i < out.heights.size(); ++i) out.heights[i] = map.heights[i] - out.heights[i];
    return out;
}

Topography filled(const Topography& map, const std::string& where) {
    Topography out = map;
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < map.heights.size(); ++i)
        if (!std::isfinite(map.heights[i])) missing.push_back(i);
    if (missing.size() == map.heights.size()) throw InputError(fmt::format("{}: no point has a height", where));
    while (!missing.empty()) {
        std::vector<std::size_t> left;
        std::vector<std::pair<std::size_t, double>> found;
        for (const std::size_t i : missing) {
            const int x = static_cast<int>(i % index(map.width)), y = static_cast<int>(i / index(map.width));
            double sum = 0, count = 0;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int u = x + dx, v = y + dy;
                    if (u < 0 || u >= map.width || v < 0 || v >= map.height || !std::isfinite(out.at(u, v))) continue;
                    sum += out.at(u, v), ++count;
                }
            if (count > 0)
                found.emplace_back(i, sum / count);
            else
                left.push_back(i);
        }
        for (const auto& [i, value] : found) out.heights[i] = value;  // a ring at a time: no direction is preferred
        missing.swap(left);
    }
    return out;
}

Topography cropped(const Topography& map, int x, int y, int width, int height) {
    if (x < 0 || y < 0 || width < 1 || height < 1 || x > map.width - width || y > map.height - height)
        throw InputError(fmt::format("crop: {} x {} heights at {}, {}: leaves the map of {} x {}", width, height, x, y,
                                     map.width, map.height));
    Topography out = map;
    out.width = width, out.height = height;
    out.periodic = map.periodic && width == map.width && height == map.height;
    out.heights.clear();
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) out.heights.push_back(map.at(x + i, y + j));
    return out;
}

std::vector<Vec3> poisson_disk(const Topography& map, double distance, std::uint64_t seed) {
    check_complete(map, "subsampling", 2);
    if (!(distance > 0) || !std::isfinite(distance))
        throw InputError(fmt::format("subsampling: distance {:g} {}: must be above 0", distance, map.unit));
    const bool line = map.is_profile();
    const double size_x = (map.width - 1) * map.pixel_x, size_y = line ? 0 : (map.height - 1) * map.pixel_y;
    // Cells so small that each holds one point at most.
    const double cell = distance / (line ? 1.0 : std::numbers::sqrt2);
    constexpr double kMostCells = 1e8;
    if ((size_x / cell + 1) * (size_y / cell + 1) > kMostCells)
        throw InputError(fmt::format("subsampling: distance {:g} {} would make more than {:g} points", distance, map.unit,
                                     kMostCells / 2));
    const int cells_x = static_cast<int>(size_x / cell) + 1, cells_y = static_cast<int>(size_y / cell) + 1;
    std::vector<int> grid(index(cells_x) * index(cells_y), -1);
    std::vector<Vec2> points;
    std::vector<int> active;
    Random random(seed, 77);
    const auto cell_of = [&](double at, int count) { return std::min(static_cast<int>(at / cell), count - 1); };
    const auto put = [&](Vec2 p) {
        grid[index(cell_of(p.y, cells_y)) * index(cells_x) + index(cell_of(p.x, cells_x))] = static_cast<int>(points.size());
        active.push_back(static_cast<int>(points.size()));
        points.push_back(p);
    };
    const auto fits = [&](Vec2 p) {
        if (p.x < 0 || p.x > size_x || p.y < 0 || p.y > size_y) return false;
        const int i = cell_of(p.x, cells_x), j = cell_of(p.y, cells_y);
        for (int v = std::max(0, j - 2); v <= std::min(cells_y - 1, j + 2); ++v)
            for (int u = std::max(0, i - 2); u <= std::min(cells_x - 1, i + 2); ++u)
                if (const int other = grid[index(v) * index(cells_x) + index(u)]; other >= 0)
                    if (std::hypot(points[index(other)].x - p.x, points[index(other)].y - p.y) < distance) return false;
        return true;
    };
    put({random.uniform(0, size_x), line ? 0 : random.uniform(0, size_y)});
    constexpr int kTries = 30;  // of Bridson: fewer leave gaps, more find few further points
    while (!active.empty()) {
        const int pick = random.below(static_cast<int>(active.size()));
        const Vec2 from = points[index(active[index(pick)])];
        bool found = false;
        for (int i = 0; i < kTries && !found; ++i) {
            const double r = distance * random.uniform(1, 2), angle = random.uniform(0, 2 * kPi);
            const Vec2 p = line ? Vec2{from.x + (angle < kPi ? r : -r), 0.0}
                                : Vec2{from.x + r * std::cos(angle), from.y + r * std::sin(angle)};
            if ((found = fits(p))) put(p);
        }
        if (found) continue;
        active[index(pick)] = active.back();
        active.pop_back();
    }
    std::vector<Vec3> out;
    for (const Vec2 p : points) {
        const double u = p.x / map.pixel_x, v = line ? 0 : p.y / map.pixel_y;
        const int i = std::min(static_cast<int>(u), map.width - 2);
        const int j = line ? 0 : std::min(static_cast<int>(v), map.height - 2), up = line ? 0 : j + 1;
        const double low = map.at(i, j) + (u - i) * (map.at(i + 1, j) - map.at(i, j));
        const double high = map.at(i, up) + (u - i) * (map.at(i + 1, up) - map.at(i, up));
        out.push_back({p.x, p.y, low + (v - j) * (high - low)});
    }
    return out;
}

}  // namespace asperity::lab

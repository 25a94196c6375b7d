#include "asperity/lab/surfaces/roughness.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/lab/surfaces/filter.h"
#include "asperity/math/fft.h"

namespace asperity::lab {
namespace {

constexpr double kPi = std::numbers::pi;
using Complex = std::complex<double>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// The frequency of mode k of n at this pixel size, between -1/(2 pixel) and 1/(2 pixel).
double frequency(int k, int n, double pixel) { return (2 * k > n ? k - n : k) / (n * pixel); }

/// |H|^2 of every mode, with sum = mean square height.
std::vector<double> mode_energy(const Topography& map) {
    Topography level = map;
    double gain = 1;
    if (map.periodic) {
        level = detrended(map, Trend::Mean);
    } else {
        level = detrended(map, Trend::Plane);
        // Hann window; its mean square is 3/8 per axis.
        const auto window = [](int i, int n) { return 0.5 * (1 - std::cos(2 * kPi * (i + 0.5) / n)); };
        for (int y = 0; y < map.height; ++y)
            for (int x = 0; x < map.width; ++x)
                level.heights[index(y) * index(map.width) + index(x)] *=
                    window(x, map.width) * (map.is_profile() ? 1 : window(y, map.height));
        gain = map.is_profile() ? 8.0 / 3.0 : 64.0 / 9.0;
    }
    std::vector<Complex> grid(level.heights.begin(), level.heights.end());
    Fft2(map.width, map.height).forward(grid);
    std::vector<double> energy;
    energy.reserve(grid.size());
    const auto count = static_cast<double>(grid.size());
    for (const Complex& value : grid) energy.push_back(gain * std::norm(value) / (count * count));
    return energy;
}

/// Calls use(f_x, f_y, energy) for every mode but the mean.
template <class Use>
void for_modes(const Topography& map, const std::vector<double>& energy, const Use& use) {
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x)
            if (x != 0 || y != 0)
                use(frequency(x, map.width, map.pixel_x), frequency(y, map.height, map.pixel_y),
                    energy[index(y) * index(map.width) + index(x)]);
}

struct Moments {
    double gradient = 0;   ///< mean square of |grad h|
    double laplacian = 0;  ///< mean square of the Laplacian; of h'' for profiles
};

Moments spectral_moments(const Topography& map) {
    Moments m;
    for_modes(map, mode_energy(map), [&](double f_x, double f_y, double energy) {
        const double q2 = 4 * kPi * kPi * (f_x * f_x + f_y * f_y);
        m.gradient += q2 * energy;
        m.laplacian += q2 * q2 * energy;
    });
    return m;
}

/// Central differences of sixth order at the points that have three neighbours on both sides.
Moments difference_moments(const Topography& map) {
    const auto first = [](const double* h, int s) {
        return (45 * (h[s] - h[-s]) - 9 * (h[2 * s] - h[-2 * s]) + (h[3 * s] - h[-3 * s])) / 60;
    };
    const auto second = [](const double* h, int s) {
        return (270 * (h[s] + h[-s]) - 27 * (h[2 * s] + h[-2 * s]) + 2 * (h[3 * s] + h[-3 * s]) - 490 * h[0]) / 180;
    };
    Moments m;
    double count = 0;
    const int edge_y = map.is_profile() ? 0 : 3;
    for (int y = edge_y; y < map.height - edge_y; ++y)
        for (int x = 3; x < map.width - 3; ++x) {
            const double* h = &map.heights[index(y) * index(map.width) + index(x)];
            const double slope_x = first(h, 1) / map.pixel_x;
            double square = slope_x * slope_x, bend = second(h, 1) / (map.pixel_x * map.pixel_x);
            if (!map.is_profile()) {
                square += std::pow(first(h, map.width) / map.pixel_y, 2);
                bend += second(h, map.width) / (map.pixel_y * map.pixel_y);
            }
            m.gradient += square, m.laplacian += bend * bend, ++count;
        }
    m.gradient /= count, m.laplacian /= count;
    return m;
}

/// The autocorrelation over shifts of -half..half pixels along both axes, 1 at the middle.
struct Correlation {
    int half_x = 0, half_y = 0;
    double pixel_x = 1, pixel_y = 1;
    std::vector<double> values;
    double at(int x, int y) const { return values[index(y + half_y) * index(2 * half_x + 1) + index(x + half_x)]; }
    /// Between the pixels, bilinear; distances in units.
    double at(double x, double y) const {
        const double u = x / pixel_x, v = y / pixel_y;
        const int i = std::clamp(static_cast<int>(std::floor(u)), -half_x, half_x - 1);
        if (half_y == 0) return at(i, 0) + (u - i) * (at(i + 1, 0) - at(i, 0));
        const int j = std::clamp(static_cast<int>(std::floor(v)), -half_y, half_y - 1);
        const double low = at(i, j) + (u - i) * (at(i + 1, j) - at(i, j));
        const double high = at(i, j + 1) + (u - i) * (at(i + 1, j + 1) - at(i, j + 1));
        return low + (v - j) * (high - low);
    }
    /// How far a ray in this direction stays inside.
    double reach(double c, double s) const {
        double r = std::numeric_limits<double>::infinity();
        if (std::fabs(c) > 1e-12) r = std::min(r, half_x * pixel_x / std::fabs(c));
        if (half_y > 0 && std::fabs(s) > 1e-12) r = std::min(r, half_y * pixel_y / std::fabs(s));
        return r;
    }
};

/// Periodic topographies wrap. Others are padded with zeros, and each sum is divided by its number of terms.
Correlation correlation(const Topography& map) {
    const Topography level = detrended(map, map.periodic ? Trend::Mean : Trend::Plane);
    const int w = map.periodic ? map.width : 2 * map.width;
    const int h = map.is_profile() ? 1 : map.periodic ? map.height : 2 * map.height;
    std::vector<Complex> grid(index(w) * index(h));
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) grid[index(y) * index(w) + index(x)] = level.at(x, y);
    const Fft2 fft(w, h);
    fft.forward(grid);
    for (Complex& value : grid) value = std::norm(value);
    fft.inverse(grid);
    Correlation c{.half_x = map.width / 2, .half_y = map.is_profile() ? 0 : map.height / 2};
    c.pixel_x = map.pixel_x, c.pixel_y = map.pixel_y;
    const auto terms = [&](int shift, int n) { return map.periodic ? n : n - std::abs(shift); };
    const double middle = grid[0].real() / (static_cast<double>(map.width) * map.height);
    for (int y = -c.half_y; y <= c.half_y; ++y)
        for (int x = -c.half_x; x <= c.half_x; ++x) {
            const double sum = grid[index((y + h) % h) * index(w) + index((x + w) % w)].real();
            const double count = static_cast<double>(terms(x, map.width)) * terms(y, map.height);
            c.values.push_back(middle > 0 ? sum / count / middle : 1);
        }
    return c;
}

/// The first distance along a ray at which the correlation is 0.2; empty if none.
std::optional<double> decay_length(const Correlation& c, double angle) {
    // Directions along an axis exactly, or the other axis' pixels would count however small they are.
    const auto snapped = [](double x) { return std::fabs(x) < 1e-12 ? 0.0 : x; };
    const double cosine = snapped(std::cos(angle)), sine = snapped(std::sin(angle)), reach = c.reach(cosine, sine);
    // Steps of a quarter of a pixel at most, whatever the ratio of the pixel sizes.
    const int steps = 4 * std::max(c.half_x, c.half_y);
    double before = 1;
    for (int i = 1; i <= steps; ++i) {
        const double r = reach * i / steps, now = c.at(r * cosine, r * sine);
        if (now <= 0.2) return r - reach / steps * (0.2 - now) / std::max(before - now, 1e-300);
        before = now;
    }
    return {};
}

}  // namespace

Roughness roughness(const Topography& map, const std::string& where) {
    check_complete(map, where);
    Roughness r;
    double mean = 0;
    for (const double h : map.heights) mean += h;
    mean /= static_cast<double>(map.heights.size());
    double m2 = 0, m3 = 0, m4 = 0, low = map.heights[0], high = low;
    for (const double h : map.heights) {
        const double d = h - mean;
        r.sa += std::fabs(d), m2 += d * d, m3 += d * d * d, m4 += d * d * d * d;
        low = std::min(low, h), high = std::max(high, h);
    }
    const auto count = static_cast<double>(map.heights.size());
    r.sa /= count, m2 /= count, m3 /= count, m4 /= count;
    r.sq = std::sqrt(m2);
    r.sz = high - low;
    if (!(m2 > 0)) return r;  // flat
    r.ssk = m3 / (m2 * r.sq);
    r.sku = m4 / (m2 * m2);
    const Moments m = map.periodic ? spectral_moments(map) : difference_moments(map);
    r.sdq = std::sqrt(m.gradient);
    // Profile moments of an isotropic surface: m2 is half of |grad h|^2 and m4 is 3/8 of the squared Laplacian (Nayak 1971).
    const double moment_2 = map.is_profile() ? m.gradient : m.gradient / 2;
    const double moment_4 = map.is_profile() ? m.laplacian : 0.375 * m.laplacian;
    if (moment_2 > 0) r.nayak = m2 * moment_4 / (moment_2 * moment_2);

    const Correlation c = correlation(map);
    if (map.is_profile()) {
        r.sal = decay_length(c, 0);
        return r;
    }
    std::optional<double> shortest, longest;
    bool open = false;  // some ray never falls to 0.2
    for (int degree = 0; degree < 180; ++degree) {
        const std::optional<double> length = decay_length(c, degree * kPi / 180);
        if (!length) {
            open = true;
            continue;
        }
        if (!shortest || *length < *shortest) shortest = length;
        if (!longest || *length > *longest) longest = length;
    }
    r.sal = shortest;
    if (shortest && !open) r.str = *shortest / *longest;
    // The direction of the strongest sector, over 11 degrees: sectors of one degree hold no mode or a single one of a
    // small map.
    const std::vector<double> sectors = angular_spectrum(map);
    double strongest = -1;
    for (int degree = 0; degree < 180; ++degree) {
        double sum = 0;
        for (int i = -5; i <= 5; ++i) sum += sectors[index((degree + i + 180) % 180)];
        if (sum > strongest * (1 + 1e-9)) strongest = sum, r.std = std::fmod(degree * kPi / 180 + kPi / 2, kPi);
    }
    return r;
}

RadialSpectrum radial_spectrum(const Topography& map, double f_min, double f_max) {
    check_complete(map, "spectrum");
    const double nyquist = 0.5 / std::max(map.pixel_x, map.is_profile() ? 0 : map.pixel_y);
    if (!(f_max > 0)) f_max = nyquist;
    const double step = 1 / std::max(map.size_x(), map.is_profile() ? 0 : map.size_y());
    if (!map.periodic) f_min = std::max(f_min, 2.5 * step);
    const double density = map.is_profile() ? 2 * map.size_x() : map.size_x() * map.size_y();
    struct Bin {
        double log_frequency = 0, power = 0, count = 0;
    };
    constexpr double kBinsPerDecade = 20;
    std::map<int, Bin> bins;
    for_modes(map, mode_energy(map), [&](double f_x, double f_y, double energy) {
        const double f = std::hypot(f_x, f_y);
        if (f < f_min * (1 - 1e-12) || f > f_max * (1 + 1e-12)) return;
        Bin& bin = bins[static_cast<int>(std::lround(kBinsPerDecade * std::log10(f / step)))];
        bin.log_frequency += std::log(f), bin.power += energy * density, ++bin.count;
    });
    RadialSpectrum spectrum;
    // Weighted by the number of modes: the power of each is exponentially distributed, so the variance of a mean of
    // logarithms falls with their number.
    int fitted = 0;
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const auto& [number, bin] : bins) {
        const double x = bin.log_frequency / bin.count, y = std::log(bin.power / bin.count);
        spectrum.frequency.push_back(std::exp(x));
        spectrum.power.push_back(bin.power / bin.count);
        if (!std::isfinite(y)) continue;  // no power at all
        ++fitted;
        n += bin.count, sx += bin.count * x, sy += bin.count * y, sxx += bin.count * x * x, sxy += bin.count * x * y;
    }
    const double spread = n * sxx - sx * sx;
    spectrum.exponent = fitted > 1 && spread > 0 ? (n * sxy - sx * sy) / spread : std::numeric_limits<double>::quiet_NaN();
    return spectrum;
}

std::vector<double> angular_spectrum(const Topography& map, int count) {
    check_complete(map, "angular spectrum");
    std::vector<double> sectors(index(count), 0.0);
    double sum = 0;
    for_modes(map, mode_energy(map), [&](double f_x, double f_y, double energy) {
        const double turn = std::atan2(f_y, f_x) / kPi + 1;  // modes at +f and -f have one direction
        const int sector = static_cast<int>(std::floor(turn * count + 0.5)) % count;
        sectors[index(sector)] += energy;
        sum += energy;
    });
    if (sum > 0)
        for (double& sector : sectors) sector /= sum;
    return sectors;
}

Autocorrelation autocorrelation(const Topography& map) {
    check_complete(map, "autocorrelation");
    const Correlation c = correlation(map);
    Autocorrelation a;
    const int rays = map.is_profile() ? 1 : 72;
    const double reach = map.is_profile() ? c.half_x * c.pixel_x : std::min(c.half_x * c.pixel_x, c.half_y * c.pixel_y);
    const double step = reach / std::max(1, map.is_profile() ? c.half_x : std::min(c.half_x, c.half_y));
    for (int i = 0; i * step <= reach * (1 + 1e-12); ++i) {
        double sum = 0, least = 1, most = -1;
        for (int k = 0; k < rays; ++k) {
            const double angle = k * kPi / rays, r = std::min(i * step, reach);
            const double value = c.at(r * std::cos(angle), r * std::sin(angle));
            sum += value, least = std::min(least, value), most = std::max(most, value);
        }
        a.distance.push_back(i * step), a.mean.push_back(sum / rays), a.least.push_back(least), a.most.push_back(most);
    }
    return a;
}

ScaleSlopes scale_dependent_slope(const Topography& map) {
    check_complete(map, "scale-dependent slope");
    ScaleSlopes out;
    const int longest = map.is_profile() ? map.width : std::min(map.width, map.height);
    for (int shift = 1; 2 * shift <= longest; shift = std::max(shift + 1, shift * 5 / 4)) {
        double sum = 0, count = 0;
        const auto add = [&](int dx, int dy, double distance) {
            const int last_x = map.periodic ? map.width : map.width - dx,
                      last_y = map.periodic ? map.height : map.height - dy;
            for (int y = 0; y < last_y; ++y)
                for (int x = 0; x < last_x; ++x) {
                    const double rise = map.at((x + dx) % map.width, (y + dy) % map.height) - map.at(x, y);
                    sum += rise * rise / (distance * distance), ++count;
                }
        };
        add(shift, 0, shift * map.pixel_x);
        if (!map.is_profile()) add(0, shift, shift * map.pixel_y);
        out.scale.push_back(shift * map.pixel_x), out.slope.push_back(std::sqrt(sum / count));
    }
    return out;
}

}  // namespace asperity::lab

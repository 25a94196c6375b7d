#include "asperity/lab/surfaces/profile.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::lab {

namespace {
constexpr double kTurn = 2 * std::numbers::pi;
}

double Profile::height(double x) const {
    double sum = 0;
    for (const Mode& m : modes_) sum += m.amplitude * std::cos(kTurn * m.frequency * x + m.phase);
    return sum;
}

double Profile::slope(double x) const {
    double sum = 0;
    for (const Mode& m : modes_) sum -= kTurn * m.frequency * m.amplitude * std::sin(kTurn * m.frequency * x + m.phase);
    return sum;
}

std::vector<double> Profile::sample(double first, double step, int count) const {
    std::vector<double> heights;
    heights.reserve(static_cast<std::size_t>(std::max(0, count)));
    for (int i = 0; i < count; ++i) heights.push_back(height(first + i * step));
    return heights;
}

double Profile::sigma() const {
    double sum = 0;
    for (const Mode& m : modes_) sum += 0.5 * m.amplitude * m.amplitude;
    return std::sqrt(sum);
}

double Profile::rms_slope() const {
    double sum = 0;
    for (const Mode& m : modes_) sum += 0.5 * std::pow(kTurn * m.frequency * m.amplitude, 2);
    return std::sqrt(sum);
}

Profile make_profile(const ProfileSpec& spec) {
    check(spec.spectrum, "profile");
    const auto refuse = [](const char* key, double value, const std::string& allowed) {
        throw InputError(fmt::format("profile: {} = {:g}: {}", key, value, allowed));
    };
    if (!(spec.sigma >= 0) || !std::isfinite(spec.sigma)) refuse("sigma", spec.sigma, "must be finite and at least 0");
    if (!(spec.period > 0) || !std::isfinite(spec.period)) refuse("period", spec.period, "must be above 0");
    const double first = std::ceil(spec.spectrum.f_min * spec.period * (1 - 1e-12)),
                 last = std::floor(spec.spectrum.f_max * spec.period * (1 + 1e-12));
    if (last < std::max(1.0, first))
        refuse("period", spec.period,
               fmt::format("no multiple of 1/period lies in [f_min, f_max] = [{:g}, {:g}]; a longer period has more",
                           spec.spectrum.f_min, spec.spectrum.f_max));
    constexpr double kMost = 1e6;  // modes; more take seconds per thousand heights
    if (last - first >= kMost)
        refuse("period", spec.period, fmt::format("{:g} modes in the band; at most {:g}", last - first + 1, kMost));
    Profile profile;
    profile.period_ = spec.period;
    double energy = 0;
    for (int k = std::max(1, static_cast<int>(first)); k <= static_cast<int>(last); ++k) {
        const double f = k / spec.period, s = power(spec.spectrum, f);
        if (!(s > 0)) continue;
        energy += s;
        profile.modes_.push_back({f, std::sqrt(2 * s), random_phase(spec.seed, spec.stream, k, 0)});
    }
    if (!(energy > 0) || !std::isfinite(energy))
        throw InputError("profile: the spectrum has no power in its band; widen f_min..f_max or the bandwidth");
    for (Profile::Mode& m : profile.modes_) m.amplitude *= spec.sigma / std::sqrt(energy);
    return profile;
}

}  // namespace asperity::lab

#include "asperity/lab/surfaces/spectrum.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::lab {
namespace {

struct Name {
    SpectrumKind kind;
    const char* name;
};
constexpr Name kNames[] = {{SpectrumKind::Uniform, "uniform"},
                           {SpectrumKind::Pink, "pink"},
                           {SpectrumKind::SelfAffine, "selfaffine"},
                           {SpectrumKind::Gabor, "gabor"}};

/// Power of a spectrum that depends on the length of the frequency alone, in `dimensions` 1 or 2.
double radial_power(const Spectrum& s, double f, int dimensions) {
    switch (s.kind) {
        case SpectrumKind::Uniform: return 1;
        case SpectrumKind::Pink: return std::pow(f, -s.exponent);
        default: return std::pow(std::max(f, s.roll_off), -(dimensions + 2 * s.hurst));
    }
}

/// The squared transform of one lobe of the Gabor kernel, `off` away from its centre.
double lobe(const Spectrum& s, double off_squared) {
    return std::exp(-2 * std::numbers::pi * off_squared / (s.bandwidth * s.bandwidth));
}

bool outside(const Spectrum& s, double f) {
    // A mode at the very border of the band belongs to it, whatever the rounding of k/period.
    return f < s.f_min * (1 - 1e-12) || f > s.f_max * (1 + 1e-12) || f <= 0;
}

/// splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): a bijection that changes half of
/// the bits for any change of its argument.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

}  // namespace

double power(const Spectrum& s, double f) {
    if (outside(s, f)) return 0;
    if (s.kind == SpectrumKind::Gabor) return lobe(s, (f - s.frequency) * (f - s.frequency));
    return radial_power(s, f, 1);
}

double power(const Spectrum& s, Vec2 f) {
    const double size = std::hypot(f.x, f.y);
    if (outside(s, size)) return 0;
    if (s.kind != SpectrumKind::Gabor) return radial_power(s, size, 2);
    const double x = s.frequency * std::cos(s.direction), y = s.frequency * std::sin(s.direction);
    const auto squared = [](double a, double b) { return a * a + b * b; };
    return lobe(s, squared(f.x - x, f.y - y)) + lobe(s, squared(f.x + x, f.y + y));
}

void check(const Spectrum& s, const std::string& where) {
    const auto refuse = [&](const char* key, double value, const std::string& allowed) {
        throw InputError(fmt::format("{}: {} = {:g}: {}", where, key, value, allowed));
    };
    if (!(s.f_min > 0) || !std::isfinite(s.f_min)) refuse("f_min", s.f_min, "must be above 0 [cycles per unit of length]");
    if (!(s.f_max > s.f_min) || !std::isfinite(s.f_max))
        refuse("f_max", s.f_max, fmt::format("must be above f_min = {:g}", s.f_min));
    if (s.kind == SpectrumKind::Pink && !(s.exponent >= 0 && s.exponent <= 6))
        refuse("exponent", s.exponent, "must be in [0, 6]; 1 is pink noise");
    if (s.kind == SpectrumKind::SelfAffine) {
        if (!(s.hurst >= 0 && s.hurst <= 1)) refuse("hurst", s.hurst, "must be in [0, 1]");
        if (!(s.roll_off >= 0 && s.roll_off <= s.f_max))
            refuse("roll_off", s.roll_off, fmt::format("must be in [0, f_max = {:g}]; 0 means none", s.f_max));
    }
    if (s.kind == SpectrumKind::Gabor) {
        if (!(s.frequency >= s.f_min && s.frequency <= s.f_max))
            refuse("frequency", s.frequency, fmt::format("must be in the band [{:g}, {:g}]", s.f_min, s.f_max));
        if (!(s.bandwidth > 0) || !std::isfinite(s.bandwidth)) refuse("bandwidth", s.bandwidth, "must be above 0");
        if (!std::isfinite(s.direction)) refuse("direction", s.direction, "must be finite");
    }
}

SpectrumKind spectrum_kind(const std::string& word, const std::string& where) {
    std::vector<std::string> known;
    for (const Name& n : kNames) {
        if (word == n.name) return n.kind;
        known.push_back(n.name);
    }
    const std::string near = nearest_name(word, known);
    throw InputError(fmt::format("{}: unknown kind of surface '{}'; known: {}{}", where, word, fmt::join(known, ", "),
                                 near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

const char* name(SpectrumKind kind) {
    for (const Name& n : kNames)
        if (n.kind == kind) return n.name;
    return "";
}

double random_phase(std::uint64_t seed, std::uint64_t stream, int k_x, int k_y) {
    const auto both = static_cast<std::uint64_t>(static_cast<std::uint32_t>(k_x)) << 32 | static_cast<std::uint32_t>(k_y);
    const std::uint64_t bits = mixed(mixed(mixed(seed) ^ stream) ^ both);
    return 2 * std::numbers::pi * (static_cast<double>(bits >> 11) * 0x1p-53);
}

}  // namespace asperity::lab

#include "asperity/core/random.h"

#include <cmath>

namespace asperity {

Random::Random(std::uint64_t seed, std::uint64_t stream) : increment_(2 * stream + 1) {
    bits();
    state_ += seed;
    bits();
}

std::uint32_t Random::bits() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ULL + increment_;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

double Random::uniform() {
    const std::uint64_t high = bits() >> 5, low = bits() >> 6;  // 27 + 26 bits
    return static_cast<double>(high * 67108864 + low) / 9007199254740992.0;
}

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Random::normal() {
    while (true) {
        const double x = uniform(-1, 1), y = uniform(-1, 1), s = x * x + y * y;
        if (s > 0 && s < 1) return x * std::sqrt(-2 * std::log(s) / s);
    }
}

int Random::below(int count) {
    return static_cast<int>((static_cast<std::uint64_t>(bits()) * static_cast<std::uint64_t>(count)) >> 32);
}

}  // namespace asperity

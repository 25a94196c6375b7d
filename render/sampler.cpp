#include "render/sampler.h"

#include <algorithm>

namespace asperity::render {
namespace {

std::uint32_t reverse_bits(std::uint32_t x) {
    x = (x << 16) | (x >> 16);
    x = ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
    x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
    x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
    return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
}

// Each output bit depends only on the lower input bits, so on reversed bits this is a nested uniform scramble.
std::uint32_t nested_hash(std::uint32_t x, std::uint32_t seed) {
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return x;
}
std::uint32_t owen_scramble(std::uint32_t x, std::uint32_t seed) { return reverse_bits(nested_hash(reverse_bits(x), seed)); }

// The second Sobol dimension: primitive polynomial x + 1, direction numbers v_k = v_(k-1) ^ (v_(k-1) >> 1).
std::uint32_t sobol_second(std::uint32_t index) {
    std::uint32_t result = 0;
    for (std::uint32_t v = 1u << 31; index != 0; index >>= 1, v ^= v >> 1)
        if (index & 1u) result ^= v;
    return result;
}

// The finaliser of splitmix64: every input bit affects every output bit.
std::uint64_t mix_bits(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

}  // namespace

SampleTable::SampleTable(int sample_count, int pair_count, std::uint64_t seed)
    : sample_count_(sample_count), pair_count_(pair_count), seed_(seed) {
    bits_.reserve(static_cast<std::size_t>(sample_count) * static_cast<std::size_t>(pair_count));
    for (int p = 0; p < pair_count; ++p) {
        const std::uint64_t a = mix_bits(seed * 31 + static_cast<std::uint64_t>(p)), b = mix_bits(a);
        const auto shuffle = static_cast<std::uint32_t>(a), seed_x = static_cast<std::uint32_t>(b);
        const auto seed_y = static_cast<std::uint32_t>(b >> 32);
        for (int s = 0; s < sample_count; ++s) {
            // The shuffle keeps the first 2^k points an aligned block of the sequence, so every such prefix is well
            // distributed.
            const std::uint32_t i = owen_scramble(static_cast<std::uint32_t>(s), shuffle);
            bits_.push_back({owen_scramble(reverse_bits(i), seed_x), owen_scramble(sobol_second(i), seed_y)});
        }
    }
}

PixelSampler::PixelSampler(const SampleTable& table, std::uint64_t pixel) : table_(table) {
    for (int p = 0; p < std::min(table.pair_count_, max_pairs); ++p) {
        const std::uint64_t h = mix_bits(mix_bits(table.seed_ ^ (pixel * 64 + static_cast<std::uint64_t>(p))));
        shift_[p] = {static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(h >> 32)};
    }
}

Sample2 PixelSampler::pair(int pair, int sample) const {
    const int p = std::min(pair, std::min(table_.pair_count_, max_pairs) - 1);
    const SampleTable::Bits& bits = table_.bits_[static_cast<std::size_t>(p * table_.sample_count_ + sample)];
    constexpr float scale = 0x1p-24f;  // 24 bits fill a float's mantissa, so the result is below 1
    return {static_cast<float>((bits.x ^ shift_[p].x) >> 8) * scale,
            static_cast<float>((bits.y ^ shift_[p].y) >> 8) * scale};
}

}  // namespace asperity::render

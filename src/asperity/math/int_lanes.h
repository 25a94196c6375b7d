// Eight integers processed together, as Lanes. Arithmetic is modulo 2^32, so results are the same on every machine.
#pragma once
#include "asperity/math/lanes.h"

namespace asperity {

using LaneInts = LaneMask;  // a comparison gives -1 where true
using LaneWords = unsigned __attribute__((vector_size(kLanes * sizeof(unsigned))));

[[gnu::always_inline]] inline LaneWords all_words(unsigned x) { return LaneWords{x, x, x, x, x, x, x, x}; }
[[gnu::always_inline]] inline LaneInts all_ints(int x) { return LaneInts{x, x, x, x, x, x, x, x}; }
/// 0, 1 .. 7
[[gnu::always_inline]] inline LaneWords lane_numbers() { return LaneWords{0, 1, 2, 3, 4, 5, 6, 7}; }
[[gnu::always_inline]] inline LaneInts as_ints(LaneWords a) { return reinterpret_cast<LaneInts>(a); }
[[gnu::always_inline]] inline Lanes as_floats(LaneInts a) { return __builtin_convertvector(a, Lanes); }

/// Converts a mask to bits (bit i for lane i), and back.
[[gnu::always_inline]] inline unsigned bits_of(LaneInts mask) {
#if defined(__AVX__)
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#else
    unsigned bits = 0;
    for (int i = 0; i < kLanes; ++i) bits |= mask[i] < 0 ? 1U << i : 0U;
    return bits;
#endif
}
[[gnu::always_inline]] inline LaneInts lanes_of(unsigned bits) {
    constexpr LaneInts one = {1, 2, 4, 8, 16, 32, 64, 128};
    return (all_ints(static_cast<int>(bits)) & one) != 0;
}
/// a where the mask is set, else 0.
[[gnu::always_inline]] inline Lanes keep(LaneInts mask, Lanes a) {
    return reinterpret_cast<Lanes>(reinterpret_cast<LaneInts>(a) & mask);
}
/// |a|, in one instruction.
[[gnu::always_inline]] inline Lanes magnitude(Lanes a) {
    return reinterpret_cast<Lanes>(reinterpret_cast<LaneInts>(a) & 0x7fffffff);
}

}  // namespace asperity

// Eight floats processed together, as GCC and clang vector types: one AVX register if available, else two SSE registers.
// Multiply-adds are fused where the processor supports it, so the last bit may differ between machines. No operation is
// approximate.
#pragma once
#include <bit>
#include <cmath>
#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace asperity {

constexpr int kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using LaneMask = int __attribute__((vector_size(kLanes * sizeof(int))));

[[gnu::always_inline]] inline Lanes all_lanes(float x) { return Lanes{x, x, x, x, x, x, x, x}; }
[[gnu::always_inline]] inline Lanes select(LaneMask mask, Lanes yes, Lanes no) { return mask ? yes : no; }
[[gnu::always_inline]] inline Lanes max(Lanes a, Lanes b) { return a > b ? a : b; }
[[gnu::always_inline]] inline Lanes min(Lanes a, Lanes b) { return a < b ? a : b; }
[[gnu::always_inline]] inline Lanes abs(Lanes a) { return a < 0 ? -a : a; }
[[gnu::always_inline]] inline Lanes sqrt(Lanes a) {
#if defined(__AVX__)
    return _mm256_sqrt_ps(a);
#else
    Lanes out;
    for (int i = 0; i < kLanes; ++i) out[i] = std::sqrt(a[i]);
    return out;
#endif
}
/// a b + c, and a b - c.
[[gnu::always_inline]] inline Lanes mul_add(Lanes a, Lanes b, Lanes c) {
#if defined(__FMA__)
    return _mm256_fmadd_ps(a, b, c);
#else
    return a * b + c;
#endif
}
[[gnu::always_inline]] inline Lanes mul_sub(Lanes a, Lanes b, Lanes c) {
#if defined(__FMA__)
    return _mm256_fmsub_ps(a, b, c);
#else
    return a * b - c;
#endif
}
[[gnu::always_inline]] inline float largest(Lanes a) {
    float best = a[0];
    for (int i = 1; i < kLanes; ++i) best = a[i] > best ? a[i] : best;
    return best;
}

/// Two numbers per lane in 32 bits: the upper halves of two floats, with 8 significant bits each (relative error 0.4 %).
struct LanePair {
    LaneMask bits;

    [[gnu::always_inline]] Lanes first() const { return std::bit_cast<Lanes>(bits & static_cast<int>(0xffff0000U)); }
    [[gnu::always_inline]] Lanes second() const { return std::bit_cast<Lanes>(bits << 16); }
};
[[gnu::always_inline]] inline LanePair paired(Lanes first, Lanes second) {
    using Words = unsigned __attribute__((vector_size(kLanes * sizeof(unsigned))));
    const auto rounded = [](Lanes x) { return std::bit_cast<Words>(x) + 0x8000U; };  // round to nearest
    return {std::bit_cast<LaneMask>((rounded(first) & 0xffff0000U) | (rounded(second) >> 16))};
}

/// During its lifetime, floats below 1.2e-38 count as zero on this thread. Denormal floats, which occur where impulses
/// decay, would cost about a hundred times as much.
class FlushTinyFloats {
#if defined(__SSE__)
  public:
    FlushTinyFloats() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); }  // flush to zero, denormals are zero
    ~FlushTinyFloats() { _mm_setcsr(before_); }
    FlushTinyFloats(const FlushTinyFloats&) = delete;
    FlushTinyFloats& operator=(const FlushTinyFloats&) = delete;

  private:
    unsigned before_;
#endif
};

/// Eight consecutive doubles, rounded to floats.
[[gnu::always_inline]] inline Lanes rounded(const double* from) {
    using Doubles = double __attribute__((vector_size(kLanes * sizeof(double)), aligned(alignof(double))));
    return __builtin_convertvector(*reinterpret_cast<const Doubles*>(from), Lanes);
}

/// Transposes: lane j of out[i] is lane i of in[j].
[[gnu::always_inline]] inline void transpose(const Lanes in[kLanes], Lanes out[kLanes]) {
    Lanes pairs[kLanes], quads[kLanes];
#pragma GCC unroll 4
    for (int i = 0; i < kLanes; i += 2) {
        pairs[i] = __builtin_shufflevector(in[i], in[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[i + 1] = __builtin_shufflevector(in[i], in[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
#pragma GCC unroll 2
    for (int i = 0; i < kLanes; i += 4) {
        quads[i] = __builtin_shufflevector(pairs[i], pairs[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        quads[i + 1] = __builtin_shufflevector(pairs[i], pairs[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        quads[i + 2] = __builtin_shufflevector(pairs[i + 1], pairs[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        quads[i + 3] = __builtin_shufflevector(pairs[i + 1], pairs[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        out[i] = __builtin_shufflevector(quads[i], quads[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        out[i + 4] = __builtin_shufflevector(quads[i], quads[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/// Eight 3-vectors.
struct Lanes3 {
    Lanes x, y, z;
};
[[gnu::always_inline]] inline Lanes3 operator+(const Lanes3& a, const Lanes3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[gnu::always_inline]] inline Lanes3 operator-(const Lanes3& a, const Lanes3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[gnu::always_inline]] inline Lanes3 operator*(Lanes s, const Lanes3& a) { return {s * a.x, s * a.y, s * a.z}; }
[[gnu::always_inline]] inline Lanes dot(const Lanes3& a, const Lanes3& b) {
    return mul_add(a.x, b.x, mul_add(a.y, b.y, a.z * b.z));
}
[[gnu::always_inline]] inline Lanes3 cross(const Lanes3& a, const Lanes3& b) {
    return {mul_sub(a.y, b.z, a.z * b.y), mul_sub(a.z, b.x, a.x * b.z), mul_sub(a.x, b.y, a.y * b.x)};
}

/// a + s b.
[[gnu::always_inline]] inline Lanes3 add_scaled(const Lanes3& a, Lanes s, const Lanes3& b) {
    return {mul_add(s, b.x, a.x), mul_add(s, b.y, a.y), mul_add(s, b.z, a.z)};
}

/// Eight symmetric 3x3 matrices.
struct LanesSym3 {
    Lanes xx, yy, zz, xy, xz, yz;
};
[[gnu::always_inline]] inline Lanes3 operator*(const LanesSym3& m, const Lanes3& v) {
    return {mul_add(m.xx, v.x, mul_add(m.xy, v.y, m.xz * v.z)), mul_add(m.xy, v.x, mul_add(m.yy, v.y, m.yz * v.z)),
            mul_add(m.xz, v.x, mul_add(m.yz, v.y, m.zz * v.z))};
}

}  // namespace asperity

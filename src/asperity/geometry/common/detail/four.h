// Four doubles at a time (SIMD). Compilers map them to the vector unit of the machine. Each lane rounds as a single double
// does, so results are bitwise equal on all machines.
#pragma once
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "asperity/math/vec.h"

namespace asperity::geometry::detail {

using Four = double __attribute__((vector_size(32), aligned(8), may_alias));
using FourFlags = long long __attribute__((vector_size(32)));

inline Four& four(double* p) { return *reinterpret_cast<Four*>(p); }
inline const Four& four(const double* p) { return *reinterpret_cast<const Four*>(p); }
inline Four all_four(double x) { return Four{x, x, x, x}; }
/// A NaN in `a` yields `b`.
inline Four larger_of(const Four& a, const Four& b) { return a > b ? a : b; }
inline Four smaller_of(const Four& a, const Four& b) { return a < b ? a : b; }
inline Four root_of(const Four& a) {
#ifdef __AVX__
    return reinterpret_cast<Four>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(a)));
#else
    return Four{__builtin_sqrt(a[0]), __builtin_sqrt(a[1]), __builtin_sqrt(a[2]), __builtin_sqrt(a[3])};
#endif
}
/// A vector in three lanes, any value in the fourth: x y z, y z x and z x y.
inline Four xyz(const Vec3& v) { return Four{v.x, v.y, v.z, v.z}; }
inline Four yzx(const Four& a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
inline Four zxy(const Four& a) { return __builtin_shufflevector(a, a, 2, 0, 1, 3); }
inline Vec3 first_three(const Four& a) { return {a[0], a[1], a[2]}; }
inline Four cross(const Four& a, const Four& b) { return yzx(a) * zxy(b) - zxy(a) * yzx(b); }
inline double dot(const Four& a, const Four& b) {
    const Four terms = a * b;
    return terms[0] + terms[1] + terms[2];
}
/// A matrix that multiplies such vectors.
struct FourColumns {
    Four x{}, y{}, z{};
    FourColumns() = default;
    explicit FourColumns(const Mat3& m) : x(xyz(m.column(0))), y(xyz(m.column(1))), z(xyz(m.column(2))) {}
    Four operator*(const Four& v) const { return x * v[0] + y * v[1] + z * v[2]; }
};
inline double sum_of(const Four& a) { return (a[0] + a[1]) + (a[2] + a[3]); }
/// Bit i is set where lane i of a comparison is true.
inline int bits(const FourFlags& f) {
#ifdef __AVX__
    return _mm256_movemask_pd(reinterpret_cast<__m256d>(f));
#else
    return static_cast<int>((f[0] & 1) | (f[1] & 2) | (f[2] & 4) | (f[3] & 8));
#endif
}

}  // namespace asperity::geometry::detail

#include "asperity/linear/wide_kernels.h"

#include "asperity/linear/front_kernels.h"

#if defined(__x86_64__) && defined(__FMA__)
#define ASPERITY_WIDE [[gnu::target("avx512f")]]
#endif

namespace asperity::linear {

#if defined(ASPERITY_WIDE)

namespace {

using Octet = double __attribute__((vector_size(64)));
using LooseOctet = double __attribute__((vector_size(64), aligned(8), may_alias));

/// The 24 rows of one column: rows 0 to 7 of the first group, its last four and the first four of the second, and the rest.
struct TwentyFour {
    Octet part[3];
};

ASPERITY_WIDE inline Octet join(Quad low, Quad high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }

ASPERITY_WIDE inline TwentyFour load(const double* a, const double* next) {
    return {{*reinterpret_cast<const LooseOctet*>(a), join(quad(a + 8), quad(next)),
             *reinterpret_cast<const LooseOctet*>(next + 4)}};
}

ASPERITY_WIDE inline void store(double* a, double* next, const TwentyFour& t) {
    *reinterpret_cast<LooseOctet*>(a) = t.part[0];
    quad(a + 8) = __builtin_shufflevector(t.part[1], t.part[1], 0, 1, 2, 3);
    quad(next) = __builtin_shufflevector(t.part[1], t.part[1], 4, 5, 6, 7);
    *reinterpret_cast<LooseOctet*>(next + 4) = t.part[2];
}

ASPERITY_WIDE inline void subtract(TwentyFour& c, const TwentyFour& a, double b) {
    const Octet factor = {b, b, b, b, b, b, b, b};
    c.part[0] = _mm512_fnmadd_pd(a.part[0], factor, c.part[0]);
    c.part[1] = _mm512_fnmadd_pd(a.part[1], factor, c.part[1]);
    c.part[2] = _mm512_fnmadd_pd(a.part[2], factor, c.part[2]);
}

template <int Columns>
ASPERITY_WIDE inline void subtract(const double* a, const double* a_next, const double* b, int depth,
                                   TwentyFour (&c)[Columns]) {
    for (int k = 0; k < depth; ++k, a += kGroup, a_next += kGroup, b += kGroup) {
        const TwentyFour column = load(a, a_next);
#pragma GCC unroll 4
        for (int j = 0; j < Columns; ++j) subtract(c[j], column, b[j]);
    }
}

template <int Columns>
ASPERITY_WIDE inline void subtract(const double* a, const double* a_next, const double* b, int depth, double* c,
                                   double* c_next) {
    TwentyFour sum[Columns];
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) sum[j] = load(c + j * kGroup, c_next + j * kGroup);
    subtract<Columns>(a, a_next, b, depth, sum);
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) store(c + j * kGroup, c_next + j * kGroup, sum[j]);
}

template <int Columns>
ASPERITY_WIDE inline void solve(double* strip, double* next, const double* l, const double* inverse, int begin, int first) {
    TwentyFour x[Columns];
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) x[j] = load(strip + (first + j) * kGroup, next + (first + j) * kGroup);
    subtract<Columns>(strip + begin * kGroup, next + begin * kGroup, l + begin * kGroup, first - begin, x);
    const double* triangle = l + first * kGroup;
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) {
#pragma GCC unroll 4
        for (int k = 0; k < j; ++k) subtract(x[j], x[k], triangle[k * kGroup + j]);
        const double b = inverse[first + j];
        const Octet factor = {b, b, b, b, b, b, b, b};
        for (Octet& part : x[j].part) part *= factor;
        store(strip + (first + j) * kGroup, next + (first + j) * kGroup, x[j]);
    }
}

}  // namespace

bool has_wide_kernels() {
    static const bool has = __builtin_cpu_supports("avx512f");
    return has;
}

ASPERITY_WIDE void subtract_two_squares(const double* a, const double* a_next, const double* b, int depth, int columns,
                                        double* c, double* c_next) {
    for (; columns >= 4; columns -= 4, b += 4, c += 4 * kGroup, c_next += 4 * kGroup)
        subtract<4>(a, a_next, b, depth, c, c_next);
    switch (columns) {
        case 1: return subtract<1>(a, a_next, b, depth, c, c_next);
        case 2: return subtract<2>(a, a_next, b, depth, c, c_next);
        case 3: return subtract<3>(a, a_next, b, depth, c, c_next);
        default: return;
    }
}

ASPERITY_WIDE void solve_two_strips(double* strip, double* strip_next, const double* diagonal_groups, const double* inverse,
                                    int begin, int end) {
    int j = begin;
    for (; j + 4 <= end; j += 4) solve<4>(strip, strip_next, rows_of_column(diagonal_groups, j), inverse, begin, j);
    const double* rows = rows_of_column(diagonal_groups, j);
    switch (end - j) {
        case 1: return solve<1>(strip, strip_next, rows, inverse, begin, j);
        case 2: return solve<2>(strip, strip_next, rows, inverse, begin, j);
        case 3: return solve<3>(strip, strip_next, rows, inverse, begin, j);
        default: return;
    }
}

#else

bool has_wide_kernels() { return false; }

void subtract_two_squares(const double* a, const double* a_next, const double* b, int depth, int columns, double* c,
                          double* c_next) {
    subtract_square(a, b, depth, columns, c);
    subtract_square(a_next, b, depth, columns, c_next);
}

void solve_two_strips(double* strip, double* strip_next, const double* diagonal_groups, const double* inverse, int begin,
                      int end) {
    solve_strip(strip, diagonal_groups, inverse, begin, end);
    solve_strip(strip_next, diagonal_groups, inverse, begin, end);
}

#endif

}  // namespace asperity::linear

#include "asperity/math/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#if defined(__FMA__)
#include <immintrin.h>
#endif

#include "asperity/core/stop.h"

namespace asperity {
namespace {

size_t at(int i) { return static_cast<size_t>(i); }

// columns eliminated before the rest is updated; the rows of U for one panel then fit into the first-level cache
constexpr int kPanel = 24;

using Four = double __attribute__((vector_size(32)));
[[gnu::always_inline]] inline Four load(const double* p) {
    Four v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
[[gnu::always_inline]] inline void store(double* p, const Four& v) { std::memcpy(p, &v, sizeof v); }
/// c - a b
[[gnu::always_inline]] inline Four subtract(const Four& c, double a, const Four& b) {
    const Four all = {a, a, a, a};
#if defined(__FMA__)
    return _mm256_fnmadd_pd(all, b, c);
#else
    return c - all * b;
#endif
}

/// C -= A B for four rows and eight columns, held in registers over the whole depth.
void tile_4x8(double* c, const double* a, const double* b, int depth, size_t s) {
    Four c00 = load(c), c01 = load(c + 4), c10 = load(c + s), c11 = load(c + s + 4);
    Four c20 = load(c + 2 * s), c21 = load(c + 2 * s + 4), c30 = load(c + 3 * s), c31 = load(c + 3 * s + 4);
    for (int k = 0; k < depth; ++k, b += s) {
        const Four b0 = load(b), b1 = load(b + 4);
        c00 = subtract(c00, a[k], b0);
        c01 = subtract(c01, a[k], b1);
        c10 = subtract(c10, a[s + at(k)], b0);
        c11 = subtract(c11, a[s + at(k)], b1);
        c20 = subtract(c20, a[2 * s + at(k)], b0);
        c21 = subtract(c21, a[2 * s + at(k)], b1);
        c30 = subtract(c30, a[3 * s + at(k)], b0);
        c31 = subtract(c31, a[3 * s + at(k)], b1);
    }
    store(c, c00), store(c + 4, c01), store(c + s, c10), store(c + s + 4, c11);
    store(c + 2 * s, c20), store(c + 2 * s + 4, c21), store(c + 3 * s, c30), store(c + 3 * s + 4, c31);
}

void tile_1x8(double* c, const double* a, const double* b, int depth, size_t s) {
    Four c0 = load(c), c1 = load(c + 4);
    for (int k = 0; k < depth; ++k, b += s) {
        c0 = subtract(c0, a[k], load(b));
        c1 = subtract(c1, a[k], load(b + 4));
    }
    store(c, c0), store(c + 4, c1);
}

/// C -= A B for `rows` x `columns` entries with inner dimension `depth`. All three lie in one matrix of row length `stride`.
void subtract_product(double* c, const double* a, const double* b, int rows, int columns, int depth, int stride) {
    const size_t s = at(stride);
    int j = 0;
    for (; j + 8 <= columns; j += 8) {
        if (stop_requested()) return;  // a front of ten thousand rows takes seconds
        int i = 0;
        for (; i + 4 <= rows; i += 4) tile_4x8(c + at(i) * s + j, a + at(i) * s, b + j, depth, s);
        for (; i < rows; ++i) tile_1x8(c + at(i) * s + j, a + at(i) * s, b + j, depth, s);
    }
    for (int i = 0; i < rows; ++i)
        for (int t = j; t < columns; ++t) {
            double sum = c[at(i) * s + at(t)];
            for (int k = 0; k < depth; ++k) sum -= a[at(i) * s + at(k)] * b[at(k) * s + at(t)];
            c[at(i) * s + at(t)] = sum;
        }
}

}  // namespace

int eliminate(double* m, int size, int pivots, double smallest, int* swap) {
    int replaced = 0;
    const auto row = [&](int i) { return m + static_cast<size_t>(i) * static_cast<size_t>(size); };
    for (int first = 0; first < pivots && !stop_requested(); first += kPanel) {
        const int last = std::min(first + kPanel, pivots);
        for (int k = first; k < last; ++k) {
            int best = k;
            for (int i = k + 1; i < pivots; ++i)
                if (std::fabs(row(i)[k]) > std::fabs(row(best)[k])) best = i;
            swap[k] = best;
            if (best != k) std::swap_ranges(row(k), row(k) + size, row(best));
            double& pivot = row(k)[k];
            if (!(std::fabs(pivot) >= smallest)) {
                pivot = std::copysign(smallest, pivot);
                ++replaced;
            }
            const double inverse = 1 / pivot;
            for (int i = k + 1; i < size; ++i) {
                double* r = row(i);
                if (r[k] == 0) continue;
                const double factor = r[k] *= inverse;
                for (int j = k + 1; j < last; ++j) r[j] -= factor * row(k)[j];
            }
        }
        for (int k = first + 1; k < last; ++k)  // rows of U to the right of the panel
            for (int t = first; t < k; ++t) {
                const double factor = row(k)[t];
                const double* from = row(t);
                double* to = row(k);
                for (int j = last; j < size; ++j) to[j] -= factor * from[j];
            }
        subtract_product(row(last) + last, row(last) + first, row(first) + last, size - last, size - last, last - first,
                         size);
    }
    return replaced;
}

}  // namespace asperity

#include "asperity/math/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace asperity {
namespace {

constexpr int kPanel = 24;   // columns eliminated before the rest is updated: the strip of U it needs stays in the nearest cache

using Four = double __attribute__((vector_size(32)));
inline Four load(const double* p) {
    Four v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline void store(double* p, const Four& v) { std::memcpy(p, &v, sizeof v); }

/// rows x columns of C -= A B with `depth` inner columns; all three lie in one matrix of row length `stride`.
void subtract_product(double* c, const double* a, const double* b, int rows, int columns, int depth, int stride) {
    const auto s = static_cast<size_t>(stride);
    int j = 0;
    for (; j + 8 <= columns; j += 8) {
        int i = 0;
        for (; i + 4 <= rows; i += 4) {
            double* c0 = c + static_cast<size_t>(i) * s + j;
            const double* a0 = a + static_cast<size_t>(i) * s;
            Four x[4][2];
            for (size_t r = 0; r < 4; ++r) x[r][0] = load(c0 + r * s), x[r][1] = load(c0 + r * s + 4);
            for (int k = 0; k < depth; ++k) {
                const double* row = b + static_cast<size_t>(k) * s + j;
                const Four b0 = load(row), b1 = load(row + 4);
                for (size_t r = 0; r < 4; ++r) {
                    const double factor = a0[r * s + static_cast<size_t>(k)];
                    const Four f = {factor, factor, factor, factor};
                    x[r][0] -= f * b0;
                    x[r][1] -= f * b1;
                }
            }
            for (size_t r = 0; r < 4; ++r) store(c0 + r * s, x[r][0]), store(c0 + r * s + 4, x[r][1]);
        }
        for (; i < rows; ++i) {
            double* c0 = c + static_cast<size_t>(i) * s + j;
            Four x0 = load(c0), x1 = load(c0 + 4);
            for (int k = 0; k < depth; ++k) {
                const double factor = a[static_cast<size_t>(i) * s + static_cast<size_t>(k)];
                const Four f = {factor, factor, factor, factor};
                const double* row = b + static_cast<size_t>(k) * s + j;
                x0 -= f * load(row);
                x1 -= f * load(row + 4);
            }
            store(c0, x0);
            store(c0 + 4, x1);
        }
    }
    if (j == columns) return;
    for (int i = 0; i < rows; ++i) {
        double* row_c = c + static_cast<size_t>(i) * s;
        for (int k = 0; k < depth; ++k) {
            const double factor = a[static_cast<size_t>(i) * s + static_cast<size_t>(k)];
            const double* row_b = b + static_cast<size_t>(k) * s;
            for (int t = j; t < columns; ++t) row_c[t] -= factor * row_b[t];
        }
    }
}

}  // namespace

int eliminate(double* m, int size, int pivots, double smallest, int* swap) {
    int replaced = 0;
    const auto row = [&](int i) { return m + static_cast<size_t>(i) * static_cast<size_t>(size); };
    for (int first = 0; first < pivots; first += kPanel) {
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
        for (int k = first + 1; k < last; ++k)   // the rows of U to the right of the panel
            for (int t = first; t < k; ++t) {
                const double factor = row(k)[t];
                const double* from = row(t);
                double* to = row(k);
                for (int j = last; j < size; ++j) to[j] -= factor * from[j];
            }
        subtract_product(row(last) + last, row(last) + first, row(first) + last, size - last, size - last, last - first, size);
    }
    return replaced;
}

}  // namespace asperity

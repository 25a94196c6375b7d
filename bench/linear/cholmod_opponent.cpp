#include "bench/linear/cholmod_opponent.h"

#include <cholmod.h>

#include <algorithm>
#include <cmath>

namespace asperity::bench {
namespace {

constexpr int kDim = 3;

/// The lower triangle by rows is, read by columns, the upper triangle.
cholmod_sparse* upper_triangle(const linear::BlockPattern& pattern, std::span<const double> values, cholmod_common& common) {
    const auto n = static_cast<std::size_t>(pattern.size()) * kDim;
    std::size_t nonzeros = 0;
    for (std::size_t i = 0; i + 1 < pattern.start.size(); ++i)
        nonzeros +=
            static_cast<std::size_t>(pattern.start[i + 1] - pattern.start[i] - 1) * kDim * kDim + kDim * (kDim + 1) / 2;
    cholmod_sparse* a = cholmod_allocate_sparse(n, n, nonzeros, 1, 1, 1, CHOLMOD_REAL, &common);
    auto* start = static_cast<int*>(a->p);
    auto* index = static_cast<int*>(a->i);
    auto* value = static_cast<double*>(a->x);
    int at = 0;
    for (int i = 0; i < pattern.size(); ++i)
        for (int f = 0; f < kDim; ++f) {
            start[i * kDim + f] = at;
            for (int k = pattern.start[static_cast<std::size_t>(i)]; k < pattern.start[static_cast<std::size_t>(i) + 1];
                 ++k) {
                const int j = pattern.column[static_cast<std::size_t>(k)];
                for (int e = 0; e < (j == i ? f + 1 : kDim); ++e) {
                    index[at] = j * kDim + e;
                    value[at++] = values[static_cast<std::size_t>((k * kDim + e) * kDim + f)];
                }
            }
        }
    start[n] = at;
    return a;
}

}  // namespace

CpuTimes measure_cholmod(const linear::BlockPattern& pattern, std::span<const double> values, const std::vector<double>& rhs,
                         int repetitions) {
    cholmod_common common;
    cholmod_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    common.postorder = 1;
    cholmod_sparse* a = upper_triangle(pattern, values, common);
    cholmod_dense* b = cholmod_allocate_dense(a->nrow, 1, a->nrow, CHOLMOD_REAL, &common);
    std::copy(rhs.begin(), rhs.end(), static_cast<double*>(b->x));
    CpuTimes best{1e300, 1e300, 1e300, 1e300, 1e300, 1e300};
    for (int r = 0; r < repetitions; ++r) {
        double cpu = cpu_ms(), wall = wall_ms();
        const auto lap = [&](double& cpu_best, double& wall_best) {
            cpu_best = std::min(cpu_best, cpu_ms() - cpu);
            wall_best = std::min(wall_best, wall_ms() - wall);
            cpu = cpu_ms();
            wall = wall_ms();
        };
        cholmod_factor* l = cholmod_analyze(a, &common);
        lap(best.analyse, best.analyse_wall);
        for (int k = 0; k < 2; ++k) {
            cholmod_factorize(a, l, &common);
            lap(best.factor, best.factor_wall);
        }
        cholmod_dense* x = cholmod_solve(CHOLMOD_A, l, b, &common);
        lap(best.solve, best.solve_wall);
        best.flops = common.fl;
        best.values = static_cast<double>(l->xsize);
        best.error = 0;
        for (std::size_t i = 0; i < rhs.size(); ++i)
            best.error = std::max(best.error, std::abs(static_cast<double*>(x->x)[i] - 1));
        cholmod_free_dense(&x, &common);
        cholmod_free_factor(&l, &common);
    }
    cholmod_free_dense(&b, &common);
    cholmod_free_sparse(&a, &common);
    cholmod_finish(&common);
    return best;
}

}  // namespace asperity::bench

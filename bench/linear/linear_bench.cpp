// linear_bench [CELLS ...]: analysis, factorisation and solve of elastic cubes, by SparseCholesky and by CHOLMOD. Default:
// 10, 15 and 26 cells along an edge, which are 6,000, 20,250 and 105,456 tetrahedra. With a BLAS of several threads, set
// OPENBLAS_NUM_THREADS=1.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "asperity/core/threads.h"
#include "asperity/linear/sparse_cholesky.h"
#include "bench/linear/cholmod_opponent.h"
#include "tests/support/elastic_cube.h"

namespace asperity::bench {

double cpu_ms() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

double wall_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {

CpuTimes measure_own(const linear::BlockPattern& pattern, const std::vector<double>& values, const std::vector<double>& rhs,
                     int repetitions, int threads) {
    set_thread_count(threads);
    CpuTimes best{1e300, 1e300, 1e300, 1e300, 1e300, 1e300};
    std::vector<double> x;
    for (int r = 0; r < repetitions; ++r) {
        linear::SparseCholesky<3> cholesky;
        double cpu = cpu_ms(), wall = wall_ms();
        const auto lap = [&](double& cpu_best, double& wall_best) {
            cpu_best = std::min(cpu_best, cpu_ms() - cpu);
            wall_best = std::min(wall_best, wall_ms() - wall);
            cpu = cpu_ms();
            wall = wall_ms();
        };
        cholesky.analyse(pattern);
        lap(best.analyse, best.analyse_wall);
        for (int k = 0; k < 4; ++k) {
            static_cast<void>(cholesky.factor(values));
            lap(best.factor, best.factor_wall);
        }
        for (int k = 0; k < 4; ++k) {
            x = rhs;
            cholesky.solve(x);
            lap(best.solve, best.solve_wall);
        }
        best.flops = cholesky.flops();
        best.values = static_cast<double>(cholesky.factor_values());
        best.error = 0;
        for (const double v : x) best.error = std::max(best.error, std::abs(v - 1));
    }
    set_thread_count(1);
    return best;
}

void print(const char* name, const CpuTimes& t) {
    fmt::print("  {:<24} {:9.2f} {:9.2f} {:8.2f}   {:9.2f} {:8.2f}   {:8.3f} {:8.1f} {:7.1f}   {:.0e}\n", name, t.analyse,
               t.factor, t.solve, t.factor_wall, t.solve_wall, t.flops * 1e-9, t.flops / t.factor_wall * 1e-6,
               t.values * 1e-6, t.error);
}

void compare(int cells) {
    const auto mesh = testing_support::elastic_mesh<3>(cells);
    const linear::BlockPattern pattern = testing_support::elastic_pattern(mesh);
    // E = 1e6, nu = 0.4, 1000 kg/m^3 in steps of 0.01 s
    const std::vector<double> values = testing_support::elastic_values(mesh, pattern, 1.43e6, 3.57e5, 1e7);
    const std::vector<double> rhs =
        testing_support::product<3>(pattern, values, std::vector<double>(mesh.positions.size() * 3, 1.0));
    const int repetitions = cells <= 10 ? 15 : cells <= 16 ? 5 : 2;
    fmt::print("{} tetrahedra, {} unknowns\n", mesh.elements.size(), rhs.size());
    fmt::print("  {:<24} {:>9} {:>9} {:>8}   {:>9} {:>8}   {:>8} {:>8} {:>7}   {}\n", "CPU ms; wall; GF, 1e6", "analyse",
               "factor", "solve", "factor", "solve", "GF", "GF/s", "values", "error");
    const CpuTimes own = measure_own(pattern, values, rhs, repetitions, 1);
    print("own, 1 thread", own);
    print("own, 2 threads", measure_own(pattern, values, rhs, repetitions, 2));
    if (std::getenv("LINEAR_BENCH_ALONE") != nullptr) return;
    const CpuTimes other = measure_cholmod(pattern, values, rhs, std::max(1, repetitions / 2));
    print("CHOLMOD, METIS", other);
    fmt::print("  {:<24} {:9.2f} {:9.2f} {:8.2f}\n", "own over CHOLMOD", own.analyse / other.analyse,
               own.factor / other.factor, own.solve / other.solve);
}

}  // namespace
}  // namespace asperity::bench

int main(int argc, char** argv) {
    if (argc < 2)
        for (const int cells : {10, 15, 26}) asperity::bench::compare(cells);
    for (int i = 1; i < argc; ++i) asperity::bench::compare(std::atoi(argv[i]));
    return 0;
}

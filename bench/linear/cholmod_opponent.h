// CHOLMOD's supernodal factorisation with METIS, on matrices of 3 x 3 blocks.
#pragma once
#include <span>
#include <vector>

#include "asperity/linear/block_pattern.h"

namespace asperity::bench {

struct CpuTimes {
    double analyse = 0, factor = 0, solve = 0;  ///< CPU time of the process, all threads [ms]; the best of some repetitions
    double analyse_wall = 0, factor_wall = 0, solve_wall = 0;
    double flops = 0, values = 0, error = 0;  ///< the largest error of the solution 1
};

/// CPU time of this process, and the time of day [ms].
double cpu_ms();
double wall_ms();

CpuTimes measure_cholmod(const linear::BlockPattern& pattern, std::span<const double> values, const std::vector<double>& rhs,
                         int repetitions);

}  // namespace asperity::bench

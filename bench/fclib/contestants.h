// The compared solvers: a name and a function that solves a problem. All run on one thread.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "asperity/fclib/problem.h"

namespace asperity::bench {

/// A problem file in memory.
struct Problem {
    std::string name;  ///< file name without extension
    fclib::ProblemFile file;
    fclib::LocalProblem local;  ///< for a local file, without equations; empty for a global one
    bool is_global() const { return file.is_global(); }
};

/// Result of one solve. Its error is not the solver's own estimate: the caller computes it from r (and v).
struct Outcome {
    double seconds = 0;
    int iterations = 0;
    std::vector<double> r, v;  ///< v only for global problems
};

struct Contestant {
    std::string name;
    bool ours = false, global = false;  ///< global: takes global problems, and only those
    std::function<Outcome(const Problem&, double tolerance, double time_limit)> solve;
};

/// All assembled solvers: for local problems, and by reduction for global ones, where the time to assemble W is included.
std::vector<Contestant> our_contestants();
/// The solvers of Siconos; empty if it was not found at build time.
std::vector<Contestant> siconos_contestants();

double cpu_seconds();

/// Time of one solve. CPU time does not depend on other work of the machine, but its clock may tick in steps of
/// milliseconds. So a solve of only a few ticks is also timed by wall clock, and the smaller time counts. The caller
/// repeats such solves and takes the shortest time.
class Stopwatch {
  public:
    Stopwatch() : cpu_(cpu_seconds()), wall_(wall_seconds()) {}
    double seconds() const {
        const double cpu = cpu_seconds() - cpu_;
        return cpu >= kTrusted ? cpu : std::min(cpu + kTick, wall_seconds() - wall_);
    }

  private:
    static constexpr double kTrusted = 0.05, kTick = 0.004;
    static double wall_seconds();
    double cpu_, wall_;
};

/// The error in Siconos' own measure, computed by us.
double error_of(const Problem& problem, const Outcome& outcome);

}  // namespace asperity::bench

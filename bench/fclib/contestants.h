// Who takes part: a name and a way to solve a problem. Everybody runs on one thread.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "asperity/fclib/problem.h"

namespace asperity::bench {

/// A problem file, read once.
struct Problem {
    std::string name;  ///< file name without its ending
    fclib::ProblemFile file;
    fclib::LocalProblem local;  ///< of a local file, without equations; empty for a global one
    bool is_global() const { return file.is_global(); }
};

/// What one solve came to. The error is not the solver's own word: the caller computes it from r (and v).
struct Outcome {
    double seconds = 0;
    int iterations = 0;
    std::vector<double> r, v;  ///< v for global problems
};

struct Contestant {
    std::string name;
    bool ours = false, global = false;  ///< whether it takes global problems, and only those
    std::function<Outcome(const Problem&, double tolerance, double time_limit)> solve;
};

/// All assembled solvers, on local problems and, by reduction, on global ones: there the time to make W counts.
std::vector<Contestant> our_contestants();
/// Those of Siconos; empty where it was not found when this was built.
std::vector<Contestant> siconos_contestants();

double cpu_seconds();

/// Time of one solve. CPU time, which does not mind what else the machine does; but that clock may tick in steps of
/// milliseconds, so what is over within a few ticks is timed by the wall too, the smaller counts, and the caller repeats it
/// and takes the shortest.
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

/// The error of Siconos' own measure, computed by us.
double error_of(const Problem& problem, const Outcome& outcome);

}  // namespace asperity::bench

#include "asperity/solvers/sweeps/auto_in_step.h"

#include <numeric>

#include "asperity/solvers/sweeps/auto.h"

namespace asperity::solvers {

AutoInStep::AutoInStep() : written_(std::make_unique<Auto>()) {}

SolveReport AutoInStep::solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    all_.resize(problem.blocks.size());
    std::iota(all_.begin(), all_.end(), 0);
    cost_.count(problem, all_);
    if (2 * cost_.values() <= Auto::kMostValues) return written_.solve(problem, options, history);
    SolveOptions exact = options;
    exact.exact_contacts = true;  // as in the sweeps of Auto
    return sweeps_.solve(problem, exact, history);
}

}  // namespace asperity::solvers

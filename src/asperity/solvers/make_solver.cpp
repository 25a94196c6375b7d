#include "asperity/solvers/problem/solver.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asperity/core/error.h"
#include "asperity/solvers/assembled/assembling.h"
#include "asperity/solvers/lanes/fast.h"
#include "asperity/solvers/reference/reference_solver.h"
#include "asperity/solvers/sweeps/auto_in_step.h"
#include "asperity/solvers/sweeps/prox.h"

namespace asperity::solvers {

std::string_view name(SolveStatus status) {
    switch (status) {
        case SolveStatus::Converged: return "converged";
        case SolveStatus::Stalled: return "stalled";
        case SolveStatus::Cycled: return "cycled";
        case SolveStatus::SweepLimit: return "sweep_limit";
        case SolveStatus::TimeLimit: return "time_limit";
        case SolveStatus::Failed: return "failed";
        case SolveStatus::NotFinite: return "not_finite";
    }
    return "";
}

namespace {

/// Adds the solvers that exist only for an assembled matrix; make_solver() wraps them.
std::vector<std::string> with_assembled(std::vector<std::string> names) {
    for (const std::string& name : assembled_solver_names())
        if (name != "prox") names.push_back(name);
    return names;
}

}  // namespace

std::vector<std::string> solver_names() {
    std::vector<std::string> names = {"prox", "prox_coloured", "fast"};
    if (is_reference_solver("pgs")) names.push_back("pgs");
    return with_assembled(std::move(names));
}
std::vector<std::string> exact_solver_names() {
    std::vector<std::string> names = solver_names();
    // fast: single precision; lcp: replaces cones by facets; pivot: may cycle
    for (const char* name : {"fast", "lcp", "pivot"}) std::erase(names, name);
    return names;
}

std::unique_ptr<Solver> make_solver(std::string_view name) {
    if (name == "prox") return std::make_unique<Prox>();
    if (name == "prox_coloured") return std::make_unique<Prox>(Prox::Order::Colours);
    if (name == "auto") return std::make_unique<AutoInStep>();
    if (name == "fast") return std::make_unique<Fast>();
    if (auto reference = make_reference_solver(name)) return reference;
    const std::vector<std::string> assembled = assembled_solver_names();
    if (std::find(assembled.begin(), assembled.end(), name) != assembled.end())
        return std::make_unique<Assembling>(make_assembled_solver(name));
    const std::string nearest = nearest_name(name, solver_names());
    throw InputError(fmt::format("solver = \"{}\": no such solver; known: {}{}", name, fmt::join(solver_names(), ", "),
                                 nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
}

}  // namespace asperity::solvers

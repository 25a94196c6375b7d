#include "asperity/solvers/solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asperity/core/error.h"
#include "asperity/solvers/admm.h"
#include "asperity/solvers/apgd.h"
#include "asperity/solvers/assembling.h"
#include "asperity/solvers/fast.h"
#include "asperity/solvers/lcp.h"
#include "asperity/solvers/pgs.h"
#include "asperity/solvers/prox.h"

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

std::vector<std::string> solver_names() { return {"prox", "fast", "pgs", "apgd", "admm", "lcp"}; }
std::vector<std::string> exact_solver_names() { return {"prox", "pgs", "apgd", "admm"}; }

std::unique_ptr<Solver> make_solver(std::string_view name) {
    if (name == "prox") return std::make_unique<Prox>();
    if (name == "fast") return std::make_unique<Fast>();
    if (name == "pgs") return std::make_unique<Pgs>();
    if (name == "apgd") return std::make_unique<Assembling>(std::make_unique<Apgd>());
    if (name == "admm") return std::make_unique<Assembling>(std::make_unique<Admm>());
    if (name == "lcp") return std::make_unique<Assembling>(std::make_unique<Lcp>());
    const std::string nearest = nearest_name(name, solver_names());
    throw InputError(fmt::format("solver = \"{}\": no such solver; known: {}{}", name, fmt::join(solver_names(), ", "),
                                 nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
}

}  // namespace asperity::solvers

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asperity/core/error.h"
#include "asperity/solvers/admm.h"
#include "asperity/solvers/apgd.h"
#include "asperity/solvers/assembled_problem.h"
#include "asperity/solvers/assembled_prox.h"
#include "asperity/solvers/lcp.h"

namespace asperity::solvers {

std::vector<std::string> assembled_solver_names() { return {"prox", "apgd", "admm", "lcp"}; }

std::unique_ptr<AssembledSolver> make_assembled_solver(std::string_view name) {
    if (name == "prox") return std::make_unique<AssembledProx>();
    if (name == "apgd") return std::make_unique<Apgd>();
    if (name == "admm") return std::make_unique<Admm>();
    if (name == "lcp") return std::make_unique<Lcp>();
    throw InputError(fmt::format("solver = \"{}\": no such solver for problems with a written matrix; known: {}", name,
                                 fmt::join(assembled_solver_names(), ", ")));
}

}  // namespace asperity::solvers

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asperity/core/error.h"
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/assembled/assembled_prox.h"
#include "asperity/solvers/newton/newton.h"
#include "asperity/solvers/reference/admm.h"
#include "asperity/solvers/reference/apgd.h"
#include "asperity/solvers/reference/lcp.h"
#include "asperity/solvers/reference/pivot.h"
#include "asperity/solvers/sweeps/auto.h"

namespace asperity::solvers {

std::vector<std::string> assembled_solver_names() {
    return {"prox", "newton", "newton_fb", "pivot", "apgd", "admm", "lcp", "auto"};
}

std::unique_ptr<AssembledSolver> make_assembled_solver(std::string_view name) {
    if (name == "prox") return std::make_unique<AssembledProx>();
    if (name == "newton") return std::make_unique<Newton>(Newton::Form::NaturalMap);
    if (name == "newton_fb") return std::make_unique<Newton>(Newton::Form::FischerBurmeister);
    if (name == "pivot") return std::make_unique<Pivot>();
    if (name == "apgd") return std::make_unique<Apgd>();
    if (name == "admm") return std::make_unique<Admm>();
    if (name == "lcp") return std::make_unique<Lcp>();
    if (name == "auto") return std::make_unique<Auto>();
    throw InputError(fmt::format("solver = \"{}\": no such solver for problems with a written matrix; known: {}", name,
                                 fmt::join(assembled_solver_names(), ", ")));
}

}  // namespace asperity::solvers

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asperity/core/error.h"
#include "asperity/solvers/assembled_problem.h"
#include "asperity/solvers/assembled_prox.h"
#include "asperity/solvers/newton.h"

namespace asperity::solvers {

std::vector<std::string> assembled_solver_names() { return {"prox", "newton", "newton_fb"}; }

std::unique_ptr<AssembledSolver> make_assembled_solver(std::string_view name) {
    if (name == "prox") return std::make_unique<AssembledProx>();
    if (name == "newton") return std::make_unique<Newton>(Newton::Form::NaturalMap);
    if (name == "newton_fb") return std::make_unique<Newton>(Newton::Form::FischerBurmeister);
    throw InputError(fmt::format("solver = \"{}\": no such solver for problems with a written matrix; known: {}", name,
                                 fmt::join(assembled_solver_names(), ", ")));
}

}  // namespace asperity::solvers

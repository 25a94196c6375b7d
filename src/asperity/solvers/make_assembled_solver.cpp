#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asperity/core/error.h"
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/assembled/assembled_prox.h"
#include "asperity/solvers/newton/newton.h"
#include "asperity/solvers/reference/reference_solver.h"
#include "asperity/solvers/sweeps/auto.h"

namespace asperity::solvers {

std::vector<std::string> assembled_solver_names() {
    std::vector<std::string> names = {"prox", "newton", "newton_fb"};
    for (const char* name : {"pivot", "apgd", "admm", "lcp"})
        if (is_reference_solver(name)) names.push_back(name);
    names.push_back("auto");
    return names;
}

std::unique_ptr<AssembledSolver> make_assembled_solver(std::string_view name) {
    if (name == "prox") return std::make_unique<AssembledProx>();
    if (name == "newton") return std::make_unique<Newton>(Newton::Form::NaturalMap);
    if (name == "newton_fb") return std::make_unique<Newton>(Newton::Form::FischerBurmeister);
    if (name == "auto") return std::make_unique<Auto>();
    if (auto reference = make_assembled_reference_solver(name)) return reference;
    throw InputError(fmt::format("solver = \"{}\": no such solver for problems with a written matrix; known: {}", name,
                                 fmt::join(assembled_solver_names(), ", ")));
}

}  // namespace asperity::solvers

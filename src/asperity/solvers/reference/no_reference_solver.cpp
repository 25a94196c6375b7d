// In place of make_reference_solver.cpp where ASPERITY_REFERENCE_SOLVERS is off.
#include "asperity/solvers/reference/reference_solver.h"

namespace asperity::solvers {

bool is_reference_solver(std::string_view) { return false; }
std::unique_ptr<Solver> make_reference_solver(std::string_view) { return nullptr; }
std::unique_ptr<AssembledSolver> make_assembled_reference_solver(std::string_view) { return nullptr; }

}  // namespace asperity::solvers

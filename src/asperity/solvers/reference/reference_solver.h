// The solvers that only serve as a reference for the others, by name. Left out where ASPERITY_REFERENCE_SOLVERS is off.
#pragma once
#include <memory>
#include <string_view>

#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/problem/solver.h"

namespace asperity::solvers {

/// False for names of other solvers, and for all names in a program without reference solvers.
bool is_reference_solver(std::string_view name);
/// Null where the name is not `pgs`, the only one of them that works on a ContactProblem.
std::unique_ptr<Solver> make_reference_solver(std::string_view name);
/// Null where the name is none of `pivot`, `apgd`, `admm`, `lcp`.
std::unique_ptr<AssembledSolver> make_assembled_reference_solver(std::string_view name);

}  // namespace asperity::solvers

// Conversion between FCLIB problems and the assembled problems of the solvers.
#pragma once
#include <functional>
#include <string>

#include "asperity/fclib/problem.h"
#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::fclib {

/// Makes a problem that is ready to be solved from r = 0. W is used as it is, so that errors measured with it are those of
/// the file. Blocks missing on the diagonal or in one triangle are zero. The problem must have no equations.
solvers::AssembledProblem to_assembled(const LocalProblem& problem);

/// Exact translation of an assembled problem into FCLIB's terms:
///   a contact with an ellipse     rows t and b scaled by mu_t / mu and mu_b / mu, mu = max(mu_t, mu_b): f' = f / scale lies
///                                 in a circular cone, u' = scale u
///   a contact without friction    mu = 0, and two uncoupled rows
///   a one-sided limit             as a contact without friction; the row is negated for an upper bound
///   a joint                       an equation; without_equations() eliminates it
/// Blocks that no impulse can move (a contact of two fixed bodies) are left out. Impulses and velocities become the
/// solution. Throws InputError, naming the block by `name_of`, for blocks that FCLIB cannot express: drilling, patches,
/// rectangles, polygons, two-sided limits, springs of bounded force.
ProblemFile from_assembled(const solvers::AssembledProblem& problem, const std::function<std::string(int block)>& name_of);

}  // namespace asperity::fclib

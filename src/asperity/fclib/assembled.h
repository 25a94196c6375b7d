// Between problem files and the problems that solvers take.
#pragma once
#include <functional>
#include <string>

#include "asperity/fclib/problem.h"
#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::fclib {

/// Ready to be solved, with r = 0 as the start. W is taken as it is, so that an error measured with it is that of the file;
/// blocks that are missing on the diagonal or in one triangle are zero. The problem must have no equations.
solvers::AssembledProblem to_assembled(const LocalProblem& problem);

/// A problem of ours in FCLIB's terms, exactly:
///   a contact with an ellipse     rows t and b scaled by mu_t / mu and mu_b / mu, mu the larger: f' = f / scale lies in a
///   circle, u' = scale u
///   a contact without friction    mu = 0, and two rows that nothing couples to
///   a one-sided limit             the same; its row turned about where the bound is above
///   a joint                       an equation; without_equations() takes it out
/// What no impulse can move (a contact of two fixed bodies) is left out. Impulses and velocities become the solution. Throws
/// InputError, naming the block by `name_of`, for what FCLIB has no words for: drilling, rectangles, polygons, limits on
/// both sides, springs of bounded force.
ProblemFile from_assembled(const solvers::AssembledProblem& problem, const std::function<std::string(int block)>& name_of);

}  // namespace asperity::fclib

// The contact problem of the step that has just been made, for those who want to look at it or keep it.
#pragma once
#include <string>

#include "asperity/sim/world.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::sim {

/// As the last step solved it (its last substep, where there are several), prepared, with the impulses and velocities that
/// were found. Whatever the solver was: also those that make no rows of contacts. Throws InputError where no step was
/// made since the world was built, restored or had something removed.
solvers::ContactProblem last_problem(const World& world);

/// What a block of last_problem() stands for: "contact 12 of 'crate' and 'floor'" or "joint 'door'".
std::string block_name(const World& world, int block);

}  // namespace asperity::sim

// The contact problem of the last step, for output and inspection.
#pragma once
#include <string>

#include "asperity/sim/world.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::sim {

/// The problem of the last substep as it was solved: prepared, with the impulses and velocities found. It has rows for all
/// contacts, even if the solver reads none. Throws InputError if no step was made since the world was built or restored,
/// or since something was removed.
solvers::ContactProblem last_problem(const World& world);

/// The name of a block of last_problem(): "contact 12 of 'crate' and 'floor'" or "joint 'door'".
std::string block_name(const World& world, int block);

}  // namespace asperity::sim

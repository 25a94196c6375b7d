// The faces of the source's scenes as one patch, or as points sampled over them, the same load on both: what its meshes gave
// its point contacts.
#pragma once
#include <span>

#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::bench {

/// Five cubes on each other at rest, gravity having acted for 0.01 s; each face a patch, or `side` x `side` points.
solvers::ContactProblem tapered_stack(int side);
/// An octagonal plate that slides at 1 m/s; a patch, or its 8 corners and 13 points between them: the source's 21 contacts.
solvers::ContactProblem sliding_octagon(bool points);

}  // namespace asperity::bench

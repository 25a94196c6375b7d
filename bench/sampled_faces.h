// Faces as one patch, or as points sampled over them under the same load, like the point contacts that the source (bench/
// sixd.cpp names it) got from its meshes.
#pragma once
#include <span>

#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::bench {

/// Five stacked cubes at rest, after 0.01 s of gravity. Each face is a patch, or has `side` x `side` points.
solvers::ContactProblem tapered_stack(int side);
/// An octagonal plate sliding at 1 m/s: one patch, or its 8 corners and 13 points between them, the source's 21 contacts.
solvers::ContactProblem sliding_octagon(bool points);

}  // namespace asperity::bench

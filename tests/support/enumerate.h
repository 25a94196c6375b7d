// All solutions of a tiny contact problem, found by trying every combination of contact states: open, stick, and slip (along
// each edge or at each vertex of a polygon, or anywhere on an ellipse). A reference that shares only the residual with the
// solvers.
#pragma once
#include <vector>

#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::solvers {

struct Enumerated {
    std::vector<double> impulse, velocity;
};

/// For up to three contacts of three rows with planar sets, and a W without null space. Exact for polygons and rectangles.
/// Slip on an ellipse is found by Newton's method on the slip angles, from a grid of starts.
std::vector<Enumerated> all_solutions(const AssembledProblem& problem);

}  // namespace asperity::solvers

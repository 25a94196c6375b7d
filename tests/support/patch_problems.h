// Random small problems of contact patches: towers of bodies, each with a face, a disc, a line or a ball on the one below,
// and grooves, where two patches meet one body.
#pragma once
#include <string>

#include "asperity/core/random.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

struct PatchProblemOptions {
    enum class Region { Rectangle, Ellipse, Line, Ball };
    int bodies = 3;
    Region region = Region::Rectangle;
    friction::LimitSet planar = friction::Ellipse{0.4, 0.4};
    friction::SpinModel spin = friction::SpinModel::Uniform;
    double push = 0.3;  ///< sideways and turning speeds up to this [m/s, and rad/s times the patch's size]
    /// the lowest body lies in a groove of two planes, and so has two patches whose rows are not independent
    bool groove = false;
    double offset = 0.05;  ///< of the patches from the middle of their bodies, at most [m]; with 0 a tower stands
    double height = 0.3;   ///< of the bodies, at most [m]; low ones slide, tall ones tip
};

/// Gravity has acted for 0.01 s. The ground is the last group. Not prepared yet; blocks point into the problem, so prepare
/// it where it stays.
ContactProblem patch_problem(Random& random, const PatchProblemOptions& options);
std::string describe(const PatchProblemOptions& options);

}  // namespace asperity::solvers

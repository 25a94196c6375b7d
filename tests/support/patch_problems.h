// Random small problems of contact patches: towers, in which each body rests on the one below by a face, disc, line or ball,
// and grooves, in which one body has two patches.
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
    double push = 0.3;  ///< largest sideways speed [m/s], and largest angular velocity times patch size [m/s]
    /// the lowest body lies in a groove of two planes: it has two patches whose rows are linearly dependent
    bool groove = false;
    double offset = 0.05;  ///< largest distance of a patch from its body's middle [m]; with 0 a tower stands
    double height = 0.3;   ///< largest height of a body [m]; low bodies slide, tall ones tip
};

/// Velocities include 0.01 s of gravity. The ground is the last group. The problem is not prepared yet: blocks point into
/// it, so call prepare() at its final address.
ContactProblem patch_problem(Random& random, const PatchProblemOptions& options);
std::string describe(const PatchProblemOptions& options);

}  // namespace asperity::solvers

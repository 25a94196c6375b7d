// Random small contact problems that have a solution: without bias all bodies may stand still, so no demand contradicts
// another.
#pragma once
#include <string>
#include <vector>

#include "asperity/core/random.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

enum class SetKind { Circle, Ellipse, Rectangle, Polygon, Ellipsoid };
constexpr int kSetKinds = 5;

struct RandomProblemOptions {
    int bodies = 3, contacts = 6, joints = 0;
    double mass_ratio = 1;   ///< masses are spread from 1 down to 1/this, by their logarithm [kg]
    double mu_max = 1;       ///< coefficients are spread from 0.05 to this, by their logarithm
    double aspect = 1;       ///< of ellipses and polygons, up to this
    bool redundant = false;  ///< contacts come in fours: the corners of a face, with one normal
    SetKind set = SetKind::Circle;
};

struct RandomProblem {
    ContactProblem problem;                  ///< not prepared yet
    std::vector<std::vector<Vec2>> corners;  ///< of the polygons: keep it as long as the problem
};

/// Bodies of about 1 m within reach of each other and of the ground (the last group), at speeds of about 1 m/s.
RandomProblem random_problem(Random& random, const RandomProblemOptions& options);

/// The variations that solvers must agree on, by number: sets, mass ratios to 1e4, mu to 10, aspects to 20, redundant
/// contacts, joints.
RandomProblemOptions variation(int number);
std::string describe(const RandomProblemOptions& options);

}  // namespace asperity::solvers

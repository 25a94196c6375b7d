// Random small contact problems that have a solution: without bias, all bodies at rest is feasible, so no constraints
// conflict.
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
    double mass_ratio = 1;   ///< masses are log-uniform from 1/this to 1 [kg]
    double mu_max = 1;       ///< coefficients are log-uniform from 0.05 to this
    double aspect = 1;       ///< largest aspect ratio of ellipses and polygons
    bool redundant = false;  ///< contacts come in fours: the corners of a face, with one normal
    SetKind set = SetKind::Circle;
};

struct RandomProblem {
    ContactProblem problem;                  ///< not prepared yet
    std::vector<std::vector<Vec2>> corners;  ///< of the polygons; must outlive the problem
};

/// Bodies of about 1 m in mutual contact and in contact with the ground (the last group), at speeds of about 1 m/s.
RandomProblem random_problem(Random& random, const RandomProblemOptions& options);

/// Test variations by number, on which all solvers must agree: sets, mass ratios to 1e4, mu to 10, aspect ratios to 20,
/// redundant contacts, joints.
RandomProblemOptions variation(int number);
std::string describe(const RandomProblemOptions& options);

}  // namespace asperity::solvers

// The report of a step of the implicit world, and the causes of its failure.
#pragma once
#include <array>
#include <limits>
#include <string>
#include <string_view>

namespace asperity::implicit {

/// Parts of a step whose time is measured; "other" is the rest.
enum class Part { broad_phase, collisions, ccd, assembly, factor, solve, line_search, other, count };
constexpr int kPartCount = static_cast<int>(Part::count);
constexpr std::array<std::string_view, kPartCount> kPartNames = {"broad_phase", "collisions", "ccd",         "assembly",
                                                                 "factor",      "solve",      "line_search", "other"};

/// Why a step, or an attempt at one, ended without a result.
enum class Failure {
    None,
    Stopped,       ///< a stop was requested (core/stop.h)
    Iterations,    ///< Newton's method did not converge
    Blocked,       ///< contact left no way to go on: a prescribed motion presses bodies together
    LineSearch,    ///< no step along the direction lowered the potential
    Singular,      ///< the matrix was not positive definite even after projection
    NotFinite,     ///< a force or a position is not finite
    Intersection,  ///< the exact check found two surfaces that cross
    Friction,      ///< friction forces did not settle
    Unstable,      ///< explicit integration passed a contact or inverted an element
};

struct StepReport {
    int step = 0;     ///< counted from 1
    double time = 0;  ///< at the end of the step [s]
    bool done = true;
    Failure failure = Failure::None;
    std::string trouble;           ///< of a step that failed for good: pair, cause and remedy, in one line
    int iterations = 0;            ///< of Newton's method, in all parts of the step
    int halvings = 0;              ///< how often a part of the step was halved
    double residual = 0;           ///< last correction of any node over dt; `velocity`: of the contact solver [m/s]
    int contacts = 0;              ///< active stencils at the end
    int friction_passes = 0;       ///< renewals of normal forces and limit surfaces, in all parts of the step
    int friction_misses = 0;       ///< parts of the step whose friction forces did not settle within the tolerance
    double friction_residual = 0;  ///< at the end: largest unbalanced force over the largest friction limit on its body [-]
    /// smallest distance of two surfaces minus their thickness; infinite without candidates [m]
    double gap_min = std::numeric_limits<double>::infinity();
    double kinetic_energy = 0, elastic_energy = 0, gravity_energy = 0, barrier_energy = 0;  ///< at the end [J]
    std::array<double, kPartCount> part_ms{};
};

}  // namespace asperity::implicit

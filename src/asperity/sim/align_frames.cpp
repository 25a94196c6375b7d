// Contact frames along the slip, for box friction, which is exact only along its axes. The slip is that of a
// frictionless problem, by a few sweeps of the solver. Source: Andrews, Nassif, Erleben, Kry, "Coupling Friction with
// Visual Appearance", 2021, 4.3.
#include "asperity/sim/stages.h"

namespace asperity::sim {

bool align_frames(const Model& model, const Derived& derived, const ContactSet& set, const LimitSurfaces& cones,
                  solvers::ContactProblem& problem, Solution& solution, std::vector<Vec3>& free_slip) {
    if (!derived.frames_follow_slip || set.contacts.empty()) return false;
    problem.reopen();
    for (solvers::PointContact& c : problem.contacts) {
        c.rows = 1;
        c.set = friction::Ellipse{0, 0};
    }
    solvers::SolveOptions few = model.settings.solve;
    few.max_sweeps = 8;
    problem.resolve(*derived.solver, few, solution.history);
    free_slip.resize(set.contacts.size());
    for (size_t i = 0; i < set.contacts.size(); ++i) {
        const solvers::PointContact& c = problem.contacts[i];
        const solvers::Twist &a = problem.velocity[static_cast<size_t>(c.a)],
                             &b = problem.velocity[static_cast<size_t>(c.b)];
        const Vec3 slip =
            b.linear + cross(b.angular, c.arm_b) - a.linear - cross(a.angular, c.arm_a) + cones.surface_motion(i);
        free_slip[i] = slip - dot(slip, c.normal) * c.normal;
    }
    return true;
}

}  // namespace asperity::sim

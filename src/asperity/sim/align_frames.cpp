// Contact frames along the slip: for box friction, whose sides are right along its axes alone. The slip is the one that
// would be if nothing rubbed: a few sweeps over the problem without friction. (Andrews, Nassif, Erleben, Kry, "Coupling
// Friction with Visual Appearance", 2021, 4.3.)
#include "asperity/sim/step_data.h"

namespace asperity::sim {

bool align_frames(const World& world, StepData& d) {
    if (!d.frames_follow_slip || d.contacts.empty()) return false;
    solvers::ContactProblem& problem = d.problem;
    if (problem.is_prepared()) problem.reopen();
    for (solvers::PointContact& c : problem.contacts) {
        c.rows = 1;
        c.set = friction::Ellipse{0, 0};
    }
    if (d.solver->reads_rows()) problem.prepare();
    solvers::SolveOptions few = world.settings.solve;
    few.max_sweeps = 8;
    d.solver->solve(problem, few, d.history);
    d.free_slip.resize(d.contacts.size());
    for (size_t i = 0; i < d.contacts.size(); ++i) {
        const solvers::PointContact& c = problem.contacts[i];
        const solvers::Twist &a = problem.velocity[static_cast<size_t>(c.a)],
                             &b = problem.velocity[static_cast<size_t>(c.b)];
        const Vec3 slip = b.linear + cross(b.angular, c.arm_b) - a.linear - cross(a.angular, c.arm_a) + d.surface_motion(i);
        d.free_slip[i] = slip - dot(slip, c.normal) * c.normal;
    }
    return true;
}

}  // namespace asperity::sim

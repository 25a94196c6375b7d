// Settings of the implicit world: time integration, Newton's method and the contact barrier.
#pragma once
#include <string>
#include <string_view>

namespace asperity::implicit {

/// How a step goes from the old state to the new one; docs/implicit-step.md has the formulas.
enum class Integrator {
    BackwardEuler,    ///< first order, damps vibrations
    Newmark,          ///< trapezoidal rule (beta = 1/4, gamma = 1/2): second order, keeps the energy of vibrations
    Bdf2,             ///< second order, damps vibrations little
    QuasiStatic,      ///< no inertia: every step ends in equilibrium with the loads of its end
    SymplecticEuler,  ///< explicit, for comparisons: needs small steps, and stops when a contact would be passed
};

/// How friction acts; docs/laws/soft-friction.md.
enum class FrictionMethod {
    Hold,      ///< Coulomb's law itself: what sticks does not move
    Smooth,    ///< forces fall to zero below the slip speed eps_v: everything that sticks creeps
    Velocity,  ///< a step linearised in velocities, with contacts and friction solved by the solvers of the rigid world
};

/// Default of Settings::dhat over the diagonal of the box around all bodies that move [-]. Larger: bodies rest visibly
/// apart. Smaller: more iterations.
constexpr double kDistanceShare = 1e-3;

struct Settings {
    Integrator integrator = Integrator::BackwardEuler;
    /// A step has converged when the last correction of every node, divided by dt, is below this [m/s]. The error that is
    /// left is smaller: corrections shrink quadratically. Above 1e-3 forces are visibly unbalanced; below 1e-12 rounding
    /// prevails.
    double tolerance = 1e-6;
    int max_iterations = 200;  ///< of Newton's method; a step that needs more is halved
    int max_halvings = 10;     ///< a step is given up at dt / 2^max_halvings
    /// Contacts act at distances below this [m]; 0: chosen by World::prepare() by kDistanceShare. Larger: smoother and
    /// faster, but bodies rest visibly apart. Smaller: more iterations.
    double dhat = 0;
    /// Pressure scale of the barrier [Pa]: two faces at half of dhat press with 1.19 times this. 0: chosen by prepare() as
    /// ten times the smallest Young's modulus; in a world without soft bodies by the weight of the heaviest affine one.
    double stiffness = 0;
    /// Stiffness of affine bodies against departure from a rotation, per volume [Pa]; 0: prepare() takes 1e8.
    double affine_stiffness = 0;
    double keep_gap = 0.1;   ///< fraction of a gap that one iteration must leave [-]
    double most_motion = 0;  ///< longest way of a node in one iteration [m]; 0: any
    /// Keep matrix patterns from step to step: fewer analyses, but a run that is resumed rounds otherwise.
    bool keep_patterns = false;
    bool check = false;           ///< test every accepted iterate for intersections in exact arithmetic
    bool check_start = true;      ///< false: for a picture of a world whose bodies overlap; it must not step
    bool project_always = false;  ///< clamp the eigenvalues of element Hessians from the first iteration on
    /// Conjugate gradients replace the factorisation where it takes more operations than this, by its plan: about ten
    /// seconds of one core. By operations, not unknowns: in two dimensions, and in thin bodies, a factorisation is far
    /// cheaper.
    double most_factor_flops = 2e11;
    FrictionMethod friction = FrictionMethod::Hold;
    /// Hold: passes end when renewed normal forces and limit surfaces change the forces on no node by more than this share
    /// of the largest friction limit on its body [-].
    double friction_tolerance = 1e-4;
    /// Hold: a step that needs more is halved. Smooth: how many are made, whatever they leave unbalanced. Velocity: how
    /// often a step is linearised, unless the correction falls below `tolerance` before.
    int friction_passes = 40;
    double eps_v = 1e-3;          ///< smooth: slip speed at which friction reaches its limit [m/s]
    std::string solver = "auto";  ///< velocity: of the contact problem; solvers::assembled_solver_names()
    int max_sweeps = 2000;        ///< velocity: of that solver; a step that needs more is halved
};

std::string_view name(Integrator integrator);

}  // namespace asperity::implicit

// The implicit world of a scene. Bodies have the same indices as in the scene's sim::World, whose poses and velocities
// follow after every step, so that observables, tables and pictures need not know which world a scene runs in.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asperity/implicit/report.h"
#include "asperity/implicit/world.h"
#include "asperity/record/recording.h"
#include "asperity/sim/report.h"
#include "asperity/sim/world.h"

namespace asperity::scene {

struct ImplicitSettings;

class ImplicitRun {
  public:
    virtual ~ImplicitRun() = default;

    /// Advances by dt and moves the bodies of `world` along. Steps that fail for good leave the last good state.
    virtual implicit::StepReport step(sim::World& world, double dt) = 0;

    virtual double kinetic_energy() const = 0;    ///< [J]
    virtual double potential_energy() const = 0;  ///< of gravity, deformation and contact [J]
    virtual double dhat() const = 0;              ///< contact distance [m]
    virtual double stiffness() const = 0;         ///< of contact [Pa]
    virtual std::string size() const = 0;         ///< "3 bodies, 1200 elements, 2000 unknowns"

    /// Forces between bodies and on held regions at the end of the last step.
    virtual std::vector<record::ForceSample> forces() const = 0;
    /// The contacts between different bodies that carry them.
    virtual std::vector<record::ContactSample> contacts() const = 0;
    /// How safely friction holds every two bodies that touch.
    virtual std::vector<implicit::PairHold> holds() const = 0;
    /// friction = "velocity": the contact problem of the last step as it was solved; null before the first step and
    /// otherwise.
    virtual const solvers::AssembledProblem* contact_problem() const = 0;
    /// "contact 12 of 'crate' and 'floor'".
    virtual std::string contact_name(int block) const = 0;
    /// The present shape of all soft bodies, with stresses.
    virtual std::vector<record::Deformation> deformations() const = 0;
    /// The mesh of a soft body; null for others.
    virtual std::shared_ptr<const record::DeformableMesh> mesh(int body) const = 0;
    /// Names of the held regions, "BODY.REGION".
    virtual std::vector<std::string> regions() const = 0;
    /// The node of a soft body nearest to a point at time 0, in the body's authored axes; -1 for other bodies.
    virtual int nearest_node(int body, const Vec3& point) const = 0;
    virtual Vec3 node_start(int node) const = 0;  ///< position at time 0
    virtual Vec3 node_position(int node) const = 0;
    virtual Vec3 node_velocity(int node) const = 0;

    virtual std::string state_hash() const = 0;
    virtual std::string save_state() const = 0;
    /// Throws InputError for bytes that do not fit.
    virtual void restore_state(const std::string& bytes, sim::World& world) = 0;
};

/// Builds the implicit world of the bodies, materials and pairs of `world`, and moves those bodies to where it has them.
/// Throws InputError that names what is not possible there. `notes` gets what the user should know.
std::shared_ptr<ImplicitRun> make_implicit_run(sim::World& world, const ImplicitSettings& settings,
                                               std::vector<std::string>& notes);

/// steps.csv of a run of the implicit world: energies [J], residual [m/s], smallest gap [m; inf if none], times of the parts
/// of a step [ms].
std::string implicit_steps_csv_header();
void append_implicit_steps_csv(std::string& out, const implicit::StepReport& report);

/// The row of steps.csv for a step of the implicit world.
sim::StepReport to_sim_report(const implicit::StepReport& report, double potential_energy);

}  // namespace asperity::scene

// The world of deformable, affine and prescribed bodies: functions that build it, query it and save it. step() in
// implicit/step.h advances it. Dim = 2 is the plane x, z with a depth of 1 m.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asperity/deform/material.h"
#include "asperity/deform/meshes/solid_mesh.h"
#include "asperity/implicit/model.h"
#include "asperity/implicit/report.h"
#include "asperity/implicit/state.h"

namespace asperity::solvers {
class AssembledProblem;
}

namespace asperity::implicit {

template <int Dim>
struct SoftDesc {
    std::string name;
    deform::SolidMesh<Dim> mesh;  ///< rest shape, where the body is at time 0
    deform::Elasticity elasticity;
    double density = 1000;                           ///< [kg/m^3]
    bool consistent_mass = false;                    ///< else lumped at the nodes (implicit/mass.h)
    double damping_mass = 0, damping_stiffness = 0;  ///< Rayleigh: C = damping_mass M + damping_stiffness K [1/s, s]
    Vec3 velocity, angular_velocity;                 ///< about the centre of mass
    double thickness = 0;                            ///< its surface is kept half of this apart from others [m]
};

/// A closed surface. The outward side of a face: counter-clockwise as seen from it; in 2D solid to the left of the way
/// from the first to the second point.
template <int Dim>
struct Skin {
    std::vector<Vector<Dim>> points;
    std::vector<std::array<int, Dim>> faces;
};

/// Stands for a rigid body, whose mass and inertia it has. Only Settings::affine_stiffness resists its deformation.
template <int Dim>
struct AffineDesc {
    std::string name;
    Skin<Dim> skin;     ///< in the axes of `pose`
    double mass = 0;    ///< [kg]
    Mat3 inertia;       ///< about the centre of mass, which is the origin of `pose` [kg m^2]
    double volume = 0;  ///< [m^3]
    Pose pose;
    Vec3 velocity, angular_velocity;
    double thickness = 0;
};

template <int Dim>
struct ObstacleDesc {
    std::string name;
    Skin<Dim> skin;                         ///< in the axes of `pose`; empty: a half-space below z = 0
    Pose pose;                              ///< at time 0
    std::function<Pose(double time)> path;  ///< empty: fixed
    double thickness = 0;
};

/// Force and torque that body a exerts on body b.
struct PairForce {
    int body_a = 0, body_b = 0;
    Vec3 force;   ///< [N]
    Vec3 torque;  ///< about the centre of mass of b [N m]
};

/// One active contact: what body a exerts on body b at a point halfway between the two surfaces.
struct ContactForce {
    int body_a = 0, body_b = 0;
    Vec3 point, normal;      ///< the normal from a to b
    Vec3 force;              ///< on b, friction included [N]
    double gap = 0;          ///< distance minus thickness [m]
    Vec3 t;                  ///< first axis of the limit surface; zero without friction here
    Vec2 mu;                 ///< its extent along t and normal x t [-]
    Vec3 friction;           ///< on b [N]
    double load = 0;         ///< normal force that the friction here goes with [N]
    double limit = 0;        ///< friction force that can act there in the direction of the present one [N]
    double margin = 1;       ///< 1 minus the share of the limit that the friction force uses up: 0 slides
    double spare = 0;        ///< smallest force, in any direction, that makes it slip when added to the friction force [N]
    double creep_bound = 0;  ///< margin.h [m/s]
};

/// How safely friction holds two bodies on each other.
struct PairHold {
    int body_a = 0, body_b = 0;
    double load = 0;       ///< sum of the normal forces [N]
    double friction = 0;   ///< size of the resultant friction force [N]
    double limit = 0;      ///< sum of what the contacts can carry in its direction [N]; 0: no direction
    double margin = 0;     ///< 1 minus friction over limit [-]
    double spare = 0;      ///< smallest force, in any direction along the contact, that makes one slide along the other [N]
    Vec3 spare_direction;  ///< of that force, on body_b; unit
    double sliding = 0;    ///< share of the load whose contacts are at their limit [-]
    double creep = 0;      ///< fastest slip of a contact that is not [m/s]
    double creep_bound = 0;  ///< largest of theirs: margin.h [m/s]
};

template <int Dim>
struct StepData;

template <int Dim>
class World {
  public:
    World();
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // === Building. Each returns the index of the body. Throws InputError for a bad mesh, material or mass.
    int add(const SoftDesc<Dim>& desc);
    int add(const AffineDesc<Dim>& desc);
    int add(const ObstacleDesc<Dim>& desc);
    /// Prescribes the motion of the nodes of a soft body for which `inside` holds at time 0; returns their number.
    int prescribe(int body, std::string name, const std::function<bool(const Vector<Dim>&)>& inside,
                  std::function<Vector<Dim>(const Vector<Dim>& start, double time)> position = {});
    /// Loads the surface faces of a soft body whose middle is `inside` at time 0; returns the loaded area [m^2].
    double load(int body, const std::function<bool(const Vector<Dim>&)>& inside, std::function<Vector<Dim>(double)> force,
                std::function<double(double)> pressure);
    /// Joins the points of two bodies that are now at `place` by a stiff spring; body -1 is space. Of a soft body its
    /// nearest element carries the point. `stiffness` [N/m]; 0: so stiff that the bodies deform long before the joint does.
    void attach(int body_a, int body_b, const Vec3& place, double stiffness = 0);
    /// Draws the mean displacement of a soft body, weighted by mass, along the unit vector `axis` to place(time); returns
    /// the index in model.guides. Its force on the body: guide_force().
    int guide(int body, const Vector<Dim>& axis, double stiffness, std::function<double(double time)> place);
    /// Two bodies, or a body and itself, that pass through each other.
    void ignore(int body_a, int body_b);
    void set_self_contact(int body, bool on);

    /// Derives what the step needs: weights, distances, stiffness, the matrix. step() calls it; later calls cost nothing.
    /// Throws InputError for surfaces that intersect at the start, and names the two bodies.
    void prepare();
    void derive();  ///< prepare() without looking for surfaces that intersect

    // === The present state
    Pose pose(int body) const;  ///< centre of mass and mean rotation; obstacles: of the authored axes
    Vec3 velocity(int body) const;
    Vec3 angular_velocity(int body) const;
    Vec3 center_of_mass(int body) const;
    double kinetic_energy() const;
    Vec3 linear_momentum() const;
    Vec3 angular_momentum() const;  ///< about the origin
    /// Positions of all vertices of the surface.
    std::vector<Vector<Dim>> surface_positions() const;
    /// Forces between every two bodies that touch, and of each prescribed region on its body (body_a = body_b), at the end
    /// of the last step.
    std::vector<PairForce> forces() const;
    /// The contacts that forces() sums up, self-contacts included, at the end of the last step. The force of a contact whose
    /// weight is negative points from b to a.
    std::vector<ContactForce> contacts() const;
    /// One entry for every two bodies with friction between them, at the end of the last step.
    std::vector<PairHold> holds() const;
    /// `velocity`: the contact problem of the last step as it was solved, one block per contact; null before and otherwise.
    const solvers::AssembledProblem* contact_problem() const;
    /// "contact 12 of 'crate' and 'floor'".
    std::string contact_name(int block) const;
    /// Force that holds a prescribed region, as forces() gives it [N].
    Vec3 region_force(int region) const;
    /// Force of a guide on its body along the axis, at the end of the last step [N].
    double guide_force(int guide) const;
    double dhat() const;
    double stiffness() const;

    std::string state_hash() const;
    std::string save_state() const;
    void restore_state(const std::string& bytes);  ///< throws InputError if it does not fit

    Model<Dim> model;  ///< change it only before the first step
    State<Dim> state;  ///< a copy is a snapshot

    StepData<Dim>& data() { return *data_; }
    const StepData<Dim>& data() const { return *data_; }

  private:
    int new_body(const std::string& name, Kind kind, const Skin<Dim>& skin, double thickness);
    int add_node(int body, const Vector<Dim>& x, const Vector<Dim>& v, double mass, bool translates);
    std::unique_ptr<StepData<Dim>> data_;
    bool prepared_ = false;
};

}  // namespace asperity::implicit

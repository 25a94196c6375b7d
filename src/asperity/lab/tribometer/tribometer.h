// The tribometer in the plane: an elastic block with a rough face lies on another one whose base is held, is pressed by
// its weight, and is pushed sideways (section 3 of the friction lab's specification; docs/lab.md has the protocol).
//
// Everything elastic is the implicit world's: plane strain of a depth of 1, log neo-Hookean material, Rayleigh damping, the
// barrier between the two faces, backward Euler. This folder adds the drives, and what is measured.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "asperity/implicit/report.h"
#include "asperity/implicit/world.h"
#include "asperity/lab/mesh/graded_block.h"

namespace asperity::lab {

struct Solid {
    double young = 1e5, poisson = 0.25, density = 0.5;
    double damping = 0.2;  ///< of the stiffness part of Rayleigh damping [s]
};

/// A block: its rough face, with ascending x, and the height of its flat base.
struct Specimen {
    std::vector<Vector<2>> face;
    double base = 0;
    Solid solid;
};

struct TribometerDesc {
    Specimen lower, upper;
    double gravity = 9.8;
    double dhat = 0.2;             ///< distance at which the faces begin to press
    double stiffness_share = 0.1;  ///< pressure scale of the barrier over Young's modulus of the softer block
    double local_mu = 0;           ///< Coulomb's coefficient at every micro-contact
    /// With it: shear strength min(local_mu p + local_adhesion, local_cap) where the faces press with the pressure p.
    double local_adhesion = 0, local_cap = std::numeric_limits<double>::infinity();
    int fine_rows = 0;  ///< rows of triangles of the face's resolution in both meshes
};

/// The faces at one moment.
struct Sample {
    double time = 0;
    double push = 0;            ///< driving force over weight [-]
    double slide = 0;           ///< of the upper block's centre of mass since the drive began
    double speed = 0;           ///< of the same
    double height = 0;          ///< of the same, against the start of the drive
    double normal = 0;          ///< force between the faces along the vertical, on the upper block
    double tangential = 0;      ///< the same along the horizontal; against the drive if positive
    double contact_length = 0;  ///< length of the upper face that presses
    int patches = 0;            ///< runs of neighbouring points of the upper face that press
    int iterations = 0;         ///< of Newton's method in this step
};

/// Thrown where a step of the implicit world fails for good: the message is its own.
class NumericalFailure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Tribometer {
  public:
    /// Throws InputError for faces, materials or a start that the meshes or the world refuse.
    explicit Tribometer(const TribometerDesc& desc);

    struct Settled {
        int steps = 0, iterations = 0;
        double normal_over_weight = 0;
        double sink = 0, drift = 0;  ///< of the upper block's centre of mass, downwards and sideways
    };
    /// Lowers the upper block under its weight, free sideways, without inertia, to equilibrium: steps are proximal ones,
    /// drawn to the last positions with the weight mass/dt^2. dt doubles as the block comes to rest, until this
    /// force is below `rest` of the weight and the faces carry the weight to that share.
    Settled settle(double dt = 0.2, double rest = 1e-3, int most_steps = 400);

    /// What pushes the upper block sideways in advance().
    struct Drive {
        enum class Kind {
            Force,         ///< a force on every point in proportion to mass: value(t) weights
            Displacement,  ///< a stiff spring on the mean displacement: value(t); inertia is left out
            Speed,         ///< the same with inertia: place value(t)
        };
        Kind kind = Kind::Force;
        std::function<double(double time)> value;  ///< time since begin()
        double dt = 0.2;
    };
    /// Begins a drive from rest at the present place.
    void begin(Drive drive);
    /// One step of it. Throws NumericalFailure.
    Sample advance();
    /// The present place and contact; the force of the drive is left at zero.
    Sample measure() const;

    /// The points of the upper face from left to right, and the forces of the barrier on them; friction is left out.
    struct PointLoad {
        Vector<2> place, force;
    };
    std::vector<PointLoad> upper_loads() const;

    double weight() const { return modulus_ * weight_; }
    /// Forces and stresses of world() are in units of the smaller Young's modulus, this one.
    double modulus() const { return modulus_; }
    int triangles() const;
    int iterations() const { return iterations_; }  ///< of Newton's method, since the beginning
    int steps() const { return steps_; }
    int halvings() const { return halvings_; }
    const std::array<double, implicit::kPartCount>& part_ms() const { return part_ms_; }
    const implicit::World<2>& world() const { return world_; }
    implicit::World<2>& world() { return world_; }
    const GradedBlock& lower_mesh() const { return lower_; }
    const GradedBlock& upper_mesh() const { return upper_; }

  private:
    struct Control {
        double push = 0;   // acceleration of the upper block [m/s^2]
        double place = 0;  // of the guide
    };
    implicit::StepReport step(double dt);
    Vector<2> centre() const;
    Vector<2> mean_velocity() const;
    void rest();
    void measure_contact(Sample& out) const;

    GradedBlock lower_, upper_;
    implicit::World<2> world_;
    std::shared_ptr<Control> control_ = std::make_shared<Control>();
    Drive drive_;
    Vector<2> origin_ = Vector<2>::Zero();
    double gravity_ = 0, modulus_ = 1, weight_ = 0, begun_ = 0;  // weight in units of the modulus
    double tightness_ = 1;                                       // factor of Newton's tolerance
    double damping_lower_ = 0, damping_upper_ = 0;
    int low_ = 0, up_ = 0, iterations_ = 0, steps_ = 0, halvings_ = 0;
    std::array<double, implicit::kPartCount> part_ms_{};
};

}  // namespace asperity::lab

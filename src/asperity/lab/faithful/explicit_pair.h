// The thesis' own scheme (section 3 there; sections 2.1 to 2.5 and 3.3 of the specification, with its corrections), for
// comparison: explicit forces, impulses between particles and edges that conserve energy, symplectic Euler.
//
//     v += h/m (elastic + damping + gravity + push)                                     T3.53, T3.55
//     v += impulses of all particle-edge pairs, in several sweeps                       T3.40 to T3.49
//     x += h v
//
// A pair at the distance x repels with f(x) = Kc/(x - H)^2, cut off at the size of a cell of the hash. The impulse is the
// one after which the relative velocity has the energy that f gives it over the step; if f is too weak to stop a pair that
// would come closer than H, the impulse takes all of the approach away.
#pragma once
#include <cstdint>

#include "asperity/lab/tribometer/tribometer.h"

namespace asperity::lab {

struct FaithfulSettings {
    double thickness = 0.02;  ///< H
    double rest_gap = 0.1;    ///< Kc is chosen so that the mean load of a particle holds it this far beyond H
    double cell = 2;          ///< of the spatial hash; also where the field ends
    int sweeps = 3;           ///< over all pairs; after the first one only approaches are stopped
    double safety = 0.4;      ///< part of the stable time step
    double settle_drag = 4;   ///< mass damping while the block settles [1/s]
    double settle_time = 8;   ///< [s]
    double ramp = 0.02;       ///< push over weight per time [1/s]
    double most_push = 2;
};

struct FaithfulResult {
    double dt = 0;  ///< [s]
    std::int64_t steps = 0;
    double normal_over_weight = 0;  ///< mean over the last quarter of settling
    double first_slip = 0;          ///< push over weight when the slide reaches `distance`; not a number if it never did
    double settle_speed = 0;        ///< of the centre of mass, at the end of settling
    double deepest = 0;             ///< smallest distance of a particle from an edge
    double simulated = 0;           ///< [s]
    double cpu_s = 0;
    int triangles = 0;
};

FaithfulResult run_faithful(const TribometerDesc& desc, const FaithfulSettings& settings, double distance);

/// One particle C against the edge AB of T3.40 to T3.49: distance, relative velocity along the normal, effective mass.
struct PairImpulse {
    double impulse = 0;
    double work = 0;    ///< of the field over the step
    bool kill = false;  ///< the approach was stopped
};
PairImpulse pair_impulse(double distance, double velocity, double reduced_mass, double field, double thickness,
                         double cut_off, double dt);

}  // namespace asperity::lab

// One run of the tribometer from a description to numbers: profiles, blocks, settling, drive, what is read off the curve.
// docs/lab.md has the protocol; the defaults are its values.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asperity/lab/surfaces/profile.h"
#include "asperity/lab/tribometer/tribometer.h"

namespace asperity::lab {

/// The rough line of a block before it is bevelled and placed.
struct FaceDesc {
    enum class Kind { Spectrum, Flat, Sawtooth, Wave, Cylinder };
    Kind kind = Kind::Spectrum;
    ProfileSpec profile;      ///< Spectrum; its stream is 0 for the lower block and 1 for the upper one
    double period = 20;       ///< Sawtooth, Wave [units]
    double slope_up = 0.5;    ///< Sawtooth: tangent of the flank that rises towards +x
    double slope_down = 0.5;  ///< and of the one that falls
    double height = 5;        ///< Wave: amplitude
    double radius = 100;      ///< Cylinder: of the face, convex
};

struct BlockDesc {
    double length = 0, height = 0;  ///< [units]; the height from the mean line to the base
    double at = 0;                  ///< x of the left end
    double bevel = 0;  ///< upper block: length and height of the parabola by which both ends of its face are rounded off
    Solid solid;
};

struct DriveDesc {
    enum class Kind {
        Ramp,          ///< a horizontal body force that grows by `rate` weights per time
        Displacement,  ///< the mean displacement grows by `increment` per step; no inertia
        Speed,         ///< the mean displacement grows at `speed`
    };
    Kind kind = Kind::Ramp;
    double rate = 0.02;       ///< Ramp [1/s]
    double dt = 0.2;          ///< Ramp, Speed [s]
    double increment = 0.25;  ///< Displacement [units]
    double speed = 1;         ///< Speed [units/s]
    double slide = 30;        ///< the run ends when the block has moved this far
    double most_push = 5;     ///< or, Ramp, at this force over weight
    double direction = 1;     ///< 1 towards +x, -1 towards -x
};

struct Experiment {
    std::string title;
    FaceDesc face;
    std::optional<FaceDesc> upper_face;  ///< unset: of the same kind as the lower one
    double spacing = 1;                  ///< of the points of both faces
    BlockDesc lower{1500, 115, 0, 0, {}}, upper{750, 100, 300, 15, {}};
    double gap = 1;  ///< smallest vertical distance of the faces at the start
    double gravity = 9.8, dhat = 0.2, stiffness_share = 0.1, local_mu = 0;
    double local_adhesion = 0, local_cap = std::numeric_limits<double>::infinity();
    int fine_rows = 0;
    double settle_dt = 0.2, settle_rest = 1e-3;
    DriveDesc drive;
    /// Onset: the last force at which the block was slower than 0.1 sqrt(gravity onset_length), with the shortest wavelength
    /// of the surface as the length.
    double onset_length = 8;
};

struct ExperimentResult {
    std::vector<Sample> curve;
    /// Force over weight at which the block has moved 30 and 10 units; not a number if it did not. Ramp: the applied force;
    /// Displacement and Speed: the largest one until there.
    double mu_30 = 0, mu_10 = 0, mu_onset = 0;
    double mu_static = 0;  ///< the largest force over weight of the run; of a ramp at its end
    double mu_kinetic =
        0;  ///< impulse over impulse of the normal force, from mu_static on (T4.1); Displacement: by distance
    double normal_over_weight = 0;  ///< after settling
    double contact_length = 0;      ///< after settling, over the length of the upper face
    int patches = 0;
    int triangles = 0, newton_iterations = 0, steps = 0, halvings = 0;
    double slide = 0;
    double face_edge = 0, base_edge = 0, quality_min = 0;  ///< of both meshes: means, and the least
    double rms_slope = 0;                                  ///< of the two profiles together
    double cpu_s = 0;                                      ///< processor time of this thread and its helpers
};

/// Called after settling (sample.time = 0) and after every step; false ends the run.
using Observer = std::function<bool(const Tribometer&, const Sample&)>;

/// The faces and blocks of an experiment, in place. Throws InputError for contradictions.
TribometerDesc describe(const Experiment& experiment);

/// Throws InputError or NumericalFailure.
ExperimentResult run(const Experiment& experiment, const Observer& observer = {});

/// Force over weight at which the slide first reaches `distance`, linear between the samples; not a number if it does not.
/// `running_max`: the largest force until there.
double mu_at(const std::vector<Sample>& curve, double distance, bool running_max);

}  // namespace asperity::lab

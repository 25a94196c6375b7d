// Observables of a run and the check of a scene's expectations against them.
#pragma once
#include <string>
#include <vector>

#include "asperity/scene/scene.h"

namespace asperity::scene {

/// Follows a world from step to step and keeps the data of the observables: start poses, largest excursions, extremes.
class Observer {
  public:
    /// `touched_by`: only contact with this body counts as touching; -1: contact with any body.
    explicit Observer(const Scene& scene, int touched_by = -1);
    void after_step(const Scene& scene, const sim::StepReport& report);

    /// Per body: x y z vx vy vz wx wy wz speed spin (|w|) travel (distance from the start) travel_x travel_y travel_z
    /// heading_deg (direction of travel in the plane z = const, from +x) displacement_max (largest distance from the start
    /// over the run) sway_max (largest horizontal excursion) tilt_deg (angle between its z axis now and at the start)
    /// tilt_max_deg yaw_deg (rotation of its x axis since the start, seen from above, -180 to 180) yaw_max_deg (largest
    /// absolute value) path_length speed_max spin_max height_max touched (1 once it was in loaded contact with another body,
    /// else 0). Throws InputError for an unknown name.
    double body_value(const std::string& observable, int body, const Scene& scene) const;
    /// Whole world: penetration (in the last step) penetration_max residual_max contacts contacts_max patches patches_max
    /// kinetic_energy energy energy_gain_max (largest rise of the total energy above its start) energy_rise_max (largest
    /// rise within a step) energy_drift (relative change of the total energy) momentum_drift sweeps_max.
    double world_value(const std::string& observable, const Scene& scene) const;

    double penetration_max() const { return penetration_max_; }
    double residual_max() const { return residual_max_; }
    int contacts_max() const { return contacts_max_; }

    /// The extremes so far as bytes, so that a resumed run is judged as a whole.
    std::string save() const;
    void restore(const std::string& bytes);

  private:
    struct BodyTrack {
        Pose start;
        double displacement_max = 0, sway_max = 0, tilt_max = 0, yaw_max = 0, path_length = 0, speed_max = 0, spin_max = 0,
               height_max = 0;
        double touched = 0;  // 0 or 1
        Vec3 last;
    };
    std::vector<BodyTrack> bodies_;
    int touched_by_;
    double start_energy_ = 0, last_energy_ = 0, energy_gain_max_ = 0, energy_rise_max_ = 0, penetration_ = 0,
           penetration_max_ = 0, residual_max_ = 0;
    Vec3 start_momentum_;
    int contacts_max_ = 0, patches_max_ = 0, sweeps_max_ = 0;
};

std::vector<std::string> body_observables();
/// Those that `point` of an expectation may be given for.
std::vector<std::string> point_observables();
/// Force on a body in the last step [N], by one body or held region (`by`), or by all: fx fy fz. Likewise contact_spread:
/// root mean square distance of its contacts from their centre, weighed by normal force [m].
std::vector<std::string> force_observables();
/// Observables of all matching bodies together: wrap_deg (wrap.h).
std::vector<std::string> row_observables();
std::vector<std::string> world_observables();

struct ExpectResult {
    std::string name;
    double value = 0;
    std::string bound;  ///< "<= 0.0005", "= 5.562 +- 0.005"
    bool ok = false;
};
/// The observed value; `over` combines the values of several bodies.
double observed(const Expectation& expectation, const Observer& observer, const Scene& scene);
/// Compares that value with the expectation's bounds.
ExpectResult judged(const Expectation& expectation, double value);
/// observed() and judged() for all expectations, over everything that the observer has seen.
std::vector<ExpectResult> check(const Scene& scene, const Observer& observer);

}  // namespace asperity::scene

// The quantities that stay constant during a step: bodies, shapes, materials, joints and settings. World (world.h)
// fills the model; a user may change it between steps.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "asperity/contact/contact.h"
#include "asperity/rigid/body.h"
#include "asperity/rigid/joint.h"
#include "asperity/solvers/problem/solver.h"
#include "asperity/surface/material.h"

namespace asperity::sim {

struct Settings {
    Vec3 gravity{0, 0, -9.81};      ///< [m/s^2]
    std::string solver = "prox";    ///< a name accepted by solvers::make_solver
    solvers::SolveOptions solve;    ///< tolerance [m/s], sweep limit
    int substeps = 1;               ///< step(world, dt) takes this many steps of dt/substeps
    double contact_margin = 0.005;  ///< contacts are found for gaps up to this plus the approach in the step [m]
    surface::ContactModel contact_model = surface::ContactModel::Points;  ///< default; a pair may override it
    surface::Stabilisation stabilisation;                                 ///< default; a pair may override it
    double bounce_threshold = 0.05;                                       ///< impacts slower than this do not bounce [m/s]
    /// Largest number of solves with limit surfaces of the end of the step; the passes end earlier when the velocities
    /// converge. 0: limit surfaces belong to the start of the step.
    int implicit_passes = 0;
    /// Contacts that carry a load act at the middle of the step if a body rotates: second order in time. Piles that are
    /// solved with few sweeps gain nothing by it; without it their steps take a tenth less time.
    bool halfway_contacts = true;
    int position_sweeps = 50;  ///< sweep limit of the position solve
    /// Contacts of a pair are reused while the relative displacement of the two bodies is below this bound [m]. Reused
    /// contact points move with the bodies; their error is about the square of the bound over the size of the bodies.
    /// 0: the narrow phase runs in every step.
    double contact_reuse = 0;
    /// An island falls asleep when all its bodies have been slower than this for sleep_time [m/s]. 0: no island sleeps.
    double sleep_speed = 0;
    double sleep_time = 0.5;  ///< [s]
};

struct Model {
    Settings settings;
    surface::PairTable pairs;  ///< fill before the first step
    rigid::Bodies bodies;
    std::vector<rigid::Joint> joints;  ///< joints of the scene, then one spring per drag
    std::vector<surface::Material> materials;
    // Indexed by collider; may be shorter than the list of colliders. An entry overrides the material's.
    std::vector<std::shared_ptr<const surface::Grain>> collider_grain;
    std::vector<surface::SlopeTexture> collider_slopes;

    /// The collider's own grain, or null if its material decides.
    const surface::Grain* grain_of(int collider) const {
        const auto i = static_cast<size_t>(collider);
        return i < collider_grain.size() ? collider_grain[i].get() : nullptr;
    }
    /// The collider's own normal map or that of its material; null if both are smooth.
    const surface::SlopeTexture* slopes_of(int collider) const {
        const auto i = static_cast<size_t>(collider);
        if (i < collider_slopes.size() && !collider_slopes[i].smooth()) return &collider_slopes[i];
        const surface::SlopeTexture& own = materials[static_cast<size_t>(bodies.colliders[i].material.index)].slopes;
        return own.smooth() ? nullptr : &own;
    }
    /// The law of the two materials of a contact.
    const surface::Pair& pair_of(const contact::Contact& c) const { return pairs.pair(c.material_a, c.material_b); }

    bool is_dynamic(int body) const { return bodies.motion[static_cast<size_t>(body)] == rigid::Motion::Dynamic; }
};

}  // namespace asperity::sim

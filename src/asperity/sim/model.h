// What is constant while a world steps: bodies, shapes, materials, joints and settings. The world (world.h) fills it, and a
// user changes it between steps.
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
    std::string solver = "prox";    ///< a name that solvers::make_solver knows
    solvers::SolveOptions solve;    ///< tolerance [m/s], sweep limit
    int substeps = 1;               ///< step(world, dt) takes this many steps of dt/substeps
    double contact_margin = 0.005;  ///< contacts are found for gaps up to this [m]
    surface::ContactModel contact_model = surface::ContactModel::Points;  ///< of pairs that do not choose one
    surface::Stabilisation stabilisation;                                 ///< of patches whose pairs do not choose one
    double bounce_threshold = 0.05;                                       ///< impacts slower than this do not bounce [m/s]
    /// Limit surfaces are generated again at the end of the step, at most so many times, until the velocities converge.
    /// 0: limit surfaces belong to the start of the step.
    int implicit_passes = 0;
    /// Loaded contacts of turning bodies act at the middle of the step, which is second order in time. Piles that are solved
    /// by few sweeps do not gain from it, and are a tenth faster without.
    bool halfway_contacts = true;
    int position_sweeps = 50;  ///< sweep limit of the position solve
    /// Contacts of a pair are reused while the two bodies have moved less than this relative to each other [m]. The contact
    /// points then move with the bodies; the error is about the square of this over the size of the bodies. 0: contacts are
    /// found in every step.
    double contact_reuse = 0;
    /// An island falls asleep when all its bodies have been slower than this for sleep_time [m/s]. 0: no island sleeps.
    double sleep_speed = 0;
    double sleep_time = 0.5;  ///< [s]
};

struct Model {
    Settings settings;
    surface::PairTable pairs;  ///< fill before the first step
    rigid::Bodies bodies;
    std::vector<rigid::Joint> joints;  ///< those of the scene, then one spring per drag
    std::vector<surface::Material> materials;
    // Per collider, as far as the lists reach: what it has in place of its material's.
    std::vector<std::shared_ptr<const surface::Grain>> collider_grain;
    std::vector<surface::SlopeTexture> collider_slopes;

    /// A collider's own grain, or null where its material decides.
    const surface::Grain* grain_of(int collider) const {
        const auto i = static_cast<size_t>(collider);
        return i < collider_grain.size() ? collider_grain[i].get() : nullptr;
    }
    /// The normal map of a collider: its own, or its material's; null where both are smooth.
    const surface::SlopeTexture* slopes_of(int collider) const {
        const auto i = static_cast<size_t>(collider);
        if (i < collider_slopes.size() && collider_slopes[i].map) return &collider_slopes[i];
        const surface::SlopeTexture& own = materials[static_cast<size_t>(bodies.colliders[i].material.index)].slopes;
        return own.map ? &own : nullptr;
    }
    /// The law of the two materials of a contact.
    const surface::Pair& pair_of(const contact::Contact& c) const { return pairs.pair(c.material_a, c.material_b); }

    bool is_dynamic(int body) const { return bodies.motion[static_cast<size_t>(body)] == rigid::Motion::Dynamic; }
};

}  // namespace asperity::sim

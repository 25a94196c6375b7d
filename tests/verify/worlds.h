// Small worlds and measures shared by the verification tests. The closed forms are in the tests.
#pragma once
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <functional>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/scene/scene.h"
#include "asperity/sim/step.h"

namespace asperity::verify {

constexpr double kGravity = 9.81;
using std::numbers::pi;

/// Stores a measured error in the XML report (--gtest_output=xml), the source of these tests' tolerances.
inline void measured(const std::string& what, double value) {
    testing::Test::RecordProperty(what, fmt::format("{:.3e}", value));
}

inline scene::Scene load(const std::string& name, const std::vector<scene::Override>& overrides = {}) {
    return scene::load(fmt::format("{}/scenes/{}.toml", ASPERITY_SOURCE_DIR, name), overrides);
}
inline scene::Override set(const std::string& key, double value) { return {key, fmt::format("{:.17g}", value)}; }
inline scene::Override set_solver(const std::string& name) { return {"step.solver", fmt::format("\"{}\"", name)}; }

/// A world of one material (index 0), all of whose pairs follow `law`.
inline sim::World world_with(const friction::Law& law = {}, double restitution = 0,
                             const Vec3& gravity = {0, 0, -kGravity}) {
    sim::World world;
    world.model.settings.gravity = gravity;
    world.add_material({.name = "stuff"});
    world.model.pairs.set_default({law, restitution});
    return world;
}
inline friction::Law coulomb(double mu) { return {.base = friction::Coulomb{mu}}; }
/// Gravity on a plane tilted by `angle`, in axes of the plane: downslope is +x.
inline Vec3 tilted_gravity(double angle) { return kGravity * Vec3{std::sin(angle), 0, -std::cos(angle)}; }

inline int add_ground(sim::World& world) {
    return world.add_body({.name = "ground", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}, {}, {}}}})
        .index;
}
inline int add(sim::World& world, const std::string& name, const geometry::Shape& shape, const Pose& pose, double mass = 1) {
    return world.add_body({.name = name, .colliders = {{shape, {}, {}}}, .pose = pose, .mass = mass}).index;
}

struct Body {
    sim::World& world;
    size_t i;
    Body(sim::World& w, int index) : world(w), i(static_cast<size_t>(index)) {}
    Vec3& velocity() { return world.state.bodies.velocity[i]; }
    Vec3& spin() { return world.state.bodies.angular_velocity[i]; }
    const Vec3& position() const { return world.state.bodies.pose[i].position; }
    const Quat& orientation() const { return world.state.bodies.pose[i].orientation; }
    double mass() const { return world.model.bodies.mass[i]; }
    const Mat3& inertia() const { return world.model.bodies.inertia[i]; }
};

/// Runs `steps` steps and calls `after` after each.
inline void run(sim::World& world, double dt, int steps, const std::function<void()>& after = {}) {
    for (int i = 0; i < steps; ++i) {
        const sim::StepReport report = sim::step(world, dt);
        ASSERT_TRUE(report.finite) << "step " << report.step;
        if (after) after();
    }
}

inline double energy(const sim::World& world) { return world.kinetic_energy() + world.potential_energy(); }

/// The text of the InputError that `work` throws; empty where it throws none.
inline std::string complaint(const std::function<void()>& work) {
    try {
        work();
    } catch (const InputError& error) { return error.what(); }
    return "";
}

/// log2 of the ratio of errors at dt and dt/2: the observed order of convergence.
inline double order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace asperity::verify

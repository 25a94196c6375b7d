// Recordings of a world: its bodies and materials, and frames of its present state.
#include <fmt/format.h>
#include <cmath>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/scene/implicit_run.h"
#include "asperity/scene/run.h"
#include "asperity/sim/contact_surface.h"

namespace asperity::scene {
namespace {

/// Largest coefficient of a limit set along each of its axes.
Vec2 reach(const friction::LimitSet& set) {
    return {std::fmax(friction::support(set, {1, 0, 0}), friction::support(set, {-1, 0, 0})),
            std::fmax(friction::support(set, {0, 1, 0}), friction::support(set, {0, -1, 0}))};
}

/// The grain of a shape, from the body or else from its material (field or constant).
std::shared_ptr<const surface::Grain> grain_of(const sim::World& world, int collider) {
    if (world.model.grain_of(collider)) return world.model.collider_grain[static_cast<size_t>(collider)];
    const surface::Material& material =
        world.model
            .materials[static_cast<size_t>(world.model.bodies.colliders[static_cast<size_t>(collider)].material.index)];
    if (material.grain_field) return material.grain_field;
    return material.grain == Vec3{} ? nullptr
                                    : std::make_shared<const surface::Grain>(surface::ConstantGrain{material.grain});
}

}  // namespace

record::Recording start_recording(const Scene& scene) {
    record::Recording recording;
    const rigid::Bodies& bodies = scene.world.model.bodies;
    recording.title = scene.title;
    recording.materials = scene.world.model.materials;
    recording.view = scene.view;
    for (size_t i = 0; i < bodies.motion.size(); ++i) {
        record::RecordedBody body{bodies.name[i], bodies.motion[i], {}, {}, {}};
        for (int k = 0; k < bodies.collider_count[i] && !bodies.removed[i]; ++k) {
            const int collider = bodies.first_collider[i] + k;
            const rigid::Collider& c = bodies.colliders[static_cast<size_t>(collider)];
            body.colliders.push_back(c);
            body.grains.push_back(
                {grain_of(scene.world, collider), {c.local.position + bodies.center[i], c.local.orientation}});
            const surface::SlopeTexture* slopes = scene.world.model.slopes_of(collider);
            body.slopes.push_back(slopes ? *slopes : surface::SlopeTexture{});
            const auto looks = scene.looks.find(collider);
            body.looks.push_back(looks == scene.looks.end() ? nullptr : looks->second);
        }
        if (scene.implicit) body.deformable = scene.implicit->mesh(static_cast<int>(i));
        recording.bodies.push_back(std::move(body));
    }
    if (scene.implicit) {
        recording.has_forces = true;
        recording.regions = scene.implicit->regions();
    }
    for (const rigid::Joint& joint : scene.world.scene_joints())
        if (std::holds_alternative<rigid::Distance>(joint.kind) || std::holds_alternative<rigid::PointSpring>(joint.kind))
            recording.links.push_back({joint.a.index, joint.b.index, joint.frame_a.position, joint.frame_b.position});
    return recording;
}

namespace {

/// Outline of the region: its vertices, or 32 points of the ellipse.
std::vector<Vec3> outline(const contact::PatchContact& p) {
    std::vector<Vec3> out;
    const auto add = [&](double x, double y) { out.push_back(p.at.point + x * p.u + y * p.w()); };
    if (const auto* ellipse = std::get_if<geometry::EllipseRegion>(&p.region)) {
        constexpr int count = 32;
        for (int i = 0; i < count; ++i)
            add(ellipse->a * std::cos(2 * std::numbers::pi * i / count),
                ellipse->b * std::sin(2 * std::numbers::pi * i / count));
    } else {
        const auto& polygon = std::get<geometry::PolygonRegion>(p.region);
        for (int i = 0; i < polygon.count; ++i)
            add(polygon.corners[static_cast<size_t>(i)].x, polygon.corners[static_cast<size_t>(i)].y);
    }
    return out;
}

record::PatchSample sample_of(const contact::PatchContact& p, double dt) {
    record::PatchSample out{p.at.body_a, p.at.body_b,       p.at.point,    p.at.normal,
                            p.u,         p.at.impulse / dt, p.torque / dt, p.centre_of_pressure(),
                            0,           outline(p)};
    out.spin_torque = dot(out.torque - cross(out.pressure - out.centre, out.force), out.normal);
    return out;
}

/// How far a friction force is from its limit. Of a point whose set is empty nothing is known (sim::limit_surface).
void add_margin(const friction::LimitSurface& limit, record::ContactSample& to) {
    const double load = dot(to.force, to.normal), friction = length(to.force - load * to.normal);
    if (!(load > 0) || !(to.mu_t > 0 || to.mu_b > 0)) return;
    const double used = friction::gauge(limit.set, {dot(to.force, limit.t), dot(to.force, limit.b), to.spin_torque}) / load;
    to.margin = std::fmax(0.0, 1 - used);
    if (used > 0 && std::isfinite(used)) to.limit = friction / used;
}

}  // namespace

record::Frame frame_of(const sim::World& world, bool contacts, const std::vector<Pose>& earlier) {
    record::Frame frame{
        world.state.time, world.state.bodies.pose, world.state.bodies.velocity, world.state.bodies.angular_velocity, {}, {}};
    if (world.model.bodies.removed_count > 0 && earlier.size() == frame.poses.size())  // removed bodies stay where they were
        for (size_t i = 0; i < frame.poses.size(); ++i)
            if (world.model.bodies.removed[i]) frame.poses[i] = earlier[i];
    if (!contacts || !(world.state.last_dt > 0)) return frame;
    const auto add = [&](const contact::Contact& c, size_t place, int patch) {
        const friction::LimitSurface limit = sim::limit_surface(world, place);
        const Vec2 mu = reach(limit.set);
        const sim::ContactSurface at = sim::contact_surface(world, c);
        frame.contacts.push_back({c.body_a, c.body_b, c.point, c.normal, c.impulse / world.state.last_dt, c.t, mu.x, mu.y,
                                  at.a.face, at.b.face, at.a.uv, at.b.uv, c.gap, c.drilling / world.state.last_dt, patch});
        if (patch < 0) add_margin(limit, frame.contacts.back());
    };
    for (size_t i = 0; i < world.state.active.contacts.size(); ++i) add(world.state.active.contacts[i], i, -1);
    for (size_t i = 0; i < world.state.active.patches.size(); ++i) {
        const contact::PatchContact& p = world.state.active.patches[i];
        frame.patches.push_back(sample_of(p, world.state.last_dt));
        for (int k = p.first; k < p.first + p.count; ++k) frame.contacts[static_cast<size_t>(k)].patch = static_cast<int>(i);
        // a patch of a shared volume that contains no contact point
        if (p.count == 0) add(p.at, world.state.active.contacts.size() + i, static_cast<int>(i));
    }
    return frame;
}

record::Frame frame_of(const Scene& scene, bool contacts, const std::vector<Pose>& earlier) {
    record::Frame frame = frame_of(scene.world, contacts && !scene.implicit, earlier);
    if (!scene.implicit) return frame;
    frame.deformations = scene.implicit->deformations();
    frame.forces = scene.implicit->forces();
    if (contacts) frame.contacts = scene.implicit->contacts();
    return frame;
}

void record_frame(record::Recording& recording, const sim::World& world, bool contacts) {
    if (recording.bodies.size() != world.state.bodies.pose.size())
        throw InputError(
            fmt::format("record_frame: the recording was started with {} bodies, the world has {}; start another "
                        "recording after adding bodies",
                        recording.bodies.size(), world.state.bodies.pose.size()));
    const std::vector<Pose> none;
    recording.frames.push_back(frame_of(world, contacts, recording.frames.empty() ? none : recording.frames.back().poses));
}

}  // namespace asperity::scene

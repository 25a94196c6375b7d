// Asperity itself, through the same interface as the other engines.
#include "asperity/core/parallel.h"
#include "asperity/sim/step.h"
#include "asperity_world.h"

namespace asperity::peers {
namespace {

std::vector<PeerContact> peer_contacts(const sim::World& world) {
    std::vector<PeerContact> points;
    for (const contact::Contact& c : world.state.active.contacts) {
        points.push_back({c.body_a, c.body_b, c.point, c.point, c.normal, c.gap, c.impulse});
    }
    return points;
}

}  // namespace

std::string engine_name() { return "asperity"; }
std::vector<std::string> engine_configs() { return {"fast", "default", "high"}; }

bool engine_has_threads() { return true; }

Motion run(const Scene& scene, std::string_view config, int threads) {
    set_thread_count(threads);
    sim::World world = asperity_world(scene, config);
    return record(
        scene, [&](bool) { sim::step(world, scene.dt); },
        [&](int i) { return rigid::authored_pose(world.model.bodies, world.state.bodies, i); },
        [&](int i) {
            return Twist{world.state.bodies.velocity[static_cast<size_t>(i)],
                         world.state.bodies.angular_velocity[static_cast<size_t>(i)]};
        },
        [&] { return peer_contacts(world); });
}

}  // namespace asperity::peers

#include "asperity/scene/wrap.h"

#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "asperity/scene/pattern.h"

namespace asperity::scene {

double wrap_deg(const sim::World& world, const std::string& pattern, int rod) {
    std::vector<bool> pressed(static_cast<std::size_t>(world.model.bodies.count()), false);
    for (const contact::Contact& c : world.state.active.contacts) {
        if ((c.body_a != rod && c.body_b != rod) || !(dot(c.impulse, c.normal) > 0)) continue;
        pressed[static_cast<std::size_t>(c.body_a == rod ? c.body_b : c.body_a)] = true;
    }
    const Pose& axis = world.state.bodies.pose[static_cast<std::size_t>(rod)];
    std::optional<double> last;      // angle of the previous body, after the first loaded one
    double turned = 0, wrapped = 0;  // angle since the first loaded body; the same up to the last loaded body
    for (std::size_t b = 0; b < pressed.size(); ++b) {
        if (static_cast<int>(b) == rod || !matches(pattern, world.model.bodies.name[b]) || (!last && !pressed[b])) continue;
        const Vec3 at = axis.to_local(world.state.bodies.pose[b].position);
        const double angle = std::atan2(at.y, at.x);
        if (last) turned += std::remainder(angle - *last, 2 * std::numbers::pi);
        last = angle;
        if (pressed[b]) wrapped = turned;
    }
    return degrees(std::abs(wrapped));
}

}  // namespace asperity::scene

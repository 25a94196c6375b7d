// Part of stage 3: where a pair touches in one point alone, the disc that its patch_radius stands for resists spinning.
// Round bodies roll on that disc (make_patches.cpp); a corner on a face or two edges that cross cannot roll, but without
// this nothing stops a body that two such points hold on opposite sides: it swings about the line through them for ever. The
// torque is that of a disc under even pressure, the mean over it of the law's drag, 2/3 mu a for a circle; slide and spin
// share one set, as with `drilling`.
#include "asperity/friction/patch_limits.h"
#include "asperity/sim/cone_parts.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

using contact::Contact;

/// The only contact of a pair that carried a load in the last step; -1 where there is none or more.
int lone_point(const ContactMemory& memory, const contact::PairMemory& pair) {
    int lone = -1;
    for (int i = pair.first; i < pair.first + pair.count; ++i) {
        if (memory.contacts[static_cast<size_t>(i)].impulse == Vec3{}) continue;
        if (lone >= 0) return -1;
        lone = i;
    }
    return lone;
}

}  // namespace

// patches have their own
bool lone_points_spin(const Settings& settings, const surface::Pair& pair) {
    return pair.patch_radius > 0 && !makes_patches(settings, pair);
}

void resist_spinning(const ConeStage& from, LimitSurfaces& cones) {
    const double threshold = from.model.settings.bounce_threshold;
    for (const contact::PairMemory& pair : from.contacts.pair_memory) {
        const int lone = lone_point(from.contacts, pair);
        if (lone < 0) continue;
        const Contact& c = from.contacts.contacts[static_cast<size_t>(lone)];
        const surface::Pair& materials = from.model.pairs.pair(c.material_a, c.material_b);
        const double radius = materials.patch_radius;
        friction::LimitSet& set = cones.cones[static_cast<size_t>(lone)].set;
        const auto* planar = std::get_if<friction::Ellipse>(&set);
        if (c.in_patch || !lone_points_spin(from.model.settings, materials) || !planar || planar->t == 0 || planar->b == 0)
            continue;
        // as for discs: what hits or slips is a point, for there are many of them while a pile lands
        if (length_squared(from.bodies.velocity_at(c.body_b, c.point) - from.bodies.velocity_at(c.body_a, c.point)) >=
            threshold * threshold)
            continue;
        set = friction::Ellipsoid{planar->t, planar->b, friction::mean_radius(planar->t * radius, planar->b * radius)};
    }
}

}  // namespace asperity::sim

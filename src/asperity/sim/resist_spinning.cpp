// Part of generate_cones: contact points that resist spinning. If a pair touches in a single point, the disc of radius
// patch_radius = a resists spinning about the normal. Round bodies have patches for this disc while they roll
// (make_patches.cpp). A corner on a face or two crossing edges cannot roll. But without spin resistance, a body held by
// two such points on opposite sides swings about the line through them for ever. The torque bound is that of a disc
// under even pressure, the mean over the disc of the law's friction: 2/3 mu a for a circle. Sliding and spinning share
// one set, as with `drilling`.
#include "asperity/friction/patch_limits.h"
#include "asperity/sim/cone_parts.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

using contact::Contact;

/// The only contact of a pair that carried a load in the last step; -1 if there is none or more than one.
int single_loaded_contact(const ContactMemory& memory, const contact::PairMemory& pair) {
    int lone = -1;
    for (int i = pair.first; i < pair.first + pair.count; ++i) {
        if (memory.contacts[static_cast<size_t>(i)].impulse == Vec3{}) continue;
        if (lone >= 0) return -1;
        lone = i;
    }
    return lone;
}

}  // namespace

// patches have a spin resistance of their own
bool has_spin_resistance(const Settings& settings, const surface::Pair& pair) {
    return pair.patch_radius > 0 && !makes_patches(settings, pair);
}

void resist_spinning(const ConeInputs& from, LimitSurfaces& cones) {
    const double threshold = from.model.settings.bounce_threshold;
    for (const contact::PairMemory& pair : from.contacts.pair_memory) {
        const int lone = single_loaded_contact(from.contacts, pair);
        if (lone < 0) continue;
        const Contact& c = from.contacts.contacts[static_cast<size_t>(lone)];
        const surface::Pair& materials = from.model.pairs.pair(c.material_a, c.material_b);
        const double radius = materials.patch_radius;
        friction::LimitSet& set = cones.cones[static_cast<size_t>(lone)].set;
        const auto* planar = std::get_if<friction::Ellipse>(&set);
        if (c.in_patch || !has_spin_resistance(from.model.settings, materials) || !planar || planar->t == 0 ||
            planar->b == 0)
            continue;
        // as for the discs of make_patches.cpp, contacts that hit or slip stay points: a landing pile has many of them
        if (length_squared(from.bodies.velocity_at(c.body_b, c.point) - from.bodies.velocity_at(c.body_a, c.point)) >=
            threshold * threshold)
            continue;
        set = friction::Ellipsoid{planar->t, planar->b, friction::mean_radius(planar->t * radius, planar->b * radius)};
    }
}

}  // namespace asperity::sim

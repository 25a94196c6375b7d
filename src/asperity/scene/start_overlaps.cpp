#include "asperity/scene/start_overlaps.h"

#include <fmt/format.h>
#include <cmath>
#include <limits>

#include "asperity/core/one_line.h"

namespace asperity::scene {
namespace {

constexpr double kShare = 0.01;  // of the thinner body: below, an overlap is pushed out unseen

/// The smallest extent of a body's thinnest shape [m].
double thickness(const rigid::Bodies& bodies, int body) {
    double thinnest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < bodies.collider_count[static_cast<size_t>(body)]; ++k) {
        const int collider = bodies.first_collider[static_cast<size_t>(body)] + k;
        const geometry::Aabb box = geometry::bounds(bodies.colliders[static_cast<size_t>(collider)].shape, {});
        const Vec3 size = box.high - box.low;
        thinnest = std::fmin(thinnest, std::fmin(size.x, std::fmin(size.y, size.z)));
    }
    return thinnest;
}

}  // namespace

std::string overlap_note(const Scene& scene) {
    const rigid::Bodies& bodies = scene.world.model.bodies;
    const contact::Contact* worst = nullptr;
    int pairs = 0, last_a = -1, last_b = -1;
    for (const contact::Contact& c : scene.world.state.active.contacts) {  // sorted by pair
        if (!(-c.gap > kShare * std::fmin(thickness(bodies, c.body_a), thickness(bodies, c.body_b)))) continue;
        if (c.body_a != last_a || c.body_b != last_b) ++pairs;
        last_a = c.body_a;
        last_b = c.body_b;
        if (!worst || c.gap < worst->gap) worst = &c;
    }
    if (!worst) return {};
    const auto name = [&](int body) { return one_line(bodies.name[static_cast<size_t>(body)], 60); };
    return fmt::format(
        "{} of bodies overlap{} at the start, {}'{}' and '{}' by {:.3g} m; overlaps are pushed apart by a fifth "
        "a step",
        pairs == 1 ? "1 pair" : fmt::format("{} pairs", pairs), pairs == 1 ? "s" : "", pairs == 1 ? "" : "most of all ",
        name(worst->body_a), name(worst->body_b), -worst->gap);
}

}  // namespace asperity::scene

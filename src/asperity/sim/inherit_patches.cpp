// Transfers the impulses of the patches of the last step to the patches of this step.
//
// Patches have no features that identify them: as bodies move, patches split, merge and shift their centres. So each
// old patch gives its whole wrench to one new patch of its pair, the one at its centre of pressure. A new patch takes
// the sum of the wrenches that it is given. So no load counts twice when a patch splits, and none is lost when two
// patches merge. The wrench is transferred to the new centre: with r from the new centre to the old one, the torque
// becomes tau + r x f. Discs of round bodies keep their torque, because their centre of pressure rolls along with the
// disc.
#include <algorithm>

#include "asperity/core/parallel.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

using contact::PatchContact;

constexpr double kMinNormalCosine = 0.9;  // cosine: patches whose normals differ by more do not match

/// Largest distance of the region from its centre.
double reach(const geometry::PatchRegion& region) {
    if (const auto* e = std::get_if<geometry::EllipseRegion>(&region)) return larger(e->a, e->b);
    const auto& polygon = std::get<geometry::PolygonRegion>(region);
    double most = 0;
    for (int i = 0; i < polygon.count; ++i) most = larger(most, length(polygon.corners[static_cast<size_t>(i)]));
    return most;
}

/// Vector along the surface from the centre of a new patch to that of an old patch of its pair. The old centre has
/// moved with a dynamic body. If both bodies are dynamic, the nearer of the two positions counts, because a patch stays
/// with the smaller face.
Vec3 offset_to(const ContactInput& in, const PatchContact& p, const PatchContact& old) {
    const auto offset = [&](int body, const Vec3& local) {
        const auto i = static_cast<size_t>(body);
        const Vec3 r = in.state.bodies.pose[i] * (local - in.model.bodies.center[i]) - p.at.point;
        return r - dot(r, p.at.normal) * p.at.normal;
    };
    const Vec3 by_a = offset(p.at.body_a, old.at.local_a), by_b = offset(p.at.body_b, old.at.local_b);
    if (!in.model.is_dynamic(p.at.body_a)) return by_b;
    if (!in.model.is_dynamic(p.at.body_b)) return by_a;
    return length_squared(by_a) <= length_squared(by_b) ? by_a : by_b;
}

/// Distance measure between an old and a new patch [m^2]: distance of the old centre of pressure from the region of the
/// new patch, and change of the normal.
double distance(const ContactInput& in, const PatchContact& p, const PatchContact& old) {
    const double far = larger(length(offset_to(in, p, old) + old.pressed) - p.reach, 0.0), size = larger(p.reach, old.reach);
    return far * far + 2 * (1 - dot(old.at.normal, p.at.normal)) * size * size;
}

}  // namespace

void inherit_impulses(const ContactInput& in, ContactSet& set) {
    for (PatchContact& p : set.patches) p.reach = reach(p.region);
    parallel_for(
        static_cast<int>(set.patches.size()),
        [&](int i) {
            const auto index = static_cast<size_t>(i);
            PatchContact& p = set.patches[index];
            p.at.impulse = p.torque = p.at.t = {};
            // the patches of both steps are sorted by pair
            const auto [from, to] =
                std::equal_range(in.state.active.patches.begin(), in.state.active.patches.end(), p,
                                 [](const PatchContact& x, const PatchContact& y) { return x.at.pair < y.at.pair; });
            const auto [first, last] = std::equal_range(set.patch_pair.begin(), set.patch_pair.end(), set.patch_pair[index]);
            double most = -1;
            for (auto old = from; old != to; ++old) {
                if (!(dot(old->at.normal, p.at.normal) > kMinNormalCosine)) continue;
                const double own = distance(in, p, *old);
                bool taken = false;  // by a nearer new patch, or by an earlier one at the same distance
                for (auto k = first; k != last && !taken; ++k) {
                    const auto other = static_cast<size_t>(k - set.patch_pair.begin());
                    if (other == index || !(dot(old->at.normal, set.patches[other].at.normal) > kMinNormalCosine)) continue;
                    const double its = distance(in, set.patches[other], *old);
                    taken = its < own || (its == own && other < index);
                }
                if (taken) continue;
                p.at.impulse += old->at.impulse;
                p.torque += old->torque;
                if (!p.rolls) p.torque += cross(offset_to(in, p, *old), old->at.impulse);
                // the tangent comes from the old patch with the largest load
                if (const double load = dot(old->at.impulse, old->at.normal); load > most) {
                    most = load;
                    p.at.t = old->at.t;
                }
            }
            p.load = larger(dot(p.at.impulse, p.at.normal), 0.0);
            // a disc has no axis of its own
            if (p.rolls && most >= 0) p.u = normalize_or(p.at.t - dot(p.at.t, p.at.normal) * p.at.normal, p.u);
        },
        8);
}

}  // namespace asperity::sim

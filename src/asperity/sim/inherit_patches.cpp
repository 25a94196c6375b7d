// Part of stage 2: what the patches of the last step have carried, handed on to those of this one.
//
// Patches have no features to be known by: as bodies move they split, merge and shift their centres. So each old patch gives
// all it carried to one new patch of its pair, the one that lies where it pressed, and a new one takes what all of its old
// ones give: no load is there twice, as when two patches would both begin with that of one, and none is lost where one stays
// of two. A wrench is handed on in its place: where the centre has shifted from under it, by r, its torque about the new one
// is tau + r x f. Round bodies roll their centre of pressure along with their disc, which has no such place.
#include <algorithm>

#include "asperity/core/parallel.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

using contact::PatchContact;

constexpr double kKept = 0.9;  // cosine: a patch whose normal turned farther since the last step is another one

/// Half the extent of a region.
double reach(const geometry::PatchRegion& region) {
    if (const auto* e = std::get_if<geometry::EllipseRegion>(&region)) return larger(e->a, e->b);
    const auto& polygon = std::get<geometry::PolygonRegion>(region);
    double most = 0;
    for (int i = 0; i < polygon.count; ++i) most = larger(most, length(polygon.corners[static_cast<size_t>(i)]));
    return most;
}

/// From a new patch's centre to that of an old one of its pair, along the surface. A freely moving body has carried the old
/// patch with it; of two such bodies the one that has it nearer counts, for a patch stays with the smaller face.
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

/// How far an old patch is from being this one: from where it pressed to the edge of this one, and by how much it turned
/// [m^2].
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
            // both steps' are sorted by pair
            const auto [from, to] =
                std::equal_range(in.state.active.patches.begin(), in.state.active.patches.end(), p,
                                 [](const PatchContact& x, const PatchContact& y) { return x.at.pair < y.at.pair; });
            const auto [first, last] = std::equal_range(set.patch_pair.begin(), set.patch_pair.end(), set.patch_pair[index]);
            double most = -1;
            for (auto old = from; old != to; ++old) {
                if (!(dot(old->at.normal, p.at.normal) > kKept)) continue;
                const double own = distance(in, p, *old);
                bool taken = false;  // by another, or by an earlier one that is as near
                for (auto k = first; k != last && !taken; ++k) {
                    const auto other = static_cast<size_t>(k - set.patch_pair.begin());
                    if (other == index || !(dot(old->at.normal, set.patches[other].at.normal) > kKept)) continue;
                    const double its = distance(in, set.patches[other], *old);
                    taken = its < own || (its == own && other < index);
                }
                if (taken) continue;
                p.at.impulse += old->at.impulse;
                p.torque += old->torque;
                if (!p.rolls) p.torque += cross(offset_to(in, p, *old), old->at.impulse);
                // its axes are those of the heaviest
                if (const double load = dot(old->at.impulse, old->at.normal); load > most) {
                    most = load;
                    p.at.t = old->at.t;
                }
            }
            p.load = larger(dot(p.at.impulse, p.at.normal), 0.0);
            // a disc has none of its own
            if (p.rolls && most >= 0) p.u = normalize_or(p.at.t - dot(p.at.t, p.at.normal) * p.at.normal, p.u);
        },
        8);
}

}  // namespace asperity::sim

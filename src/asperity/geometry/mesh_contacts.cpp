#include "asperity/geometry/mesh_contacts.h"

#include <algorithm>

#include "asperity/geometry/manifold.h"

namespace asperity::geometry {
namespace {

constexpr double kSameDirection = 0.97;  // cosine of 14 degrees: normals nearer than that share a group
constexpr double kNearTier = 0.1;        // of the margin: nearly as near as the nearest
constexpr int kMaxGroups = 12;

}  // namespace

void MeshCandidates::add(MeshCandidate c) {
    c.coming = c.gap + std::min(0.0, dot(c.outward, shift + cross(turn, c.on_mesh)));
    int farthest = 0;
    for (int i = 0; i < items.size(); ++i) {
        if (items[i].feature == c.feature) {
            if (c.gap < items[i].gap) items[i] = c;
            return;
        }
        if (items[i].coming > items[farthest].coming) farthest = i;
    }
    if (!items.full())
        items.push(c);
    else if (c.coming < items[farthest].coming)
        items[farthest] = c;
}

bool reduce(MeshCandidates& candidates, const MeshPlace& place, ContactList& out) {
    auto& items = candidates.items;
    out.count = 0;
    if (items.empty()) return false;
    // nearest at the end of the step first, so that groups form around the contacts that matter; ids break ties
    std::sort(items.begin(), items.end(), [](const MeshCandidate& p, const MeshCandidate& q) {
        return p.coming < q.coming || (p.coming == q.coming && p.feature < q.feature);
    });
    const double deepest = items[0].coming;
    signed char group_of[MeshCandidates::kCapacity];
    Vec3 directions[kMaxGroups];
    int groups = 0;
    for (int i = 0; i < items.size(); ++i) {
        group_of[i] = -1;
        for (int g = 0; g < groups && group_of[i] < 0; ++g)
            if (dot(directions[g], items[i].outward) > kSameDirection) group_of[i] = static_cast<signed char>(g);
        if (group_of[i] >= 0 || groups == kMaxGroups) continue;
        group_of[i] = static_cast<signed char>(groups);
        directions[groups++] = items[i].outward;
    }
    const double near = std::max(deepest, 0.0) + kNearTier * place.margin;
    const auto emit = [&](std::uint32_t feature) {
        const auto* found =
            std::find_if(items.begin(), items.end(), [&](const MeshCandidate& c) { return c.feature == feature; });
        if (out.count == ContactList::kCapacity) return;
        ContactList::Item& item = out.items[out.count++];
        const Vec3 mesh = place.frame * found->on_mesh, other = place.frame * found->on_other;
        const Vec3 outward = rotate(place.frame.orientation, found->outward);
        item.normal = place.mesh_is_a ? outward : -outward;
        item.point = {place.mesh_is_a ? mesh : other, place.mesh_is_a ? other : mesh, found->gap, feature};
    };
    for (int tier = 0; tier < 2; ++tier)
        for (int g = 0; g < groups; ++g) {
            Candidates members;
            for (int i = 0; i < items.size(); ++i)
                if (group_of[i] == g && (items[i].coming > near) == (tier == 1) && !members.full())
                    members.push({items[i].on_mesh, items[i].on_other, items[i].gap, items[i].feature});
            Manifold manifold;
            reduce(members, directions[g], {}, place.previous, manifold);
            for (int k = 0; k < manifold.count; ++k) emit(manifold.points[k].feature);
        }
    return out.count > 0;
}

}  // namespace asperity::geometry

#include "asperity/geometry/mesh_contact/mesh_contacts.h"

#include <algorithm>

#include "asperity/geometry/convex_contact/manifold.h"
#include "asperity/geometry/mesh_contact/tilt_hull.h"

namespace asperity::geometry {
namespace {

// [-] Cosine of 14 degrees: candidates whose normals differ by less share a group.
constexpr double kSameDirection = 0.97;
// [-] of the margin: a group is near if its least end gap exceeds that of the pair (or 0) by no more than this. Near groups
// come first.
constexpr double kNearTier = 0.1;
// [-] of the margin: gaps are clipped at this depth, so that every deeper candidate is kept, however deep others are. Above:
// a deep edge is held at its deeper end alone and rocks farther in.
constexpr double kDepthClip = 0.1;
constexpr int kMaxGroups = 12;
// Contacts of a group: emitted before other groups have theirs; at most.
constexpr int kFirstRound = 4, kMostOfGroup = 8;
constexpr double kSmallTilt = 0.1;  // [-] small tilt, of the tilt margin / width of the group
constexpr double kAsDeep = 1e-5;    // [-] of the width: gaps this near to the deepest are equally deep
constexpr double kSink = 1e-6;      // [-] of the width: a point that may sink by no more than this is supported
// [-] of the width: a closing distance beyond this within a step is an impact that may turn the body over.
constexpr double kImpactClosing = 0.15;
constexpr double kKeptAdvantage = 1.05;  // [-] factor on the score of contacts of the last step
constexpr double kTie = 1e-6;            // [-] relative: scores this near are equal; the smaller id wins

/// A candidate as projected along the direction of its group.
struct ProjectedCandidate {
    Vec2 at;
    double gap;  ///< [m] after half of the step's rotation; tilts are counted from there
    int item;
    std::uint32_t feature;
    bool kept;  ///< in contact in the last step
    double sink;

    double advantage() const { return kept ? kKeptAdvantage : 1; }
};

/// Chooses the contacts of one group that support the body.
struct Group {
    FixedBuffer<ProjectedCandidate, MeshCandidates::kCapacity> spots;
    double width = 0;
    int chosen[kMostOfGroup];
    int near_count = 0, count = 0;  ///< chosen for small tilts; in total

    /// Index of the spot with the highest positive score, or -1. Contacts of the last step have an advantage; ties go to the
    /// smaller id.
    template <class Score>
    int best(const Score& score) const {
        double top = 0;
        for (const ProjectedCandidate& s : spots) top = larger(top, s.advantage() * score(s));
        int found = -1;
        for (int i = 0; i < spots.size() && top > 0; ++i)
            if (spots[i].advantage() * score(spots[i]) >= (1 - kTie) * top &&
                (found < 0 || spots[i].feature < spots[found].feature))
                found = i;
        return found;
    }
    /// The deepest spot; among equally deep ones the outermost.
    void choose_first() {
        double lowest = spots[0].gap;
        for (const ProjectedCandidate& s : spots) lowest = smaller(lowest, s.gap);
        const int first = best([&](const ProjectedCandidate& s) {
            return s.gap <= lowest + kAsDeep * width ? dot(s.at, s.at) + 1e-6 * width * width : 0;
        });
        chosen[0] = std::max(first, 0);  // -1 when all spots coincide
        count = 1;
    }
    /// Adds the spot that would sink most under tilts up to `slope`, until none would sink or `most` are chosen.
    void choose_sinking(double slope, int most) {
        const double least = kSink * width;
        TiltHull hull(slope, spots[chosen[0]].at, spots[chosen[0]].gap);
        for (int k = 1; k < count; ++k) hull.hold(spots[chosen[k]].at, spots[chosen[k]].gap);
        for (ProjectedCandidate& s : spots) s.sink = hull.sink(s.at, s.gap);
        while (count < most) {
            const int next = best([&](const ProjectedCandidate& s) { return s.sink > least ? s.sink : 0; });
            if (next < 0) return;
            chosen[count++] = next;
            hull.hold(spots[next].at, spots[next].gap);
            for (ProjectedCandidate& s : spots)
                if (s.sink > least) s.sink = hull.sink(s.at, s.gap);  // it can only decrease
            spots[next].sink = 0;
        }
    }
};

/// Chooses among the candidates of group `number`, which faces `direction`. If one of them comes nearer than `near` [m]
/// within the step, the group gets more contacts, and those for small tilts come first.
void choose(const MeshCandidates& candidates, const signed char* group_of, int number, const Vec3& direction, double near,
            const MeshFrame& place, Group& out) {
    const Vec3 t = any_tangent(direction), b = cross(direction, t);
    // dot(n, turn x p) = dot(n x turn, p)
    const Vec3 half_turn = 0.5 * cross(direction, candidates.other.turn - candidates.mesh.turn);
    Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
    bool comes_near = false;
    double closing = 0;
    for (int i = 0; i < candidates.items.size(); ++i) {
        if (group_of[i] != number) continue;
        const MeshCandidate& c = candidates.items[i];
        const Vec2 at{dot(c.on_mesh, t), dot(c.on_mesh, b)};
        const double gap = larger(c.gap, -kDepthClip * place.margin);
        out.spots.push({at, gap + dot(half_turn, c.on_mesh), i, c.feature, contains(place.previous, c.feature), 0});
        comes_near |= c.end_gap <= near;
        closing = larger(closing, c.gap - c.end_gap);
        low = {smaller(low.x, at.x), smaller(low.y, at.y)};
        high = {larger(high.x, at.x), larger(high.y, at.y)};
    }
    out.width = length(high - low);
    for (ProjectedCandidate& s : out.spots) s.at = s.at - 0.5 * (low + high);
    out.choose_first();
    if (out.width > 0) {
        // Range of tilts: the rotation of the step, which may have happened or be blocked; what the margin allows; after a
        // hard impact, the closing distance over the width. To come to rest, the body needs the contacts of small tilts.
        const double turned = length(half_turn), tilt = place.margin / out.width,
                     blow = closing > kImpactClosing * out.width ? closing / out.width : 0;
        if (comes_near) out.choose_sinking(turned + kSmallTilt * tilt, kMostOfGroup);
        out.near_count = out.count;
        out.choose_sinking(turned + tilt + blow, comes_near ? kMostOfGroup : kFirstRound);
    }
    if (!comes_near)
        out.near_count = 0;
    else if (out.near_count == 0)
        out.near_count = out.count;
}

bool comes_sooner(const MeshCandidate& a, const MeshCandidate& b) { return a.end_gap < b.end_gap; }

}  // namespace

void MeshCandidates::add(MeshCandidate c) {
    const double mesh_moves = dot(c.outward, mesh.of(c.on_mesh)), other_moves = dot(c.outward, other.of(c.on_mesh));
    if (c.gap - larger(mesh_moves, 0.0) + smaller(other_moves, 0.0) > near) return;
    // A third body may stop either of the two.
    c.end_gap = c.gap + std::min({0.0, other_moves - mesh_moves, other_moves, -mesh_moves});
    // A fine mesh has thousands of candidates no nearer than all kept ones. A kept candidate with the same id is at least as
    // near as such a one, so it needs no update.
    if (items.full() && c.end_gap >= items[farthest_].end_gap) return;
    const auto known = static_cast<int>(std::find(features_.begin(), features_.end(), c.feature) - features_.begin());
    if (known < items.size()) {
        if (!(c.gap < items[known].gap)) return;
        items[known] = c;
    } else if (!items.full()) {
        items.push(c);
        features_.push(c.feature);
    } else {
        items[farthest_] = c;
        features_[farthest_] = c.feature;
    }
    if (items.full())
        farthest_ = static_cast<int>(std::max_element(items.begin(), items.end(), comes_sooner) - items.begin());
}

bool reduce(MeshCandidates& candidates, const MeshFrame& place, ContactList& out) {
    auto& items = candidates.items;
    out.count = 0;
    if (items.empty()) return false;
    // Nearest at the end of the step first, so that groups form around the contacts that matter; ids break ties.
    std::sort(items.begin(), items.end(), [](const MeshCandidate& p, const MeshCandidate& q) {
        return p.end_gap < q.end_gap || (p.end_gap == q.end_gap && p.feature < q.feature);
    });
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
    const double near = std::max(items[0].end_gap, 0.0) + kNearTier * place.margin;
    int chosen[kMaxGroups][kMostOfGroup], near_count[kMaxGroups], count[kMaxGroups];
    for (int g = 0; g < groups; ++g) {
        Group group;
        choose(candidates, group_of, g, directions[g], near, place, group);
        near_count[g] = group.near_count;
        count[g] = group.count;
        for (int k = 0; k < group.count; ++k) chosen[g][k] = group.spots[group.chosen[k]].item;
    }
    const auto emit = [&](const MeshCandidate& c) {
        if (out.count == ContactList::kCapacity) return;
        ContactList::Item& item = out.items[out.count++];
        const Vec3 mesh = place.frame * c.on_mesh, other = place.frame * c.on_other;
        const Vec3 outward = rotate(place.frame.orientation, c.outward);
        item.normal = place.mesh_is_a ? outward : -outward;
        item.point = {place.mesh_is_a ? mesh : other, place.mesh_is_a ? other : mesh, c.gap, c.feature};
    };
    // First share of all groups, then the rest of the near ones, then all others.
    for (int tier = 0; tier < 3; ++tier)
        for (int g = 0; g < groups; ++g) {
            const int ends[4] = {0, std::min(near_count[g], kFirstRound), near_count[g], count[g]};
            for (int k = ends[tier]; k < ends[tier + 1]; ++k) emit(items[chosen[g][k]]);
        }
    return out.count > 0;
}

}  // namespace asperity::geometry

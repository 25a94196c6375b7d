#include "asperity/geometry/shared_volume/mesh_patches.h"

#include <cmath>

#include "asperity/geometry/mesh_contact/mesh_contacts.h"
#include "asperity/geometry/mesh_contact/nearest_parts.h"
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"

namespace asperity::geometry {
namespace {

constexpr double kSmallestPatch = 0.01;  // of the smaller extent: a smaller patch becomes a point
constexpr int kMostNear = 4;
constexpr double kThick = 0.06;  // of the extent: least thickness; twice the largest depth that overlap_facing() searches
// [-] of the smaller extent: a mesh that approaches by less than this in a step gets all the points that will touch.
constexpr double kSlow = 0.02;
constexpr double kLeastSpacing = 0.1;  // of the smaller extent: least distance of a further point from those already chosen

/// Overlap of the two meshes from the finer mesh's surface. Returns false if they are too deep for overlap_facing().
bool share(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request,
           bool finer_b, Overlap& out) {
    if (finer_b) return detail::overlap_facing(a, pose_a, b, pose_b, request.skin, request.deep, out);
    if (!detail::overlap_facing(b, pose_b, a, pose_a, request.skin, request.deep, out)) return false;
    detail::exchange(out);
    return true;
}

void add_deep_points(const Overlap& shared, bool finer_b, ContactList& out) {
    for (int i = 0; i < shared.part_count; ++i) {
        const OverlapPart& part = shared.parts[static_cast<size_t>(i)];
        for (int k = 0; k < part.deep_point_count; ++k) {
            const OverlapPart::DeepPoint& spot = part.spots[static_cast<size_t>(k)];
            const double gap = shared.grown_a + shared.grown_b - spot.depth;
            const Vec3 other = spot.at + (finer_b ? -gap : gap) * part.normal;
            out.items[out.count++] = {part.normal,
                                      {finer_b ? other : spot.at, finer_b ? spot.at : other, gap,
                                       static_cast<std::uint32_t>(i) * kDeepPointsOfPatch + static_cast<std::uint32_t>(k)}};
        }
    }
}

/// Reduces a tiny patch to a point: its tilting and spinning resistance is negligible for bodies of this size but hard to
/// solve for.
void shrink_tiny(double tiny, PatchList& patches) {
    for (int i = 0; i < patches.count; ++i) {
        PatchRegion& region = patches.items[static_cast<size_t>(i)].region;
        double size = 0;
        if (const auto* e = std::get_if<EllipseRegion>(&region)) size = e->a;
        if (const auto* polygon = std::get_if<PolygonRegion>(&region))
            for (int k = 0; k < polygon->count; ++k) size = larger(size, length(polygon->corners[static_cast<size_t>(k)]));
        if (size < tiny) region = EllipseRegion{};
    }
}

/// The smaller of two meshes, whose surface is searched region by region, in the axes of the larger one.
struct SmallInLarge {
    bool b_is_small;
    const TriangleSet &large, &small;
    Pose frame, pose;  // pose of the large mesh in the world, and of the small one in the large one's axes

    SmallInLarge(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b)
        : b_is_small(b.triangles->extent <= a.triangles->extent),
          large(b_is_small ? *a.triangles : *b.triangles),
          small(b_is_small ? *b.triangles : *a.triangles),
          frame(b_is_small ? pose_a : pose_b) {
        const Pose& other = b_is_small ? pose_b : pose_a;
        pose = {frame.to_local(other.position), conjugate(frame.orientation) * other.orientation};
    }
    ContactList::Item item(const NearestPart& place) const {
        const Vec3 on_large = frame * place.on_a, on_small = frame * place.on_b, on_a = b_is_small ? on_large : on_small,
                   on_b = b_is_small ? on_small : on_large;
        return {(on_b - on_a) / place.gap,
                {on_a, on_b, place.gap,
                 kFirstFreeFeature + (feature_pair_id(FeaturePair::Piece, place.piece, b_is_small) >> 1)}};
    }
};

/// The gap at the end of the step, the worst case of either body being stopped by a third.
double coming_gap(const Approach& approach, const ContactList::Item& item) {
    const double by_a = dot(item.normal, approach.a.of(item.point.on_a)),
                 by_b = -dot(item.normal, approach.b.of(item.point.on_b));
    return item.point.gap - larger(larger(0, by_a + by_b), larger(by_a, by_b));
}

struct Near {
    NearestPart place;
    Vec3 at;
    double coming;  // the gap at the end of the step
};
using Nears = FixedBuffer<Near, 64>;

/// Points in regions where the surfaces are apart.
void gather_near(const SmallInLarge& meshes, const MeshPatchRequest& request, const PatchList& patches, Nears& out) {
    const double reach = patches.count > 0 ? smaller(request.ahead, request.margin) : request.margin;
    if (reach <= 2 * request.skin) return;
    NearestParts places;
    near_places(meshes.large, meshes.small, meshes.pose, reach, 2 * request.skin, places);
    for (const NearestPart& place : places) {
        if (place.gap <= 2 * request.skin) continue;
        // A region of surface that is wholly inside the other body is also near its surface; skip it.
        if (nearest_on_mesh(meshes.large, place.on_b, 1.001 * place.gap).signed_distance <= 0) continue;
        const ContactList::Item item = meshes.item(place);
        out.push({place, 0.5 * (item.point.on_a + item.point.on_b), coming_gap(request.approach, item)});
    }
}

/// All points that will touch within the step, with their feature ids, so that a face lands on its whole outline.
bool find_landing(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request,
                  ContactList& out) {
    collide_mesh(a, pose_a, b, pose_b, request.margin, {}, request.approach, out);
    int kept = 0;
    for (int i = 0; i < out.count; ++i) {
        ContactList::Item item = out.items[i];
        if (coming_gap(request.approach, item) > 0) continue;
        item.point.feature = kFirstFreeFeature + (item.point.feature >> 1);
        out.items[kept++] = item;
    }
    out.count = kept;
    return kept > 0;
}
const Near* first_to_touch(const Nears& from) {
    const Near* first = nullptr;
    for (const Near& near : from)
        if (!first || near.coming < first->coming) first = &near;
    return first;
}
void drop_covered(const PatchList& patches, const SmallInLarge& meshes, Nears& nears) {
    int kept = 0;
    for (const Near& near : nears) {
        bool covered = false;
        for (int i = 0; i < patches.count; ++i)
            covered |= covers(patches.items[static_cast<size_t>(i)], near.at, meshes.item(near.place).normal);
        if (!covered) nears[kept++] = near;
    }
    nears.resize_down(kept);
}

/// Chooses first the point with the smallest gap at the end of the step, then points far from those already chosen. Points
/// that will touch within the step come before all others.
void choose_near(const SmallInLarge& meshes, const Nears& from, double extent, double margin, ContactList& out) {
    FixedBuffer<const Near*, kMostNear> chosen;
    while (!chosen.full() && out.count < ContactList::kCapacity) {
        const Near* best = nullptr;
        double most = -1e300;
        for (const Near& near : from) {
            double apart = 1e300;
            for (const Near* other : chosen) apart = smaller(apart, length(near.at - other->at));
            if (apart < kLeastSpacing * extent) continue;
            const double score = chosen.empty() ? -near.coming
                                                : (near.coming <= 0 ? 2 : 0) + smaller(apart / extent, 1) +
                                                      larger(0, 1 - near.coming / margin);
            if (score > most) most = score, best = &near;
        }
        if (!best) return;
        chosen.push(best);
        NearestPart place = best->place;
        refine(meshes.large, meshes.small, meshes.pose, place);
        out.items[out.count++] = meshes.item(place);
    }
}

}  // namespace

bool can_make_patches(const Mesh& a, const Mesh& b) {
    const auto thick = [](const TriangleSet& mesh) { return mesh.thickness >= kThick * mesh.extent; };
    for (const TriangleSet* mesh : {a.triangles.get(), b.triangles.get()})
        if (!mesh->solid() || mesh->ground()) return false;
    return thick(*a.triangles) || thick(*b.triangles);
}

void patches_of_meshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request,
                       PatchList& patches, ContactList& points) {
    const bool finer_b = b.triangles->triangles.size() >= a.triangles->triangles.size();
    Overlap shared;
    points.count = 0;
    if (share(a, pose_a, b, pose_b, request, finer_b, shared)) {
        add_deep_points(shared, finer_b, points);
    } else {
        overlap(a, pose_a, b, pose_b, {.skin = request.skin}, shared);
        collide_mesh(a, pose_a, b, pose_b, 2 * request.skin, {}, request.approach, points);
    }
    make_patches(shared, {}, patches);
    const double extent = smaller(a.triangles->extent, b.triangles->extent);
    const SmallInLarge meshes(a, pose_a, b, pose_b);
    Nears near;
    gather_near(meshes, request, patches, near);
    if (const Near* first = patches.count == 0 && request.ahead <= kSlow * extent ? first_to_touch(near) : nullptr;
        first && first->coming <= 0 && find_landing(a, pose_a, b, pose_b, request, points))
        return;
    drop_covered(patches, meshes, near);
    choose_near(meshes, near, extent, request.margin, points);
    shrink_tiny(kSmallestPatch * extent, patches);
}

}  // namespace asperity::geometry

#include "asperity/geometry/mesh_patches.h"

#include <cmath>

#include "asperity/geometry/detail/overlap_parts.h"
#include "asperity/geometry/mesh_contacts.h"
#include "asperity/geometry/near_places.h"

namespace asperity::geometry {
namespace {

constexpr double kTiny = 0.01;     // of the smaller extent
constexpr int kMostNear = 4;
constexpr double kWorthIt = 0.1;   // of the smaller extent: a place that is not this far from those chosen says nothing new

/// The volume they share, with the finer mesh as the one whose surface is looked at. False where it is too deep for that.
bool share(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request, bool finer_b, Overlap& out) {
    if (finer_b) return detail::overlap_facing(a, pose_a, b, pose_b, request.skin, request.deep, out);
    if (!detail::overlap_facing(b, pose_b, a, pose_a, request.skin, request.deep, out)) return false;
    detail::exchange(out);
    return true;
}

void add_spots(const Overlap& shared, bool finer_b, ContactList& out) {
    for (int i = 0; i < shared.part_count; ++i) {
        const OverlapPart& part = shared.parts[static_cast<size_t>(i)];
        for (int k = 0; k < part.spot_count; ++k) {
            const OverlapPart::Spot& spot = part.spots[static_cast<size_t>(k)];
            const double gap = shared.grown_a + shared.grown_b - spot.depth;
            const Vec3 other = spot.at + (finer_b ? -gap : gap) * part.normal;
            out.items[out.count++] = {part.normal, {finer_b ? other : spot.at, finer_b ? spot.at : other, gap, static_cast<std::uint32_t>(i) * kSpotsOfPatch + static_cast<std::uint32_t>(k)}};
        }
    }
}

/// What is tiny is a point: how it would tip or spin over itself is nothing to bodies of this size, and hard to solve for.
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

struct Near {
    ContactList::Item item;
    double coming;
};
using Nears = FixedBuffer<Near, 64>;

/// Places that are apart, and that no patch stands for.
void gather_near(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request, const PatchList& patches, Nears& out) {
    const TriangleSet &ta = *a.triangles, &tb = *b.triangles;
    const bool pieces_of_b = tb.extent <= ta.extent;   // of the smaller body
    const TriangleSet &large = pieces_of_b ? ta : tb, &small = pieces_of_b ? tb : ta;
    const Pose &frame = pieces_of_b ? pose_a : pose_b, &pose = pieces_of_b ? pose_b : pose_a;
    const double reach = patches.count > 0 ? smaller(request.ahead, request.margin) : request.margin;
    if (reach <= 2 * request.skin) return;
    NearPlaces places;
    near_places(large, small, {frame.to_local(pose.position), conjugate(frame.orientation) * pose.orientation}, reach, 2 * request.skin, places);
    for (const NearPlace& place : places) {
        if (place.gap <= 2 * request.skin) continue;
        // A piece that is wholly inside the other body is near its surface, too.
        if (nearest_on_mesh(large, place.on_b, 1.001 * place.gap).signed_distance <= 0) continue;
        const Vec3 on_large = frame * place.on_a, on_small = frame * place.on_b, on_a = pieces_of_b ? on_large : on_small, on_b = pieces_of_b ? on_small : on_large;
        const Vec3 normal = (on_b - on_a) / place.gap;
        bool covered = false;
        for (int i = 0; i < patches.count; ++i) covered |= covers(patches.items[static_cast<size_t>(i)], 0.5 * (on_a + on_b), normal);
        if (covered) continue;
        const double coming = place.gap + smaller(0.0, dot(normal, request.approach.shift + cross(request.approach.turn, on_b)));
        out.push({{normal, {on_a, on_b, place.gap, kFirstFreeFeature + (meeting_id(Meeting::Piece, place.piece, pieces_of_b) >> 1)}}, coming});
    }
}

/// The one that will be nearest, then those that are far from all chosen and yet near.
void choose_near(const Nears& from, double extent, double margin, ContactList& out) {
    const int first = out.count;
    for (int n = 0; n < kMostNear && n < from.size() && out.count < ContactList::kCapacity; ++n) {
        const Near* best = nullptr;
        double most = n == 0 ? -1e300 : 0;
        for (const Near& near : from) {
            double score = -near.coming / margin;
            if (n > 0) {
                double apart = 1e300;
                for (int i = first; i < out.count; ++i) apart = smaller(apart, length(near.item.point.on_b - out.items[i].point.on_b));
                if (apart < kWorthIt * extent) continue;
                score = smaller(apart / extent, 1) + larger(0, 1 + score);
            }
            if (score > most) most = score, best = &near;
        }
        if (!best) return;
        out.items[out.count++] = best->item;
    }
}

}  // namespace

void patches_of_meshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request, PatchList& patches, ContactList& points) {
    const bool finer_b = b.triangles->triangles.size() >= a.triangles->triangles.size();
    Overlap shared;
    points.count = 0;
    if (share(a, pose_a, b, pose_b, request, finer_b, shared)) {
        add_spots(shared, finer_b, points);
    } else {
        overlap(a, pose_a, b, pose_b, {.skin = request.skin}, shared);
        collide_mesh(a, pose_a, b, pose_b, 2 * request.skin, {}, request.approach, points);
    }
    make_patches(shared, {}, patches);
    const double extent = smaller(a.triangles->extent, b.triangles->extent);
    Nears near;
    gather_near(a, pose_a, b, pose_b, request, patches, near);
    choose_near(near, extent, request.margin, points);
    shrink_tiny(kTiny * extent, patches);
}

}  // namespace asperity::geometry

// Sums over the shadows of triangles (overlap_shadows.cpp, overlap_meshes.cpp). Any thread may compute a chunk; the chunks
// are added in order.
#pragma once
#include <tbb/task_arena.h>

#include <algorithm>
#include <vector>

#include "asperity/core/parallel.h"
#include "asperity/geometry/shared_volume/detail/directions.h"
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"
#include "asperity/geometry/shared_volume/detail/shadow_planes.h"

namespace asperity::geometry::detail {

struct ShadowSums {
    Moments volume;       // about an origin that the caller chooses
    AreaMoments surface;  // surface of the shadow-casting mesh inside the other body
    double deepest = 0;   // largest distance along u from that surface to the other body's
    DirectionBins faces;  // area over outward direction of the shadow-casting mesh
    OutermostPoints points{{0, 0, 1}, {}};

    /// Empty sums; outermost points across `normal`, with `about` near their middle.
    static ShadowSums across(const Vec3& normal, const Vec3& about) {
        ShadowSums sums;
        sums.points = OutermostPoints(normal, about);
        return sums;
    }
    void add(const ShadowSums& o) {
        volume.add(o.volume);
        surface.add(o.surface);
        deepest = larger(deepest, o.deepest);
        faces.add(o.faces);
        points.add(o.points);
    }
};

/// Adds the prism between the polygon shifted by `low` along u (null: not shifted) and the polygon shifted by `high`. Its
/// volume is positive if a ray along -u leaves the mesh through the polygon, which is counter-clockwise seen from outside.
inline void add_prism(const ShadowPolygon& polygon, const Height* low, const Height& high, const Vec3& u, const Vec3& origin,
                      Moments& out) {
    const auto bottom = [&](int i) { return (low ? polygon[i] + (*low)(polygon[i]) * u : polygon[i]) - origin; };
    const auto top = [&](int i) { return polygon[i] + high(polygon[i]) * u - origin; };
    const Vec3 a = bottom(0), above_a = top(0);
    Vec3 c = bottom(1), above_c = top(1);
    for (int i = 2; i < polygon.size(); ++i) {
        const Vec3 b = bottom(i), above_b = top(i);
        out.add_tetrahedron(a, b, c, above_c);
        out.add_tetrahedron(a, b, above_c, above_b);
        out.add_tetrahedron(a, above_b, above_c, above_a);
        c = b;
        above_c = above_b;
    }
}

/// Sums add(i, c, sums) for i in [0, count), where c is the chunk that holds i. Each chunk starts as `nothing`. Any thread
/// may compute it; the chunks are added in order.
template <class Sums, class Add>
Sums sum_in_chunks(int count, int chunk, const Sums& nothing, std::vector<Sums>& chunks, const Add& add) {
    Sums total = nothing;
    const int chunk_count = (count + chunk - 1) / chunk;
    chunks.assign(static_cast<size_t>(chunk_count), nothing);
    const auto work = [&](int c) {
        for (int i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) add(i, c, chunks[static_cast<size_t>(c)]);
    };
    // Isolated: a thread that waits here must not start another pair, which would overwrite the same scratch memory.
    tbb::this_task_arena::isolate([&] { parallel_for(chunk_count, work, 1); });
    for (const Sums& sums : chunks) total.add(sums);
    return total;
}

/// Converts `sums`, in the axes of `frame` about its point `origin`, to a part. `sign` is 1 if the surface is B's and -1 if
/// it is A's.
inline void set_part(ShadowSums& sums, const Pose& frame, const Vec3& origin, double sign, bool half_space,
                     OverlapPart& part) {
    const Mat3 rotation = matrix(frame.orientation);
    part.volume = sums.volume.volume;
    part.centre = frame * (origin + sums.volume.centre());
    part.second_moment = rotation * sums.volume.about_centre() * transposed(rotation);
    part.gradient = sign * (rotation * sums.surface.area);
    part.normal = half_space ? normalize_or(-part.gradient, {0, 0, 1}) : contact_normal(part.second_moment, part.gradient);
    part.curvature = OverlapPart::Curvature::Flat;
    sums.points.write(frame, part);
    part.depth = sums.deepest;
}

}  // namespace asperity::geometry::detail

// Adds up what the colliders of two compound bodies share.
#include <algorithm>

#include "asperity/geometry/detail/overlap_parts.h"

namespace asperity::geometry {
namespace {

constexpr double kOneDirection = 0.866;  // cos 30 degrees

/// The second moment about a point that is `shift` away from the centre.
Mat3 about(const Mat3& moment, double volume, const Vec3& shift) { return moment + volume * outer(shift, shift); }

void add_part(const OverlapPart& more, OverlapPart& part) {
    const double volume = part.volume + more.volume;
    const Vec3 centre = (part.volume * part.centre + more.volume * more.centre) / volume;
    part.second_moment =
        about(part.second_moment, part.volume, part.centre - centre) + about(more.second_moment, more.volume, more.centre - centre);
    part.normal = normalize_or(part.volume * part.normal + more.volume * more.normal, part.normal);
    part.gradient += more.gradient;
    part.volume = volume;
    part.centre = centre;
    part.curvature = std::min(part.curvature, more.curvature);
    const double depth = std::max(part.depth, more.depth);
    detail::OutermostPoints points(part.normal, part.centre);
    for (const OverlapPart* p : {&more, static_cast<const OverlapPart*>(&part)})
        for (int i = 0; i < p->point_count; ++i) points.add(p->points[static_cast<size_t>(i)]);
    points.write({}, part);
    part.depth = depth;
}

}  // namespace

void combine(const Overlap& more, Overlap& total) {
    if (more.part_count == 0) {
        total.skipped_rays += more.skipped_rays;
        return;
    }
    if (total.part_count == 0) {
        const int skipped = total.skipped_rays;
        total = more;
        total.skipped_rays += skipped;
        return;
    }
    const double volume = total.volume + more.volume;
    const Vec3 centre = (total.volume * total.centre + more.volume * more.centre) / volume;
    total.second_moment =
        about(total.second_moment, total.volume, total.centre - centre) + about(more.second_moment, more.volume, more.centre - centre);
    total.turning += cross(total.centre - centre, total.gradient) + more.turning + cross(more.centre - centre, more.gradient);
    total.gradient += more.gradient;
    total.volume = volume;
    total.centre = centre;
    total.error += more.error;
    total.skipped_rays += more.skipped_rays;
    total.open |= more.open;
    total.method = std::max(total.method, more.method);  // the least exact one
    for (int i = 0; i < more.part_count; ++i) {
        const OverlapPart& part = more.parts[static_cast<size_t>(i)];
        int nearest = 0;
        for (int k = 1; k < total.part_count; ++k)
            if (dot(total.parts[static_cast<size_t>(k)].normal, part.normal) > dot(total.parts[static_cast<size_t>(nearest)].normal, part.normal)) nearest = k;
        const bool apart = dot(total.parts[static_cast<size_t>(nearest)].normal, part.normal) < kOneDirection;
        if (apart && total.part_count < Overlap::kParts)
            total.parts[static_cast<size_t>(total.part_count++)] = part;
        else
            add_part(part, total.parts[static_cast<size_t>(nearest)]);
    }
    detail::sort_parts(total);
}

}  // namespace asperity::geometry

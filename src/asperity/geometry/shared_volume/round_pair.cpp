// See round_pair.h.
#include "asperity/geometry/shared_volume/detail/round_pair.h"

namespace asperity::geometry::detail {
namespace {

bool inside(const Revolved& body, const Vec3& p) {
    const double tolerance = 1e-9 * body.radius, across = std::sqrt(p.x * p.x + p.y * p.y),
                 over = larger(0, std::fabs(p.z) - body.half);
    return body.balls ? std::sqrt(across * across + over * over) <= body.radius + tolerance
                      : across <= body.radius + tolerance && over <= tolerance;
}

}  // namespace

KeptList<Vec3>& round_pair_points() {
    thread_local KeptList<Vec3> points;
    points.clear();
    return points;
}

void set_round_pair(const PlacedRound& a, const PlacedRound& b, const RoundPairSums& sums, const Pose& frame, Overlap& out) {
    const double size = 2 * smaller(smaller(a.body.radius, a.body.end()), smaller(b.body.radius, b.body.end()));
    if (!counts(sums.volume.volume, sums.surface.area, size * size * size)) return;
    // Largest gradient that errors may leave if one body lies inside the other.
    constexpr double kSmallestGradient = 1e-4;
    if (length(sums.surface.area) < kSmallestGradient * std::cbrt(sums.volume.volume * sums.volume.volume)) return;
    out.method = Overlap::Method::Slices;
    set_totals(sums.volume, sums.surface, frame, {}, out);
    OverlapPart& part = whole(out);
    part.normal = contact_normal(out.second_moment, out.gradient);
    OutermostPoints points(rotate_inverse(frame.orientation, part.normal), sums.volume.centre());
    for (const Vec3& p : sums.points) points.add(p);
    // Adds the deepest points of each body in the other.
    const auto add_deepest = [&](const PlacedRound& round, const PlacedRound& other, double sign) {
        const Vec3 d = sign * rotate_inverse(round.pose.orientation, part.normal);
        for (const double side : {-1.0, 1.0}) {
            const Vec3 p = round.pose * round.body.farthest(d, side);
            if (inside(other.body, other.pose.to_local(p))) points.add(frame.to_local(p));
        }
    };
    add_deepest(a, b, 1);
    add_deepest(b, a, -1);
    points.write(frame, part);

    // The contact takes the curvature of the rounder surface. Two lines that cross make a point, unless they are parallel
    // within their length.
    using Curvature = OverlapPart::Curvature;
    const auto curvature_of = [&](const PlacedRound& round) {
        return round.body.curvature(rotate_inverse(round.pose.orientation, part.normal), part.depth);
    };
    const Curvature of_a = curvature_of(a), of_b = curvature_of(b);
    part.curvature = of_a == Curvature::Flat ? of_b : of_b == Curvature::Flat ? of_a : Curvature::Point;
    if (of_a == Curvature::Line && of_b == Curvature::Line) {
        const double apart = length(cross(a.axis(), b.axis())) * smaller(a.body.half, b.body.half);
        if (apart < std::sqrt(smaller(a.body.radius, b.body.radius) * part.depth)) part.curvature = Curvature::Line;
    }
    if (part.curvature == Curvature::Line) part.axis = of_a == Curvature::Line ? a.axis() : b.axis();
}

}  // namespace asperity::geometry::detail

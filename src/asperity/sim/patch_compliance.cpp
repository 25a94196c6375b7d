// Compliance of patches.
//
// The region R is a bed of springs with area A and total compliance C [m/N]. Pressed in by d it carries f_n = d/C.
// Tilted by phi about an axis of R through its centre it carries the torque phi k^2/C, with k^2 = 1/A int y^2 dA. With
// the gap at the end of the step, gap + dt u, this is a compliance on the normal rows:
//     u_n + gap/dt + C/dt^2 l_n >= 0,        w + slope/dt + C/(k dt)^2 tau >= 0,
// complementary to l_n and tau (patch_block.h). It is the gamma that Bouchard and others (2015) add to S = J M^-1 J^T,
// in a unit that does not depend on the step: a body of weight G rests at the depth C G and does not creep. The springs
// are implicit, so they take energy and never add any. Friction rows stay rigid, so friction does not creep.
//
// A spring returns only the energy that was stored in it. The load l_n of the last step has left it at the depth C
// l_n/dt. A deeper overlap, of bodies that met between two steps or were placed in each other, was not produced by
// work: 20 mm at C = 1e-6 m/N would release 200 J. The excess counts as touching, and the position pass removes it.
#include <cmath>

#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

constexpr double kMinMeanSquare = 0.01;  // of the squared length of the angular rows: lower bound of k^2

/// 1/A int x^2 and 1/A int y^2 about the centre [m^2]. A line has a mean square along its length only, a point none.
Vec2 mean_squares(const geometry::PatchRegion& region) {
    if (const auto* e = std::get_if<geometry::EllipseRegion>(&region)) return {0.25 * e->a * e->a, 0.25 * e->b * e->b};
    const auto& polygon = std::get<geometry::PolygonRegion>(region);
    double area = 0, xx = 0, yy = 0, side = 0;
    for (int i = 0; i < polygon.count; ++i) {
        const Vec2 p = polygon.corners[static_cast<size_t>(i)],
                   q = polygon.corners[static_cast<size_t>((i + 1) % polygon.count)];
        const double twice = cross(p, q);  // twice the area of the triangle with the centre
        area += twice;
        xx += twice * (p.x * p.x + p.x * q.x + q.x * q.x) / 6;
        yy += twice * (p.y * p.y + p.y * q.y + q.y * q.y) / 6;
        side = larger(side, length(q - p));
    }
    if (area > 1e-9 * side * side) return {xx / area, yy / area};
    const Vec2 half = polygon.count > 1 ? 0.5 * (polygon.corners[1] - polygon.corners[0]) : Vec2{};
    return {half.x * half.x / 3, half.y * half.y / 3};
}

/// Least-squares plane of the gaps over the region, overlaps included: gap at the centre and slope along u and w. Exact
/// for faces.
struct Plane {
    double gap = 0;
    Vec2 slope;
};
Plane gap_plane(const ContactSet& set, const contact::PatchContact& p) {
    if (p.from_volume || p.count == 0) return {p.at.gap, p.slope};
    const auto at = [&](const contact::Contact& c) {
        return Vec2{dot(c.point - p.at.point, p.u), dot(c.point - p.at.point, p.w())};
    };
    Vec2 mean;
    Plane out;
    for (int i = p.first; i < p.first + p.count; ++i) {
        mean = mean + at(set.contacts[static_cast<size_t>(i)]) / p.count;
        out.gap += set.gap[static_cast<size_t>(i)] / p.count;
    }
    double xx = 0, xy = 0, yy = 0, xg = 0, yg = 0;
    for (int i = p.first; i < p.first + p.count; ++i) {
        const Vec2 r = at(set.contacts[static_cast<size_t>(i)]) - mean;
        const double g = set.gap[static_cast<size_t>(i)] - out.gap;
        xx += r.x * r.x, xy += r.x * r.y, yy += r.y * r.y, xg += r.x * g, yg += r.y * g;
    }
    const double det = xx * yy - xy * xy, size = xx + yy;
    if (det > 1e-12 * size * size)
        out.slope = {(xg * yy - yg * xy) / det, (yg * xx - xg * xy) / det};
    else if (size > 0)  // points on a line: the slope is along the line
        out.slope = Vec2{xg, yg} / size;
    out.gap -= dot(out.slope, mean);
    return out;
}

/// Largest fall of a plane with this slope from the centre to the border of the region [m].
double rise(const geometry::PatchRegion& region, const Vec2& slope) {
    if (const auto* e = std::get_if<geometry::EllipseRegion>(&region)) return std::hypot(e->a * slope.x, e->b * slope.y);
    const auto& polygon = std::get<geometry::PolygonRegion>(region);
    double most = 0;
    for (int i = 0; i < polygon.count; ++i) most = larger(most, -dot(polygon.corners[static_cast<size_t>(i)], slope));
    return most;
}

/// Raises the plane to the depth that the load explains: `depth` at the centre and kEdgeDepth times that at the border.
Plane limit_depth(Plane plane, const contact::PatchContact& p, double depth) {
    plane.gap = larger(plane.gap, -depth);
    const double down = rise(p.region, plane.slope), most = plane.gap + kEdgeDepth * depth;
    if (down > most) plane.slope = (most / down) * plane.slope;
    return plane;
}

}  // namespace

void set_compliance(const Model& model, const ContactSet& set, double dt, size_t index, solvers::PatchConstraint& out) {
    const contact::PatchContact& p = set.patches[index];
    const double C = *stabilisation_of(model.settings, model.pairs.pair(p.at.material_a, p.at.material_b)).compliance;
    std::fill_n(out.compliance, solvers::kPatchRows, 0.0);
    if (!(C > 0)) return;
    const Plane plane = limit_depth(gap_plane(set, p), p, spring_depth(C, p, dt));
    out.compliance[0] = C / (dt * dt);
    out.bias[0] = plane.gap / dt;
    if (p.rolls) return;  // rolling resistance is friction
    const Vec2 k2 = mean_squares(p.region);
    const double L2 = out.length * out.length;
    // A line carries no torque about itself, a narrow strip almost none, so the value matters little. But a very large
    // value would dominate the step lengths of the solver, and its residual, instead of the masses.
    out.compliance[4] = out.compliance[0] * L2 / larger(k2.y, kMinMeanSquare * L2);
    out.compliance[5] = out.compliance[0] * L2 / larger(k2.x, kMinMeanSquare * L2);
    out.bias[4] = out.length * plane.slope.y / dt;
    out.bias[5] = -out.length * plane.slope.x / dt;
}

}  // namespace asperity::sim

// Balls and endless cylinders inside a convex solid of plane faces, by surface integrals. The faces are polygons cut by a
// disc (disc_region.h). The round surface needs only integrals along its border. Only these integrals along arcs are
// approximate, by Gauss points.
#pragma once
#include <vector>

#include "asperity/geometry/shared_volume/detail/faced_solid.h"
#include "asperity/geometry/shared_volume/detail/moments.h"

namespace asperity::geometry::detail {

/// The shared volume so far, in the axes of the round body. Moments are about `origin`, which lies near the first piece;
/// further pieces are shifted to it.
struct RoundOverlap {
    Moments volume;
    AreaMoments surface;  // surface of the round body inside the solid, without the cuts that divide it
    Vec3 origin;
    KeptList<Vec3> points;  // on the border of the round surface, and vertices of flat ends

    void clear();
    void add(const Moments& v, const AreaMoments& s, const Vec3& about);
};

/// Adds the ball about (0, 0, z), which must not lie inside the solid. With a lid through its centre: only the half above
/// (side 1) or below (side -1) it.
///     int f dV = 1/(3 + k) int (r . n) f dS,   f of degree k about the pole p of the ball that is nearest to the solid
/// On a face r . n is its distance from p; on the ball it is t = (r - p) . n, the depth below the pole. A piece of the
/// ball's surface is a fan of triangles from the pole to each step dr of its border, r = (x, y, -t_b) about p. Along it t =
/// t_b q^2, and (x, y) grow with q k,
///     k^2 = (1 - t_b q^2/2R)/(1 - t_b/2R),     t dS = t_b q^3/(1 - t_b/2R) (x dy - y dx) dq,     q from 0 to 1
/// All terms are as small as the shared volume. Faces wholly inside the ball are cones over moments from the face table.
void add_ball(const FacedSolid& solid, double z, double radius, const Lid* lid, double side, RoundOverlap& out);

/// Adds the cylinder about z between two lids. Each face casts a shadow along z; columns stand between its shadow in the
/// disc and the face. Faces that look down count as negative. `has_ends`: the lids are ends of the round body.
void add_cylinder(const FacedSolid& solid, double radius, const Lid& lower, const Lid& upper, bool has_ends,
                  RoundOverlap& out);

}  // namespace asperity::geometry::detail

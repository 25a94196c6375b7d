// Balls and endless cylinders within a convex solid of plane faces, by surface integrals: faces are polygons cut by a disc
// (disc_region.h), and of the round surface only its border is needed. Nothing is approximated but integrals along arcs, by
// Gauss points.
#pragma once
#include <vector>

#include "asperity/geometry/shared_volume/detail/faced_solid.h"
#include "asperity/geometry/shared_volume/detail/moments.h"

namespace asperity::geometry::detail {

/// What is shared so far, in the axes of the round body. Moments are about `origin`, which lies near the first piece; each
/// further piece is moved there.
struct RoundPiece {
    Moments volume;
    AreaMoments surface;  // of the round body inside the solid, without what it was cut from
    Vec3 origin;
    KeptList<Vec3> points;  // of the border of the round surface, and corners of flat ends

    void clear();
    void add(const Moments& v, const AreaMoments& s, const Vec3& about);
};

/// The ball about (0, 0, z), which must not lie inside the solid; with a lid through its centre, the half of both above
/// (side 1) or below (side -1) it.
///     int f dV = 1/(3 + k) int (r . n) f dS,   f of degree k about the pole p of the ball that is nearest to the solid
/// On a face r . n is its distance from p; on the ball it is t = (r - p) . n, the depth below the pole. A piece of the
/// ball's surface is a fan of triangles from the pole to each step dr of its border, r = (x, y, -t_b) about p, along which t
/// = t_b q^2 and (x, y) grow with q k,
///     k^2 = (1 - t_b q^2/2R)/(1 - t_b/2R),     t dS = t_b q^3/(1 - t_b/2R) (x dy - y dx) dq,     q from 0 to 1
/// All terms are as small as what is shared. Faces wholly inside the ball are cones over moments that the table of faces
/// has.
void add_ball(const FacedSolid& solid, double z, double radius, const Lid* lid, double side, RoundPiece& out);

/// The cylinder about z between two lids. A face casts a shadow along z, and between its shadow in the disc and the face
/// stand columns; faces that look down count as negative. `has_ends`: the lids are the round body's own.
void add_cylinder(const FacedSolid& solid, double radius, const Lid& lower, const Lid& upper, bool has_ends,
                  RoundPiece& out);

}  // namespace asperity::geometry::detail

// What two shapes share: the volume, its centre and second moment, and how it changes as one of them moves. Contact patches
// are made of it (make_patch.h), after Bouchard, Nesme, Tournier, Wang, Faure and Kry, "6D Frictional Contact for Rigid
// Bodies" (2015), section 4.
//
//     pair                                          method     error of the volume
//     sphere with half-space, sphere                Closed     rounding
//     sphere, cylinder, capsule with half-space,    Closed     below 1e-7: Gauss points along arcs
//       box, hull
//     two of sphere, cylinder, capsule              Slices     1e-5 mostly, below 3e-3: Gauss points across slices
//     two of box, hull, half-space                  Clipped    rounding
//     mesh with half-space, box, hull, mesh         Shadows    rounding, for closed meshes
//     round bodies on meshes                        Rays       estimated: how far the rays along three axes disagree
#pragma once
#include <array>
#include <span>

#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

struct OverlapOptions {
    /// Both surfaces are moved outwards by this, so that faces that only touch share a sheet of twice that thickness [m].
    /// Meshes and hulls stay as they are: the other body moves by twice as much. Of two meshes, the coarser one is moved
    /// towards the other by that.
    double skin = 0;
    int resolution = 48;     ///< rays along the longest side of the box that both bounds share, 2 to 1024
    bool only_rays = false;  ///< also where there is a better way: for comparison
};

/// A part of the shared volume whose surfaces face one direction: what one planar patch is made of.
struct OverlapPart {
    static constexpr int kPoints = 32;
    enum class Curvature : char { Flat, Line, Point };

    double volume = 0;                               ///< [m^3]
    Vec3 centre;                                     ///< world
    Mat3 second_moment = Mat3::diagonal({0, 0, 0});  ///< int (r - centre)(r - centre)^T dV [m^5]
    /// dV / d(position of B) = int of B's outward normal over the boundary of B inside A [m^2]
    Vec3 gradient;
    Vec3 normal;                            ///< unit, from A to B
    double depth = 0;                       ///< reach of the part along the normal [m]
    Curvature curvature = Curvature::Flat;  ///< of the rounder surface where they touch; for meshes always flat
    Vec3 axis;                              ///< of Line: along which the surface is straight
    int point_count = 0;
    std::array<Vec3, kPoints> points;  ///< the outermost ones as seen along the normal, world
    /// Places of B's surface that are deep in A: how far its surface, grown, is from there along the normal. Of two meshes
    /// alone.
    struct Spot {
        Vec3 at;
        double depth;
    };
    static constexpr size_t kSpots = 4;
    int spot_count = 0;
    std::array<Spot, kSpots> spots;

    /// As new, but for points and spots beyond those that count: they are most of it.
    void clear() {
        volume = depth = 0;
        centre = gradient = normal = axis = {};
        second_moment = Mat3::diagonal({0, 0, 0});
        curvature = Curvature::Flat;
        point_count = spot_count = 0;
    }
};

struct Overlap {
    enum class Method : char { Apart, Closed, Slices, Clipped, Shadows, Facing, Rays };
    static constexpr int kParts = 6;

    Method method = Method::Apart;
    double volume = 0;
    Vec3 centre;
    Mat3 second_moment = Mat3::diagonal({0, 0, 0});
    Vec3 gradient;
    /// dV / d(turn of B about `centre`) = int of (r - centre) x B's normal over the boundary of B inside A [m^3]
    Vec3 turning;
    double error = 0;                 ///< of the volume, estimated; 0 where only rounding is left [m^3]
    double grown_a = 0, grown_b = 0;  ///< how far the surfaces were moved outwards [m]
    bool open = false;                ///< a mesh is not closed: the result holds as far as its holes do not matter
    int skipped_rays = 0;             ///< rays that meet such a mesh an odd number of times
    int part_count = 0;
    std::array<OverlapPart, kParts> parts;  ///< of falling volume

    explicit operator bool() const { return part_count > 0; }
    void clear() {
        method = Method::Apart;
        volume = error = grown_a = grown_b = 0;
        centre = gradient = turning = {};
        second_moment = Mat3::diagonal({0, 0, 0});
        open = false;
        skipped_rays = part_count = 0;
        for (OverlapPart& part : parts) part.clear();
    }
};

/// Nothing shared, volumes below 1e-12 of that of the smaller body's bounding box (1e-30 m^3 at least) and bodies within one
/// another, whose volume does not change as they move, have no parts. Allocates nothing once its scratch memory has grown.
/// The same bits on any number of threads.
void overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const OverlapOptions& options,
             Overlap& out);

}  // namespace asperity::geometry

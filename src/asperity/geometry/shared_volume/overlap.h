// The volume that two shapes share: its size, centre, second moment, and its gradient as one shape moves. make_patch.h
// builds contact patches from it, after Bouchard, Nesme, Tournier, Wang, Faure and Kry, "6D Frictional Contact for Rigid
// Bodies" (2015), section 4.
//
//     pair                                          method     error of the volume
//     sphere with half-space, sphere                Closed     rounding
//     sphere, cylinder, capsule with half-space,    Closed     below 1e-7: Gauss points along arcs
//       box, hull
//     two of sphere, cylinder, capsule              Slices     1e-5 mostly, below 3e-3: Gauss points across slices
//     two of box, hull, half-space                  Clipped    rounding
//     mesh with half-space, box, hull, mesh         Shadows    rounding, for closed meshes
//     sphere, cylinder, capsule with mesh;          Rays       estimated: spread of the volumes along three axes
//       mesh with height field
#pragma once
#include <array>
#include <span>

#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

struct OverlapOptions {
    /// Outward offset of both surfaces [m]. Faces that only touch then share a sheet of twice that thickness. Pairs of
    /// spheres, cylinders and capsules, and a sphere with a half-space, offset both surfaces by `skin`. Every other pair
    /// offsets one body by 2 skin: the half-space, else the body that is no mesh, else the round body, else the polyhedron
    /// with fewer faces. Of two meshes, the coarser one (A, if either is a height field) moves towards the other by 2 skin.
    double skin = 0;
    int resolution = 48;     ///< rays along the longest side of the box that both bounds share, 2 to 1024
    bool only_rays = false;  ///< use rays for every pair, to compare methods
};

/// A part of the shared volume whose surfaces face one direction. Each part becomes one planar patch.
struct OverlapPart {
    static constexpr int kPoints = 32;
    enum class Curvature : char { Flat, Line, Point };

    double volume = 0;                               ///< [m^3]
    Vec3 centre;                                     ///< world
    Mat3 second_moment = Mat3::diagonal({0, 0, 0});  ///< int (r - centre)(r - centre)^T dV [m^5]
    /// dV / d(position of B) = int of B's outward normal over the boundary of B inside A [m^2]
    Vec3 gradient;
    Vec3 normal;                            ///< unit, from A to B
    double depth = 0;                       ///< extent of the part along the normal [m]
    Curvature curvature = Curvature::Flat;  ///< of the rounder surface at the contact; always flat for meshes
    Vec3 axis;                              ///< for Line: the direction in which the surface is straight
    int point_count = 0;
    std::array<Vec3, kPoints> points;  ///< outermost points as seen along the normal, world
    /// A point of B's surface deep inside A. `depth` is the distance along the normal from there to A's surface, offset by
    /// the skin [m]. Only patches_of_meshes() sets these.
    struct DeepPoint {
        Vec3 at;
        double depth;
    };
    static constexpr size_t kDeepPoints = 4;
    int deep_point_count = 0;
    std::array<DeepPoint, kDeepPoints> spots;

    /// Resets all fields except the unused entries of `points` and `spots`, which are most of the structure.
    void clear() {
        volume = depth = 0;
        centre = gradient = normal = axis = {};
        second_moment = Mat3::diagonal({0, 0, 0});
        curvature = Curvature::Flat;
        point_count = deep_point_count = 0;
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
    /// dV / d(rotation of B about `centre`) = int of (r - centre) x B's normal over the boundary of B inside A [m^3]
    Vec3 turning;
    double error = 0;                 ///< estimated error of the volume [m^3]; 0 if only rounding remains
    double grown_a = 0, grown_b = 0;  ///< outward offset of each surface [m]
    bool open = false;                ///< a mesh has boundary edges: the result is valid as far as its holes do not matter
    int skipped_rays = 0;             ///< rays that cross an open mesh an odd number of times
    int part_count = 0;
    std::array<OverlapPart, kParts> parts;  ///< sorted by decreasing volume

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

/// The result has no parts if the shapes share nothing, if the volume is below 1e-18 of the volume of the smaller body's
/// bounding box (or below 1e-30 m^3), or if one body lies inside the other, so that the volume does not change with motion.
/// Allocates nothing once the scratch memory has grown. Bitwise the same result on any number of threads.
void overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const OverlapOptions& options,
             Overlap& out);

}  // namespace asperity::geometry

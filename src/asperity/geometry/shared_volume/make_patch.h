// Contact patches from what two bodies share: one for each direction in which their surfaces face each other.
#pragma once
#include "asperity/geometry/shared_volume/overlap.h"
#include "asperity/geometry/shared_volume/patch.h"

namespace asperity::geometry {

struct PatchOptions {
    enum class Region : char {
        /// The convex outline of the shared volume as seen along the normal, an ellipse where it is one. A table stands on
        /// the hull of its feet.
        Outline,
        /// Semi-axes sqrt(K m / V) with the second moments m in the plane, as in the paper. Exact for a box sheet with K =
        /// 3, an elliptic sheet with 4, an ellipsoid with 5, a shallow cap with 6; feet at (+-s, +-s) give sqrt(3) s where
        /// their outline has s.
        Ellipse,
    };
    Region region = Region::Outline;
    double ellipse_constant = 0;  ///< K; 0 takes 3 for flat contacts and 6 for curved ones
};

struct PatchList {
    static constexpr int kCapacity = Overlap::kParts;
    int count = 0;
    std::array<Patch, kCapacity> items;
};

/// Region and gap are those of the bodies before they were grown by the skin: the gap exactly where faces are parallel,
/// elsewhere as if the shared volume kept its form while it shrinks; the outline of flat contacts as grown, so up to the
/// skin too wide.
void make_patches(const Overlap& overlap, const PatchOptions& options, PatchList& out);
/// Whether a patch takes the load of a point: it lies over the region, and faces the same way.
bool covers(const Patch& patch, const Vec3& point, const Vec3& normal);

}  // namespace asperity::geometry

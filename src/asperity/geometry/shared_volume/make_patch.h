// Contact patches from the shared volume of two bodies: one for each direction in which their surfaces face each other.
#pragma once
#include "asperity/geometry/shared_volume/overlap.h"
#include "asperity/geometry/shared_volume/patch.h"

namespace asperity::geometry {

struct PatchOptions {
    enum class Region : char {
        /// Convex hull of the shared volume as seen along the normal, or an ellipse if the hull is one. A table stands on
        /// the hull of its feet.
        Outline,
        /// Semi-axes sqrt(K m / V) from the second moments m in the plane (Bouchard et al. 2015). Exact for a box sheet
        /// with K = 3, an elliptic sheet with 4, an ellipsoid with 5, a shallow cap with 6. For feet at (+-s, +-s) the
        /// semi-axis is sqrt(3) s, whereas the hull reaches s.
        Ellipse,
    };
    Region region = Region::Outline;
    double ellipse_constant = 0;  ///< K; 0 selects 3 for flat contacts and 6 for curved ones
};

struct PatchList {
    static constexpr int kCapacity = Overlap::kParts;
    int count = 0;
    std::array<Patch, kCapacity> items;
};

/// Region and gap refer to the bodies without the skin. The gap is exact for parallel faces. Elsewhere it assumes that the
/// shared volume keeps its form while it shrinks. The outline of flat contacts is not shrunk, so it is too wide by up to the
/// skin.
void make_patches(const Overlap& overlap, const PatchOptions& options, PatchList& out);
/// Whether a patch carries the load of a point contact: the point projects into the region, and the normals agree.
bool covers(const Patch& patch, const Vec3& point, const Vec3& normal);

}  // namespace asperity::geometry

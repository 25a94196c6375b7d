// Boundary elements: a rough surface pressed against an elastic half-space, without friction. It uses no mesh of the
// volume, so it is an independent check of the finite elements.
#pragma once
#include <limits>

#include "asperity/lab/surfaces/topography.h"

namespace asperity::lab {

/// A rigid surface of heights h is pressed on an elastic half-space of contact modulus E* (or two elastic ones, with the
/// sum of their heights). Pressure p and gap g >= 0 at every point obey
///     g = u - h + c,    u = K p,    p >= 0,  g >= 0,  p g = 0,    mean p = P,
/// with c found so that the mean pressure is P. K is the surface displacement of the half-space: in periodic domains
/// u(q) = 2 p(q)/(E* |q|), the mean of u being 0; in free ones Love's solution for a uniform pressure on each pixel
/// (Johnson, "Contact Mechanics", 3.25), for profiles that of a strip in plane strain (Johnson 2.30), up to a constant.
/// Transforms apply K in n log n operations. Solved by conjugate gradients on the points in contact, which change as
/// pressures reach 0 or gaps close (Polonsky and Keer, Wear 231, 1999).
/// With a hardness, p <= hardness: points that reach it are no longer kept apart, as if they flowed.
struct HalfSpaceOptions {
    double modulus = 1;  ///< E* = 1/((1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b)
    bool periodic = true;
    double hardness = std::numeric_limits<double>::infinity();
    double tolerance = 1e-8;  ///< largest sum of the changes of pressure in an iteration, over the sum of pressures
    int max_iterations = 2000;
};

struct HalfSpaceContact {
    std::vector<double> pressure, gap;  ///< at every point; gap < 0 where the hardness is reached
    double area_fraction = 0;           ///< points with pressure, over all
    /// The same with the border of the patches corrected: (pi - 1 + ln 2)/24 of a pixel's area for every pair of
    /// neighbours of which one is in contact (Yastrebov, Anciaux, Molinari, Tribol. Int. 114, 2017). Closer to fine grids.
    double area_corrected = 0;
    double gap_mean = 0;   ///< over the whole domain
    double approach = 0;   ///< free domains of maps: displacement towards each other of points far away
    double stiffness = 0;  ///< dP/d(approach), the contact area being held [pressure/unit]; free: dF/d(approach)
    double max_pressure = 0;
    int patches = 0;  ///< connected parts of the contact, by edges of pixels
    double patch_area_mean = 0, patch_area_max = 0;
    int iterations = 0;
    double error = 0;  ///< the last change, as tolerance
    bool converged = false;
};

/// `mean_pressure` is force over the area of the domain (profiles: force per depth over its length). A solution that has not
/// converged is returned with converged = false. Throws InputError for incomplete maps, values not above 0, and a mean
/// pressure at or above the hardness.
HalfSpaceContact press(const Topography& heights, double mean_pressure, const HalfSpaceOptions& options);

}  // namespace asperity::lab

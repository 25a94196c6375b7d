// Limit sets as convex hulls of points on their boundary, for solvers that need polyhedral sets.
#pragma once
#include <span>
#include <vector>

#include "asperity/solvers/problem/block.h"

namespace asperity::solvers {

/// Two poles on the z axis and facets/2 - 1 rings of `facets` points between them.
std::vector<Vec3> ellipsoid_corners(int facets, const Vec3& axes);
/// Vertices of a contact's limit set per unit of normal impulse: `count` on an ellipse; the own vertices of a rectangle or
/// polygon; rings on a set with a drilling axis.
std::vector<Vec3> corners_of(const Block& block, int count);
/// The largest distance of a vertex from the origin.
double radius_of(std::span<const Vec3> corners);

}  // namespace asperity::solvers

// Constants of the position pass (solve_positions.cpp, correct_volumes.cpp).
#pragma once

namespace asperity::sim {

/// Errors below this are not corrected [m] or [rad]. Far below any tolerance, above rounding.
constexpr double kAllowedError = 1e-9;
/// Fraction of an overlap that a step removes. Larger values make deep overlaps burst apart, smaller ones remove them
/// slowly.
constexpr double kOverlapShare = 0.2;
constexpr double kFreeRate = 1e9;  ///< closing rate at which a gap imposes no constraint [m/s]

/// The largest closing rate of a gap over dt; for an overlap, minus the rate at which it must open.
constexpr double gap_rate(double gap, double dt) { return (gap >= 0 ? gap : kOverlapShare * gap) / dt; }

}  // namespace asperity::sim

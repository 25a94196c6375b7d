// What the position pass (integrate_poses.cpp) and its parts agree on.
#pragma once

namespace asperity::sim {

/// [m] or [rad]: below this nothing is corrected; far under any tolerance, above rounding
constexpr double kAllowedError = 1e-9;
/// of an overlap is removed in a step: quick, and deep overlaps do not burst apart
constexpr double kOverlapShare = 0.2;
constexpr double kFreeRate = 1e9;  ///< [m/s]: a gap that may close at this rate is no demand

/// The rate at which a gap may close within dt, or an overlap must open.
constexpr double gap_rate(double gap, double dt) { return (gap >= 0 ? gap : kOverlapShare * gap) / dt; }

}  // namespace asperity::sim

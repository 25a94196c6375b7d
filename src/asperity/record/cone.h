// Output of a limit surface for `asperity cone`: a table over directions, and a drawing.
#pragma once
#include <string>
#include <vector>

#include "asperity/friction/limit_surface.h"

namespace asperity::record {

/// A limit set in one direction, at `angle` [rad] from t towards b. The three coefficients [-] differ unless the set is a
/// disc:
struct ConeRow {
    double angle;
    double hold;   ///< sticking resists a push along `angle` up to hold * load (radial function)
    double drag;   ///< resistance against sliding along `angle`: power = drag * load * speed (support function)
    double force;  ///< size of the friction force per unit of load while sliding along `angle`
    /// direction of the slip when a push along `angle` is just too strong [rad]; NaN where hold is 0
    double slip_angle;
};
/// `count` directions in equal steps round the full circle. Of a set with a drilling axis, only the planar part.
std::vector<ConeRow> cone_rows(const friction::LimitSet& set, int count);

/// On the left the set and its drag in every direction; on the right the slip direction against the push direction.
std::string svg_cone(const friction::LimitSet& set, const std::string& title);

}  // namespace asperity::record

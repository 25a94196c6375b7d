// A limit surface for people: its numbers in every direction, and a drawing.
#pragma once
#include <string>
#include <vector>

#include "asperity/friction/limit_surface.h"

namespace asperity::record {

/// What a set does in one direction, at `angle` [rad] from t towards b. The three "coefficients" are different things:
struct ConeRow {
    double angle;
    double hold;   ///< a push along `angle` of this times the load still moves nothing (radial)
    double drag;   ///< resistance against sliding along `angle`: power = drag * load * speed (support)
    double force;  ///< size of the friction force while sliding along `angle`
    /// where a push along `angle` that is just too strong makes things slip [rad]; not a number where nothing holds
    double slip_angle;
};
/// `count` directions round the full circle. The planar part of sets with a drilling axis.
std::vector<ConeRow> cone_rows(const friction::LimitSet& set, int count);

/// Left the set and its drag in every direction, right the direction of the slip against that of the push.
std::string svg_cone(const friction::LimitSet& set, const std::string& title);

}  // namespace asperity::record

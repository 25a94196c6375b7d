// Overlaps of bodies by our own manifolds, whatever an engine believes about its contacts.
#pragma once
#include <vector>

#include "peer_scene.h"

namespace asperity::peers {

struct Overlaps {
    int pairs = 0;     ///< that touch, one of them at least free to move
    double worst = 0;  ///< [m]
    double mean = 0;   ///< over the touching pairs, gaps counted as 0 [m]
};

Overlaps overlaps(const Scene& scene, const std::vector<Pose>& poses);

}  // namespace asperity::peers

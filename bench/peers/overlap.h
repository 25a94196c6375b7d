// Overlaps of bodies measured with our own manifolds, independent of the engine's contacts.
#pragma once
#include <vector>

#include "peer_scene.h"

namespace asperity::peers {

struct Overlaps {
    int pairs = 0;     ///< touching pairs with at least one moving body
    double worst = 0;  ///< largest overlap [m]
    double mean = 0;   ///< over the touching pairs; gaps count as 0 [m]
};

Overlaps overlaps(const Scene& scene, const std::vector<Pose>& poses);

}  // namespace asperity::peers

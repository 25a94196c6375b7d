// A neutral scene in our own engine.
#pragma once
#include "asperity/sim/world.h"
#include "peer_scene.h"

namespace asperity::peers {

/// Bodies go in with their centre of mass in the origin and in the order of the scene: indices and poses are the same on
/// both sides. fast: about the sweeps that other engines use, as for games and piles. default: prox as it comes, to 1e-10
/// m/s. high: a residual two orders smaller, more sweeps in both passes.
sim::World asperity_world(const Scene& scene, std::string_view config);

}  // namespace asperity::peers

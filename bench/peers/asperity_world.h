// Builds a neutral scene in our own engine.
#pragma once
#include "asperity/sim/world.h"
#include "peer_scene.h"

namespace asperity::peers {

/// Bodies have their centre of mass at the origin and keep the order of the scene, so indices and poses agree on both sides.
/// fast: about as many sweeps as other engines, for games and piles. default: prox with its defaults, to 1e-10 m/s. high: a
/// residual smaller by a factor of 100, and more sweeps in both passes.
sim::World asperity_world(const Scene& scene, std::string_view config);

}  // namespace asperity::peers

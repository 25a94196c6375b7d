// Piles of any width and always the same height, near rest from the start.
#pragma once
#include "asperity/sim/world.h"

namespace asperity::scaling {

/// `width` cubes of 0.2 m along each side, four layers in brick bond: layers of width^2 and (width - 1)^2 cubes in turns,
/// each cube on four others, turned by up to 5 degrees about the vertical and 1 mm above what is below. 2 width^2 + 2 (width
/// - 1)^2 cubes in all, some 12 contacts each. Every width has the same height and the same load on its lowest layer, so a
/// contact is as hard in each.
sim::World brick_pile(int width);

}  // namespace asperity::scaling

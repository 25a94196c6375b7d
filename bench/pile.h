// Piles of any width and constant height, near rest from the start.
#pragma once
#include "asperity/sim/world.h"

namespace asperity::scaling {

/// `width` cubes of 0.2 m along each side, in four layers of brick bond: alternately width^2 and (width - 1)^2 cubes. Each
/// cube lies on four others, rotated by up to 5 degrees about the vertical and 1 mm above the cubes below. 2 width^2 + 2
/// (width - 1)^2 cubes in all, with some 12 contacts each. Every width has the same height and the same load on its lowest
/// layer, so contacts are equally hard to solve.
sim::World brick_pile(int width);

}  // namespace asperity::scaling

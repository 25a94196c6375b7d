// Pushes bodies apart that overlap at the start: moves them without turning or deforming them.
#pragma once
#include <vector>

#include "asperity/implicit/world.h"

namespace asperity::implicit {

struct Mended {
    int body = 0;
    Vec3 way;  ///< by which the body was moved [m]
};

/// Moves free bodies (soft ones without a prescribed part, affine ones, neither with joints) until no two cross, contain
/// each other or are below a half-space, with a gap of the contact distance between those that were moved apart. Two free
/// bodies share the way in inverse proportion to their masses. Throws InputError if that does not succeed, with the two
/// bodies that are left, and then leaves the world as it was. Call it after the world is built and before prepare().
template <int Dim>
std::vector<Mended> mend(World<Dim>& world);

}  // namespace asperity::implicit

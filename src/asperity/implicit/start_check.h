// What a world refuses at its start: surfaces that cross, touch, contain one another or are closer than their thickness.
#pragma once
#include <span>
#include <vector>

#include "asperity/core/error.h"
#include "asperity/implicit/world.h"

namespace asperity::implicit {

/// Two bodies that overlap at the start, and where.
class StartOverlap : public InputError {
  public:
    StartOverlap(const std::string& message, int first, int second, std::vector<Vec3> points)
        : InputError(message), body_a(first), body_b(second), places(std::move(points)) {}
    int body_a, body_b;        ///< the same for a body that crosses itself
    std::vector<Vec3> places;  ///< points of their surfaces in the overlap, up to kMostPlaces
};
constexpr int kMostPlaces = 60;

/// Throws StartOverlap for surfaces that cross, touch or contain one another, and InputError for those closer than their
/// thickness. `x`: vertices of all surfaces.
template <int Dim>
void check_start(World<Dim>& world, std::span<const Vector<Dim>> x);

}  // namespace asperity::implicit

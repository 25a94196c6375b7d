// Random scenes for the soak of the implicit world. The same seed gives the same world.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "asperity/implicit/world.h"

namespace asperity::soak {

/// The kinds of scenes. Six seeds in a row draw one of each.
enum class SoftKind {
    Drop,       ///< a tower of bodies, sizes up to 1:100, falls on a half-space, a slab or posts
    Squeeze,    ///< soft bodies between two plates that close
    Twist,      ///< both ends of a bar (2D: the inside of a ring) turn, until the body touches itself
    Collision,  ///< bodies fly at one another; nothing else acts
    Pressed,    ///< forces and pressures on bodies that stand on the ground or are held below
    Hanging,    ///< a beam held at one end, with bodies joined to the other end; some are shaken
    count
};
constexpr std::array<std::string_view, static_cast<std::size_t>(SoftKind::count)> kSoftKindNames = {
    "drop", "squeeze", "twist", "collision", "pressed", "hanging"};

template <int Dim>
struct SoftScene {
    implicit::World<Dim> world;
    double dt = 0;  ///< [s]
    int steps = 0;
    std::string about;  ///< one line
};

SoftKind soft_kind(std::uint64_t seed);
int soft_dimension(std::uint64_t seed);  ///< 2 for one in four seeds
template <int Dim>
SoftScene<Dim> soft_scene(std::uint64_t seed);
/// Gives all surfaces one law, Coulomb's or an ellipse with a grain along x; not where friction is not possible.
template <int Dim>
void add_friction(SoftScene<Dim>& scene, std::uint64_t seed);

}  // namespace asperity::soak

// A pair of colliders, or of bodies, as one number that sorts by the first of them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace asperity::contact {

constexpr std::uint64_t pair_key(int low, int high) {
    return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
}
constexpr std::size_t pair_low(std::uint64_t pair) { return static_cast<std::size_t>(pair >> 32); }
constexpr std::size_t pair_high(std::uint64_t pair) { return static_cast<std::size_t>(pair & 0xffffffffU); }

}  // namespace asperity::contact

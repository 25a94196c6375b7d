#include "asperity/solvers/colouring.h"

#include <bit>

namespace asperity::solvers {

void Colouring::colour(std::span<const PairRange> pairs, std::span<const char> moves) {
    used_.assign(moves.size(), 0);
    colour_.resize(pairs.size());
    constexpr std::uint64_t kLast = std::uint64_t{1} << (kColours - 1);
    for (size_t i = 0; i < pairs.size(); ++i) {
        const auto a = static_cast<size_t>(pairs[i].a), b = static_cast<size_t>(pairs[i].b);
        const std::uint64_t taken = ((moves[a] ? used_[a] : 0) | (moves[b] ? used_[b] : 0)) & ~kLast;
        const std::uint64_t bit = std::uint64_t{1} << std::countr_one(taken);
        colour_[i] = static_cast<std::uint8_t>(std::countr_zero(bit));
        used_[a] |= bit;
        used_[b] |= bit;
    }
}

}  // namespace asperity::solvers

#include "asperity/solvers/iteration/colouring.h"

#include <bit>

namespace asperity::solvers {

void Colouring::begin(size_t pairs, size_t groups) {
    used_.resize(groups);
    colour_.resize(pairs);
}

void Colouring::colour_one(const PairRange& pair, size_t index, std::span<const char> moves) {
    constexpr std::uint64_t kLast = std::uint64_t{1} << (kColours - 1);
    const auto a = static_cast<size_t>(pair.a), b = static_cast<size_t>(pair.b);
    const std::uint64_t taken = ((moves[a] ? used_[a] : 0) | (moves[b] ? used_[b] : 0)) & ~kLast;
    const std::uint64_t bit = std::uint64_t{1} << std::countr_one(taken);
    colour_[index] = static_cast<std::uint8_t>(std::countr_zero(bit));
    if (moves[a]) used_[a] |= bit;
    if (moves[b]) used_[b] |= bit;
}

void Colouring::colour(std::span<const PairRange> pairs, std::span<const char> moves) {
    begin(pairs.size(), moves.size());
    used_.assign(moves.size(), 0);
    for (size_t i = 0; i < pairs.size(); ++i) colour_one(pairs[i], i, moves);
}

void Colouring::colour(std::span<const PairRange> pairs, std::span<const char> moves, std::span<const int> chosen) {
    for (const int i : chosen)
        for (const int group : {pairs[static_cast<size_t>(i)].a, pairs[static_cast<size_t>(i)].b})
            if (moves[static_cast<size_t>(group)]) used_[static_cast<size_t>(group)] = 0;
    for (const int i : chosen) colour_one(pairs[static_cast<size_t>(i)], static_cast<size_t>(i), moves);
}

}  // namespace asperity::solvers

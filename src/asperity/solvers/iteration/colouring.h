// Graph colouring: pairs that share no group that can move get the same colour, so that all pairs of a colour can be solved
// at once, in any order, by any number of threads, with the same result.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace asperity::solvers {

/// Contacts [first, first + count) of one pair of groups.
struct PairRange {
    int a = 0, b = 0;
    int first = 0, count = 0;
};

class Colouring {
  public:
    static constexpr int kColours = 64;  ///< the last one takes what is left over; its pairs may share groups

    /// Greedy, in the order given: the first colour that neither group has yet. `moves[g]` is 0 for groups that feel
    /// nothing, which any number of pairs may share.
    void colour(std::span<const PairRange> pairs, std::span<const char> moves);

    /// The same for some of the pairs, whose colours count from zero; after begin(). Choices that share no group that moves
    /// may run at the same time.
    void begin(size_t pairs, size_t groups);
    void colour(std::span<const PairRange> pairs, std::span<const char> moves, std::span<const int> chosen);

    std::span<const std::uint8_t> colours() const { return colour_; }  ///< per pair

  private:
    void colour_one(const PairRange& pair, size_t index, std::span<const char> moves);

    std::vector<std::uint64_t> used_;  // per group: a bit for each colour that one of its pairs has
    std::vector<std::uint8_t> colour_;
};

}  // namespace asperity::solvers

// Graph colouring of pairs. Pairs of one colour share no group that can move. So they can be solved in any order, by any
// number of threads, with the same result.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace asperity::solvers {

/// The contacts [first, first + count) between groups a and b.
struct PairRange {
    int a = 0, b = 0;
    int first = 0, count = 0;
};

class Colouring {
  public:
    static constexpr int kColours = 64;  ///< the last colour takes all pairs left over; they may share groups

    /// Greedy, in the given order: each pair gets the first colour that neither of its groups has yet. `moves[g]` is 0 for
    /// groups that no impulse moves; any number of pairs of one colour may share those.
    void colour(std::span<const PairRange> pairs, std::span<const char> moves);

    /// Colours only the chosen pairs, starting again at colour 0. begin() must be called first. Calls whose choices share no
    /// moving group may run concurrently.
    void begin(size_t pairs, size_t groups);
    void colour(std::span<const PairRange> pairs, std::span<const char> moves, std::span<const int> chosen);

    std::span<const std::uint8_t> colours() const { return colour_; }  ///< per pair

  private:
    void colour_one(const PairRange& pair, size_t index, std::span<const char> moves);

    std::vector<std::uint64_t> used_;  // per group: bit c is set if one of its pairs has colour c
    std::vector<std::uint8_t> colour_;
};

}  // namespace asperity::solvers

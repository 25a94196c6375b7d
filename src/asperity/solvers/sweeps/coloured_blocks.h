// The blocks of a problem sorted by colour. Blocks of one colour touch different bodies, so that threads can visit them
// concurrently.
#pragma once
#include <span>
#include <vector>

#include "asperity/solvers/iteration/colouring.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

class ColouredBlocks {
  public:
    /// The result depends on the problem only, never on the number of threads.
    void arrange(const ContactProblem& problem);

    int colour_count() const { return static_cast<int>(start_.size()) - 1; }
    /// Runs of blocks [first, first + count) between the same two groups.
    std::span<const PairRange> runs(int colour) const {
        const auto begin = static_cast<size_t>(start_[static_cast<size_t>(colour)]),
                   end = static_cast<size_t>(start_[static_cast<size_t>(colour) + 1]);
        return std::span(runs_).subspan(begin, end - begin);
    }
    /// Whether the runs of the colour may share groups: true for the last colour, which has the runs without a free colour.
    static bool is_serial(int colour) { return colour == Colouring::kColours - 1; }
    /// Whether an impulse can change the group's velocity.
    bool moves(int group) const { return moves_[static_cast<size_t>(group)] != 0; }

  private:
    Colouring colouring_;
    std::vector<PairRange> found_, runs_;  // in the order of the blocks; sorted by colour
    std::vector<int> start_;               // per colour: its first index in runs_
    std::vector<char> moves_;              // per group
};

}  // namespace asperity::solvers

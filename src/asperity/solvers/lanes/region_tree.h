// The groups of a large problem in regions, and its pairs by the regions they join. Threads sweep regions from end to end,
// each its own, and meet only for the few pairs between them: the velocities of a region stay in the cache of one core.
#pragma once
#include <span>
#include <vector>

#include "asperity/solvers/iteration/colouring.h"

namespace asperity::solvers {

/// Regions are runs of neighbouring numbers with about as many pairs each, 1, 2, 4 and so on up to 64 of them as the problem
/// is large: groups with neighbouring numbers are neighbours in space as a rule. They are the leaves of a binary tree. A
/// pair belongs to the lowest node that has both of its groups below it; groups that feel nothing are everywhere. So the
/// nodes of a level share no group that moves.
class RegionTree {
  public:
    /// moves[g] is 0 for groups that feel nothing. The pairs are sorted by their groups, more or less.
    void grow(std::span<const PairRange> pairs, std::span<const char> moves);

    int levels() const { return levels_; }  ///< leaves first, the root last
    int first_node(int level) const { return (1 << levels_) - (1 << (levels_ - level)); }
    int node_count() const { return first_node(levels_); }
    int node_of(const PairRange& pair) const;

  private:
    int levels_ = 1;
    std::vector<signed char> leaf_;  // per group, -1 for those that feel nothing
};

}  // namespace asperity::solvers

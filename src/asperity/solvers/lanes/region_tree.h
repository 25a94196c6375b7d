// Divides the groups of a large problem into regions, and its pairs by the regions they join. Each thread sweeps its own
// regions and synchronises only for the few pairs between regions. So the velocities of a region stay in the cache of one
// core.
#pragma once
#include <span>
#include <vector>

#include "asperity/solvers/iteration/colouring.h"

namespace asperity::solvers {

/// Regions are ranges of group indices with about equally many pairs: 1, 2, 4, ... up to 64 regions, more for larger
/// problems. Groups with neighbouring indices are usually neighbours in space. The regions are the leaves of a binary tree.
/// A pair belongs to the lowest node that has both of its groups below it. Groups that cannot move belong to every region.
/// So the nodes of a level share no group that moves.
class RegionTree {
  public:
    /// moves[g] is 0 for groups that no impulse moves. The pairs should be roughly sorted by their groups.
    void grow(std::span<const PairRange> pairs, std::span<const char> moves);

    int levels() const { return levels_; }  ///< level 0 are the leaves, the last level is the root
    int first_node(int level) const { return (1 << levels_) - (1 << (levels_ - level)); }
    int node_count() const { return first_node(levels_); }
    int node_of(const PairRange& pair) const;

  private:
    int levels_ = 1;
    std::vector<signed char> leaf_;  // per group; -1 for groups that cannot move
};

}  // namespace asperity::solvers

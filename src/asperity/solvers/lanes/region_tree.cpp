#include "asperity/solvers/lanes/region_tree.h"

#include <algorithm>
#include <bit>

#include "asperity/core/parallel.h"

namespace asperity::solvers {
namespace {
constexpr size_t kRegionPairs = 2048;  // smallest number of pairs per region; at the end of each node some lanes stay empty
constexpr int kMostLevels = 7;
}  // namespace

void RegionTree::grow(std::span<const PairRange> pairs, std::span<const char> moves) {
    levels_ = std::clamp(static_cast<int>(std::bit_width(pairs.size() / kRegionPairs)), 1, kMostLevels);
    const int leaves = 1 << (levels_ - 1);
    int first[1 << (kMostLevels - 1)] = {};  // group of each leaf
    for (int k = 1; k < leaves; ++k) {
        const PairRange& pair = pairs[pairs.size() * static_cast<size_t>(k) / static_cast<size_t>(leaves)];
        first[k] = std::max(first[k - 1], moves[static_cast<size_t>(pair.a)] ? pair.a : pair.b);
    }
    leaf_.resize(moves.size());
    parallel_for(
        leaves,
        [&](int k) {
            const int end = k + 1 < leaves ? first[k + 1] : static_cast<int>(moves.size());
            for (int g = first[k]; g < end; ++g)
                leaf_[static_cast<size_t>(g)] = moves[static_cast<size_t>(g)] ? static_cast<signed char>(k) : -1;
        },
        1);
}

int RegionTree::node_of(const PairRange& pair) const {
    const int a = leaf_[static_cast<size_t>(pair.a)], b = leaf_[static_cast<size_t>(pair.b)];
    const int leaf = std::max({a, b, 0}), level = a < 0 || b < 0 ? 0 : std::bit_width(static_cast<unsigned>(a ^ b));
    return first_node(level) + (leaf >> level);
}

}  // namespace asperity::solvers

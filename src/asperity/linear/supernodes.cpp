#include "asperity/linear/supernodes.h"

#include <algorithm>
#include <utility>

namespace asperity::linear {
namespace {

/// Fundamental supernodes (Liu, Ng and Peyton 1993): maximal chains of columns, each the only child of the next and with one
/// row more.
struct Fundamental {
    std::vector<int> start, rows, parent;
};

Fundamental fundamental_supernodes(const EliminationTree& tree) {
    const int n = static_cast<int>(tree.order.size());
    std::vector<int> children(static_cast<std::size_t>(n), 0), supernode(static_cast<std::size_t>(n));
    for (const int p : tree.parent)
        if (p >= 0) ++children[static_cast<std::size_t>(p)];
    Fundamental out;
    for (int j = 0; j < n; ++j) {
        const auto c = static_cast<std::size_t>(j);
        const bool joins = j > 0 && tree.parent[c - 1] == j && tree.count[c - 1] == tree.count[c] + 1 && children[c] == 1;
        if (!joins) out.start.push_back(j);
        supernode[c] = static_cast<int>(out.start.size()) - 1;
    }
    out.start.push_back(n);
    for (std::size_t s = 0; s + 1 < out.start.size(); ++s) {
        const auto last = static_cast<std::size_t>(out.start[s + 1]) - 1;
        out.rows.push_back(tree.count[last] - 1);
        out.parent.push_back(tree.parent[last] < 0 ? -1 : supernode[static_cast<std::size_t>(tree.parent[last])]);
    }
    return out;
}

}  // namespace

double front_flops(double columns, double rows) { return columns * (columns * columns / 3 + columns * rows + rows * rows); }

double front_cost(int columns, int rows) {
    // Cycles per front, per row, per value, per flop and per row of the diagonal block. Fitted to meshes of 6,000 and 20,000
    // tetrahedra: with half or twice the price of a front, or flops 1.5 times as fast, factorisations change by 3 % at most.
    constexpr double kFront = 700, kPerRow = 8, kPerValue = 0.6, kFlopsPerCycle = 11, kDiagonal = 30;
    const double c = columns, padded = whole_groups(rows), own = whole_groups(columns);
    const double values = padded * padded / 2 + padded * c + own * own / 2;
    const double flops = own * c * c / 2 + padded * c * c + padded * (padded + kGroup) * c;
    return kFront + kPerRow * (c + padded) + kPerValue * values + kDiagonal * own + flops / kFlopsPerCycle;
}

Supernodes find_supernodes(const EliminationTree& tree, int dimension) {
    const Fundamental f = fundamental_supernodes(tree);
    const std::size_t count = f.rows.size();
    std::vector<int> columns(count), into(count, -1), head(count, -1), sibling(count, -1);
    for (std::size_t s = 0; s < count; ++s) columns[s] = f.start[s + 1] - f.start[s];
    for (std::size_t s = count; s-- > 0;)
        if (f.parent[s] >= 0) sibling[s] = std::exchange(head[static_cast<std::size_t>(f.parent[s])], static_cast<int>(s));

    // From the leaves to the roots. Children with the most rows come first: they fit their parent best.
    const auto cost = [&](int c, int rows) { return front_cost(c * dimension, rows * dimension); };
    std::vector<int> children;
    for (std::size_t p = 0; p < count; ++p) {
        children.clear();
        for (int k = head[p]; k >= 0; k = sibling[static_cast<std::size_t>(k)]) children.push_back(k);
        std::stable_sort(children.begin(), children.end(), [&](int a, int b) {
            return f.rows[static_cast<std::size_t>(a)] > f.rows[static_cast<std::size_t>(b)];
        });
        for (const int k : children) {
            const auto c = static_cast<std::size_t>(k);
            const double apart = cost(columns[c], f.rows[c]) + cost(columns[p], f.rows[p]);
            if (cost(columns[c] + columns[p], f.rows[p]) > apart) continue;
            into[c] = static_cast<int>(p);
            columns[p] += columns[c];
        }
    }

    // The supernode that each one has ended in; parents have larger numbers.
    std::vector<int> top(count);
    for (std::size_t s = count; s-- > 0;)
        top[s] = into[s] < 0 ? static_cast<int>(s) : top[static_cast<std::size_t>(into[s])];
    std::vector<int> merged_parent(count, -1);
    for (std::size_t s = 0; s < count; ++s)
        if (into[s] >= 0)
            merged_parent[s] = -2;  // no vertex of the merged tree
        else if (f.parent[s] >= 0)
            merged_parent[s] = top[static_cast<std::size_t>(f.parent[s])];

    // Members of each, in ascending order: a child precedes its parent.
    std::vector<int> member(count, -1), last(count, -1), next(count, -1);
    for (std::size_t s = 0; s < count; ++s) {
        const auto t = static_cast<std::size_t>(top[s]);
        (last[t] < 0 ? member[t] : next[static_cast<std::size_t>(last[t])]) = static_cast<int>(s);
        last[t] = static_cast<int>(s);
    }
    std::vector<int> tops, compact(count, -1), parent;
    for (std::size_t s = 0; s < count; ++s)
        if (into[s] < 0) {
            compact[s] = static_cast<int>(tops.size());
            tops.push_back(static_cast<int>(s));
        }
    for (const int s : tops) {
        const int p = merged_parent[static_cast<std::size_t>(s)];
        parent.push_back(p < 0 ? -1 : compact[static_cast<std::size_t>(p)]);
    }

    Supernodes out;
    const std::vector<int> post = postorder(parent);
    std::vector<int> renamed(post.size());
    for (std::size_t i = 0; i < post.size(); ++i) renamed[static_cast<std::size_t>(post[i])] = static_cast<int>(i);
    out.order.reserve(tree.order.size());
    for (const int v : post) {
        const auto t = static_cast<std::size_t>(tops[static_cast<std::size_t>(v)]);
        const int p = parent[static_cast<std::size_t>(v)];
        out.start.push_back(static_cast<int>(out.order.size()));
        out.rows.push_back(f.rows[t]);
        out.parent.push_back(p < 0 ? -1 : renamed[static_cast<std::size_t>(p)]);
        for (int m = member[t]; m >= 0; m = next[static_cast<std::size_t>(m)])
            for (int j = f.start[static_cast<std::size_t>(m)]; j < f.start[static_cast<std::size_t>(m) + 1]; ++j)
                out.order.push_back(tree.order[static_cast<std::size_t>(j)]);
    }
    out.start.push_back(static_cast<int>(out.order.size()));
    return out;
}

}  // namespace asperity::linear

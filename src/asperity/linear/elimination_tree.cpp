#include "asperity/linear/elimination_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace asperity::linear {
namespace {

/// Liu's algorithm 4.2: row i hangs the roots of the subtrees that it touches below i. Paths to the roots are shortened.
std::vector<int> parents(const NodeGraph& graph, const std::vector<int>& order, const std::vector<int>& place) {
    const int n = graph.size();
    std::vector<int> parent(static_cast<std::size_t>(n), -1), ancestor(static_cast<std::size_t>(n), -1);
    for (int i = 0; i < n; ++i) {
        const auto node = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
        for (int e = graph.start[node]; e < graph.start[node + 1]; ++e) {
            int k = place[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)])];
            while (k >= 0 && k < i) {
                int& above = ancestor[static_cast<std::size_t>(k)];
                const int next = above;
                above = i;
                if (next < 0) parent[static_cast<std::size_t>(k)] = i;
                k = next;
            }
        }
    }
    return parent;
}

/// Gilbert, Ng and Peyton 1994, "An efficient algorithm to compute row and column counts for sparse Cholesky factorization".
/// Row i of the factor is a subtree of the tree with root i. A column's count is the number of rows whose subtree has it.
/// Only the leaves of these subtrees, and the least common ancestors of neighbouring leaves, change the count from child to
/// parent.
void count_columns(const NodeGraph& graph, EliminationTree& tree) {
    const int n = graph.size();
    const auto size = static_cast<std::size_t>(n);
    std::vector<int> first(size), largest_first(size, -1), last_leaf(size, -1), set(size);
    std::iota(set.begin(), set.end(), 0);
    std::iota(first.begin(), first.end(), 0);
    tree.count.assign(size, 1);
    for (std::size_t j = 0; j < size; ++j)
        if (tree.parent[j] >= 0) {
            const auto p = static_cast<std::size_t>(tree.parent[j]);
            first[p] = std::min(first[p], first[j]);
            tree.count[p] = 0;  // not a leaf
        }
    const auto representative = [&](int v) {
        int root = v;
        while (set[static_cast<std::size_t>(root)] != root) root = set[static_cast<std::size_t>(root)];
        while (v != root) v = std::exchange(set[static_cast<std::size_t>(v)], root);
        return static_cast<std::size_t>(root);
    };
    for (int column = 0; column < n; ++column) {
        const auto j = static_cast<std::size_t>(column);
        const int parent = tree.parent[j];
        if (parent >= 0) --tree.count[static_cast<std::size_t>(parent)];
        const auto node = static_cast<std::size_t>(tree.order[j]);
        for (int e = graph.start[node]; e < graph.start[node + 1]; ++e) {
            const int row = tree.place[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)])];
            const auto i = static_cast<std::size_t>(row);
            if (row <= column || first[j] <= largest_first[i]) continue;
            largest_first[i] = first[j];
            ++tree.count[j];
            if (last_leaf[i] >= 0) --tree.count[representative(last_leaf[i])];
            last_leaf[i] = column;
        }
        if (parent >= 0) set[j] = parent;
    }
    for (std::size_t j = 0; j < size; ++j)
        if (tree.parent[j] >= 0) tree.count[static_cast<std::size_t>(tree.parent[j])] += tree.count[j];
}

}  // namespace

std::vector<int> postorder(const std::vector<int>& parent) {
    const auto n = parent.size();
    std::vector<int> child(n, -1), sibling(n, -1), out;
    out.reserve(n);
    for (std::size_t i = n; i-- > 0;)
        if (parent[i] >= 0) {
            int& first = child[static_cast<std::size_t>(parent[i])];
            sibling[i] = std::exchange(first, static_cast<int>(i));
        }
    for (std::size_t root = 0; root < n; ++root) {
        if (parent[root] >= 0) continue;
        for (int v = static_cast<int>(root); v >= 0;) {
            while (child[static_cast<std::size_t>(v)] >= 0) {  // down; a child is visited once
                const int down = child[static_cast<std::size_t>(v)];
                child[static_cast<std::size_t>(v)] = sibling[static_cast<std::size_t>(down)];
                v = down;
            }
            out.push_back(v);
            v = parent[static_cast<std::size_t>(v)];
        }
    }
    return out;
}

void build_elimination_tree(const NodeGraph& graph, const std::vector<int>& order, EliminationTree& tree) {
    const auto n = order.size();
    tree.place.resize(n);
    for (std::size_t i = 0; i < n; ++i) tree.place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    const std::vector<int> parent = parents(graph, order, tree.place);
    const std::vector<int> post = postorder(parent);
    std::vector<int> renamed(n);
    for (std::size_t i = 0; i < n; ++i) renamed[static_cast<std::size_t>(post[i])] = static_cast<int>(i);
    tree.order.resize(n);
    tree.parent.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto old = static_cast<std::size_t>(post[i]);
        tree.order[i] = order[old];
        tree.parent[i] = parent[old] < 0 ? -1 : renamed[static_cast<std::size_t>(parent[old])];
        tree.place[static_cast<std::size_t>(tree.order[i])] = static_cast<int>(i);
    }
    count_columns(graph, tree);
}

}  // namespace asperity::linear

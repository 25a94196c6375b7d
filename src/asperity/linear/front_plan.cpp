#include "asperity/linear/front_plan.h"

#include <algorithm>

#include "asperity/core/assert.h"

namespace asperity::linear {
namespace {

/// A subtree is split while it takes more than this share of the work: 32 parts keep a few threads equally busy.
constexpr double kLargestShare = 1.0 / 32;
/// Values between update matrices: whoever adds one reads, and drops, a value before it or after it. One cache line.
constexpr std::size_t kMargin = 8;
/// Cycles below which a subtree stays whole: handing over work takes about a thousandth of this.
constexpr double kSmallestSubtree = 100000;

class Planner {
  public:
    Planner(const BlockPattern& pattern, const NodeGraph& graph, int dimension, FrontPlan& plan)
        : pattern_(pattern), graph_(graph), dimension_(dimension), plan_(plan) {}

    void run(const std::vector<int>& order) {
        EliminationTree tree;
        build_elimination_tree(graph_, order, tree);
        Supernodes supernodes = find_supernodes(tree, dimension_);
        plan_.order = std::move(supernodes.order);
        plan_.place = std::move(tree.place);
        for (std::size_t i = 0; i < plan_.order.size(); ++i)
            plan_.place[static_cast<std::size_t>(plan_.order[i])] = static_cast<int>(i);
        make_fronts(supernodes);
        find_rows(supernodes);
        find_children();
        find_targets();
        split();
        place_updates();
    }

  private:
    std::size_t count() const { return plan_.fronts.size(); }

    void make_fronts(const Supernodes& s) {
        plan_.fronts.assign(static_cast<std::size_t>(s.size()), {});
        plan_.slot.resize(plan_.order.size());
        front_of_.resize(plan_.order.size());
        plan_.factor_values = plan_.padded = plan_.tails = 0;
        plan_.flops = 0;
        int rows = 0;
        for (std::size_t k = 0; k < count(); ++k) {
            Front& f = plan_.fronts[k];
            f.first = s.start[k];
            f.columns = s.start[k + 1] - s.start[k];
            f.rows = s.rows[k];
            f.parent = s.parent[k];
            f.first_row = rows;
            f.factor = plan_.factor_values;
            f.slot = plan_.padded;
            f.tail = plan_.tails;
            rows += f.rows;
            const int own = f.own_groups(dimension_), below = f.row_groups(dimension_);
            const auto columns = static_cast<std::size_t>(f.columns * dimension_);
            const std::size_t values = triangle_values(own) + static_cast<std::size_t>(below) * kGroup * columns;
            plan_.factor_values += (values + 7) / 8 * 8;  // each front begins at a cache line
            plan_.padded += static_cast<std::size_t>(own) * kGroup;
            plan_.tails += static_cast<std::size_t>(below) * kGroup;
            plan_.flops += front_flops(static_cast<double>(columns), f.rows * dimension_);
            for (int c = 0; c < f.columns; ++c) {
                front_of_[static_cast<std::size_t>(f.first + c)] = static_cast<int>(k);
                plan_.slot[static_cast<std::size_t>(f.first + c)] = f.slot + static_cast<std::size_t>(c * dimension_);
            }
        }
        plan_.row.resize(static_cast<std::size_t>(rows));
        plan_.place_in_parent.resize(static_cast<std::size_t>(rows));
    }

    /// Row i of the factor: from each neighbour before i, up the tree to the front of i. Rows arrive in ascending order.
    void find_rows(const Supernodes& s) {
        std::vector<int> seen(count(), -1), next(count());
        for (std::size_t k = 0; k < count(); ++k) next[k] = plan_.fronts[k].first_row;
        for (std::size_t i = 0; i < plan_.order.size(); ++i) {
            const int row = static_cast<int>(i), own = front_of_[i];
            const auto node = static_cast<std::size_t>(plan_.order[i]);
            for (int e = graph_.start[node]; e < graph_.start[node + 1]; ++e) {
                const int column = plan_.place[static_cast<std::size_t>(graph_.neighbour[static_cast<std::size_t>(e)])];
                if (column >= row) continue;
                for (int k = front_of_[static_cast<std::size_t>(column)]; k != own;
                     k = s.parent[static_cast<std::size_t>(k)]) {
                    const auto f = static_cast<std::size_t>(k);
                    if (seen[f] == row) break;
                    seen[f] = row;
                    plan_.row[static_cast<std::size_t>(next[f]++)] = row;
                }
            }
        }
        for (std::size_t k = 0; k < count(); ++k)
            ASPERITY_ASSERT(next[k] == plan_.fronts[k].first_row + plan_.fronts[k].rows);
    }

    void find_children() {
        std::vector<int> next(count(), 0);
        for (const Front& f : plan_.fronts)
            if (f.parent >= 0) ++next[static_cast<std::size_t>(f.parent)];
        int total = 0;
        for (std::size_t k = 0; k < count(); ++k) {
            plan_.fronts[k].first_child = plan_.fronts[k].end_child = total;
            total += next[k];
        }
        plan_.child.resize(static_cast<std::size_t>(total));
        for (std::size_t k = 0; k < count(); ++k)
            if (const int p = plan_.fronts[k].parent; p >= 0)
                plan_.child[static_cast<std::size_t>(plan_.fronts[static_cast<std::size_t>(p)].end_child++)] =
                    static_cast<int>(k);
    }

    /// Finds the places of the matrix blocks and of the children's rows in each front.
    void find_targets() {
        plan_.block.clear();
        plan_.block.reserve(pattern_.column.size());
        std::vector<int> local(plan_.order.size(), 0);
        for (Front& f : plan_.fronts) {
            for (int c = 0; c < f.columns; ++c) local[static_cast<std::size_t>(f.first + c)] = c;
            for (int r = 0; r < f.rows; ++r)
                local[static_cast<std::size_t>(plan_.row[static_cast<std::size_t>(f.first_row + r)])] = f.columns + r;
            for (int k = f.first_child; k < f.end_child; ++k) {
                const Front& child = plan_.fronts[static_cast<std::size_t>(plan_.child[static_cast<std::size_t>(k)])];
                for (int r = child.first_row; r < child.first_row + child.rows; ++r)
                    plan_.place_in_parent[static_cast<std::size_t>(r)] =
                        local[static_cast<std::size_t>(plan_.row[static_cast<std::size_t>(r)])];
            }
            f.first_block = static_cast<int>(plan_.block.size());
            for (int c = 0; c < f.columns; ++c) {
                const int column = f.first + c;
                const int node = plan_.order[static_cast<std::size_t>(column)];
                plan_.block.push_back({pattern_.start[static_cast<std::size_t>(node) + 1] - 1, false, target(f, c, c)});
                for (int e = graph_.start[static_cast<std::size_t>(node)];
                     e < graph_.start[static_cast<std::size_t>(node) + 1]; ++e) {
                    const int other = graph_.neighbour[static_cast<std::size_t>(e)];
                    const int row = plan_.place[static_cast<std::size_t>(other)];
                    if (row > column)
                        plan_.block.push_back({graph_.entry[static_cast<std::size_t>(e)], other < node,
                                               target(f, local[static_cast<std::size_t>(row)], c)});
                }
            }
            f.end_block = static_cast<int>(plan_.block.size());
        }
    }

    /// Offset in the factor of the front, of the first value of the block at a row and column counted within the front.
    std::size_t target(const Front& f, int row, int column) const {
        const auto at = static_cast<std::size_t>(column * dimension_) * kGroup;
        if (row < f.columns) {
            const int r = row * dimension_;
            return triangle_values(r / kGroup) + static_cast<std::size_t>(r % kGroup) + at;
        }
        const int r = (row - f.columns) * dimension_;
        return triangle_values(f.own_groups(dimension_)) +
               static_cast<std::size_t>(r / kGroup * kGroup) * static_cast<std::size_t>(f.columns * dimension_) +
               static_cast<std::size_t>(r % kGroup) + at;
    }

    /// From the roots down: the fronts whose subtrees are too large for one thread are the top.
    void split() {
        std::vector<double> work(count(), 0);
        std::vector<int> first(count());
        double total = 0;
        for (std::size_t k = 0; k < count(); ++k) {
            const Front& f = plan_.fronts[k];
            const double own = front_cost(f.columns * dimension_, f.rows * dimension_);
            total += own;
            work[k] += own;
            first[k] = f.first_child < f.end_child
                           ? first[static_cast<std::size_t>(plan_.child[static_cast<std::size_t>(f.first_child)])]
                           : static_cast<int>(k);
            if (f.parent >= 0) work[static_cast<std::size_t>(f.parent)] += work[k];
        }
        const double most = std::max(kSmallestSubtree, kLargestShare * total);
        plan_.subtrees.clear();
        plan_.top.clear();
        // Small subtrees side by side are one unit, so that many separate bodies do not make many units.
        double unit = most;
        for (std::size_t k = 0; k < count(); ++k) {
            const int parent = plan_.fronts[k].parent;
            if (work[k] > most) {
                plan_.top.push_back(static_cast<int>(k));
                unit = most;
            } else if (parent < 0 || work[static_cast<std::size_t>(parent)] > most) {
                if (unit + work[k] > most || plan_.subtrees.back().end != first[k]) {
                    plan_.subtrees.push_back({first[k], first[k]});
                    unit = 0;
                }
                plan_.subtrees.back().end = static_cast<int>(k) + 1;
                unit += work[k];
            }
        }
    }

    /// Two stacks, for even and for odd levels of the tree. When a front makes its update matrix, those of its children are
    /// the topmost of the other stack, and leave. So nothing is moved, and children and parent never overlap.
    void place_updates() {
        std::vector<int> level(count(), 0);
        for (std::size_t k = count(); k-- > 0;)
            if (const int p = plan_.fronts[k].parent; p >= 0) level[k] = 1 - level[static_cast<std::size_t>(p)];
        std::size_t base = kMargin;
        std::vector<char> stacked(count(), 0);
        const auto place = [&](const auto& fronts) {
            std::size_t height[2] = {0, 0}, peak[2] = {0, 0};
            for (const int k : fronts) {
                Front& f = plan_.fronts[static_cast<std::size_t>(k)];
                const auto own = static_cast<std::size_t>(level[static_cast<std::size_t>(k)]);
                f.update = height[own];
                height[own] += triangle_values(f.row_groups(dimension_)) + kMargin;
                peak[own] = std::max(peak[own], height[own]);
                stacked[static_cast<std::size_t>(k)] = 1;
                for (int c = f.first_child; c < f.end_child; ++c)
                    if (const auto child = static_cast<std::size_t>(plan_.child[static_cast<std::size_t>(c)]);
                        stacked[child])
                        height[1 - own] = std::min(height[1 - own], plan_.fronts[child].update);
            }
            for (const int k : fronts)
                plan_.fronts[static_cast<std::size_t>(k)].update +=
                    base + (level[static_cast<std::size_t>(k)] ? peak[0] : 0);
            for (const int k : fronts) stacked[static_cast<std::size_t>(k)] = 0;  // its offset is now absolute
            base += peak[0] + peak[1];
        };
        std::vector<int> fronts;
        for (const Subtree& t : plan_.subtrees) {
            fronts.clear();
            for (int k = t.first; k < t.end; ++k) fronts.push_back(k);
            place(fronts);
        }
        place(plan_.top);
        plan_.workspace = base;
    }

    const BlockPattern& pattern_;
    const NodeGraph& graph_;
    int dimension_;
    FrontPlan& plan_;
    std::vector<int> front_of_;
};

}  // namespace

void make_front_plan(const BlockPattern& pattern, const NodeGraph& graph, const std::vector<int>& order, int dimension,
                     FrontPlan& plan) {
    Planner(pattern, graph, dimension, plan).run(order);
}

}  // namespace asperity::linear

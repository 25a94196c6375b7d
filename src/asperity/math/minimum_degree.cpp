#include "asperity/math/minimum_degree.h"

#include <algorithm>
#include <set>
#include <utility>

#include "asperity/core/stop.h"

namespace asperity {
namespace {

/// Cost of eliminating `own` rows that are coupled with each other and with `rest` rows: the sum of k^2 over the pivots.
EliminationCost elimination_cost(double own, double rest) {
    const double all = own + rest;
    return {(all * all * all - rest * rest * rest) / 3, own * (own + 2 * rest)};
}

/// The graph of the vertices not yet eliminated. An eliminated vertex becomes an element: the clique of its neighbours.
class QuotientGraph {
  public:
    QuotientGraph(std::span<const int> row_start, std::span<const int> column, std::span<const int> weight);
    QuotientGraph(const CliquePattern& pattern, std::span<const int> weight);
    EliminationOrder eliminate();
    EliminationCost cost(const EliminationCost& most);

  private:
    enum class State : char { Variable, Element, Gone };

    void make_queue(size_t vertices);
    int next_pivot();
    void merge_twins(std::vector<int>& candidates);
    /// Returns the weight of the clique that the pivot leaves behind.
    long absorb_pivot(int pivot);
    long weight_of(const std::vector<int>& list) const {
        long sum = 0;
        for (const int i : list) sum += weight_[static_cast<size_t>(i)];
        return sum;
    }
    size_t count() const { return state_.size(); }

    // of a variable: its neighbours; `variables_` of an element: its clique
    std::vector<std::vector<int>> variables_, elements_;
    std::vector<std::vector<int>> twins_;  // merged into this variable
    std::vector<long> weight_, degree_;
    std::vector<State> state_;
    std::vector<int> mark_;
    std::vector<long> outside_;  // of an element: weight of its clique outside the newest clique
    std::vector<int> outside_stamp_;
    int stamp_ = 0;
    long weight_left_ = 0;
    std::set<std::pair<long, int>> queue_;
};

QuotientGraph::QuotientGraph(std::span<const int> row_start, std::span<const int> column, std::span<const int> weight)
    : variables_(weight.size()),
      elements_(weight.size()),
      twins_(weight.size()),
      weight_(weight.begin(), weight.end()),
      degree_(weight.size()),
      state_(weight.size(), State::Variable),
      mark_(weight.size(), 0),
      outside_(weight.size()),
      outside_stamp_(weight.size(), 0) {
    for (size_t i = 0; i < count(); ++i)
        for (int e = row_start[i]; e < row_start[i + 1]; ++e) {
            const int j = column[static_cast<size_t>(e)];
            if (j == static_cast<int>(i)) continue;
            variables_[i].push_back(j);
            variables_[static_cast<size_t>(j)].push_back(static_cast<int>(i));
        }
    for (auto& list : variables_) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    for (size_t i = 0; i < count(); ++i) degree_[i] = weight_of(variables_[i]);
    make_queue(count());
}

/// Each clique starts as an element, numbered after the vertices.
QuotientGraph::QuotientGraph(const CliquePattern& pattern, std::span<const int> weight) {
    const size_t vertices = weight.size(), all = vertices + pattern.start.size() - 1;
    variables_.resize(all);
    elements_.resize(all);
    twins_.resize(all);
    weight_.assign(weight.begin(), weight.end());
    weight_.resize(all);
    degree_.assign(all, 0);
    state_.assign(all, State::Variable);
    mark_.assign(all, 0);
    outside_.resize(all);
    outside_stamp_.assign(all, 0);
    for (size_t e = vertices; e < all; ++e) {
        state_[e] = State::Element;
        const auto first = static_cast<size_t>(pattern.start[e - vertices]),
                   last = static_cast<size_t>(pattern.start[e - vertices + 1]);
        if (last - first < 2) continue;  // couples nothing
        variables_[e].assign(pattern.member.begin() + static_cast<std::ptrdiff_t>(first),
                             pattern.member.begin() + static_cast<std::ptrdiff_t>(last));
        const long clique = weight_of(variables_[e]);
        for (const int i : variables_[e]) {
            elements_[static_cast<size_t>(i)].push_back(static_cast<int>(e));
            degree_[static_cast<size_t>(i)] += clique - weight_[static_cast<size_t>(i)];
        }
    }
    make_queue(vertices);
}

void QuotientGraph::make_queue(size_t vertices) {
    std::vector<int> all(vertices);
    for (size_t i = 0; i < vertices; ++i) all[i] = static_cast<int>(i);
    merge_twins(all);
    for (size_t i = 0; i < vertices; ++i) {
        if (state_[i] != State::Variable) continue;
        weight_left_ += weight_[i];
        queue_.insert({degree_[i], static_cast<int>(i)});
    }
}

/// Merges variables that have the same elements and, apart from each other, the same neighbours.
void QuotientGraph::merge_twins(std::vector<int>& candidates) {
    const auto key = [&](int i) {
        const auto k = static_cast<size_t>(i);
        // twins joined by an edge list each other; twins joined by a clique do not
        size_t sum = elements_[k].empty() ? k : 0;
        for (const int j : variables_[k]) sum += static_cast<size_t>(j);
        for (const int e : elements_[k]) sum += static_cast<size_t>(e) * 7;
        return std::pair(sum, i);
    };
    std::vector<std::pair<size_t, int>> keys;
    for (const int i : candidates) keys.push_back(key(i));
    std::sort(keys.begin(), keys.end());
    for (size_t a = 0; a < keys.size(); ++a) {
        const auto i = static_cast<size_t>(keys[a].second);
        if (state_[i] != State::Variable) continue;
        for (size_t b = a + 1; b < keys.size() && keys[b].first == keys[a].first; ++b) {
            if (stop_requested()) return;  // a thousand twins take seconds
            const auto j = static_cast<size_t>(keys[b].second);
            if (state_[j] != State::Variable || variables_[i].size() != variables_[j].size() || elements_[i] != elements_[j])
                continue;
            if (elements_[i].empty() && !std::binary_search(variables_[i].begin(), variables_[i].end(), keys[b].second))
                continue;
            ++stamp_;
            mark_[i] = mark_[j] = stamp_;
            for (const int k : variables_[i]) mark_[static_cast<size_t>(k)] = stamp_;
            if (!std::all_of(variables_[j].begin(), variables_[j].end(),
                             [&](int k) { return mark_[static_cast<size_t>(k)] == stamp_; }))
                continue;
            state_[j] = State::Gone;
            twins_[i].push_back(static_cast<int>(j));
            twins_[i].insert(twins_[i].end(), twins_[j].begin(), twins_[j].end());
            degree_[i] -= weight_[j];
            weight_[i] += weight_[j];
            for (const int k : variables_[j]) std::erase(variables_[static_cast<size_t>(k)], static_cast<int>(j));
            for (const int e : elements_[j]) std::erase(variables_[static_cast<size_t>(e)], static_cast<int>(j));
        }
    }
}

long QuotientGraph::absorb_pivot(int pivot) {
    const auto p = static_cast<size_t>(pivot);
    // the clique made by eliminating p: its neighbours and the cliques of its elements, which are absorbed
    ++stamp_;
    mark_[p] = stamp_;
    std::vector<int> clique;
    const auto add = [&](int i) {
        if (mark_[static_cast<size_t>(i)] == stamp_) return;
        mark_[static_cast<size_t>(i)] = stamp_;
        clique.push_back(i);
    };
    for (const int i : variables_[p]) add(i);
    for (const int e : elements_[p]) {
        for (const int i : variables_[static_cast<size_t>(e)]) add(i);
        state_[static_cast<size_t>(e)] = State::Gone;
        variables_[static_cast<size_t>(e)] = {};
    }
    std::sort(clique.begin(), clique.end());
    state_[p] = State::Element;
    elements_[p] = {};
    weight_left_ -= weight_[p];
    const long clique_weight = weight_of(clique);

    for (const int i : clique) queue_.erase({degree_[static_cast<size_t>(i)], i});
    const int in_clique = stamp_;
    for (const int i : clique) {
        const auto k = static_cast<size_t>(i);
        std::erase_if(variables_[k], [&](int j) { return mark_[static_cast<size_t>(j)] == in_clique; });
        std::erase_if(elements_[k], [&](int e) { return state_[static_cast<size_t>(e)] != State::Element; });
        for (const int e : elements_[k]) {
            const auto s = static_cast<size_t>(e);
            if (outside_stamp_[s] != in_clique) {
                outside_stamp_[s] = in_clique;
                outside_[s] = weight_of(variables_[s]);
            }
            outside_[s] -= weight_[k];
        }
    }
    for (const int i : clique) {
        const auto k = static_cast<size_t>(i);
        // an element within the new clique is redundant
        std::erase_if(elements_[k], [&](int e) { return outside_[static_cast<size_t>(e)] == 0; });
        long degree = weight_of(variables_[k]) + clique_weight - weight_[k];
        for (const int e : elements_[k]) degree += outside_[static_cast<size_t>(e)];
        degree_[k] = std::min({degree, degree_[k] + clique_weight - weight_[k], weight_left_ - weight_[k]});
        elements_[k].push_back(pivot);
        std::sort(elements_[k].begin(), elements_[k].end());
    }
    variables_[p] = clique;
    merge_twins(clique);
    for (const int i : variables_[p]) queue_.insert({degree_[static_cast<size_t>(i)], i});
    return clique_weight;
}

int QuotientGraph::next_pivot() {
    const int pivot = queue_.begin()->second;
    queue_.erase(queue_.begin());
    return pivot;
}

EliminationOrder QuotientGraph::eliminate() {
    EliminationOrder order;
    order.group_start.push_back(0);
    while (!queue_.empty()) {
        if (stop_requested()) {
            order.is_whole = false;
            for (const auto& [degree, i] : queue_) {
                order.members.push_back(i);
                const auto& twins = twins_[static_cast<size_t>(i)];
                order.members.insert(order.members.end(), twins.begin(), twins.end());
            }
            std::sort(order.members.begin() + order.group_start.back(), order.members.end());
            order.group_start.push_back(static_cast<int>(order.members.size()));
            break;
        }
        const int pivot = next_pivot();
        order.members.push_back(pivot);
        const auto& twins = twins_[static_cast<size_t>(pivot)];
        order.members.insert(order.members.end(), twins.begin(), twins.end());
        std::sort(order.members.begin() + order.group_start.back(), order.members.end());
        order.group_start.push_back(static_cast<int>(order.members.size()));
        absorb_pivot(pivot);
    }
    return order;
}

EliminationCost QuotientGraph::cost(const EliminationCost& most) {
    EliminationCost sum;
    while (!queue_.empty() && sum.work <= most.work && sum.factors <= most.factors) {
        const int pivot = next_pivot();
        const auto own = static_cast<double>(weight_[static_cast<size_t>(pivot)]);
        const EliminationCost next = elimination_cost(own, static_cast<double>(absorb_pivot(pivot)));
        sum.work += next.work;
        sum.factors += next.factors;
    }
    return sum;
}

}  // namespace

EliminationOrder minimum_degree(std::span<const int> row_start, std::span<const int> column, std::span<const int> weight) {
    return QuotientGraph(row_start, column, weight).eliminate();
}

EliminationCost elimination_cost(const CliquePattern& pattern, std::span<const int> weight, const EliminationCost& most) {
    // The largest clique costs as much in any order. This alone decides about a body with many contacts.
    EliminationCost least;
    for (size_t c = 0; c + 1 < pattern.start.size(); ++c) {
        double rows = 0;
        for (int m = pattern.start[c]; m < pattern.start[c + 1]; ++m)
            rows += weight[static_cast<size_t>(pattern.member[static_cast<size_t>(m)])];
        const EliminationCost own = elimination_cost(rows, 0);
        least = {std::max(least.work, own.work), std::max(least.factors, own.factors)};
    }
    if (least.work > most.work || least.factors > most.factors) return least;
    return QuotientGraph(pattern, weight).cost(most);
}

}  // namespace asperity

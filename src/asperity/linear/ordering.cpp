#include "asperity/linear/ordering.h"

#include <metis.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <type_traits>

#include "asperity/core/assert.h"
#include "asperity/math/minimum_degree.h"

namespace asperity::linear {
namespace {

static_assert(std::is_same_v<idx_t, int>, "METIS with 64-bit indices would need copies of the graph");

/// METIS catches SIGTERM and SIGABRT while it works: it jumps out of its handler and returns with an error. It gives the
/// handlers of the program back in a form that is used up by the first signal. This keeps them and the mask as they were.
class SignalsAround {
  public:
    SignalsAround() {
        pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
        for (std::size_t i = 0; i < 2; ++i) sigaction(kSignals[i], nullptr, &action_[i]);
    }
    ~SignalsAround() { restore(); }
    SignalsAround(const SignalsAround&) = delete;
    SignalsAround& operator=(const SignalsAround&) = delete;
    void restore() const {
        for (std::size_t i = 0; i < 2; ++i) sigaction(kSignals[i], &action_[i], nullptr);
        pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    }

  private:
    static constexpr int kSignals[2] = {SIGTERM, SIGABRT};
    struct sigaction action_[2];
    sigset_t mask_;
};

std::vector<int> nested_dissection(const NodeGraph& graph) {
    std::vector<int> order(static_cast<std::size_t>(graph.size())), place(order.size());
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;  // the same order in every run
    constexpr int kAttempts = 10;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const SignalsAround kept;
        idx_t size = graph.size();
        std::vector<idx_t> start = graph.start, neighbour = graph.neighbour;  // METIS writes into them
        if (METIS_NodeND(&size, start.data(), neighbour.data(), nullptr, options, order.data(), place.data()) == METIS_OK)
            return order;
        // Hand the signal on to the program, and begin anew: another order would change the last bits of the step.
        kept.restore();
        std::raise(SIGTERM);
    }
    ASPERITY_ASSERT(!"METIS cannot order a graph");
    return order;
}

/// Nodes with very many neighbours come last, as in Amestoy, Davis and Duff 2004, "Algorithm 837: AMD", section 2.3: they
/// become dense anyway, and with them the time of the ordering grows with the square of their neighbours.
std::vector<int> approximate_minimum_degree(const NodeGraph& graph) {
    const int n = graph.size();
    const double most = std::max(16.0, 10 * std::sqrt(static_cast<double>(n)));
    std::vector<int> node, last, name(static_cast<std::size_t>(n), -1);
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool many = graph.start[at + 1] - graph.start[at] > most;
        if (!many) name[at] = static_cast<int>(node.size());
        (many ? last : node).push_back(i);
    }
    std::vector<int> start{0}, neighbour;
    neighbour.reserve(graph.neighbour.size());
    for (const int i : node) {
        for (int e = graph.start[static_cast<std::size_t>(i)]; e < graph.start[static_cast<std::size_t>(i) + 1]; ++e)
            if (const int j = name[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)])]; j >= 0)
                neighbour.push_back(j);
        start.push_back(static_cast<int>(neighbour.size()));
    }
    const std::vector<int> weight(node.size(), 1);
    std::vector<int> order = minimum_degree(start, neighbour, weight).members;
    for (int& i : order) i = node[static_cast<std::size_t>(i)];
    order.insert(order.end(), last.begin(), last.end());
    return order;
}

}  // namespace

std::vector<int> elimination_order(const NodeGraph& graph, Ordering method) {
    // METIS does not accept a graph without edges.
    if (method == Ordering::NestedDissection && !graph.neighbour.empty()) return nested_dissection(graph);
    return approximate_minimum_degree(graph);
}

}  // namespace asperity::linear

#include "asperity/linear/ordering.h"

#include <metis.h>

#include <type_traits>

#include "asperity/core/assert.h"
#include "asperity/math/minimum_degree.h"

namespace asperity::linear {
namespace {

static_assert(std::is_same_v<idx_t, int>, "METIS with 64-bit indices would need copies of the graph");

std::vector<int> nested_dissection(const NodeGraph& graph) {
    idx_t size = graph.size();
    std::vector<idx_t> start = graph.start, neighbour = graph.neighbour;  // METIS writes into them and restores them
    std::vector<int> order(static_cast<std::size_t>(size)), place(order.size());
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;  // the same order in every run
    const int status = METIS_NodeND(&size, start.data(), neighbour.data(), nullptr, options, order.data(), place.data());
    ASPERITY_ASSERT(status == METIS_OK);
    static_cast<void>(status);
    return order;
}

}  // namespace

std::vector<int> elimination_order(const NodeGraph& graph, Ordering method) {
    // METIS does not accept a graph without edges.
    if (method == Ordering::NestedDissection && !graph.neighbour.empty()) return nested_dissection(graph);
    const std::vector<int> weight(static_cast<std::size_t>(graph.size()), 1);
    return minimum_degree(graph.start, graph.neighbour, weight).members;
}

}  // namespace asperity::linear

// Smoothed aggregation (Vanek, Mandel and Brezina 1996): groups of strongly coupled nodes become one node of the coarser
// level, which moves like a rigid body; one step of damped Jacobi makes these motions smooth.
#pragma once
#include <span>
#include <vector>

#include "asperity/linear/block_level.h"

namespace asperity::linear {

/// The aggregate of each node, or -1 for a node that is coupled to no other: its own smoother solves it. `norm` is a norm of
/// each block of the graph, `diagonal` of each diagonal block. Nodes i and j are strongly coupled if
///     |A_ij|^2 >= (strong)^2 |A_ii| |A_jj|.
struct Aggregates {
    std::vector<int> of_node;
    int count = 0;
};
void aggregate(const NodeGraph& graph, std::span<const double> norm, std::span<const double> diagonal, double strong,
               Aggregates& out);

/// Sparse rows of B x Modes blocks, and where each block stands in the transposed matrix.
template <int B, int Modes>
struct Prolongation {
    std::vector<int> start, column;               ///< by fine nodes
    std::vector<double> values;                   ///< column by column
    std::vector<int> back_start, back_row, back;  ///< by coarse nodes: fine node, entry
    int coarse = 0;

    /// fine += P coarse; coarse = P^T fine.
    void add(const double* from, double* fine) const;
    void restrict_to(const double* fine, double* to) const;
};

/// P for the near-null space `modes` (a B x Modes block per node: motions that cost little energy), and those of the coarse
/// level. A mode that vanishes on an aggregate, such as a rotation of a single node, has a zero column in P.
template <int B, int Modes>
void make_prolongation(const BlockLevel<B>& level, const Aggregates& aggregates, std::span<const double> modes,
                       Prolongation<B, Modes>& p, std::vector<double>& coarse_modes);

/// P^T A P: pattern and values. Unknowns whose column of P is zero get the diagonal 1.
template <int B, int Modes>
void coarse_matrix(const BlockLevel<B>& level, const Prolongation<B, Modes>& p, BlockPattern& pattern,
                   std::vector<double>& values);

}  // namespace asperity::linear

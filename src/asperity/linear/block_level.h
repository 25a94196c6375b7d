// One level of a multigrid hierarchy: a symmetric matrix of B x B blocks by full rows, its smoother, and its prolongation
// from the next coarser level, whose nodes have `Modes` unknowns.
#pragma once
#include <span>
#include <vector>

#include "asperity/linear/aligned.h"
#include "asperity/linear/block_pattern.h"
#include "asperity/math/matrix.h"

namespace asperity::linear {

/// Eigenvalues of the matrix times the inverse of its diagonal blocks, from a few steps of the Lanczos method.
struct Spectrum {
    double smallest = 0, largest = 0;  ///< Ritz values: inside the spectrum
    bool positive = false;             ///< no direction of negative or zero curvature was met
};

template <int B>
class BlockLevel {
  public:
    static constexpr int kSquare = B * B;

    /// Takes the matrix. False if a diagonal block is not positive definite.
    bool set_matrix(const BlockPattern& pattern, std::span<const double> values);
    void estimate_spectrum();

    int size() const { return graph_.size(); }
    std::size_t unknowns() const { return static_cast<std::size_t>(size()) * B; }
    const NodeGraph& graph() const { return graph_; }
    const Spectrum& spectrum() const { return spectrum_; }
    const double* off_diagonal(int entry_of_graph) const {
        return off_.data() + static_cast<std::size_t>(entry_of_graph) * kSquare;
    }
    const double* diagonal(int node) const { return diagonal_.data() + static_cast<std::size_t>(node) * kSquare; }
    const double* inverse(int node) const { return inverse_.data() + static_cast<std::size_t>(node) * kSquare; }

    /// y = A x; y = b - A x; y = D^-1 x.
    void multiply(const double* x, double* y) const;
    void residual(const double* b, const double* x, double* y) const;
    void scale(const double* x, double* y) const;
    /// Two steps of the Chebyshev iteration for A x = b, on the upper part of the spectrum. As one linear map of b it is
    /// symmetric. From x = 0 it costs one product with A, else two.
    void smooth(const double* b, double* x, bool from_zero);

  private:
    /// Calls f(node, first value of the row's product) for all nodes.
    template <class F>
    void for_rows(const double* x, const F& f) const;

    NodeGraph graph_;
    BlockPattern pattern_;  // of graph_
    AlignedDoubles off_;    // per entry of the graph, and one value more
    std::vector<double> diagonal_, inverse_;
    Spectrum spectrum_;
    std::vector<double> direction_, next_;
};

/// Sum of a[i] b[i], in the same order on any number of threads.
double dot(std::span<const double> a, std::span<const double> b, std::vector<double>& scratch);

extern template class BlockLevel<2>;
extern template class BlockLevel<3>;
extern template class BlockLevel<6>;

}  // namespace asperity::linear

// Cost of the matrix of some blocks and of its factorisation, counted on the graph of the groups, before anything is
// written out.
//
// All rows that touch a group are coupled with each other: a group with R rows gives R^2 values of W. In piles R is a few
// dozen. On a loose pallet with 900 boxes it is 10,800, and W alone takes a gigabyte. So a turn of Newton's method is first
// refused by counting. The graph has one vertex per pair of groups and one clique per group, so that the count costs no more
// than a few sweeps.
#pragma once
#include <span>
#include <vector>

#include "asperity/math/minimum_degree.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

class MatrixCost {
  public:
    /// The most values in all matrices of a turn (512 MiB). A larger turn is left to the sweeps.
    static constexpr double kMostValues = 64.0 * 1024 * 1024;

    /// Counts the values of W of the chosen blocks. unknowns[k]: rows of chosen block k in the factorisation; empty: all.
    void count(const ContactProblem& problem, std::span<const int> chosen, std::span<const int> unknowns = {});
    /// Values of W, including zeros within its blocks.
    double values() const { return values_; }
    /// Whether one factorisation surely takes more than `work` multiplications, or more memory than a turn may take. Counts
    /// only if W has unusually many values per row; in all other problems it returns false at no cost.
    bool surely_exceeds(double work) const;

  private:
    struct Pair {
        int a, b, rows, unknowns;
    };
    std::vector<Pair> pairs_;      // runs of blocks between the same two groups
    std::vector<double> rows_of_;  // per group that can move
    double rows_ = 0, values_ = 0;
};

}  // namespace asperity::solvers

// Direct solution of sparse systems of small dense blocks, by multifrontal LU (Duff, Reid 1983): the matrix falls into
// fronts, small dense matrices along the elimination tree, which are factorised one after the other. A system of few rows is
// one front, so dense LU with partial pivoting. Works on one thread and gives the same bits run after run; processors
// without fused multiply-adds round differently.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "asperity/math/minimum_degree.h"

namespace asperity {

class SparseLu {
  public:
    /// The pattern of all blocks that may ever be there, by rows of blocks; chooses the order of elimination, unless it is
    /// the pattern of the last call.
    void set_pattern(std::span<const int> row_start, std::span<const int> column, std::span<const int> typical_size);
    /// Rows of each block in the next matrix; 0 takes it out. Sets all values to zero. The analysis is kept while the sizes
    /// stay the same.
    void set_sizes(std::span<const int> sizes);
    /// Of entry `e` of the pattern, size(row) x size(column) numbers row by row.
    double* block(int entry) { return &values_[static_cast<size_t>(value_start_[static_cast<size_t>(entry)])]; }
    int rows() const { return row_count_; }
    /// First unknown of a block.
    int offset(int block) const { return offset_[static_cast<size_t>(block)]; }

    /// Pivots are searched among the rows of a front that are complete. One that is too small is replaced, and counted.
    /// False when the matrix holds numbers that are not finite.
    bool factorise();
    int replaced_pivots() const { return replaced_pivots_; }
    /// Right-hand side in, solution out.
    void solve(std::span<double> x);
    /// Of the factors, in numbers.
    size_t factor_size() const { return factors_.size(); }
    /// Multiplications of one factorisation, known after set_sizes().
    double work() const;

  private:
    struct Front {
        std::vector<int> groups;  // eliminated here, then those that it touches later
        int pivot_groups = 0;
        int pivots = 0, size = 0;  // rows eliminated, and all
        std::vector<int> children;
        // start of the rows of U (pivots x size, L below their diagonal) and of L (size - pivots x pivots)
        size_t factors = 0;
        size_t index = 0;  // of its rows in `index_` and `swap_`
    };

    void analyse();
    void append_front(int node);
    std::span<Front> fronts() { return std::span(fronts_).first(front_count_); }
    std::span<const Front> fronts() const { return std::span(fronts_).first(front_count_); }
    void assemble(size_t front, double* matrix);
    void add_children(const Front& front, double* matrix);

    std::vector<int> row_start_, column_;
    std::vector<int> row_of_entry_, column_start_, column_entry_;  // the pattern by columns
    EliminationOrder order_;
    std::vector<int> group_of_;
    std::vector<std::vector<int>> later_neighbours_;  // of each group

    std::vector<int> sizes_, offset_, value_start_, group_size_;
    std::vector<double> values_;
    int row_count_ = 0;
    // children before parents, and the children of one parent one after the other; more than there are, for their memory
    std::vector<Front> fronts_;
    size_t front_count_ = 0;
    std::vector<int> front_of_;      // where a group is eliminated
    std::vector<int> index_, swap_;  // unknown of each row of each front; row exchanged with each pivot row

    // scratch of analyse(), which may run in every step
    std::vector<Front> tree_;  // indexed by the last group eliminated in it
    std::vector<int> weight_, touched_, mark_, roots_, structure_, pivots_, children_;
    std::vector<std::pair<int, size_t>> path_;

    std::vector<double> factors_, stack_, matrix_, work_;
    std::vector<int> local_;  // of an unknown: its row in the present front
    int replaced_pivots_ = 0;
};

}  // namespace asperity

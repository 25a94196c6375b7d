// Direct solver for sparse systems of small dense blocks, by multifrontal LU (Duff, Reid 1983). The matrix is split into
// fronts, small dense matrices along the elimination tree, which are factorised one after the other. A system of few rows is
// a single front, which gives dense LU with partial pivoting. Single-threaded, with the same bits in every run. Results
// differ in rounding on processors without fused multiply-adds.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "asperity/math/minimum_degree.h"

namespace asperity {

class SparseLu {
  public:
    /// Sets the pattern of all blocks that may become nonzero, by block rows. Computes the elimination order, unless the
    /// pattern is that of the last call.
    void set_pattern(std::span<const int> row_start, std::span<const int> column, std::span<const int> typical_size);
    /// Sets the number of rows of each block in the next matrix; 0 removes the block. Sets all values to zero. The analysis
    /// is reused while the sizes stay the same.
    void set_sizes(std::span<const int> sizes);
    /// Values of entry `e` of the pattern: size(row) x size(column), row-major.
    double* block(int entry) { return &values_[static_cast<size_t>(value_start_[static_cast<size_t>(entry)])]; }
    int rows() const { return row_count_; }
    /// Index of the first unknown of a block.
    int offset(int block) const { return offset_[static_cast<size_t>(block)]; }

    /// Pivots are searched among the fully assembled rows of a front. Too small a pivot is replaced, and counted. Returns
    /// false when the matrix holds numbers that are not finite, or when a stop is requested.
    bool factorise();
    int replaced_pivots() const { return replaced_pivots_; }
    /// In: right-hand side. Out: solution.
    void solve(std::span<double> x);
    /// Number of values in the factors; valid after set_sizes().
    size_t factor_size() const { return factor_size_; }
    /// Number of multiplications of one factorisation; valid after set_sizes().
    double work() const;

  private:
    struct Front {
        std::vector<int> groups;  // eliminated groups, followed by the groups that they update
        int pivot_groups = 0;
        int pivots = 0, size = 0;  // eliminated rows, and all rows
        std::vector<int> children;
        // start of U (pivots x size, with L below its diagonal), followed by L (size - pivots x pivots)
        size_t factors = 0;
        size_t index = 0;  // start of its rows in `index_` and `swap_`
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
    std::vector<std::vector<int>> later_neighbours_;  // per group

    std::vector<int> sizes_, offset_, value_start_, group_size_;
    std::vector<double> values_;
    int row_count_ = 0;
    size_t factor_size_ = 0;
    // Children before parents, siblings contiguous. Never shrinks, to keep the memory; front_count_ are in use.
    std::vector<Front> fronts_;
    size_t front_count_ = 0;
    std::vector<int> front_of_;      // front in which a group is eliminated
    std::vector<int> index_, swap_;  // unknown of each row of each front; row exchanged with each pivot row

    // scratch of analyse(), which may run in every step
    std::vector<Front> tree_;  // indexed by the last group eliminated in the front
    std::vector<int> weight_, touched_, mark_, roots_, structure_, pivots_, children_;
    std::vector<std::pair<int, size_t>> path_;

    std::vector<double> factors_, stack_, matrix_, work_;
    std::vector<int> local_;  // row of each unknown in the present front
    int replaced_pivots_ = 0;
};

}  // namespace asperity

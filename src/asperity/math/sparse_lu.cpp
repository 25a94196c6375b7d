#include "asperity/math/sparse_lu.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/assert.h"
#include "asperity/core/stop.h"
#include "asperity/math/dense_lu.h"

namespace asperity {
namespace {

constexpr int kDenseRows = 120;  // up to this size one front is faster than many, and pivots are searched in all rows
constexpr double kSmallestPivot = 1e-14;  // relative to the largest entry of the matrix

size_t at(int i) { return static_cast<size_t>(i); }

}  // namespace

void SparseLu::set_pattern(std::span<const int> row_start, std::span<const int> column, std::span<const int> typical_size) {
    if (order_.is_whole && std::equal(row_start.begin(), row_start.end(), row_start_.begin(), row_start_.end()) &&
        std::equal(column.begin(), column.end(), column_.begin(), column_.end()))
        return;
    row_start_.assign(row_start.begin(), row_start.end());
    column_.assign(column.begin(), column.end());
    const size_t count = typical_size.size();
    row_of_entry_.resize(column.size());
    column_start_.assign(count + 1, 0);
    for (size_t i = 0; i < count; ++i)
        for (int e = row_start[i]; e < row_start[i + 1]; ++e) {
            row_of_entry_[at(e)] = static_cast<int>(i);
            ++column_start_[at(column[at(e)]) + 1];
        }
    for (size_t i = 0; i < count; ++i) column_start_[i + 1] += column_start_[i];
    column_entry_.resize(column.size());
    std::vector<int> next(column_start_.begin(), column_start_.end() - 1);
    for (size_t e = 0; e < column.size(); ++e) column_entry_[at(next[at(column[e])]++)] = static_cast<int>(e);

    order_ = minimum_degree(row_start, column, typical_size);
    const size_t groups = order_.group_start.size() - 1;
    group_of_.resize(count);
    for (size_t g = 0; g < groups; ++g)
        for (int m = order_.group_start[g]; m < order_.group_start[g + 1]; ++m)
            group_of_[at(order_.members[at(m)])] = static_cast<int>(g);
    later_neighbours_.assign(groups, {});
    for (size_t e = 0; e < column.size(); ++e) {
        const int a = group_of_[at(row_of_entry_[e])], b = group_of_[at(column[e])];
        if (a != b) later_neighbours_[at(std::min(a, b))].push_back(std::max(a, b));
    }
    for (auto& list : later_neighbours_) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    sizes_.clear();
}

void SparseLu::set_sizes(std::span<const int> sizes) {
    if (sizes_.size() == sizes.size() && std::equal(sizes.begin(), sizes.end(), sizes_.begin())) {
        std::fill(values_.begin(), values_.end(), 0.0);
        return;
    }
    sizes_.assign(sizes.begin(), sizes.end());
    offset_.resize(sizes.size());
    row_count_ = 0;
    group_size_.assign(later_neighbours_.size(), 0);
    for (size_t i = 0; i < sizes.size(); ++i) {
        offset_[i] = row_count_;
        row_count_ += sizes[i];
        group_size_[at(group_of_[i])] += sizes[i];
    }
    value_start_.resize(column_.size());
    size_t values = 0;
    for (size_t e = 0; e < column_.size(); ++e) {
        value_start_[e] = static_cast<int>(values);
        values += at(sizes[at(row_of_entry_[e])] * sizes[at(column_[e])]);
    }
    values_.assign(values + 1, 0.0);  // one more, so that block() of an empty last entry has a valid address
    analyse();
}

/// Builds the elimination tree of the groups with rows, and the groups that each updates. Merges chains and small children
/// into one front.
void SparseLu::analyse() {
    const size_t groups = group_size_.size();
    if (tree_.size() < groups) tree_.resize(groups);
    for (size_t g = 0; g < groups; ++g) tree_[g].children.clear();
    weight_.assign(groups, 0);
    touched_.assign(groups, 0);
    mark_.assign(groups, -1);
    roots_.clear();
    const bool dense = row_count_ <= kDenseRows;
    for (size_t g = 0; g < groups; ++g) {
        if (group_size_[g] == 0) continue;
        Front& front = tree_[g];
        structure_.clear();
        mark_[g] = static_cast<int>(g);
        const auto touch = [&](int h) {
            if (mark_[at(h)] == static_cast<int>(g) || group_size_[at(h)] == 0) return;
            mark_[at(h)] = static_cast<int>(g);
            structure_.push_back(h);
        };
        if (dense)
            for (size_t h = g + 1; h < groups; ++h) touch(static_cast<int>(h));
        for (const int h : later_neighbours_[g]) touch(h);
        for (const int c : front.children)
            for (size_t k = at(tree_[at(c)].pivot_groups); k < tree_[at(c)].groups.size(); ++k)
                touch(tree_[at(c)].groups[k]);
        std::sort(structure_.begin(), structure_.end());
        weight_[g] = group_size_[g];
        for (const int h : structure_) touched_[g] += group_size_[at(h)];
        // Merge a child whose front nearly equals this one: a few explicit zeros cost less than a separate front.
        pivots_.clear();
        children_.clear();
        for (const int c : front.children) {
            const double w = weight_[at(c)], s = touched_[at(c)], here = weight_[g], after = w + here;
            const double apart = w * (w + 2 * s) + here * (here + 2.0 * touched_[g]),
                         together = after * (after + 2.0 * touched_[g]);
            if (together > 1.15 * apart && together - apart > 300) {
                children_.push_back(c);
                continue;
            }
            weight_[g] += weight_[at(c)];
            const Front& child = tree_[at(c)];
            pivots_.insert(pivots_.end(), child.groups.begin(), child.groups.begin() + child.pivot_groups);
            children_.insert(children_.end(), child.children.begin(), child.children.end());
        }
        pivots_.push_back(static_cast<int>(g));
        front.children.assign(children_.begin(), children_.end());
        front.pivot_groups = static_cast<int>(pivots_.size());
        front.pivots = weight_[g];
        front.size = weight_[g] + touched_[g];
        front.groups.assign(pivots_.begin(), pivots_.end());
        front.groups.insert(front.groups.end(), structure_.begin(), structure_.end());
        if (structure_.empty())
            roots_.push_back(static_cast<int>(g));
        else
            tree_[at(structure_.front())].children.push_back(static_cast<int>(g));
    }
    front_count_ = 0;
    front_of_.assign(groups, -1);
    for (const int root : roots_) append_front(root);

    index_.clear();
    factor_size_ = 0;
    for (Front& front : fronts()) {
        front.index = index_.size();
        front.factors = factor_size_;
        factor_size_ += at(front.pivots) * at(front.size) + at(front.size - front.pivots) * at(front.pivots);
        for (const int g : front.groups)
            for (int m = order_.group_start[at(g)]; m < order_.group_start[at(g) + 1]; ++m) {
                const int block = order_.members[at(m)];
                for (int k = 0; k < sizes_[at(block)]; ++k) index_.push_back(offset_[at(block)] + k);
            }
        ASPERITY_ASSERT(index_.size() == front.index + at(front.size));
    }
    swap_.resize(index_.size());
    local_.resize(at(row_count_));
}

void SparseLu::append_front(int root) {
    // iterative post-order traversal, since a chain of contacts can be too long for recursion
    path_.assign(1, {root, 0});
    while (!path_.empty()) {
        auto& [node, next] = path_.back();
        Front& front = tree_[at(node)];
        if (next < front.children.size()) {
            const int child = front.children[next++];
            path_.push_back({child, 0});
            continue;
        }
        for (int& child : front.children) child = front_of_[at(child)];
        for (int k = 0; k < front.pivot_groups; ++k) front_of_[at(front.groups[at(k)])] = static_cast<int>(front_count_);
        if (front_count_ == fronts_.size()) fronts_.emplace_back();
        fronts_[front_count_++] = front;  // copies, so that both keep their memory
        path_.pop_back();
    }
}

/// Adds the entries of the matrix whose row or column is eliminated in this front.
void SparseLu::assemble(size_t f, double* matrix) {
    const Front& front = fronts_[f];
    const auto add = [&](int e, int row_local, int column_local) {
        const int i = row_of_entry_[at(e)], j = column_[at(e)];
        const double* value = block(e);
        for (int r = 0; r < sizes_[at(i)]; ++r)
            for (int c = 0; c < sizes_[at(j)]; ++c)
                matrix[at(row_local + r) * at(front.size) + at(column_local + c)] += *value++;
    };
    const auto place = [&](int block) { return local_[at(offset_[at(block)])]; };
    for (int k = 0; k < front.pivot_groups; ++k) {
        const size_t g = at(front.groups[at(k)]);
        for (int m = order_.group_start[g]; m < order_.group_start[g + 1]; ++m) {
            const int i = order_.members[at(m)];
            if (sizes_[at(i)] == 0) continue;
            for (int e = row_start_[at(i)]; e < row_start_[at(i) + 1]; ++e) {
                const int j = column_[at(e)];
                if (sizes_[at(j)] > 0 && front_of_[at(group_of_[at(j)])] >= static_cast<int>(f)) add(e, place(i), place(j));
            }
            for (int s = column_start_[at(i)]; s < column_start_[at(i) + 1]; ++s) {
                const int e = column_entry_[at(s)], j = row_of_entry_[at(e)];
                if (sizes_[at(j)] > 0 && front_of_[at(group_of_[at(j)])] > static_cast<int>(f)) add(e, place(j), place(i));
            }
        }
    }
}

/// Adds the Schur complements of the children. Each child has pushed its own on the stack; the last child is on top.
void SparseLu::add_children(const Front& front, double* matrix) {
    for (size_t k = front.children.size(); k-- > 0;) {
        const Front& child = fronts_[at(front.children[k])];
        const size_t left = at(child.size - child.pivots);
        const int* index = &index_[child.index + at(child.pivots)];
        const double* from = stack_.data() + (stack_.size() - left * left);
        for (size_t r = 0; r < left; ++r) {
            double* to = matrix + at(local_[at(index[r])]) * at(front.size);
            for (size_t c = 0; c < left; ++c) to[local_[at(index[c])]] += *from++;
        }
        stack_.resize(stack_.size() - left * left);
    }
}

bool SparseLu::factorise() {
    if (stop_requested()) return false;
    double largest = 0;
    for (const double v : values_) {
        if (!std::isfinite(v)) return false;
        largest = std::max(largest, std::fabs(v));
    }
    const double smallest = std::max(kSmallestPivot * largest, 1e-300);
    // only here, because most callers ask for the work first, and factorise only if it is small
    int widest = 0;
    for (const Front& front : fronts()) widest = std::max(widest, front.size);
    factors_.resize(factor_size_);
    matrix_.resize(at(widest) * at(widest));
    work_.resize(at(widest));
    replaced_pivots_ = 0;
    stack_.clear();
    for (size_t f = 0; f < front_count_; ++f) {
        const Front& front = fronts_[f];
        const size_t size = at(front.size), pivots = at(front.pivots), left = size - pivots;
        for (size_t r = 0; r < size; ++r) local_[at(index_[front.index + r])] = static_cast<int>(r);
        double* matrix = matrix_.data();
        std::fill_n(matrix, size * size, 0.0);
        assemble(f, matrix);
        add_children(front, matrix);
        replaced_pivots_ += eliminate(matrix, front.size, front.pivots, smallest, &swap_[front.index]);
        if (stop_requested()) return false;
        double* to = std::copy_n(matrix, pivots * size, &factors_[front.factors]);
        for (size_t r = pivots; r < size; ++r) {
            to = std::copy_n(matrix + r * size, pivots, to);
            stack_.insert(stack_.end(), matrix + r * size + pivots, matrix + (r + 1) * size);
        }
        ASPERITY_ASSERT(to == factors_.data() + front.factors + pivots * size + left * pivots);
    }
    return true;
}

void SparseLu::solve(std::span<double> x) {
    for (const Front& front : fronts()) {  // L y = x
        const size_t size = at(front.size), pivots = at(front.pivots);
        const int *index = &index_[front.index], *swap = &swap_[front.index];
        const double* factor = &factors_[front.factors];
        double* y = work_.data();
        for (size_t k = 0; k < pivots; ++k) y[k] = x[at(index[k])];
        for (size_t k = 0; k < pivots; ++k) std::swap(y[k], y[at(swap[k])]);
        for (size_t k = 1; k < pivots; ++k)
            for (size_t t = 0; t < k; ++t) y[k] -= factor[k * size + t] * y[t];
        for (size_t k = 0; k < pivots; ++k) x[at(index[k])] = y[k];
        factor += pivots * size;
        for (size_t r = pivots; r < size; ++r) {
            double sum = 0;
            for (size_t t = 0; t < pivots; ++t) sum += *factor++ * y[t];
            x[at(index[r])] -= sum;
        }
    }
    for (size_t f = front_count_; f-- > 0;) {  // U x = y
        const Front& front = fronts_[f];
        const size_t size = at(front.size), pivots = at(front.pivots);
        const int* index = &index_[front.index];
        const double* factor = &factors_[front.factors];
        double* y = work_.data();
        for (size_t k = 0; k < size; ++k) y[k] = x[at(index[k])];
        for (size_t k = pivots; k-- > 0;) {
            double sum = y[k];
            for (size_t t = k + 1; t < size; ++t) sum -= factor[k * size + t] * y[t];
            y[k] = sum / factor[k * size + k];
        }
        for (size_t k = 0; k < pivots; ++k) x[at(index[k])] = y[k];
    }
}

double SparseLu::work() const {
    double sum = 0;
    for (const Front& front : fronts()) {
        const double all = front.size, rest = front.size - front.pivots;
        sum += (all * all * all - rest * rest * rest) / 3;  // sum of k^2 over the pivots
    }
    return sum;
}

}  // namespace asperity

#include "asperity/fclib/sparse.h"

#include <algorithm>
#include <cmath>

namespace asperity::fclib {

SparseMatrix make_sparse(int rows, int columns, std::vector<Triplet> entries) {
    std::stable_sort(entries.begin(), entries.end(), [](const Triplet& a, const Triplet& b) {
        return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    SparseMatrix a{rows, columns, std::vector<int>(static_cast<size_t>(rows) + 1, 0), {}, {}};
    a.column.reserve(entries.size());
    a.value.reserve(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) {
        const Triplet& e = entries[i];
        if (i > 0 && entries[i - 1].row == e.row && entries[i - 1].column == e.column) {
            a.value.back() += e.value;
            continue;
        }
        ++a.row_start[static_cast<size_t>(e.row) + 1];
        a.column.push_back(e.column);
        a.value.push_back(e.value);
    }
    for (size_t r = 1; r < a.row_start.size(); ++r) a.row_start[r] += a.row_start[r - 1];
    return a;
}

std::vector<Triplet> triplets(const SparseMatrix& a) {
    std::vector<Triplet> all;
    all.reserve(a.value.size());
    for (int r = 0; r < a.rows; ++r)
        for (int e = a.row_start[static_cast<size_t>(r)]; e < a.row_start[static_cast<size_t>(r) + 1]; ++e)
            all.push_back({r, a.column[static_cast<size_t>(e)], a.value[static_cast<size_t>(e)]});
    return all;
}

SparseMatrix transposed(const SparseMatrix& a) {
    std::vector<Triplet> all = triplets(a);
    for (Triplet& e : all) std::swap(e.row, e.column);
    return make_sparse(a.columns, a.rows, std::move(all));
}

std::vector<double> SparseMatrix::multiply(std::span<const double> x) const {
    std::vector<double> y(static_cast<size_t>(rows), 0.0);
    for (size_t r = 0; r < y.size(); ++r)
        for (auto e = static_cast<size_t>(row_start[r]); e < static_cast<size_t>(row_start[r + 1]); ++e)
            y[r] += value[e] * x[static_cast<size_t>(column[e])];
    return y;
}

std::vector<double> SparseMatrix::multiply_transposed(std::span<const double> x) const {
    std::vector<double> y(static_cast<size_t>(columns), 0.0);
    for (size_t r = 0; r < static_cast<size_t>(rows); ++r)
        for (auto e = static_cast<size_t>(row_start[r]); e < static_cast<size_t>(row_start[r + 1]); ++e)
            y[static_cast<size_t>(column[e])] += value[e] * x[r];
    return y;
}

double norm(std::span<const double> x) {
    double sum = 0;
    for (const double v : x) sum += v * v;
    return std::sqrt(sum);
}

}  // namespace asperity::fclib

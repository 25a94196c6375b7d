#include "asperity/fclib/detail/inverse.h"

#include <fmt/format.h>
#include <numeric>

#include "asperity/core/error.h"

namespace asperity::fclib {
namespace {

constexpr Eigen::Index kDense = 48;  // largest component with a dense factorisation [rows]; a rigid body has 6
// Largest difference of the two triangles of a matrix that counts as symmetric, relative to its largest entry. Allows for
// rounding in a file.
constexpr double kSymmetric = 1e-9;
constexpr double kSingular = 1e-14;  // reciprocal condition number below which an answer has no correct digits

using Index = Eigen::Index;

/// Solves L D L^T X = B for all columns at once. Eigen traverses L once per column. Here each entry of L updates a whole row
/// of X, which is many times faster for the hundreds of columns of a contact problem. Rows that are still zero are skipped.
RowMatrix solve_columns(const Cholesky& factor, const RowMatrix& b) {
    RowMatrix x = factor.permutationP() * b;
    const ColumnSparse& L = factor.matrixL().nestedExpression();
    const Vector D = factor.vectorD();
    for (Index j = 0; j < x.rows(); ++j) {
        if ((x.row(j).array() == 0).all()) continue;
        for (ColumnSparse::InnerIterator e(L, j); e; ++e)
            if (e.row() > j) x.row(e.row()) -= e.value() * x.row(j);
    }
    for (Index j = x.rows() - 1; j >= 0; --j) {
        x.row(j) /= D[j];
        for (ColumnSparse::InnerIterator e(L, j); e; ++e)
            if (e.row() > j) x.row(j) -= e.value() * x.row(e.row());
    }
    return factor.permutationPinv() * x;
}

/// Connected components by union-find. `place` is the index of each row within its component.
std::vector<Component> find_components(const SparseMatrix& a, std::vector<int>& component_of, std::vector<int>& place) {
    std::vector<int> parent(static_cast<size_t>(a.rows));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int i) {
        while (parent[static_cast<size_t>(i)] != i)
            i = parent[static_cast<size_t>(i)] = parent[static_cast<size_t>(parent[static_cast<size_t>(i)])];
        return i;
    };
    for (const Triplet& e : triplets(a)) {
        if (e.value == 0) continue;
        const int r = root(e.row), c = root(e.column);
        parent[static_cast<size_t>(std::max(r, c))] = std::min(r, c);
    }
    std::vector<Component> islands;
    component_of.assign(parent.size(), -1);
    place.assign(parent.size(), 0);
    for (int i = 0; i < a.rows; ++i) {  // a root is the first row of its component
        const auto at = static_cast<size_t>(i);
        if (parent[at] == i) {
            component_of[at] = static_cast<int>(islands.size());
            islands.emplace_back();
        }
        component_of[at] = component_of[static_cast<size_t>(root(i))];
        std::vector<int>& rows = islands[static_cast<size_t>(component_of[at])].rows;
        place[at] = static_cast<int>(rows.size());
        rows.push_back(i);
    }
    return islands;
}

}  // namespace

Sparse to_eigen(const SparseMatrix& a) {
    return Eigen::Map<const Sparse>(a.rows, a.columns, static_cast<Index>(a.value.size()), a.row_start.data(),
                                    a.column.data(), a.value.data());
}

SparseMatrix from_eigen(Sparse a) {
    a.makeCompressed();
    SparseMatrix out{static_cast<int>(a.rows()), static_cast<int>(a.cols()), {}, {}, {}};
    out.row_start.assign(a.outerIndexPtr(), a.outerIndexPtr() + a.rows() + 1);
    out.column.assign(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros());
    out.value.assign(a.valuePtr(), a.valuePtr() + a.nonZeros());
    return out;
}

Vector to_eigen(const std::vector<double>& x) { return Eigen::Map<const Vector>(x.data(), static_cast<Index>(x.size())); }
std::vector<double> from_eigen(const Vector& x) { return {x.data(), x.data() + x.size()}; }

bool Component::factorise(const ColumnSparse& part) {
    const ColumnSparse mirrored = part.transpose();
    const double largest = part.nonZeros() > 0 ? part.coeffs().cwiseAbs().maxCoeff() : 0;
    const ColumnSparse difference = part - mirrored;
    symmetric_ = difference.nonZeros() == 0 || difference.coeffs().cwiseAbs().maxCoeff() <= kSymmetric * largest;
    if (part.rows() <= kDense) {
        if (symmetric_) {
            dense_.compute(Eigen::MatrixXd(part));
            return dense_.info() == Eigen::Success;
        }
        dense_lu_.compute(Eigen::MatrixXd(part));
        return dense_lu_.rcond() > kSingular;
    }
    if (symmetric_) {
        sparse_ = std::make_unique<Cholesky>(part);
        return sparse_->info() == Eigen::Success && sparse_->vectorD().minCoeff() > 0;
    }
    sparse_lu_ = std::make_unique<Eigen::SparseLU<ColumnSparse>>(part);
    return sparse_lu_->info() == Eigen::Success;
}

RowMatrix Component::solve(const RowMatrix& b) const {
    if (sparse_) return solve_columns(*sparse_, b);
    const Eigen::MatrixXd columns = b;
    if (sparse_lu_) return Eigen::MatrixXd(sparse_lu_->solve(columns));
    return symmetric_ ? Eigen::MatrixXd(dense_.solve(columns)) : Eigen::MatrixXd(dense_lu_.solve(columns));
}

Inverse::Inverse(const SparseMatrix& a, const char* name) {
    std::vector<int> component_of, place;
    components_ = find_components(a, component_of, place);
    std::vector<std::vector<Eigen::Triplet<double>>> entries(components_.size());
    for (const Triplet& e : triplets(a))
        if (e.value != 0)
            entries[static_cast<size_t>(component_of[static_cast<size_t>(e.row)])].emplace_back(
                place[static_cast<size_t>(e.row)], place[static_cast<size_t>(e.column)], e.value);
    for (size_t i = 0; i < components_.size(); ++i) {
        const auto size = static_cast<Index>(components_[i].rows.size());
        ColumnSparse part(size, size);
        part.setFromTriplets(entries[i].begin(), entries[i].end());
        if (!components_[i].factorise(part))
            throw InputError(
                fmt::format("{} is singular or not positive definite ({} rows from row {} on hang together there)", name,
                            size, components_[i].rows.front()));
    }
}

std::vector<double> Inverse::solve(const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (const Component& island : components_) {
        RowMatrix b(static_cast<Index>(island.rows.size()), 1);
        for (size_t i = 0; i < island.rows.size(); ++i) b(static_cast<Index>(i), 0) = x[static_cast<size_t>(island.rows[i])];
        const RowMatrix z = island.solve(b);
        for (size_t i = 0; i < island.rows.size(); ++i) y[static_cast<size_t>(island.rows[i])] = z(static_cast<Index>(i), 0);
    }
    return y;
}

Sparse Inverse::solve(const SparseMatrix& b) const {
    std::vector<Eigen::Triplet<double>> out;
    std::vector<int> slot(static_cast<size_t>(b.columns), -1), columns;
    for (const Component& island : components_) {
        const auto for_entries = [&](auto&& visit) {
            for (size_t i = 0; i < island.rows.size(); ++i) {
                const auto row = static_cast<size_t>(island.rows[i]);
                for (auto e = static_cast<size_t>(b.row_start[row]); e < static_cast<size_t>(b.row_start[row + 1]); ++e)
                    visit(static_cast<Index>(i), b.column[e], b.value[e]);
            }
        };
        columns.clear();
        for_entries([&](Index, int column, double) {
            int& s = slot[static_cast<size_t>(column)];
            if (s >= 0) return;
            s = static_cast<int>(columns.size());
            columns.push_back(column);
        });
        if (columns.empty()) continue;  // a body without contacts
        RowMatrix part = RowMatrix::Zero(static_cast<Index>(island.rows.size()), static_cast<Index>(columns.size()));
        for_entries([&](Index i, int column, double value) { part(i, slot[static_cast<size_t>(column)]) = value; });
        const RowMatrix x = island.solve(part);
        for (Index i = 0; i < x.rows(); ++i)
            for (Index k = 0; k < x.cols(); ++k)
                if (x(i, k) != 0)
                    out.emplace_back(island.rows[static_cast<size_t>(i)], columns[static_cast<size_t>(k)], x(i, k));
        for (const int column : columns) slot[static_cast<size_t>(column)] = -1;
    }
    Sparse y(b.rows, b.columns);
    y.setFromTriplets(out.begin(), out.end());
    return y;
}

}  // namespace asperity::fclib

#include "asperity/fclib/reduce.h"

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "asperity/core/error.h"

namespace asperity::fclib {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using ColumnSparse = Eigen::SparseMatrix<double>;
using Cholesky = Eigen::SimplicialLDLT<ColumnSparse>;
using Vector = Eigen::VectorXd;

constexpr int kDense = 48;            // freedoms up to which a body's own matrix is treated as full: rigid ones have 6
constexpr double kRedundant = 1e-11;  // a pivot below this part of its diagonal entry is rounding: the row repeats others
constexpr int kMaxRedundant = 3000;   // equations for which a full decomposition is affordable
constexpr double kContradiction = 1e-6;

Sparse to_eigen(const SparseMatrix& a) {
    return Eigen::Map<const Sparse>(a.rows, a.columns, static_cast<Eigen::Index>(a.value.size()), a.row_start.data(), a.column.data(), a.value.data());
}

SparseMatrix from_eigen(Sparse a) {
    a.makeCompressed();
    const auto entries = static_cast<size_t>(a.nonZeros());
    SparseMatrix out{static_cast<int>(a.rows()), static_cast<int>(a.cols()), {}, {}, {}};
    out.row_start.assign(a.outerIndexPtr(), a.outerIndexPtr() + a.rows() + 1);
    out.column.assign(a.innerIndexPtr(), a.innerIndexPtr() + entries);
    out.value.assign(a.valuePtr(), a.valuePtr() + entries);
    return out;
}

Vector to_eigen(std::span<const double> x) { return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size())); }
std::vector<double> from_eigen(const Vector& x) { return {x.data(), x.data() + x.size()}; }

/// R^-1, or the pseudo-inverse where equations repeat each other.
class EquationSolver {
  public:
    explicit EquationSolver(const ColumnSparse& r) {
        sparse_.compute(r);
        bool full_rank = sparse_.info() == Eigen::Success;
        if (full_rank) {
            const Vector diagonal = sparse_.permutationP() * Vector(r.diagonal()), pivots = sparse_.vectorD();
            for (Eigen::Index i = 0; i < pivots.size(); ++i) full_rank = full_rank && std::abs(pivots[i]) > kRedundant * std::abs(diagonal[i]);
        }
        if (full_rank) return;
        if (r.rows() > kMaxRedundant) throw InputError(fmt::format("{} equations that repeat each other; at most {} can be sorted out", r.rows(), kMaxRedundant));
        dense_ = std::make_unique<Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>>();
        dense_->setThreshold(kRedundant);
        dense_->compute(Eigen::MatrixXd(r));
    }
    Vector solve(const Vector& b) const {
        if (dense_) return dense_->solve(b);
        return sparse_.solve(b);
    }
    ColumnSparse solve(const ColumnSparse& b) const {
        if (dense_) return dense_->solve(Eigen::MatrixXd(b)).sparseView();
        return sparse_.solve(b);
    }

  private:
    Cholesky sparse_;
    std::unique_ptr<Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>> dense_;
};

/// Freedoms that M couples, and the inverse of their part of M.
struct Island {
    std::vector<int> freedoms;
    Eigen::LLT<Eigen::MatrixXd> dense;
    std::unique_ptr<Cholesky> sparse;

    Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const { return sparse ? Eigen::MatrixXd(sparse->solve(b)) : Eigen::MatrixXd(dense.solve(b)); }
};

/// Index of the island of each freedom, by joining what M couples.
std::vector<Island> find_islands(const SparseMatrix& M, std::vector<int>& island_of, std::vector<int>& place) {
    std::vector<int> parent(static_cast<size_t>(M.rows));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int i) {
        while (parent[static_cast<size_t>(i)] != i) i = parent[static_cast<size_t>(i)] = parent[static_cast<size_t>(parent[static_cast<size_t>(i)])];
        return i;
    };
    for (const Triplet& e : triplets(M))
        if (e.value != 0) parent[static_cast<size_t>(root(std::max(e.row, e.column)))] = root(std::min(e.row, e.column));
    std::vector<Island> islands;
    island_of.assign(parent.size(), -1);
    place.assign(parent.size(), 0);
    for (int i = 0; i < M.rows; ++i) {
        int& of_root = island_of[static_cast<size_t>(root(i))];
        if (of_root < 0) {
            of_root = static_cast<int>(islands.size());
            islands.emplace_back();
        }
        island_of[static_cast<size_t>(i)] = of_root;
        Island& island = islands[static_cast<size_t>(of_root)];
        place[static_cast<size_t>(i)] = static_cast<int>(island.freedoms.size());
        island.freedoms.push_back(i);
    }
    return islands;
}

}  // namespace

LocalProblem without_equations(const LocalProblem& p) {
    if (p.equation_count() == 0) return p;
    const ColumnSparse R = to_eigen(p.R);
    const EquationSolver equations(R);
    const Sparse V = to_eigen(p.V);
    const Vector s = to_eigen(p.s), x = equations.solve(s);
    if (!((R * x - s).norm() <= kContradiction * s.norm()))
        throw InputError(fmt::format("the {} equations of the problem (V, R, s) contradict each other", p.equation_count()));
    LocalProblem out{p.info, {}, {}, p.mu, {}, {}, {}};
    const Sparse through = V * Sparse(equations.solve(ColumnSparse(V.transpose())));
    out.W = from_eigen(Sparse(to_eigen(p.W) - through));
    out.q = from_eigen(Vector(to_eigen(p.q) - V * x));
    return out;
}

struct Reduction::Parts {
    const GlobalProblem& global;
    std::vector<Island> islands;
    std::vector<int> island_of, place;
    LocalProblem with_equations, local;

    explicit Parts(const GlobalProblem& g) : global(g) {
        islands = find_islands(g.M, island_of, place);
        factorise();
        const auto contacts = static_cast<int>(g.w.size()), equations = g.equation_count();
        // J = [H G] and its M^-1 J
        std::vector<Triplet> entries = triplets(g.H);
        for (const Triplet& e : triplets(g.G)) entries.push_back({e.row, contacts + e.column, e.value});
        const SparseMatrix J = make_sparse(g.M.rows, contacts + equations, std::move(entries));
        const Sparse Jt = to_eigen(J).transpose();
        const Sparse W = Jt * response(J);
        const Vector b = Jt * to_eigen(solve(g.f));
        with_equations.info = g.info;
        with_equations.mu = g.mu;
        with_equations.W = from_eigen(Sparse(W.topLeftCorner(contacts, contacts)));
        with_equations.V = from_eigen(Sparse(W.topRightCorner(contacts, equations)));
        with_equations.R = from_eigen(Sparse(W.bottomRightCorner(equations, equations)));
        with_equations.q = g.w;
        with_equations.s = g.b;
        for (int i = 0; i < contacts; ++i) with_equations.q[static_cast<size_t>(i)] += b[i];
        for (int i = 0; i < equations; ++i) with_equations.s[static_cast<size_t>(i)] += b[contacts + i];
        local = without_equations(with_equations);
    }

    void factorise() {
        std::vector<std::vector<Eigen::Triplet<double>>> entries(islands.size());
        for (const Triplet& e : triplets(global.M))   // the symmetric part: files differ in the last digits of the two triangles
            for (const auto& [r, c] : {std::pair{e.row, e.column}, std::pair{e.column, e.row}})
                entries[static_cast<size_t>(island_of[static_cast<size_t>(r)])].emplace_back(place[static_cast<size_t>(r)], place[static_cast<size_t>(c)], e.value / 2);
        for (size_t i = 0; i < islands.size(); ++i) {
            const auto size = static_cast<Eigen::Index>(islands[i].freedoms.size());
            ColumnSparse m(size, size);
            m.setFromTriplets(entries[i].begin(), entries[i].end());
            bool positive = false;
            if (size <= kDense) {
                islands[i].dense.compute(Eigen::MatrixXd(m));
                positive = islands[i].dense.info() == Eigen::Success;
            } else {
                islands[i].sparse = std::make_unique<Cholesky>(m);
                positive = islands[i].sparse->info() == Eigen::Success && islands[i].sparse->vectorD().minCoeff() > 0;
            }
            if (!positive)
                throw InputError(fmt::format("/fclib_global/M is not positive definite (among the {} rows that hang together with row {})", size,
                                             islands[i].freedoms.front()));
        }
    }

    /// M^-1 x.
    std::vector<double> solve(const std::vector<double>& x) const {
        std::vector<double> y(x.size());
        for (const Island& island : islands) {
            Eigen::MatrixXd b(static_cast<Eigen::Index>(island.freedoms.size()), 1);
            for (size_t i = 0; i < island.freedoms.size(); ++i) b(static_cast<Eigen::Index>(i), 0) = x[static_cast<size_t>(island.freedoms[i])];
            const Eigen::MatrixXd z = island.solve(b);
            for (size_t i = 0; i < island.freedoms.size(); ++i) y[static_cast<size_t>(island.freedoms[i])] = z(static_cast<Eigen::Index>(i), 0);
        }
        return y;
    }

    /// M^-1 J, island by island: full over the columns that touch an island, empty elsewhere.
    Sparse response(const SparseMatrix& J) const {
        std::vector<Eigen::Triplet<double>> out;
        std::vector<int> slot(static_cast<size_t>(J.columns), -1);
        for (const Island& island : islands) {
            std::vector<int> columns;
            const auto for_entries = [&](auto&& visit) {
                for (size_t i = 0; i < island.freedoms.size(); ++i) {
                    const auto row = static_cast<size_t>(island.freedoms[i]);
                    for (auto e = static_cast<size_t>(J.row_start[row]); e < static_cast<size_t>(J.row_start[row + 1]); ++e) visit(i, J.column[e], J.value[e]);
                }
            };
            for_entries([&](size_t, int column, double) {
                int& s = slot[static_cast<size_t>(column)];
                if (s >= 0) return;
                s = static_cast<int>(columns.size());
                columns.push_back(column);
            });
            Eigen::MatrixXd b = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(island.freedoms.size()), static_cast<Eigen::Index>(columns.size()));
            for_entries([&](size_t i, int column, double value) { b(static_cast<Eigen::Index>(i), slot[static_cast<size_t>(column)]) = value; });
            const Eigen::MatrixXd x = island.solve(b);
            for (Eigen::Index i = 0; i < x.rows(); ++i)
                for (Eigen::Index k = 0; k < x.cols(); ++k)
                    if (x(i, k) != 0) out.emplace_back(island.freedoms[static_cast<size_t>(i)], columns[static_cast<size_t>(k)], x(i, k));
            for (const int column : columns) slot[static_cast<size_t>(column)] = -1;
        }
        Sparse y(J.rows, J.columns);
        y.setFromTriplets(out.begin(), out.end());
        return y;
    }
};

Reduction::Reduction(const GlobalProblem& global) : parts_(std::make_unique<Parts>(global)) {}
Reduction::~Reduction() = default;
const LocalProblem& Reduction::local() const { return parts_->local; }

Solution Reduction::complete(std::span<const double> r) const {
    const GlobalProblem& g = parts_->global;
    const LocalProblem& p = parts_->with_equations;
    Solution out;
    out.r.assign(r.begin(), r.end());
    std::vector<double> force = g.H.multiply(r);
    if (g.equation_count() > 0) {   // R l = -(V^T r + s)
        std::vector<double> rest = p.V.multiply_transposed(r);
        for (size_t i = 0; i < rest.size(); ++i) rest[i] = -(rest[i] + p.s[i]);
        out.l = from_eigen(EquationSolver(to_eigen(p.R)).solve(to_eigen(rest)));
        const std::vector<double> pull = g.G.multiply(out.l);
        for (size_t i = 0; i < force.size(); ++i) force[i] += pull[i];
    }
    for (size_t i = 0; i < force.size(); ++i) force[i] += g.f[i];
    out.v = parts_->solve(force);
    out.u = g.H.multiply_transposed(out.v);
    for (size_t i = 0; i < out.u.size(); ++i) out.u[i] += g.w[i];
    return out;
}

}  // namespace asperity::fclib

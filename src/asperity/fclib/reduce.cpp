#include "asperity/fclib/reduce.h"

#include <fmt/format.h>
#include <algorithm>

#include "asperity/core/error.h"
#include "asperity/fclib/detail/inverse.h"

namespace asperity::fclib {
namespace {

constexpr double kRedundant = 1e-11;  // pivot below this fraction of its diagonal entry: rounding, so the row is redundant
constexpr int kMaxRedundant = 3000;   // largest number of equations for which a dense decomposition is affordable
constexpr double kContradiction = 1e-6;  // relative residual of s; redundant joints drift apart by less in a step

/// R^-1, or the pseudo-inverse where equations are redundant.
class EquationSolver {
  public:
    explicit EquationSolver(const ColumnSparse& r) {
        sparse_.compute(r);
        bool full_rank = sparse_.info() == Eigen::Success;
        if (full_rank) {
            const Vector diagonal = sparse_.permutationP() * Vector(r.diagonal()), pivots = sparse_.vectorD();
            for (Eigen::Index i = 0; i < pivots.size(); ++i)
                full_rank = full_rank && std::abs(pivots[i]) > kRedundant * std::abs(diagonal[i]);
        }
        if (full_rank) return;
        if (r.rows() > kMaxRedundant)
            throw InputError(
                fmt::format("{} equations that repeat each other; at most {} can be sorted out", r.rows(), kMaxRedundant));
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
    Inverse mass;
    LocalProblem with_equations, local;

    explicit Parts(const GlobalProblem& g) : global(g), mass(g.M, "/fclib_global/M") {
        const auto contacts = static_cast<int>(g.w.size()), equations = g.equation_count();
        std::vector<Triplet> entries = triplets(g.H);  // J = [H G]
        for (const Triplet& e : triplets(g.G)) entries.push_back({e.row, contacts + e.column, e.value});
        const SparseMatrix J = make_sparse(g.M.rows, contacts + equations, std::move(entries));
        const Sparse Jt = to_eigen(J).transpose();
        const Sparse W = Jt * mass.solve(J);
        const Vector b = Jt * to_eigen(mass.solve(g.f));
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
    if (g.equation_count() > 0) {  // R l = -(V^T r + s)
        std::vector<double> rest = p.V.multiply_transposed(r);
        for (size_t i = 0; i < rest.size(); ++i) rest[i] = -(rest[i] + p.s[i]);
        out.l = from_eigen(EquationSolver(to_eigen(p.R)).solve(to_eigen(rest)));
        const std::vector<double> pull = g.G.multiply(out.l);
        for (size_t i = 0; i < force.size(); ++i) force[i] += pull[i];
    }
    for (size_t i = 0; i < force.size(); ++i) force[i] += g.f[i];
    out.v = parts_->mass.solve(force);
    out.u = g.H.multiply_transposed(out.v);
    for (size_t i = 0; i < out.u.size(); ++i) out.u[i] += g.w[i];
    return out;
}

}  // namespace asperity::fclib

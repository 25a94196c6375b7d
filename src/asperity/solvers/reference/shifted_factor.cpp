#include "asperity/solvers/reference/shifted_factor.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/Cholesky>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace asperity::solvers {
namespace {

// Below this many rows, or above this fraction of non-zero entries, the dense factorisation is faster.
constexpr int kFewRows = 60;
constexpr double kDense = 0.25;

using Sparse = Eigen::SparseMatrix<double>;

/// Simplicial LDL^T that gives access to the column counts before the factorisation.
class CountingCholesky : public Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<int>> {
  public:
    double operations() const {
        double sum = 0;
        for (Eigen::Index i = 0; i < m_nonZerosPerCol.size(); ++i) sum += std::pow(double(m_nonZerosPerCol[i]), 2);
        return sum;
    }
    long entries() const { return m_nonZerosPerCol.sum() + m_nonZerosPerCol.size(); }
};

}  // namespace

struct ShiftedFactor::Matrix {
    bool dense = false;
    Eigen::MatrixXd full;
    Eigen::LLT<Eigen::MatrixXd> full_factor;
    Sparse lower;                  // lower triangle, rows in the new order
    std::vector<double> diagonal;  // of D W D, in the new order
    std::vector<Eigen::Index> diagonal_at;
    CountingCholesky factor;
    std::vector<int> place;     // per row: its index in the new order
    std::vector<double> shift;  // contained in the diagonal at present
    Eigen::VectorXd work, product;

    void order(const AssembledProblem& p);
};

/// Approximate minimum degree on the graph of blocks, which has a ninth of the entries. Rows of a block stay together.
void ShiftedFactor::Matrix::order(const AssembledProblem& p) {
    const int count = p.block_count();
    Sparse pattern(count, count);
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < count; ++i)
        for (int e = p.W.row_start[static_cast<size_t>(i)]; e < p.W.row_start[static_cast<size_t>(i) + 1]; ++e)
            entries.emplace_back(i, p.W.column[static_cast<size_t>(e)], 1.0);
    pattern.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    Eigen::AMDOrdering<int>()(pattern, permutation);  // indices()[k] is the block at position k
    place.resize(static_cast<size_t>(p.rows()));
    int next = 0;
    for (int k = 0; k < count; ++k) {
        const Block& block = p.blocks[static_cast<size_t>(permutation.indices()[k])];
        for (int r = 0; r < block.rows; ++r) place[static_cast<size_t>(block.first_row + r)] = next++;
    }
}

ShiftedFactor::ShiftedFactor() : matrix_(std::make_unique<Matrix>()) {}
ShiftedFactor::~ShiftedFactor() = default;

void ShiftedFactor::analyse(const AssembledProblem& p, std::span<const double> scale) {
    Matrix& m = *matrix_;
    const int rows = p.rows();
    m.dense = rows <= kFewRows || static_cast<double>(p.W.values.size()) > kDense * rows * rows;
    m.diagonal.assign(static_cast<size_t>(rows), 0);
    m.shift.assign(static_cast<size_t>(rows), 0);
    m.work.resize(rows);
    m.product.resize(rows);
    const auto for_entries = [&](auto&& visit) {
        for (const Block& block : p.blocks) {
            const auto k = static_cast<size_t>(&block - p.blocks.data());
            for (int e = p.W.row_start[k]; e < p.W.row_start[k + 1]; ++e) {
                const Block& other = p.blocks[static_cast<size_t>(p.W.column[static_cast<size_t>(e)])];
                const double* w = &p.W.values[static_cast<size_t>(p.W.value_start[static_cast<size_t>(e)])];
                for (int r = 0; r < block.rows; ++r)
                    for (int c = 0; c < other.rows; ++c) {
                        const int i = block.first_row + r, j = other.first_row + c;
                        visit(i, j, scale[static_cast<size_t>(i)] * scale[static_cast<size_t>(j)] * w[r * other.rows + c]);
                    }
            }
        }
    };
    if (m.dense) {
        m.full.setZero(rows, rows);
        for_entries([&](int i, int j, double value) {
            m.full(i, j) += 0.5 * value;
            m.full(j, i) += 0.5 * value;
        });
        for (int i = 0; i < rows; ++i) m.diagonal[static_cast<size_t>(i)] = m.full(i, i);
        return;
    }
    m.order(p);
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(p.W.values.size());
    for_entries([&](int i, int j, double value) {
        const int a = m.place[static_cast<size_t>(i)], b = m.place[static_cast<size_t>(j)];
        // the entries of both triangles are summed
        entries.emplace_back(std::max(a, b), std::min(a, b), a == b ? value : 0.5 * value);
    });
    m.lower.resize(rows, rows);
    m.lower.setFromTriplets(entries.begin(), entries.end());
    m.diagonal_at.resize(static_cast<size_t>(rows));
    for (int column = 0; column < rows; ++column) {  // the diagonal is the first entry of each column of a lower triangle
        m.diagonal_at[static_cast<size_t>(column)] = m.lower.outerIndexPtr()[column];
        m.diagonal[static_cast<size_t>(column)] = m.lower.valuePtr()[m.lower.outerIndexPtr()[column]];
    }
    m.factor.analyzePattern(m.lower);
}

double ShiftedFactor::operations() const {
    const double n = static_cast<double>(matrix_->diagonal.size());
    return matrix_->dense ? n * n * n / 3 : matrix_->factor.operations();
}

long ShiftedFactor::entries() const {
    const auto n = static_cast<long>(matrix_->diagonal.size());
    return matrix_->dense ? n * n : matrix_->factor.entries();
}

bool ShiftedFactor::factorise(std::span<const double> shift) {
    Matrix& m = *matrix_;
    m.shift.assign(shift.begin(), shift.end());
    if (m.dense) {
        for (size_t i = 0; i < shift.size(); ++i)
            m.full(static_cast<int>(i), static_cast<int>(i)) = m.diagonal[i] + shift[i];
        m.full_factor.compute(m.full);
        return m.full_factor.info() == Eigen::Success;
    }
    for (size_t i = 0; i < shift.size(); ++i) {
        const auto at = static_cast<size_t>(m.place[i]);
        m.lower.valuePtr()[m.diagonal_at[at]] = m.diagonal[at] + shift[i];
    }
    m.factor.factorize(m.lower);
    return m.factor.info() == Eigen::Success && m.factor.vectorD().minCoeff() > 0;
}

void ShiftedFactor::multiply(std::span<const double> x, std::span<double> y) {
    Matrix& m = *matrix_;
    const auto place = [&](size_t i) { return m.dense ? static_cast<int>(i) : m.place[i]; };
    for (size_t i = 0; i < x.size(); ++i) m.work[place(i)] = x[i];
    if (m.dense)
        m.product.noalias() = m.full * m.work;
    else
        m.product = m.lower.selfadjointView<Eigen::Lower>() * m.work;
    for (size_t i = 0; i < x.size(); ++i) y[i] = m.product[place(i)] - m.shift[i] * x[i];
}

void ShiftedFactor::solve(std::span<double> x) {
    Matrix& m = *matrix_;
    Eigen::Map<Eigen::VectorXd> view(x.data(), static_cast<Eigen::Index>(x.size()));
    if (m.dense) {
        m.full_factor.solveInPlace(view);
        return;
    }
    for (size_t i = 0; i < x.size(); ++i) m.work[m.place[i]] = x[i];
    m.factor.matrixL().solveInPlace(m.work);
    m.work.array() /= m.factor.vectorD().array();
    m.factor.matrixU().solveInPlace(m.work);
    for (size_t i = 0; i < x.size(); ++i) x[i] = m.work[m.place[i]];
}

}  // namespace asperity::solvers

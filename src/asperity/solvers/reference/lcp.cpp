// Friction is f = sum_j beta_j g_j with beta_j >= 0 and sum beta_j <= n, over the vertices g_j of a polygon inside K:
//     0 <= n       perp  u_n                >= 0
//     0 <= beta_j  perp  g_j.u_T + sigma    >= 0        sigma: the drag per unit normal force
//     0 <= sigma   perp  n - sum_j beta_j   >= 0
// The normal part of a patch is a sum of alpha_i >= 0 at the vertices c_i of its region: n = sum alpha_i, each complementary
// to u_n + c_i.g >= 0. Its friction acts about a held centre (held_centres.h). Rows without bounds (joints) are eliminated
// first. The vertices for a circle lie on it, so that N facets carry between cos(pi/N) and 1 of the true friction.
// Sets with a drilling axis and balls get rings of vertices on their surface.
//
// Source: Stewart, Trinkle, "An implicit time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb
// friction", Int. J. Numer. Meth. Eng. 1996. Ours differs: generators need not come in pairs, so that any polygon is
// possible.
#include "asperity/solvers/reference/lcp.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "asperity/solvers/newton/newton.h"
#include "asperity/solvers/reference/polyhedral_parts.h"

namespace asperity::solvers {
namespace {

constexpr double kRankTolerance = 1e-11;  // relative pivot below which a joint row is redundant
// of M_ii: far above the rounding errors of a tableau, and small enough to converge in a few rounds
constexpr double kSoftness = 1e-5;
constexpr int kRounds = 60;
// factor on the residual: rounds that gain less are limited by rounding, or there is no solution
constexpr double kGain = 0.9;
constexpr int kPatience = 5;
constexpr double kLargestBytes = 5e8;
constexpr double kOperationsPerSecond = 1e9;  // of a matrix product; a cautious value

/// The problem as  lambda = lambda_0 + F z,  w = F^T u + H z + h  with  u = W lambda + q,  over the rows that have bounds.
class Polyhedral {
  public:
    Polyhedral(const AssembledProblem& problem, int facets);
    /// Whether the matrices fit into kLargestBytes and can be computed in the time that is left.
    bool fits(const Deadline& deadline) const {
        const double rows = static_cast<double>(problem_.q.size()), size = size_;
        const double seconds = rows * size * (rows + size) / kOperationsPerSecond;
        return 32 * size * size + 8 * rows * (rows + size) < kLargestBytes && seconds < deadline.left();
    }
    /// Writes the impulses of the solution, or leaves them unchanged. Adds the pivots to report.sweeps.
    LemkeEnd solve(Lemke& lemke, AssembledProblem& problem, const SolveOptions& options, const Deadline& deadline,
                   SolveReport& report);
    Residual residual(const AssembledProblem& problem) const;

  private:
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    void assemble_matrix();
    bool write_linear_problem();
    void write_impulses(const Eigen::VectorXd& z, AssembledProblem& problem) const;

    const AssembledProblem& problem_;
    std::vector<PolyhedralPart> parts_;
    std::vector<int> bounded_, free_;  // row indices
    std::vector<int> place_;           // per row: its index in bounded_ or free_
    int size_ = 0;
    Eigen::MatrixXd W_;
    Eigen::VectorXd q_;
    Eigen::MatrixXd F_;
    Eigen::VectorXd start_;  // lambda_0
    Matrix M_;               // w = M z + constant
    Eigen::VectorXd constant_;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> joints_;  // W_jj; singular if joints are redundant
};

Polyhedral::Polyhedral(const AssembledProblem& problem, int facets) : problem_(problem), place_(problem.q.size(), 0) {
    for (int k = 0; k < problem.block_count(); ++k) {
        const Block& block = problem.blocks[static_cast<size_t>(k)];
        std::vector<int>& rows = is_free(block) ? free_ : bounded_;
        for (int r = block.first_row; r < block.first_row + block.rows; ++r) {
            place_[static_cast<size_t>(r)] = static_cast<int>(rows.size());
            rows.push_back(r);
        }
        const double step = block.kind == BlockKind::Ball ? block.r_f : block.r_n;
        // a block that cannot move gets no impulse
        if (is_free(block) || step == 0 || (block.kind == BlockKind::Ball && block.high == 0)) continue;
        parts_.push_back(make_part(block, k, size_, facets));
        size_ += parts_.back().size();
    }
}

void Polyhedral::assemble_matrix() {
    const auto rows = static_cast<Eigen::Index>(problem_.q.size());
    W_.setZero(rows, rows);
    for (size_t k = 0; k < problem_.blocks.size(); ++k)
        for (int e = problem_.W.row_start[k]; e < problem_.W.row_start[k + 1]; ++e) {
            const Block &a = problem_.blocks[k],
                        &b = problem_.blocks[static_cast<size_t>(problem_.W.column[static_cast<size_t>(e)])];
            const double* values = &problem_.W.values[static_cast<size_t>(problem_.W.value_start[static_cast<size_t>(e)])];
            for (int r = 0; r < a.rows; ++r)
                for (int c = 0; c < b.rows; ++c) W_(a.first_row + r, b.first_row + c) = values[r * b.rows + c];
        }
    q_ = Eigen::Map<const Eigen::VectorXd>(problem_.q.data(), rows);
}

/// Returns false if a number is not finite.
bool Polyhedral::write_linear_problem() {
    assemble_matrix();
    if (!W_.allFinite() || !q_.allFinite()) return false;
    Eigen::MatrixXd w = W_(bounded_, bounded_);
    Eigen::VectorXd q = q_(bounded_);
    if (!free_.empty()) {  // Schur complement W_cc - W_cj W_jj^+ W_jc, and the same for q
        joints_.setThreshold(kRankTolerance);
        joints_.compute(W_(free_, free_));
        w -= W_(bounded_, free_) * joints_.solve(W_(free_, bounded_));
        q -= W_(bounded_, free_) * joints_.solve(q_(free_));
    }
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(size_, size_);
    Eigen::VectorXd h = Eigen::VectorXd::Zero(size_);
    F_.setZero(w.rows(), size_);
    start_.setZero(w.rows());
    for (const PolyhedralPart& part : parts_) {
        const Block& block = problem_.blocks[static_cast<size_t>(part.block)];
        const int first = place_[static_cast<size_t>(block.first_row)];
        if (block.kind == BlockKind::Interval) {
            const int column = part.column;
            F_(first, column) = part.side * part.scale;
            start_(first) = part.side < 0 ? block.high : block.low;
            if (std::isinf(part.bound)) continue;
            H(column, column + 1) = 1;
            H(column + 1, column) = -1;
            h(column + 1) = part.bound;
            continue;
        }
        const auto add = [&](int column, double factor, const Block6& generator) {
            for (int r = 0; r < block.rows; ++r) F_(first + r, column) = factor * generator[static_cast<size_t>(r)];
        };
        const int normals = static_cast<int>(part.normals.size());
        for (int i = 0; i < normals; ++i) add(part.column + i, part.scale, part.normals[static_cast<size_t>(i)]);
        int column = part.column + normals;
        for (const PolyhedralSet& set : part.sets) {
            const int sigma = column + static_cast<int>(set.corners.size());
            // scales each beta to the size of its force
            const double shrink = normals == 0 ? 1 : 1 / std::max(1.0, set.radius);
            if (normals == 0) h(sigma) = part.bound;
            for (int i = 0; i < normals; ++i) H(sigma, part.column + i) = 1;
            for (const Block6& corner : set.corners) {
                add(column, part.scale * shrink, corner);
                H(column, sigma) = shrink;
                H(sigma, column) = -shrink;
                ++column;
            }
            column = sigma + 1;
        }
    }
    M_ = F_.transpose() * w * F_ + H;
    constant_ = F_.transpose() * (w * start_ + q) + h;
    return true;
}

void Polyhedral::write_impulses(const Eigen::VectorXd& z, AssembledProblem& problem) const {
    const Eigen::VectorXd impulse = start_ + F_ * z;
    for (size_t i = 0; i < bounded_.size(); ++i)
        problem.impulse[static_cast<size_t>(bounded_[i])] = impulse(static_cast<Eigen::Index>(i));
    if (!free_.empty()) {
        const Eigen::VectorXd joints = -joints_.solve(q_(free_) + W_(free_, bounded_) * impulse);  // u = 0 on their rows
        for (size_t i = 0; i < free_.size(); ++i)
            problem.impulse[static_cast<size_t>(free_[i])] = joints(static_cast<Eigen::Index>(i));
    }
    problem.refresh_velocities();
}

/// First follows Lemke's path on M. Redundant contacts make M singular: self-cancelling squeezing forces then cost no
/// energy. With rounding the cost may become negative, and the path ends in a spurious ray. In that case proximal problems
/// with the centre c, the last z, are solved instead:
///     w = (M + D) z + constant - D c,      D = kSoftness diag(M)
/// They have z.(M + D) z > 0 for all impulses, so such a ray cannot occur (Cottle, Pang, Stone 1992, 4.4.12; Stewart,
/// Trinkle 1996).
LemkeEnd Polyhedral::solve(Lemke& lemke, AssembledProblem& problem, const SolveOptions& options, const Deadline& deadline,
                           SolveReport& report) {
    if (!write_linear_problem()) return LemkeEnd::NotFinite;
    const auto view = [](auto& v) { return std::span(v.data(), static_cast<size_t>(v.size())); };
    const auto follow = [&](const Matrix& m, const Eigen::VectorXd& q, Eigen::VectorXd& z) {
        const LemkeEnd end = lemke.solve(view(m), view(q), view(z), options.max_sweeps - report.sweeps, deadline);
        report.sweeps += lemke.pivots();
        return end;
    };
    const std::vector<double> before = problem.impulse;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(size_);
    LemkeEnd end = follow(M_, constant_, z);
    if (end == LemkeEnd::Solved) {
        write_impulses(z, problem);
        if (residual(problem).value <= options.tolerance) return end;
    } else if (end != LemkeEnd::Ray) {
        return end;
    }
    const Eigen::VectorXd D = kSoftness * M_.diagonal();
    Matrix softened = M_;
    softened.diagonal() += D;
    double best = std::numeric_limits<double>::infinity();
    int patience = kPatience;
    z.setZero();
    for (int round = 0; round < kRounds && best > options.tolerance && patience > 0; ++round) {
        end = follow(softened, constant_ - D.cwiseProduct(z), z);
        if (end != LemkeEnd::Solved) break;
        const std::vector<double> last = problem.impulse;
        write_impulses(z, problem);
        const double error = residual(problem).value;
        patience = error < kGain * best ? kPatience : patience - 1;
        if (error < best)
            best = error;
        else
            problem.impulse = last;
    }
    if (best > larger(options.tolerance, Newton::kInvisible)) {
        problem.impulse = before;
        // the rounds do not converge: there is no solution, or none can be found
        if (end == LemkeEnd::Solved) end = LemkeEnd::Ray;
    } else {
        end = LemkeEnd::Solved;
    }
    problem.refresh_velocities();
    return end;
}

Residual Polyhedral::residual(const AssembledProblem& problem) const {
    Residual worst;
    const auto count = [&](double value, int block) {
        if (!(value <= worst.value)) worst = {value, block};
    };
    for (const PolyhedralPart& part : parts_) {
        const Block& block = problem.blocks[static_cast<size_t>(part.block)];
        count(residual_of(part, block, problem.impulse_of(block), problem.velocity_of(block)), part.block);
    }
    for (int k = 0; k < problem.block_count(); ++k) {
        const Block& block = problem.blocks[static_cast<size_t>(k)];
        if (is_free(block)) count(natural_map(block, problem.impulse_of(block), problem.velocity_of(block)), k);
    }
    return worst;
}

}  // namespace

SolveReport Lcp::solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    if (HeldCentres::are_needed(problem)) return centres_.solve(*this, problem, options, history);
    const Deadline deadline(options.time_limit);
    SolveReport report;
    history.clear();
    Polyhedral polyhedral(problem, options.facets);
    if (!polyhedral.fits(deadline)) {
        conclude(report, problem, options);
        if (report.status != SolveStatus::NotFinite) report.status = SolveStatus::Failed;
        return report;
    }
    const LemkeEnd end = polyhedral.solve(lemke_, problem, options, deadline, report);
    conclude(report, problem, options);
    if (report.status == SolveStatus::NotFinite) return report;
    const Residual rest = polyhedral.residual(problem);
    report.residual = rest.value;
    report.worst_block = rest.worst_block;
    history.push_back(rest.value);
    switch (end) {
        case LemkeEnd::Solved:
            report.status = rest.value <= options.tolerance ? SolveStatus::Converged : SolveStatus::Stalled;
            break;
        case LemkeEnd::Ray: report.status = SolveStatus::Failed; break;
        case LemkeEnd::PivotLimit: report.status = SolveStatus::SweepLimit; break;
        case LemkeEnd::TimeLimit: report.status = SolveStatus::TimeLimit; break;
        case LemkeEnd::NotFinite: report.status = SolveStatus::NotFinite; break;
    }
    return report;
}

}  // namespace asperity::solvers

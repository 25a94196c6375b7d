// Friction is f = sum_j beta_j g_j with beta_j >= 0 and sum beta_j <= n over the corners g_j of a polygon inside K:
//     0 <= n       perp  u_n                >= 0
//     0 <= beta_j  perp  g_j.u_T + sigma    >= 0        sigma: the drag per unit normal force
//     0 <= sigma   perp  n - sum_j beta_j   >= 0
// Rows without bounds (joints) are eliminated first. The corners of a circle lie on it, so that a set of N facets carries between
// cos(pi/N) and 1 of the true friction (spec 3.4). Sets with a drilling axis and balls get rings of corners on their surface.
// Source: Stewart, Trinkle, "An implicit time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction",
// Int. J. Numer. Meth. Eng. 1996. Ours differs: generators that need not come in pairs, so that any polygon will do.
#include "asperity/solvers/lcp.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace asperity::solvers {
namespace {

constexpr double kRankTolerance = 1e-11;          // of joints: what a redundant one leaves behind
constexpr double kCompliance = 1e-11;             // the diagonal of normal rows is 1
constexpr double kLargestBytes = 5e8;
constexpr double kOperationsPerSecond = 1e9;      // of a product of matrices, cautiously

/// One block as the linear problem sees it.
struct Part {
    int block = 0;
    int column = 0;                  ///< of its first variable
    double scale = 1;                ///< impulse per unit of the variable, as in scaled_problem.h
    double bound = 0;                ///< Interval: high - low, Ball: 1; in units of the variable
    double side = 1;                 ///< Interval: -1 where it is measured down from `high`
    std::vector<Vec3> corners = {};  ///< friction per unit of a beta
};

std::vector<Vec3> sphere(int facets, const Vec3& axes) {
    std::vector<Vec3> out = {{0, 0, axes.z}, {0, 0, -axes.z}};
    const int rings = facets / 2 - 1;
    for (int ring = 1; ring <= rings; ++ring)
        for (int k = 0; k < facets; ++k) {
            const double height = std::numbers::pi * ring / (rings + 1), turn = 2 * std::numbers::pi * k / facets;
            const double wide = std::sin(height);
            out.push_back({axes.x * wide * std::cos(turn), axes.y * wide * std::sin(turn), axes.z * std::cos(height)});
        }
    return out;
}

std::vector<Vec3> corners_of(const Block& block, int count) {
    std::vector<Vec3> out;
    if (const auto* e = std::get_if<friction::Ellipsoid>(&block.set); e && block.rows > 3) {
        out = sphere(count, {e->t, e->b, e->drill});
    } else {
        const auto* polygon = std::get_if<friction::Polygon>(&block.set);
        std::vector<Vec2> plane(std::max<size_t>(polygon ? polygon->corners.size() : static_cast<size_t>(count), 4));   // a rectangle has 4
        if (std::holds_alternative<friction::Ellipse>(block.set)) plane.resize(static_cast<size_t>(count));
        plane.resize(static_cast<size_t>(friction::facets(block.set, count, friction::Fit::Inscribed, plane)));
        for (const Vec2& c : plane) out.push_back({c.x, c.y, 0});
    }
    double radius = 0;
    for (const Vec3& c : out) radius = std::max(radius, length(c));
    std::erase_if(out, [&](const Vec3& c) { return length(c) <= 1e-12 * radius; });   // the origin belongs to the set anyway
    return out;
}

double radius_of(std::span<const Vec3> corners) {
    double radius = 0;
    for (const Vec3& c : corners) radius = std::max(radius, length(c));
    return radius;
}

/// The problem as  lambda = lambda_0 + F z,  w = F^T u + H z + h  with  u = W lambda + q  over the rows that have bounds.
class Polyhedral {
  public:
    Polyhedral(const AssembledProblem& problem, int facets);
    /// Whether the tableau fits the memory, and its making the time.
    bool fits(const Deadline& deadline) const {
        const double rows = static_cast<double>(problem_.q.size()), size = size_;
        const double seconds = rows * size * (rows + size) / kOperationsPerSecond;
        return 16 * size * size + 8 * rows * rows < kLargestBytes && seconds < deadline.left();
    }
    LemkeEnd solve(Lemke& lemke, AssembledProblem& problem, int max_pivots, const Deadline& deadline);
    Residual residual(const AssembledProblem& problem) const;

  private:
    void write_out();
    double residual(const AssembledProblem& problem, const Part& part) const;

    const AssembledProblem& problem_;
    std::vector<Part> parts_;
    std::vector<int> bounded_, free_;            // rows
    std::vector<int> place_;                     // of each row among its kind
    int size_ = 0;
    Eigen::MatrixXd W_;
    Eigen::VectorXd q_;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> joints_;   // W_jj, which redundant joints make singular
};

bool is_free(const Block& block) {
    return block.kind == BlockKind::Bilateral || (block.kind == BlockKind::Interval && std::isinf(block.low) && std::isinf(block.high)) ||
           (block.kind == BlockKind::Ball && std::isinf(block.high));
}

Polyhedral::Polyhedral(const AssembledProblem& problem, int facets) : problem_(problem), place_(problem.q.size(), 0) {
    for (int k = 0; k < problem.block_count(); ++k) {
        const Block& block = problem.blocks[static_cast<size_t>(k)];
        std::vector<int>& rows = is_free(block) ? free_ : bounded_;
        for (int r = block.first_row; r < block.first_row + block.rows; ++r) {
            place_[static_cast<size_t>(r)] = static_cast<int>(rows.size());
            rows.push_back(r);
        }
        const double step = block.kind == BlockKind::Ball ? block.r_f : block.r_n;
        if (is_free(block) || step == 0 || (block.kind == BlockKind::Ball && block.high == 0)) continue;   // where nothing moves, no impulse
        Part part{k, size_, std::sqrt(step)};
        switch (block.kind) {
            case BlockKind::Bilateral:
            case BlockKind::Patch: break;
            case BlockKind::Interval:
                part.side = std::isinf(block.low) ? -1 : 1;
                part.bound = (block.high - block.low) / part.scale;
                size_ += std::isinf(part.bound) ? 1 : 2;
                break;
            case BlockKind::Ball:
                part.corners = sphere(facets, {block.high, block.high, block.high});
                part.scale /= block.high;
                part.bound = 1 / part.scale;
                size_ += static_cast<int>(part.corners.size()) + 1;
                break;
            case BlockKind::Contact:
                if (block.rows > 1 && block.r_f > 0) part.corners = corners_of(block, facets);
                size_ += part.corners.empty() ? 1 : static_cast<int>(part.corners.size()) + 2;
                break;
        }
        parts_.push_back(part);
    }
}

void Polyhedral::write_out() {
    const auto rows = static_cast<Eigen::Index>(problem_.q.size());
    W_.setZero(rows, rows);
    for (size_t k = 0; k < problem_.blocks.size(); ++k)
        for (int e = problem_.W.row_start[k]; e < problem_.W.row_start[k + 1]; ++e) {
            const Block &a = problem_.blocks[k], &b = problem_.blocks[static_cast<size_t>(problem_.W.column[static_cast<size_t>(e)])];
            const double* values = &problem_.W.values[static_cast<size_t>(problem_.W.value_start[static_cast<size_t>(e)])];
            for (int r = 0; r < a.rows; ++r)
                for (int c = 0; c < b.rows; ++c) W_(a.first_row + r, b.first_row + c) = values[r * b.rows + c];
        }
    q_ = Eigen::Map<const Eigen::VectorXd>(problem_.q.data(), rows);
}

LemkeEnd Polyhedral::solve(Lemke& lemke, AssembledProblem& problem, int max_pivots, const Deadline& deadline) {
    write_out();
    if (!W_.allFinite() || !q_.allFinite()) return LemkeEnd::NotFinite;
    Eigen::MatrixXd w = W_(bounded_, bounded_);
    Eigen::VectorXd q = q_(bounded_);
    if (!free_.empty()) {   // joints: W_cc - W_cj W_jj^+ W_jc, and the same for q
        joints_.setThreshold(kRankTolerance);
        joints_.compute(W_(free_, free_));
        w -= W_(bounded_, free_) * joints_.solve(W_(free_, bounded_));
        q -= W_(bounded_, free_) * joints_.solve(q_(free_));
    }
    Eigen::MatrixXd F = Eigen::MatrixXd::Zero(w.rows(), size_), H = Eigen::MatrixXd::Zero(size_, size_);
    Eigen::VectorXd start = Eigen::VectorXd::Zero(w.rows()), h = Eigen::VectorXd::Zero(size_);
    for (const Part& part : parts_) {
        const Block& block = problem_.blocks[static_cast<size_t>(part.block)];
        const int first = place_[static_cast<size_t>(block.first_row)];
        int column = part.column;
        const bool ball = block.kind == BlockKind::Ball;
        if (!ball) F(first, column) = part.side * part.scale;
        if (block.kind == BlockKind::Interval) {
            start(first) = part.side < 0 ? block.high : block.low;
            if (std::isinf(part.bound)) continue;
            H(column, column + 1) = 1;
            H(column + 1, column) = -1;
            h(column + 1) = part.bound;
            continue;
        }
        if (part.corners.empty()) continue;
        const int sigma = column + (ball ? 0 : 1) + static_cast<int>(part.corners.size()), friction_row = first + (ball ? 0 : 1);
        const double shrink = 1 / std::max(1.0, ball ? 0.0 : radius_of(part.corners));   // so that a beta is of the size of its force
        if (ball)
            h(sigma) = part.bound;
        else
            H(sigma, column++) = 1;
        for (const Vec3& corner : part.corners) {
            for (int r = 0; r < block.rows - (ball ? 0 : 1); ++r) F(friction_row + r, column) = part.scale * shrink * corner[r];
            H(column, sigma) = shrink;
            H(sigma, column) = -shrink;
            ++column;
        }
    }
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M = F.transpose() * w * F + H;
    const Eigen::VectorXd constant = F.transpose() * (w * start + q) + h;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(size_);
    const auto view = [](auto& v) { return std::span(v.data(), static_cast<size_t>(v.size())); };
    LemkeEnd end = lemke.solve(view(M), view(constant), view(z), max_pivots, deadline);
    if (end == LemkeEnd::Ray) {   // squeezing forces that cancel each other cost nothing, and rounding may make them pay: give them a price
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> softened = M;
        for (Eigen::Index i = 0; i < M.rows(); ++i)
            if (M(i, i) > 0) softened(i, i) += kCompliance;
        end = lemke.solve(view(softened), view(constant), view(z), max_pivots, deadline);
    }
    if (end != LemkeEnd::Solved) return end;
    const Eigen::VectorXd impulse = start + F * z;
    for (size_t i = 0; i < bounded_.size(); ++i) problem.impulse[static_cast<size_t>(bounded_[i])] = impulse(static_cast<Eigen::Index>(i));
    if (free_.empty()) return end;
    const Eigen::VectorXd joints = -joints_.solve(q_(free_) + W_(free_, bounded_) * impulse);   // u = 0 on their rows
    for (size_t i = 0; i < free_.size(); ++i) problem.impulse[static_cast<size_t>(free_[i])] = joints(static_cast<Eigen::Index>(i));
    return end;
}

/// How far one block is from a solution of the polyhedral problem [m/s]: its normal row by the natural map, its friction by how much
/// more of its bound it could dissipate. That it lies within its corners' hull is given by beta >= 0, sum beta <= n.
double Polyhedral::residual(const AssembledProblem& problem, const Part& part) const {
    const Block& block = problem.blocks[static_cast<size_t>(part.block)];
    const double *lambda = problem.impulse_of(block), *u = problem.velocity_of(block);
    if (block.kind == BlockKind::Interval) return natural_map(block, lambda, u);
    const bool ball = block.kind == BlockKind::Ball;
    const double n = ball ? 1 : lambda[0];
    double error = ball ? 0 : std::fabs(lambda[0] - larger(lambda[0] - block.r_n * u[0], 0.0)) / block.r_n;
    if (part.corners.empty() || n == 0) return error;
    double most = 0, now = 0;   // -f.u: of the best corner, of the friction that is
    for (const Vec3& corner : part.corners) {
        double power = 0;
        for (int r = ball ? 0 : 1; r < block.rows; ++r) power -= corner[ball ? r : r - 1] * u[r];
        most = std::max(most, n * power);
    }
    for (int r = ball ? 0 : 1; r < block.rows; ++r) now -= lambda[r] * u[r];
    return std::max(error, std::fabs(most - now) / (n * radius_of(part.corners)));
}

Residual Polyhedral::residual(const AssembledProblem& problem) const {
    Residual worst;
    const auto count = [&](double value, int block) {
        if (!(value <= worst.value)) worst = {value, block};
    };
    for (const Part& part : parts_) count(residual(problem, part), part.block);
    for (int k = 0; k < problem.block_count(); ++k) {
        const Block& block = problem.blocks[static_cast<size_t>(k)];
        if (is_free(block)) count(natural_map(block, problem.impulse_of(block), problem.velocity_of(block)), k);
    }
    return worst;
}

}  // namespace

SolveReport Lcp::solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    const Deadline deadline(options.time_limit);
    SolveReport report;
    history.clear();
    Polyhedral polyhedral(problem, options.facets);
    if (!polyhedral.fits(deadline)) {
        conclude(report, problem, options);
        if (report.status != SolveStatus::NotFinite) report.status = SolveStatus::Failed;
        return report;
    }
    const LemkeEnd end = polyhedral.solve(lemke_, problem, options.max_sweeps, deadline);
    report.sweeps = lemke_.pivots();
    conclude(report, problem, options);
    if (report.status == SolveStatus::NotFinite) return report;
    const Residual rest = polyhedral.residual(problem);
    report.residual = rest.value;
    report.worst_block = rest.worst_block;
    history.push_back(rest.value);
    switch (end) {
        case LemkeEnd::Solved: report.status = rest.value <= options.tolerance ? SolveStatus::Converged : SolveStatus::Stalled; break;
        case LemkeEnd::Ray: report.status = SolveStatus::Failed; break;
        case LemkeEnd::PivotLimit: report.status = SolveStatus::SweepLimit; break;
        case LemkeEnd::TimeLimit: report.status = SolveStatus::TimeLimit; break;
        case LemkeEnd::NotFinite: report.status = SolveStatus::NotFinite; break;
    }
    return report;
}

}  // namespace asperity::solvers

// In the units of scaled_problem.h (A = D W D). z lies in the cones, x satisfies the equation of motion; at a solution x =
// z.
//     z = P(y),   g = rho (z - y)  in C*,   s = h_K'(-g_T),
//     (A + rho) x = rho (2 z - y) - q - s,   y+ = y + x - z.
// This is ADMM written in a single state y (Douglas-Rachford). z are the impulses and g the velocities with De Saxce's term,
// so the term s is updated in every step. The map y -> y+ is mixed by Anderson acceleration. Rows of joints have no set;
// their rho is nearly zero, so that the equation of motion solves them in every step. Over-relaxation, y+ = y + 1.6 (x - z),
// is not used: on most of 24 problem files it was slower, with mixing and without. If W is not symmetric, its symmetric part
// is factorised and the rest acts on z. Sources: Acary, Bremond, Huber, "On solving contact problems with Coulomb friction:
// formulations and numerical comparisons", 2018 (s within ADMM, balancing of rho); Boyd et al., "Distributed optimization
// and statistical learning via ADMM", 2011; Zhang, O'Donoghue, Boyd, "Globally convergent type-I Anderson acceleration",
// SIAM J. Optim. 2020 (mixing on y with a safeguard).
#include "asperity/solvers/reference/admm.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/deadline.h"

namespace asperity::solvers {
namespace {

constexpr double kFirstPenalty = 0.1;  // rho, relative to the diagonal blocks of A, which have size 1
constexpr double kJointPenalty = 1e-8;
constexpr int kDepth = 10;  // iterates in the Anderson mixture
// a mixture that makes |y+ - y| grow by more than this is undone; with 2 the iteration never settles
constexpr double kGrowth = 1;
constexpr int kCheckEvery = 5;
constexpr int kBalanceFirst = 10;  // steps before rho is first adapted; the interval grows by half each time
constexpr double kBalance = 3;     // rho changes only by more than this factor
constexpr double kLeastPenalty = 1e-6, kLargestPenalty = 1e6;
constexpr double kOperationsPerSecond = 5e8;  // of a factorisation, a cautious value; predicts whether there is time for one

constexpr double kSymmetric = 1e-13;

double norm(std::span<const double> a) {
    double sum = 0;
    for (const double v : a) sum += v * v;
    return std::sqrt(sum);
}
double distance(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

}  // namespace

bool Admm::set_penalty(const AssembledProblem& problem, double rho) {
    rho_ = rho;
    for (const Block& block : problem.blocks) {
        const bool joint = block.kind == BlockKind::Bilateral;
        for (int r = block.first_row; r < block.first_row + block.rows; ++r)
            shift_[static_cast<size_t>(r)] = joint ? kJointPenalty : rho;
    }
    return factor_.factorise(shift_);
}

/// Whether W has a skew part beyond rounding, as in some problem files. The factor holds the symmetric part of W.
bool Admm::is_skewed() {
    for (size_t i = 0; i < x_.size(); ++i) x_[i] = 1 + 0.5 * std::sin(static_cast<double>(i));
    scaled_.multiply(x_, full_);
    factor_.multiply(x_, symmetric_);
    return distance(full_, symmetric_) > kSymmetric * norm(full_);
}

/// Writes y+ to `next`; z_, g_, s_ and x_ are those of the step.
void Admm::map(std::span<const double> y, std::span<double> next) {
    const auto rows = y.size();
    std::copy(y.begin(), y.end(), z_.begin());
    scaled_.project(z_);
    for (size_t i = 0; i < rows; ++i) g_[i] = shift_[i] * (z_[i] - y[i]);
    scaled_.de_saxce_term(g_, s_);
    for (size_t i = 0; i < rows; ++i) x_[i] = shift_[i] * (2 * z_[i] - y[i]) - scaled_.q()[i] - s_[i];
    if (skewed_) {
        scaled_.multiply(z_, full_);
        factor_.multiply(z_, symmetric_);
        for (size_t i = 0; i < rows; ++i) x_[i] -= full_[i] - symmetric_[i];
    }
    factor_.solve(x_);
    for (size_t i = 0; i < rows; ++i) next[i] = y[i] + x_[i] - z_[i];
}

/// Residual balancing: rho rises while x differs from z, and falls while z still changes. Writes z+ = P(y+) to moved_.
double Admm::balanced_penalty() {
    std::copy(next_.begin(), next_.end(), moved_.begin());
    scaled_.project(moved_);
    double lag = 0, motion = 0;
    for (size_t i = 0; i < x_.size(); ++i) {
        lag += (x_[i] - moved_[i]) * (x_[i] - moved_[i]);
        motion += shift_[i] * shift_[i] * (moved_[i] - z_[i]) * (moved_[i] - z_[i]);
    }
    const double primal = std::sqrt(lag) / std::fmax(norm(x_), norm(moved_));
    const double dual = std::sqrt(motion) / std::fmax(norm(g_), norm(scaled_.q()));
    const double rho = clamp(rho_ * std::sqrt(primal / dual), kLeastPenalty, kLargestPenalty);
    return rho > kBalance * rho_ || rho < rho_ / kBalance ? rho : rho_;
}

SolveReport Admm::solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    if (HeldCentres::are_needed(problem)) return centres_.solve(*this, problem, options, history);
    const Deadline deadline(options.time_limit);
    SolveReport report;
    history.clear();
    if (problem.blocks.empty()) return report;
    scaled_.start(problem);
    const auto rows = problem.q.size();
    for (auto* v : {&shift_, &y_, &next_, &plain_, &z_, &x_, &g_, &s_, &moved_, &best_, &full_, &symmetric_})
        v->assign(rows, 0);
    scaled_.load_impulse(z_);
    scaled_.project(z_);
    best_ = z_;
    scaled_.store_impulse(z_, problem);
    problem.refresh_velocities();
    double best = residual(problem, options.measure).value;
    const auto give_up = [&](SolveStatus why) {
        report.status = why;
        scaled_.store_impulse(best_, problem);
        conclude(report, problem, options);
        return report;
    };
    if (!(best > options.tolerance)) return give_up(SolveStatus::Converged);
    factor_.analyse(problem, scaled_.scale());
    const double factor_seconds = factor_.operations() / kOperationsPerSecond;
    if (factor_seconds > deadline.left()) return give_up(SolveStatus::TimeLimit);
    if (!set_penalty(problem, kFirstPenalty)) return give_up(SolveStatus::Failed);
    skewed_ = is_skewed();
    // State of the warm start: z = P(y), and g = D u + s as far as the dual cone allows. Without a warm start y = 0, as if
    // all contacts stuck; an s from the free slip would first open all contacts with large mu.
    const bool cold = norm(z_) == 0;
    for (size_t i = 0; i < rows; ++i) x_[i] = scaled_.scale()[i] * problem.velocity[i];
    scaled_.de_saxce_term(x_, s_);
    for (size_t i = 0; i < rows; ++i) y_[i] = z_[i] - (shift_[i] == rho_ && !cold ? (x_[i] + s_[i]) / rho_ : 0);

    std::vector<double> weight(rows, 1.0);
    anderson_.start(weight, kDepth);
    double last_step = 0;
    bool mixed = false;
    int since_balance = 0, next_balance = kBalanceFirst;
    while (report.sweeps < options.max_sweeps) {
        map(y_, next_);
        ++report.sweeps;
        const double step = distance(next_, y_);
        if (!std::isfinite(step)) break;
        if (mixed && step > kGrowth * last_step) {  // return to the result of the plain map
            std::copy(plain_.begin(), plain_.end(), y_.begin());
            anderson_.restart();
            mixed = false;
            ++report.rejections;
            continue;
        }
        last_step = step;
        if (report.sweeps % kCheckEvery == 0) {
            scaled_.store_impulse(z_, problem);
            problem.refresh_velocities();
            const double error = residual(problem, options.measure).value;
            history.push_back(error);
            if (!(error >= best)) {
                best = error;
                best_ = z_;
            }
            if (error <= options.tolerance) break;
        }
        if (deadline.passed()) {
            report.status = SolveStatus::TimeLimit;
            break;
        }
        std::copy(next_.begin(), next_.end(), plain_.begin());
        if (++since_balance >= next_balance) {
            since_balance = 0;
            next_balance += next_balance / 2;
            const double rho = balanced_penalty();
            if (rho != rho_ && factor_seconds < deadline.left()) {
                const double ratio = rho_ / rho;  // z and g are unchanged: y = z - g/rho
                for (size_t i = 0; i < rows; ++i)
                    if (shift_[i] == rho_) next_[i] = moved_[i] - ratio * (moved_[i] - next_[i]);
                if (!set_penalty(problem, rho)) return give_up(SolveStatus::Failed);
                anderson_.restart();
                mixed = false;
                std::swap(y_, next_);
                continue;
            }
        }
        anderson_.extrapolate(y_, next_);
        mixed = true;
        std::swap(y_, next_);
    }
    scaled_.store_impulse(best_, problem);
    conclude(report, problem, options);
    return report;
}

}  // namespace asperity::solvers

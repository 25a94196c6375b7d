// With s fixed, the solution minimises f(x) = x.A x/2 + (q + s).x over the cones (A = D W D, scaled_problem.h). Nesterov's
// step from y:
//     x+ = P(y - (A y + q + s)/L),   y+ = x+ + beta (x+ - x),
// L follows from backtracking: f is below its quadratic model of curvature L exactly if d.A d <= L d.d, d = x+ - y. The
// momentum is reset when it points uphill. Each step needs one product with W: A y follows from A x and A x+ by linearity.
// Sources: Mazhar, Heyn, Negrut, Tasora, "Using Nesterov's method to accelerate multibody dynamics with friction and
// contact", ACM Trans. Graph. 2015; O'Donoghue, Candes, "Adaptive restart for accelerated gradient schemes", Found. Comput.
// Math. 2015. Ours differs: the scaling; a curvature test without differences of f; and s. Without s the result is the
// convex relaxation, in which slipping contacts separate.
#include "asperity/solvers/reference/apgd.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/deadline.h"

namespace asperity::solvers {
namespace {

constexpr int kCheckEvery = 4;           // iterations between two computations of the full residual
constexpr double kCurvatureDecay = 0.9;  // factor on L per iteration, so that L recovers after a stiff phase
constexpr double kInnerAccuracy = 0.5;   // s is updated when the step is shorter than this times the wanted change of s
constexpr double kFirstAccuracy = 0.1;
// or after this many iterations: where W has no stiffness, loads drift and the steps never get shorter
constexpr int kPatience = 50;
constexpr double kLeastShare = 0.1;  // smallest fraction of the wanted change of s

}  // namespace

SolveReport Apgd::solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    if (HeldCentres::are_needed(problem)) return centres_.solve(*this, problem, options, history);
    const Deadline deadline(options.time_limit);
    SolveReport report;
    history.clear();
    scaled_.start(problem);
    const auto rows = problem.q.size();
    for (auto* v : {&x_, &y_, &next_, &Wx_, &Wy_, &Wnext_, &s_, &new_s_, &v_, &gap_, &moved_}) v->assign(rows, 0);
    scaled_.load_impulse(x_);
    scaled_.project(x_);
    scaled_.multiply(x_, Wx_);
    const auto velocity_of = [&](std::span<const double> Wx) {  // D u
        for (size_t i = 0; i < rows; ++i) v_[i] = Wx[i] + scaled_.q()[i];
    };
    velocity_of(Wx_);
    // Without a warm start s = 0, as if all contacts stuck; an s from the free slip would first open all contacts with large
    // mu.
    if (std::any_of(x_.begin(), x_.end(), [](double value) { return value != 0; })) scaled_.de_saxce_term(v_, s_);
    scaled_.store(x_, v_, problem);
    double error = residual(problem, options.measure).value, best = error;
    best_ = x_;
    y_ = x_;
    Wy_ = Wx_;
    double theta = 1, L = 1;
    int waited = 0;
    double first_gradient2 = -1;
    bool corrected = false;  // s may change only after the first s has taken effect
    while (error > options.tolerance && report.sweeps < options.max_sweeps) {
        double step2 = 0;
        for (;;) {  // backtracking
            for (size_t i = 0; i < rows; ++i) next_[i] = y_[i] - (Wy_[i] + scaled_.q()[i] + s_[i]) / L;
            scaled_.project(next_);
            scaled_.multiply(next_, Wnext_);
            double curvature = 0;
            step2 = 0;
            for (size_t i = 0; i < rows; ++i) {
                const double d = next_[i] - y_[i];
                curvature += d * (Wnext_[i] - Wy_[i]);
                step2 += d * d;
            }
            ++report.sweeps;
            if (!(curvature > L * step2 * (1 + 1e-12)) || report.sweeps >= options.max_sweeps || deadline.passed()) break;
            L = std::fmax(2 * L, curvature / step2);
            ++report.rejections;
        }
        if (!std::isfinite(step2)) break;
        double uphill = 0;  // (y - x+) L is the gradient used by the step
        for (size_t i = 0; i < rows; ++i) uphill += (y_[i] - next_[i]) * (next_[i] - x_[i]);
        const double next_theta = 0.5 * theta * (std::sqrt(theta * theta + 4) - theta);
        double beta = theta * (1 - theta) / (theta * theta + next_theta);
        theta = next_theta;
        if (uphill > 0) {
            theta = 1;
            beta = 0;
        }
        velocity_of(Wnext_);
        scaled_.de_saxce_term(v_, new_s_);
        double change2 = 0;
        for (size_t i = 0; i < rows; ++i) change2 += (new_s_[i] - s_[i]) * (new_s_[i] - s_[i]);
        const double gradient2 = L * L * step2;
        if (first_gradient2 < 0) first_gradient2 = gradient2;
        corrected = corrected || gradient2 <= kFirstAccuracy * kFirstAccuracy * first_gradient2;
        if ((corrected && gradient2 <= kInnerAccuracy * kInnerAccuracy * change2) || ++waited >= kPatience) {
            waited = 0;
            // s may overshoot the fixed point of its map h by up to mu^2 if mu is large. So each contact's step is the
            // secant step on h(s) - s.
            for (size_t i = 0; i < rows; ++i) {
                const double gap = new_s_[i] - s_[i];
                double share = 1;
                if (gap_[i] != 0 && gap != gap_[i]) {
                    share = -moved_[i] / (gap - gap_[i]);
                    share = share > 0 ? clamp(share, kLeastShare, 1.0) : 1;
                }
                gap_[i] = gap;
                moved_[i] = share * gap;
                s_[i] += moved_[i];
            }
        }
        for (size_t i = 0; i < rows; ++i) {
            y_[i] = next_[i] + beta * (next_[i] - x_[i]);
            Wy_[i] = Wnext_[i] + beta * (Wnext_[i] - Wx_[i]);
        }
        std::swap(x_, next_);
        std::swap(Wx_, Wnext_);
        L *= kCurvatureDecay;
        if (deadline.passed()) {
            report.status = SolveStatus::TimeLimit;
            break;
        }
        if (report.sweeps % kCheckEvery != 0) continue;
        scaled_.store(x_, v_, problem);
        error = residual(problem, options.measure).value;
        history.push_back(error);
        if (!(error >= best)) {
            best = error;
            best_ = x_;
        }
    }
    scaled_.store_impulse(best_, problem);
    conclude(report, problem, options);
    return report;
}

}  // namespace asperity::solvers

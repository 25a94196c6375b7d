#include "asperity/solvers/newton/newton.h"

#include <algorithm>
#include <cmath>

#include "asperity/solvers/assembled/assembled_prox.h"
#include "asperity/solvers/newton/fischer_burmeister.h"

namespace asperity::solvers {
namespace {

constexpr double kSmallestAlpha = 1e-9;  // keeps the factors finite if contacts are redundant
constexpr double kLargestAlpha = 10;
// Fraction of alpha that applies to joints. Joints are linear and need a proximal term only if they are redundant. At 1,
// their impulses take many centres to reach the values that hold the bodies together; until then the contacts belong to a
// softer mechanism. On a car, 1e-2 to 1e-6 perform alike, with a third of the iterations of 1.
constexpr double kJointShare = 1e-2;
constexpr double kRaise = 10, kLower = 0.3;
constexpr int kCaution = 2;  // successes required after a failure before alpha falls faster than by kLower
constexpr int kInnerSteps = 10;
constexpr double kInnerReduction = 0.1;  // reduction of |F| that moves the centre
constexpr int kHalvings = 12;
constexpr int kRescueSweeps = 50;
// Ratio of multiplications per iteration to entries of W above which a problem is broad. A broad problem with a cold start
// gets kFirstSweeps sweeps first. Else half of its iterations are wasted far from the solution, and each costs more than all
// these sweeps. FCLIB's walls and towers have 1000 or less, the pyramid of 2,216 contacts 10,000.
constexpr double kBroad = 5000;
constexpr int kFirstSweeps = 100;
constexpr int kPatience = 200;  // iterations in which the error must fall by a tenth, else the solver stops

size_t at(int i) { return static_cast<size_t>(i); }

}  // namespace

void Newton::start(AssembledProblem& p, const SolveOptions& options, const Deadline& deadline) {
    system_.prepare(p);
    const bool cold = std::all_of(p.impulse.begin(), p.impulse.end(), [](double lambda) { return lambda == 0; });
    if (cold && system_.largest_work() > kBroad * static_cast<double>(p.W.values.size()))
        sweep(p, kFirstSweeps, options, deadline);
    p.refresh_velocities();
    for (auto* v : {&centre_, &proximal_u_, &trial_, &trial_u_}) v->assign(p.q.size(), 0.0);
    for (auto* v : {&multiplier_, &centre_multiplier_, &trial_multiplier_}) v->assign(p.blocks.size(), 0.0);
    if (form_ == Form::FischerBurmeister)
        for (size_t k = 0; k < p.blocks.size(); ++k)
            multiplier_[k] = first_multiplier(p.blocks[k], p.impulse_of(p.blocks[k]), p.velocity_of(p.blocks[k]));
    alpha_ = kFirstAlpha;
    best_ = p.impulse;
    best_error_ = std::numeric_limits<double>::infinity();
    best_at_ = iterations_ = 0;
    successes_ = kCaution;
}

void Newton::sweep(AssembledProblem& p, int count, const SolveOptions& options, const Deadline& deadline) {
    std::vector<double> ignored;
    AssembledProx().solve(p, {options.tolerance, count, deadline.left(), options.measure, true}, ignored);
}

double Newton::work_per_iteration(const AssembledProblem& problem) {
    system_.prepare(problem);
    return system_.largest_work() / kDenseSpeed;
}

double Newton::work_per_iteration(const AssembledProblem& problem, std::span<const int> rows) {
    system_.prepare(problem);
    return system_.work(rows) / kDenseSpeed;
}

double Newton::merit(const AssembledProblem& p, std::span<const double> lambda, std::span<const double> u,
                     std::span<const double> multiplier) {
    const std::span<const double> r = system_.r(), scale = system_.scale(), weight = system_.weight();
    for (size_t i = 0; i < u.size(); ++i) proximal_u_[i] = u[i] + weight[i] * (lambda[i] - centre_[i]);
    double sum = 0;
    for (size_t k = 0; k < p.blocks.size(); ++k) {
        const Block& block = p.blocks[k];
        const size_t first = at(block.first_row);
        double F[kMaxBlockRows + 1];
        if (form_ == Form::FischerBurmeister && has_multiplier(block, &r[first], &lambda[first], &proximal_u_[first])) {
            fischer_burmeister_of(block, &r[first], &lambda[first], multiplier[k], &proximal_u_[first], F);
            sum += F[block.rows] * F[block.rows] * scale[first];
        } else {
            natural_map_of(block, &r[first], &lambda[first], &proximal_u_[first], F);
        }
        for (int i = 0; i < block.rows; ++i) sum += F[i] * F[i] * scale[first + at(i)];
    }
    return 0.5 * sum;
}

bool Newton::newton_step(const AssembledProblem& p) {
    merit(p, p.impulse, p.velocity, multiplier_);
    const double* r = system_.r().data();
    for (int k = 0; k < p.block_count(); ++k) {
        const Block& block = p.blocks[at(k)];
        const size_t first = at(block.first_row);
        system_.linearisation(k) =
            form_ == Form::FischerBurmeister && has_multiplier(block, r + first, &p.impulse[first], &proximal_u_[first])
                ? linearise_fischer_burmeister(block, r + first, &p.impulse[first], multiplier_[at(k)], &proximal_u_[first])
                : linearise(block, r + first, &p.impulse[first], &proximal_u_[first]);
    }
    return system_.solve();
}

double Newton::try_step(const AssembledProblem& p, double t) {
    for (size_t i = 0; i < trial_.size(); ++i) {
        trial_[i] = p.impulse[i] + t * system_.impulse_change()[i];
        trial_u_[i] = p.velocity[i] + t * system_.velocity_change()[i];
    }
    for (size_t k = 0; k < trial_multiplier_.size(); ++k)
        trial_multiplier_[k] = multiplier_[k] + t * system_.multiplier_change()[k];
    return merit(p, trial_, trial_u_, trial_multiplier_);
}

bool Newton::update_best(AssembledProblem& p, const SolveOptions& options) {
    double error = residual(p, options.measure).value;
    if (error <= options.tolerance) {  // steps through far larger impulses leave rounding in the velocities
        p.refresh_velocities();
        error = residual(p, options.measure).value;
    }
    history_->push_back(error);
    if (error < 0.9 * best_error_) best_at_ = iterations_;
    if (error < best_error_) {
        best_error_ = error;
        best_ = p.impulse;
    }
    return error <= options.tolerance;
}

/// Takes full steps as long as alpha allows. The merit may rise on the way, as it often must where contacts change between
/// sticking and slipping; only the merit after kInnerSteps counts. At the largest alpha a line search makes every step lower
/// the merit.
Newton::Inner Newton::solve_proximal(AssembledProblem& p, const SolveOptions& options, const Deadline& deadline,
                                     SolveReport& report) {
    system_.weigh(alpha_, std::max(kJointShare * alpha_, kSmallestAlpha));
    first_merit_ = last_merit_ = merit(p, p.impulse, p.velocity, multiplier_);
    double before_last = -1;
    for (int inner = 0; inner < kInnerSteps; ++inner) {
        if (deadline.passed()) {
            report.status = SolveStatus::TimeLimit;
            return Inner::Ended;
        }
        if (iterations_ >= options.max_sweeps) return Inner::Ended;
        if (iterations_ - best_at_ > kPatience) {
            report.status = options.measure == Measure::NaturalMap && best_error_ < kInvisible ? SolveStatus::Stalled
                                                                                               : SolveStatus::Failed;
            return Inner::Ended;
        }
        if (!newton_step(p)) {
            report.status = SolveStatus::Failed;
            return Inner::Ended;
        }
        ++iterations_;
        double t = 1, value = try_step(p, t);
        if (alpha_ >= kLargestAlpha)
            for (int halving = 0; halving < kHalvings && !(value <= (1 - 1e-3 * t) * last_merit_); ++halving)
                value = try_step(p, t *= 0.5);
        if (!std::isfinite(value)) return Inner::NotSolved;
        p.impulse.swap(trial_);
        p.velocity.swap(trial_u_);
        multiplier_.swap(trial_multiplier_);
        if (std::fabs(value - before_last) < 1e-9 * value) return Inner::NotSolved;  // cycles between two active sets
        before_last = last_merit_;
        last_merit_ = value;
        if (update_best(p, options)) return Inner::Ended;
        if (last_merit_ <= kInnerReduction * kInnerReduction * first_merit_) return Inner::Solved;
    }
    return last_merit_ < first_merit_ && alpha_ >= kLargestAlpha ? Inner::Solved : Inner::NotSolved;
}

void Newton::go_back(AssembledProblem& p) {
    p.impulse = centre_;
    multiplier_ = centre_multiplier_;
    p.refresh_velocities();
}

SolveReport Newton::solve(AssembledProblem& p, const SolveOptions& options, std::vector<double>& history) {
    const Deadline deadline(options.time_limit);
    SolveReport report;
    history.clear();
    history_ = &history;
    start(p, options, deadline);
    bool done = p.blocks.empty() || update_best(p, options) || !std::isfinite(history.back());
    while (!done) {
        centre_ = p.impulse;
        centre_multiplier_ = multiplier_;
        switch (solve_proximal(p, options, deadline, report)) {
            case Inner::Ended: done = true; break;
            case Inner::Solved:
                ++successes_;
                alpha_ *= successes_ > kCaution ? std::min(kLower, std::sqrt(last_merit_ / first_merit_)) : kLower;
                alpha_ = std::max(alpha_, kSmallestAlpha);
                p.refresh_velocities();  // rounding of the steps
                break;
            case Inner::NotSolved:
                go_back(p);
                ++report.rejections;
                successes_ = 0;
                if (alpha_ < kLargestAlpha) {
                    alpha_ = std::min(kLargestAlpha, alpha_ * kRaise);
                    break;
                }
                // not even the easiest problem was solved from here: start from somewhere else
                sweep(p, kRescueSweeps, options, deadline);
                alpha_ = kFirstAlpha;
                done = update_best(p, options);
                break;
        }
    }
    p.impulse = best_;
    report.sweeps = iterations_;
    conclude(report, p, options);
    return report;
}

}  // namespace asperity::solvers

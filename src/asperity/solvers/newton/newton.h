// Semismooth Newton in a proximal-point loop: `newton` on the natural map, `newton_fb` on Fischer-Burmeister functions.
#pragma once
#include "asperity/core/deadline.h"
#include "asperity/solvers/newton/reduced_system.h"

namespace asperity::solvers {

/// Outer loop: with centre c = lambda and a weight alpha, solve the problem whose velocities are
///     u + alpha (lambda - c) / r,         r the step lengths of the rows, about 1/W_ii
/// This problem is regular even if W is singular (redundant contacts), and easy while alpha is large. Its solutions lead to
/// the solution for alpha = 0 (Rockafellar 1976). Inner loop: Newton on F = 0 of that problem. After a successful inner loop
/// alpha falls as fast as |F| has fallen, so that convergence at the end is quadratic. A failed one restores the centre and
/// raises alpha. docs/solvers/newton.md
class Newton final : public AssembledSolver {
  public:
    enum class Form { NaturalMap, FischerBurmeister };

    /// First proximal weight, in units of W_ii. On the FCLIB problems values from 1e-6 to 0.1 solve the same set, in up to
    /// 1.7 times the time of 0.01.
    static constexpr double kFirstAlpha = 1e-2;

    explicit Newton(Form form = Form::NaturalMap) : form_(form) {}
    std::string_view name() const override { return form_ == Form::NaturalMap ? "newton" : "newton_fb"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

    static constexpr double kInvisible = 2e-8;  ///< [m/s] an error below this that no longer falls is rounding

    /// The work of one iteration with all blocks active, mostly that of its factorisation. Unit: the time of one
    /// multiplication in a sweep.
    double work_per_iteration(const AssembledProblem& problem);
    /// The same with rows[k] unknowns in block k.
    double work_per_iteration(const AssembledProblem& problem, std::span<const int> rows);
    /// Multiplications of a factorisation in the time of one in a sweep: in a dense front they are faster.
    static constexpr double kDenseSpeed = 3;
    /// Values in the factors of the last call of work_per_iteration().
    double factor_values() const { return system_.factor_values(); }

  private:
    enum class Inner { Solved, NotSolved, Ended };

    void start(AssembledProblem& problem, const SolveOptions& options, const Deadline& deadline);
    /// Runs `count` sweeps of `prox` with exact contacts.
    static void sweep(AssembledProblem& problem, int count, const SolveOptions& options, const Deadline& deadline);
    /// Newton steps on the problem with the present centre and alpha.
    Inner solve_proximal(AssembledProblem& problem, const SolveOptions& options, const Deadline& deadline,
                         SolveReport& report);
    /// Half the energy of F: sum F^2 / (2 r) [J]. Leaves the velocities of the proximal problem in proximal_u_.
    double merit(const AssembledProblem& problem, std::span<const double> lambda, std::span<const double> u,
                 std::span<const double> multiplier);
    bool newton_step(const AssembledProblem& problem);
    /// Computes the trial point at a fraction `t` of the Newton step; returns its merit.
    double try_step(const AssembledProblem& problem, double t);
    void go_back(AssembledProblem& problem);
    /// Updates the best iterate; returns true if its residual is within the tolerance.
    bool update_best(AssembledProblem& problem, const SolveOptions& options);

    Form form_;
    ReducedSystem system_;
    double alpha_ = 0;
    double first_merit_ = 0, last_merit_ = 0;  // of the present inner loop
    std::vector<double> centre_, centre_multiplier_;
    std::vector<double> multiplier_;  // beta of each contact (Fischer-Burmeister)
    std::vector<double> proximal_u_;
    std::vector<double> trial_, trial_u_, trial_multiplier_;
    std::vector<double> best_;
    double best_error_ = 0;
    int best_at_ = 0, iterations_ = 0;
    int successes_ = 0;  // successful inner loops since the last failure
    std::vector<double>* history_ = nullptr;
};

}  // namespace asperity::solvers

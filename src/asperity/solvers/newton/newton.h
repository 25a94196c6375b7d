// Semismooth Newton in a proximal-point loop: `newton` on the natural map, `newton_fb` on Fischer-Burmeister functions.
#pragma once
#include "asperity/core/deadline.h"
#include "asperity/solvers/newton/reduced_system.h"

namespace asperity::solvers {

/// Outer loop: with centre c = lambda and a weight alpha, solve the problem whose velocities are
///     u + alpha (lambda - c) / r,         r the step lengths of the rows, about 1/W_ii
/// which is regular where W is not (redundant contacts) and easy while alpha is large; its solutions lead to that of alpha =
/// 0 (Rockafellar 1976). Inner loop: Newton on F = 0 of that problem. An inner loop that succeeds lets alpha fall as fast as
/// |F| has fallen, so that the end is quadratic; one that does not goes back to the centre and raises alpha.
/// docs/solvers/newton.md
class Newton final : public AssembledSolver {
  public:
    enum class Form { NaturalMap, FischerBurmeister };

    /// Of the proximal weight, in units of W_ii. On the FCLIB problems a first value of 1e-6 to 0.1 solves the same ones, in
    /// up to 1.7 times the time of 0.01.
    static constexpr double kFirstAlpha = 1e-2;

    explicit Newton(Form form = Form::NaturalMap) : form_(form) {}
    std::string_view name() const override { return form_ == Form::NaturalMap ? "newton" : "newton_fb"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

    static constexpr double kInvisible = 2e-8;  ///< [m/s] an error that no longer falls and is below this is rounding

    /// The work of one iteration with all blocks active, which is mostly that of its factorisation, in the unit of sweeps:
    /// what one of their multiplications takes.
    double work_per_iteration(const AssembledProblem& problem);
    /// The same with so many rows of each block.
    double work_per_iteration(const AssembledProblem& problem, std::span<const int> rows);

  private:
    enum class Inner { Solved, NotSolved, Ended };

    void start(AssembledProblem& problem, const SolveOptions& options, const Deadline& deadline);
    /// Sweeps of `prox` on exact contacts.
    static void sweep(AssembledProblem& problem, int count, const SolveOptions& options, const Deadline& deadline);
    /// Newton steps on the problem with the present centre and alpha.
    Inner solve_proximal(AssembledProblem& problem, const SolveOptions& options, const Deadline& deadline,
                         SolveReport& report);
    /// Half the energy of F: sum F^2 / (2 r) [J]. Leaves the velocities of the proximal problem behind.
    double merit(const AssembledProblem& problem, std::span<const double> lambda, std::span<const double> u,
                 std::span<const double> multiplier);
    bool newton_step(const AssembledProblem& problem);
    /// Where the step is tried; `t` of the whole.
    double try_step(const AssembledProblem& problem, double t);
    void go_back(AssembledProblem& problem);
    /// Keeps the best iterate; true when it is good enough.
    bool look(AssembledProblem& problem, const SolveOptions& options);

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
    int successes_ = 0;  // inner loops solved since the last that was not
    std::vector<double>* history_ = nullptr;
};

}  // namespace asperity::solvers

// `admm`: alternating direction method of multipliers. One sparse factorisation serves many steps.
#pragma once
#include "asperity/solvers/iteration/anderson.h"
#include "asperity/solvers/reference/held_centres.h"
#include "asperity/solvers/reference/scaled_problem.h"
#include "asperity/solvers/reference/shifted_factor.h"

namespace asperity::solvers {

class Admm final : public AssembledSolver {
  public:
    std::string_view name() const override { return "admm"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    bool set_penalty(const AssembledProblem& problem, double rho);
    bool is_skewed();
    double balanced_penalty();
    void map(std::span<const double> y, std::span<double> next);

    ScaledProblem scaled_;
    ShiftedFactor factor_;
    Anderson anderson_;
    double rho_ = 1;
    bool skewed_ = false;
    std::vector<double> shift_;  // rho of each row
    std::vector<double> y_, next_, plain_, z_, x_, g_, s_, moved_, best_, full_, symmetric_;
    HeldCentres centres_;  // of patches
};

}  // namespace asperity::solvers

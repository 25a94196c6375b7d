// `pivot`: block principal pivoting with frozen cones.
#pragma once
#include <cstdint>
#include <map>

#include "asperity/core/deadline.h"
#include "asperity/core/hash.h"
#include "asperity/solvers/newton/reduced_system.h"
#include "asperity/solvers/reference/held_centres.h"

namespace asperity::solvers {

/// In the manner of Erleben, Macklin, Andrews, Kry 2020, section 4.3:
///     1. without friction: n = 0 for all contacts
///     2. each limit set is frozen at n K; which contacts are open, stick or slip is guessed, the linear system of the guess
///     is solved,
///        and the guess follows from its solution, until it stays
///     3. n = lambda_n, or part of the way there when that does not get better, and again from 2 until the whole natural map
///     is small
/// Pivots change all wrong guesses at once, which ends after a few on most problems and runs in circles on some; a guess
/// that comes back without any progress is seen, answered by solutions that stay nearer to the last, and reported as Cycled
/// when these do not help. docs/solvers/pivot.md
class Pivot final : public AssembledSolver {
  public:
    std::string_view name() const override { return "pivot"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    enum class End { Settled, Cycled, NotFinite, OutOfTime };

    End settle(AssembledProblem& problem, const SolveOptions& options, const Deadline& deadline, SolveReport& report);
    /// Linearises all blocks with frozen sets; returns a hash of the guess: open, sticking or slipping, block by block.
    std::uint64_t guess(const AssembledProblem& problem);
    /// Energy of the natural map with frozen sets [J].
    double frozen_merit(const AssembledProblem& problem, std::span<const double> lambda, std::span<const double> u) const;

    ReducedSystem system_;
    std::vector<double> frozen_;  // n of each contact
    std::vector<double> best_;
    std::map<std::uint64_t, double> seen_;  // merit at which each guess of the present freeze was last met
    HeldCentres centres_;                   // of patches
};

}  // namespace asperity::solvers

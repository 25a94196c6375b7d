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
///     1. Start without friction: n = 0 for all contacts.
///     2. Freeze each limit set at n K. Guess which contacts are open, stick or slip; solve the linear system of the guess;
///        derive the next guess from its solution. Repeat until the guess does not change.
///     3. Set n = lambda_n (only part of the way if the residual does not fall). Repeat 2 until the natural map is small.
/// Each pivot changes all wrong guesses at once. This ends after a few pivots on most problems and cycles on some. A cycle
/// is detected as a guess that occurs again without progress. The solver then keeps its solutions closer to the last one. It
/// reports Cycled if that does not help. docs/solvers/pivot.md
class Pivot final : public AssembledSolver {
  public:
    std::string_view name() const override { return "pivot"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    enum class End { Settled, Cycled, NotFinite, OutOfTime };

    End settle(AssembledProblem& problem, const SolveOptions& options, const Deadline& deadline, SolveReport& report);
    /// Linearises all blocks with frozen sets. Returns a hash of the guess: open, sticking or slipping for each block.
    std::uint64_t guess(const AssembledProblem& problem);
    /// Energy of the natural map with frozen sets [J].
    double frozen_merit(const AssembledProblem& problem, std::span<const double> lambda, std::span<const double> u) const;

    ReducedSystem system_;
    std::vector<double> frozen_;  // frozen n of each contact
    std::vector<double> best_;
    std::map<std::uint64_t, double> seen_;  // per guess of the present freeze: merit at its last occurrence
    HeldCentres centres_;                   // of patches
};

}  // namespace asperity::solvers

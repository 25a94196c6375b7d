// The interface of every contact solver: a problem in, impulses and a report out. Solvers never throw during a step.
#pragma once
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace asperity::solvers {

class ContactProblem;

/// The residual that is compared with the tolerance.
enum class Measure {
    NaturalMap,  ///< largest natural map of any block [m/s]
    Siconos,     ///< relative error as Siconos computes it [-]; for problems with an assembled W
};

struct SolveOptions {
    double tolerance = 1e-10;  ///< stop below this residual [m/s]; 1e-12 is rounding, 1e-3 is visible
    int max_sweeps = 2000;     ///< stop after this many passes over all blocks; direct methods count their iterations
    double time_limit = std::numeric_limits<double>::infinity();  ///< of one solve [s]
    Measure measure = Measure::NaturalMap;
    /// prox: each visit solves an elliptic contact exactly; a sweep costs half as much again, with a third fewer sweeps
    bool exact_contacts = false;
    double relaxation = 1;  ///< prox: factor on the step lengths, 1 to 2; over-relaxation above 1
    int facets = 16;        ///< lcp: vertices that replace a smooth limit set; relative error about 1 - cos(pi/facets)
};

/// Ordered from good to bad.
enum class SolveStatus {
    Converged,
    /// no progress for long at an error too small to be seen: contacts that contradict each other by rounding
    Stalled,
    Cycled,  ///< pivot: an active set occurred again
    SweepLimit,
    TimeLimit,
    Failed,  ///< the method cannot solve this problem: a secondary ray (lcp), a matrix that cannot be factorised
    NotFinite,
};
std::string_view name(SolveStatus status);

struct SolveReport {
    SolveStatus status = SolveStatus::Converged;
    int sweeps = 0;
    double residual = 0;   ///< largest natural map over all blocks [m/s; rad/s on rows of angular joints]
    int worst_block = -1;  ///< the block with that residual
    int rejections = 0;    ///< prox: number of times the step length was reduced
};

/// A solver is chosen by name once per run, and solve() is one virtual call per step; its cost is negligible.
class Solver {
  public:
    virtual ~Solver() = default;
    virtual std::string_view name() const = 0;
    /// Whether the caller must call ContactProblem::prepare() to make rows of the contacts.
    virtual bool reads_rows() const { return true; }
    /// `problem` holds the warm start on entry and the solution on return. `history` gets one residual per sweep.
    virtual SolveReport solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) = 0;
};

/// Position correction: solves the contacts of a solved problem again without friction, and joints with other biases.
class PositionSolver {
  public:
    virtual ~PositionSolver() = default;
    /// Solves  w = motion + M^-1 J^T p,  0 <= p perp gap_rate + J w >= 0  for each contact of `problem`. `positions` holds
    /// the motion as its velocity, which is replaced by w, and the blocks of joints. Does nothing if `motion` violates no
    /// constraint by more than the tolerance [m/s].
    virtual SolveReport correct(const ContactProblem& problem, std::span<const double> gap_rate, ContactProblem& positions,
                                const SolveOptions& options) = 0;
};

/// Throws InputError that lists the known names.
std::unique_ptr<Solver> make_solver(std::string_view name);
std::vector<std::string> solver_names();
/// The solvers that use double precision throughout and so can reach any tolerance above rounding.
std::vector<std::string> exact_solver_names();

}  // namespace asperity::solvers

// What every contact solver takes and gives: a problem in, impulses and a report out. Never throws in a step.
#pragma once
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace asperity::solvers {

class ContactProblem;

/// What "solved" is measured by.
enum class Measure {
    NaturalMap,  ///< largest natural map of a block [m/s]
    Siconos,     ///< relative error as Siconos reports it [-]; for problems with W written out
};

struct SolveOptions {
    double tolerance = 1e-10;  ///< stop when the residual is below this [m/s]; 1e-12 is rounding, 1e-3 is visible
    int max_sweeps = 2000;     ///< or after this many passes over all blocks; direct methods count their iterations
    double time_limit = std::numeric_limits<double>::infinity();  ///< of one solve [s]
    Measure measure = Measure::NaturalMap;
    /// prox: each visit solves its contact exactly where the set is an ellipse; half again as dear, a third fewer sweeps
    bool exact_contacts = false;
    double relaxation = 1;  ///< prox: step lengths times this, 1 to 2 to over-relax
    int facets = 16;        ///< corners that stand for a smooth limit set (lcp); the error is about 1 - cos(pi/facets)
};

/// From good to bad.
enum class SolveStatus {
    Converged,
    /// no progress for long, and nothing left that could be seen: contacts that contradict each other by rounding
    Stalled,
    Cycled,  ///< an active set came back (pivot)
    SweepLimit,
    TimeLimit,
    Failed,  ///< the method has no answer to this problem: a secondary ray (lcp), a matrix that cannot be factorised
    NotFinite,
};
std::string_view name(SolveStatus status);

struct SolveReport {
    SolveStatus status = SolveStatus::Converged;
    int sweeps = 0;
    double residual = 0;   ///< natural map over all blocks [m/s; rad/s on rows of angular joints]
    int worst_block = -1;  ///< the block with that residual
    int rejections = 0;    ///< how often the step length had to shrink (prox)
};

/// Solvers are chosen by name once per run, so a virtual call per step costs nothing.
class Solver {
  public:
    virtual ~Solver() = default;
    virtual std::string_view name() const = 0;
    /// Whether the caller must make rows of the contacts, by ContactProblem::prepare().
    virtual bool reads_rows() const { return true; }
    /// `problem` holds the warm start on entry and the solution on return. `history` gets one residual per sweep.
    virtual SolveReport solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) = 0;
};

/// Keeps poses apart: the contacts of a solved problem once more, without friction, and joints with other demands.
class PositionSolver {
  public:
    virtual ~PositionSolver() = default;
    /// w = motion + M^-1 J^T p,  0 <= p perp gap_rate + J w >= 0 for each contact of `problem`. `positions` holds the motion
    /// as its velocity, which becomes w, and the blocks of joints. Does nothing when nothing would be broken by more than
    /// the tolerance [m/s].
    virtual SolveReport correct(const ContactProblem& problem, std::span<const double> gap_rate, ContactProblem& positions,
                                const SolveOptions& options) = 0;
};

/// Throws InputError that lists the known names.
std::unique_ptr<Solver> make_solver(std::string_view name);
std::vector<std::string> solver_names();
/// Those that work in double precision throughout, and so converge to any tolerance above rounding.
std::vector<std::string> exact_solver_names();

}  // namespace asperity::solvers

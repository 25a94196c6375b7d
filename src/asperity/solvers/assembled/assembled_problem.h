// The contact problem with an assembled matrix: u = W lambda + q, with the impulse lambda of each block in its set. Problem
// files store this form; direct and gradient methods need it. ContactProblem is the matrix-free form that the step builds.
#pragma once
#include <span>
#include <vector>

#include "asperity/solvers/problem/block.h"
#include "asperity/solvers/problem/solver.h"

namespace asperity::solvers {

class ContactProblem;

/// A sparse matrix of dense blocks, stored by block rows. Both triangles are stored: a row is then contiguous in memory, and
/// the W of some files is not symmetric (gyroscopic terms in an implicit step).
struct BlockMatrix {
    std::vector<int> row_start;    ///< per block row: its first index in `column`, and the end
    std::vector<int> column;       ///< block column; increasing within a row, always includes the diagonal
    std::vector<int> value_start;  ///< per block: its first index in `values`, where its rows follow each other
    std::vector<double> values;
};

class AssembledProblem {
  public:
    std::vector<Block> blocks;     ///< in the order of their rows, without gaps
    BlockMatrix W;                 ///< includes compliance
    std::vector<double> q;         ///< free velocity plus bias [m/s]
    std::vector<double> impulse;   ///< lambda: warm start on entry, solution on return [N s]
    std::vector<double> velocity;  ///< u = W lambda + q [m/s]

    int rows() const { return static_cast<int>(q.size()); }
    int block_count() const { return static_cast<int>(blocks.size()); }

    /// Computes index tables for products with W, step lengths from the diagonal of W, and u of the warm start. Call it
    /// after filling W, q and the blocks.
    void prepare();
    /// Recomputes u = W lambda + q.
    void refresh_velocities();
    /// y = W x.
    void multiply(std::span<const double> x, std::span<double> y) const;
    /// The rows of W x that belong to one block, written to `y`.
    void multiply_row(int block, std::span<const double> x, double* y) const;
    SymBlock diagonal_block(int block) const;
    /// lambda and u of a block.
    const double* impulse_of(const Block& block) const { return &impulse[static_cast<size_t>(block.first_row)]; }
    const double* velocity_of(const Block& block) const { return &velocity[static_cast<size_t>(block.first_row)]; }

  private:
    std::vector<int> diagonal_;    // per block row: index of its diagonal block
    std::vector<int> column_row_;  // per block: first row of its block column
    bool all_points_ = false;      // all blocks have three rows
};

/// Assembles W and q of a prepared problem, with its impulses as the warm start. Memory is reused. False if a stop was
/// requested meanwhile (core/stop.h): then `out` has no blocks.
bool assemble(const ContactProblem& problem, AssembledProblem& out);
/// The same for the chosen blocks in the order given; the velocities caused by all other blocks are part of q.
bool assemble(const ContactProblem& problem, std::span<const int> chosen, AssembledProblem& out);

/// The residual of lambda and u, by the given measure.
Residual residual(const AssembledProblem& problem, Measure measure);
/// The largest natural map of any block [m/s].
Residual natural_map_residual(const AssembledProblem& problem);
/// The error that Siconos 4.4 reports for a problem of circular cones [-]. With P the projection onto K = {|r_T| <= mu r_N}
/// and F = r - P(r - u - (mu |u_T|, 0, 0)), it is sqrt(sum |F|^2) / max(|q|, |r|, |u|). Blocks of other kinds contribute
/// their natural map with step length 1.
Residual siconos_error(const AssembledProblem& problem);
/// |F|^2 of one contact, as in siconos_error().
double cone_defect2(double mu, const double* r, const double* u);

/// Ends a solve: recomputes the velocities, sets residual and status. The caller sets iterations and any reason to stop
/// early.
void conclude(SolveReport& report, AssembledProblem& problem, const SolveOptions& options);

/// Solvers that need W. make_solver() wraps them for use in a step.
class AssembledSolver {
  public:
    virtual ~AssembledSolver() = default;
    virtual std::string_view name() const = 0;
    /// False if the solver replaces the sets by others; its report is then about the replaced problem.
    virtual bool is_exact() const { return true; }
    /// `problem` must be prepared. It holds the warm start on entry, impulses and velocities on return. `history` gets one
    /// residual per iteration.
    virtual SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) = 0;
};

/// Throws InputError that lists the known names.
std::unique_ptr<AssembledSolver> make_assembled_solver(std::string_view name);
std::vector<std::string> assembled_solver_names();

}  // namespace asperity::solvers

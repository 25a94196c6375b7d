// The contact problem with its matrix written out: u = W lambda + q, each block's lambda in its set. What problem files
// hold, and what direct and gradient methods work on. The matrix-free twin, made by the step, is ContactProblem.
#pragma once
#include <span>
#include <vector>

#include "asperity/solvers/problem/block.h"
#include "asperity/solvers/problem/solver.h"

namespace asperity::solvers {

class ContactProblem;

/// A matrix of dense blocks, row of blocks after row of blocks. Both triangles are kept, so that a row is one run of memory,
/// and because the W of files is not always symmetric (gyroscopic terms in an implicit step).
struct BlockMatrix {
    std::vector<int> row_start;    ///< of each block row in `column`; one more than there are rows
    std::vector<int> column;       ///< block column; rising within a row, the diagonal always among them
    std::vector<int> value_start;  ///< of each block in `values`, which holds it row by row
    std::vector<double> values;
};

class AssembledProblem {
  public:
    std::vector<Block> blocks;     ///< in the order of their rows, without gaps
    BlockMatrix W;                 ///< compliance included
    std::vector<double> q;         ///< free velocity plus bias [m/s]
    std::vector<double> impulse;   ///< lambda: warm start on entry, solution on return [N s]
    std::vector<double> velocity;  ///< u = W lambda + q of the solution [m/s]

    int rows() const { return static_cast<int>(q.size()); }
    int block_count() const { return static_cast<int>(blocks.size()); }

    /// What products with W look up, step lengths of the blocks from the diagonal of W, and u of the warm start. Call it
    /// when W, q and the blocks are filled.
    void prepare();
    /// u = W lambda + q, afresh.
    void refresh_velocities();
    /// y = W x.
    void multiply(std::span<const double> x, std::span<double> y) const;
    /// Rows of W x that belong to one block, written to `y`.
    void multiply_row(int block, std::span<const double> x, double* y) const;
    SymBlock diagonal_block(int block) const;
    /// The lambda and u of a block.
    const double* impulse_of(const Block& block) const { return &impulse[static_cast<size_t>(block.first_row)]; }
    const double* velocity_of(const Block& block) const { return &velocity[static_cast<size_t>(block.first_row)]; }

  private:
    std::vector<int> diagonal_;    // entry of the diagonal block of each row of blocks
    std::vector<int> column_row_;  // first row of each block's column
    bool all_points_ = false;      // all blocks have three rows
};

/// Writes out W and q of a prepared problem, with its impulses as the warm start. Memory is reused.
void assemble(const ContactProblem& problem, AssembledProblem& out);
/// The same for some of the blocks, in the order given; what the impulses of all others do is part of q.
void assemble(const ContactProblem& problem, std::span<const int> chosen, AssembledProblem& out);

/// How far lambda, u are from a solution, as `measure` counts it.
Residual residual(const AssembledProblem& problem, Measure measure);
/// The largest natural map of all blocks [m/s].
Residual natural_map_residual(const AssembledProblem& problem);
/// What Siconos 4.4 reports for a problem of circular cones [-]:
/// with P the projection onto K = {|r_T| <= mu r_N},  F = r - P(r - u - (mu |u_T|, 0, 0)),  sqrt(sum |F|^2) / max(|q|, |r|,
/// |u|). Blocks of other kinds count with their natural map of step length 1.
Residual siconos_error(const AssembledProblem& problem);
/// |F|^2 of one contact.
double cone_defect2(double mu, const double* r, const double* u);

/// Ends a solve: velocities afresh, residual, status. Iterations and the reason to stop early are the caller's.
void conclude(SolveReport& report, AssembledProblem& problem, const SolveOptions& options);

/// Solvers that need W. make_solver() wraps them, so that a step can use them too.
class AssembledSolver {
  public:
    virtual ~AssembledSolver() = default;
    virtual std::string_view name() const = 0;
    /// Whether it solves for the sets as they are. If not, its report is about the problem that it solved instead.
    virtual bool is_exact() const { return true; }
    /// `problem` is prepared, holds the warm start on entry and impulses with their velocities on return. `history` gets one
    /// residual per iteration.
    virtual SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) = 0;
};

/// Throws InputError that lists the known names.
std::unique_ptr<AssembledSolver> make_assembled_solver(std::string_view name);
std::vector<std::string> assembled_solver_names();

}  // namespace asperity::solvers

// The contact problem: u = W lambda + b with each block's lambda in its set. The second narrow waist of the engine.
// Matrix-free: W = J M^-1 J^T is never formed; the velocities that lambda has caused so far are kept up to date instead.
// Knows groups of six velocities, matrices and sets; never bodies, shapes or scenes.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "asperity/friction/limit_surface.h"
#include "asperity/math/dense.h"
#include "asperity/solvers/solver.h"

namespace asperity::solvers {

/// Six velocities that move together.
struct Twist {
    Vec3 linear, angular;
};

/// One row of J. Action equals reaction: what pushes b along `linear` pushes a along -linear, so one vector serves both.
struct Row {
    Vec3 linear, angular_a, angular_b;

    /// J v of the row.
    double rate(const Twist& a, const Twist& b) const {
        return dot(linear, b.linear - a.linear) + dot(angular_a, a.angular) + dot(angular_b, b.angular);
    }
};

/// The angular part of the same row of M^-1 J^T; the linear part is linear / mass.
struct Response {
    Vec3 angular_a, angular_b;
};

enum class BlockKind : std::uint8_t {
    Bilateral,   ///< u = 0, any impulse: joints
    Interval,    ///< one row; low <= lambda <= high with u >= 0 at low, u <= 0 at high: limits, motors, frictionless contacts
    Ball,        ///< |lambda| <= high: springs and welds of bounded strength
    Contact,     ///< row 0 normal: 0 <= lambda_n perp u_n >= 0; the rest: lambda_f in lambda_n K, maximally dissipative
};

struct Block {
    int a = 0, b = 0;                  ///< velocity groups
    int first_row = 0;
    int rows = 0;                      ///< 1 to 6; contacts have 1 (frictionless), 3 (point) or 4 (with drilling)
    BlockKind kind = BlockKind::Bilateral;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    friction::LimitSet set = friction::Ellipse{0, 0};
    // filled by prepare()
    double r_n = 0, r_f = 0;           ///< step lengths: 1/W_nn and 1/(largest eigenvalue of W_ff) [kg]
    int inverse = -1;                  ///< of W_ii + compliance, for Bilateral blocks
};

class ContactProblem {
  public:
    /// Forgets everything but the memory.
    void reset(int group_count);

    // What the builder fills. Groups: a group with zero inverse mass and inertia moves as it likes and feels nothing.
    std::vector<Twist> velocity;             ///< free velocity on entry, with prepare() plus the warm start, at last the solution
    std::vector<double> inverse_mass;        ///< [1/kg]
    std::vector<Mat3> inverse_inertia;       ///< world axes [1/(kg m^2)]
    std::vector<Block> blocks;
    std::vector<Row> jacobian;
    std::vector<double> bias;                ///< u = J v + bias + compliance * lambda: minus the wanted velocity [m/s]
    std::vector<double> compliance;          ///< [1/kg]
    std::vector<double> impulse;             ///< lambda: warm start on entry, solution on return [N s]

    /// Appends a block with zero rows for the caller to fill.
    Block& add_block(BlockKind kind, int rows, int a, int b);

    /// Computes M^-1 J^T, the diagonal blocks and step lengths, and applies the warm start to the velocities.
    void prepare();

    /// u of one row at the present velocities.
    double row_velocity(const Block& block, int row) const {
        const auto i = static_cast<size_t>(row);
        return jacobian[i].rate(velocity[static_cast<size_t>(block.a)], velocity[static_cast<size_t>(block.b)]) + bias[i] +
               compliance[i] * impulse[i];
    }
    /// lambda_row += change, and the velocities follow.
    void add_impulse(const Block& block, int row, double change) {
        const auto i = static_cast<size_t>(row), a = static_cast<size_t>(block.a), b = static_cast<size_t>(block.b);
        impulse[i] += change;
        velocity[a].linear -= (inverse_mass[a] * change) * jacobian[i].linear;
        velocity[b].linear += (inverse_mass[b] * change) * jacobian[i].linear;
        velocity[a].angular += change * response_[i].angular_a;
        velocity[b].angular += change * response_[i].angular_b;
    }
    std::span<const Response> response() const { return response_; }
    const SymBlock& inverse(const Block& block) const { return inverses_[static_cast<size_t>(block.inverse)]; }
    /// W_ii of a block, compliance included.
    SymBlock diagonal_block(const Block& block) const;
    /// One diagonal entry of W, compliance included.
    double diagonal(const Block& block, int row) const;

    /// Velocities recomputed from the impulses instead of being kept up to date: removes the rounding of many sweeps.
    void refresh_velocities();

  private:
    std::vector<Response> response_;
    std::vector<SymBlock> inverses_;
    std::vector<Twist> free_velocity_;
};

/// The natural map of one block, |lambda - P(lambda - r u)| / r [m/s]: zero exactly at a solution, and not smaller for smaller r.
double block_residual(const ContactProblem& problem, const Block& block);

struct Residual {
    double value = 0;
    int worst_block = -1;
};
/// The largest over all blocks.
Residual natural_map_residual(const ContactProblem& problem);

/// Fills status, residual and worst block of a report from a final residual. A velocity that is not finite makes the whole solution
/// NotFinite: projections can swallow a NaN, so the residual alone would not show it.
void conclude(SolveReport& report, const ContactProblem& problem, const Residual& residual, double tolerance);

}  // namespace asperity::solvers

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

/// One row of J, or of M^-1 J^T: its parts for the block's groups a and b.
struct Row {
    Vec3 linear_a, angular_a, linear_b, angular_b;
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
    int rows = 0;                      ///< 1 to 6; contacts have 1 (frictionless), 3 (point), 4 (with drilling) or 6 (patch)
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
        const Row& j = jacobian[static_cast<size_t>(row)];
        const Twist& va = velocity[static_cast<size_t>(block.a)];
        const Twist& vb = velocity[static_cast<size_t>(block.b)];
        return dot(j.linear_a, va.linear) + dot(j.angular_a, va.angular) + dot(j.linear_b, vb.linear) +
               dot(j.angular_b, vb.angular) + bias[static_cast<size_t>(row)] +
               compliance[static_cast<size_t>(row)] * impulse[static_cast<size_t>(row)];
    }
    /// lambda_row += change, and the velocities follow.
    void add_impulse(const Block& block, int row, double change) {
        impulse[static_cast<size_t>(row)] += change;
        const Row& m = response_[static_cast<size_t>(row)];
        Twist& va = velocity[static_cast<size_t>(block.a)];
        Twist& vb = velocity[static_cast<size_t>(block.b)];
        va.linear += change * m.linear_a;
        va.angular += change * m.angular_a;
        vb.linear += change * m.linear_b;
        vb.angular += change * m.angular_b;
    }
    std::span<const Row> response() const { return response_; }
    const SymBlock& inverse(const Block& block) const { return inverses_[static_cast<size_t>(block.inverse)]; }
    /// W_ii of a block, compliance included.
    SymBlock diagonal_block(const Block& block) const;

    /// Velocities recomputed from the impulses instead of being kept up to date: removes the rounding of many sweeps.
    void refresh_velocities();

  private:
    std::vector<Row> response_;
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

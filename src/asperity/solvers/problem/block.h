// Blocks, the building elements of a contact problem in either matrix form. A block is a group of rows with the set that
// must contain its impulse and the law that relates its velocity to the impulse.
#pragma once
#include <cstdint>
#include <limits>

#include "asperity/friction/limit_surface.h"
#include "asperity/math/dense.h"

namespace asperity::friction {
class PatchLimits;
}

namespace asperity::solvers {

enum class BlockKind : std::uint8_t {
    Bilateral,  ///< u = 0, any impulse: joints
    /// one row: low <= lambda <= high, u >= 0 at low, u <= 0 at high. Limits, motors, frictionless contacts
    Interval,
    Ball,     ///< |lambda| <= high: springs and welds of bounded strength
    Contact,  ///< row 0, normal: 0 <= lambda_n perp u_n >= 0; others, friction: lambda_f in lambda_n K, most dissipative
    Patch,    ///< six rows that form a wrench: patch_block.h
};

struct Block {
    int a = 0, b = 0;  ///< velocity groups; unused in a problem with an assembled matrix
    int first_row = 0;
    int rows = 0;  ///< 1 to 6; contacts have 1 (frictionless), 3 (point) or 4 (with drilling)
    BlockKind kind = BlockKind::Bilateral;
    std::uint8_t fixed_rows = 0;  ///< bit i: the block cannot change row i, which the residual then ignores
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    friction::LimitSet set = friction::Ellipse{0, 0};
    const friction::PatchLimits* patch = nullptr;  ///< limits of a Patch; owned by the problem that made the block
    // computed from W_ii by set_step_lengths()
    /// step lengths 1/W_nn and 1/(largest eigenvalue of W_ff) [kg]; for a patch, of its normal part and its friction part
    double r_n = 0, r_f = 0;
    int inverse = -1;  ///< index of the inverse of W_ii + compliance, for Bilateral and Patch blocks

    /// The step length of a row. Not for Bilateral blocks.
    double step_length(int row) const {
        if (kind == BlockKind::Patch) return row == 0 || row > 3 ? r_n : r_f;
        return row == 0 && kind != BlockKind::Ball ? r_n : r_f;
    }
};

/// Sets r_n and r_f from the diagonal block W_ii.
void set_step_lengths(Block& block, const SymBlock& w);

/// Replaces `z` by the nearest point of the block's set. Friction rows use the friction set of the normal impulse `n`; row 0
/// of a contact is projected to [0, inf) whatever `n` is. Not for patches.
void project_block(const Block& block, double n, double* z);

/// The natural map of one block: the larger of |lambda - P(lambda - r u)| / r over its normal and its friction rows [m/s].
/// Zero exactly at a solution; does not decrease when r decreases.
double natural_map(const Block& block, const double* lambda, const double* u);

/// The natural map `value`, or 0 if it is within rounding error. An impulse lambda causes the velocity lambda/r. Where large
/// impulses nearly cancel (a heavy body on a light one), each row leaves a velocity error of some 2^-53 lambda/r. The
/// allowance is below 2e-14 m/s if impulses change velocities by 10 m/s or less. Joints have no allowance.
double beyond_rounding(const Block& block, const double* lambda, double value);

struct Residual {
    double value = 0;
    int worst_block = -1;
};

}  // namespace asperity::solvers

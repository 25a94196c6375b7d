// What a contact problem consists of, whatever form its matrix has: blocks of rows, each with the set in which its impulse
// must lie and the rule that ties its velocity to it.
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
    /// one row; low <= lambda <= high with u >= 0 at low, u <= 0 at high: limits, motors, frictionless contacts
    Interval,
    Ball,     ///< |lambda| <= high: springs and welds of bounded strength
    Contact,  ///< row 0 normal: 0 <= lambda_n perp u_n >= 0; the rest: lambda_f in lambda_n K, maximally dissipative
    Patch,    ///< six rows, a wrench: patch_block.h
};

struct Block {
    int a = 0, b = 0;  ///< velocity groups; nothing in a problem with its matrix written out
    int first_row = 0;
    int rows = 0;  ///< 1 to 6; contacts have 1 (frictionless), 3 (point) or 4 (with drilling)
    BlockKind kind = BlockKind::Bilateral;
    std::uint8_t fixed_rows = 0;  ///< bit i: no impulse of the block can change row i, whose velocity is nobody's fault
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    friction::LimitSet set = friction::Ellipse{0, 0};
    const friction::PatchLimits* patch = nullptr;  ///< of a Patch; belongs to the problem that made the block
    // follow from W_ii, by set_step_lengths()
    /// step lengths: 1/W_nn and 1/(largest eigenvalue of W_ff) [kg]; of a patch, of pressing and rubbing
    double r_n = 0, r_f = 0;
    int inverse = -1;  ///< of W_ii + compliance, for Bilateral and Patch blocks

    /// The step length of a row of a block that is not Bilateral.
    double step_length(int row) const {
        if (kind == BlockKind::Patch) return row == 0 || row > 3 ? r_n : r_f;
        return row == 0 && kind != BlockKind::Ball ? r_n : r_f;
    }
};

/// r_n and r_f from the diagonal block W_ii.
void set_step_lengths(Block& block, const SymBlock& w);

/// The point of the block's set that is nearest to `z`, in place; friction rows go to the set of the normal impulse `n`, row
/// 0 of a contact to [0, inf) whatever `n` is. Not for patches.
void project_block(const Block& block, double n, double* z);

/// The natural map of one block, the largest of |lambda - P(lambda - r u)| / r over its normal and its friction part [m/s]:
/// zero exactly at a solution, and not smaller for smaller r.
double natural_map(const Block& block, const double* lambda, const double* u);

/// The natural map, or 0 where it is no more than rounding. An impulse lambda gives the velocity lambda/r; where the
/// impulses of two sides all but cancel (a heavy body on a light one), what is left of their velocities has errors of some
/// 2^-53 of that from each row. The allowance is below 2e-14 m/s wherever impulses change velocities by 10 m/s or less;
/// joints have none.
double beyond_rounding(const Block& block, const double* lambda, double value);

struct Residual {
    double value = 0;
    int worst_block = -1;
};

}  // namespace asperity::solvers

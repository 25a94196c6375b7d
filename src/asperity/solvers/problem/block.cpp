#include "asperity/solvers/problem/block.h"

#include <cmath>

#include "asperity/solvers/problem/patch_block.h"

namespace asperity::solvers {
namespace {

/// The larger value; if one is NaN, the result is NaN (std::fmax would drop it).
double worse(double a, double b) { return b <= a || a != a ? a : b; }

}  // namespace

void set_step_lengths(Block& block, const SymBlock& w) {
    const auto step_length = [](double eigenvalue) { return eigenvalue > 0 ? 1 / eigenvalue : 0; };
    switch (block.kind) {
        case BlockKind::Bilateral: break;
        case BlockKind::Interval: block.r_n = step_length(w.m[0][0]); break;
        case BlockKind::Ball: block.r_f = step_length(largest_eigenvalue(w, 0, block.rows)); break;
        case BlockKind::Contact:
            block.r_n = step_length(w.m[0][0]);
            block.r_f = block.rows > 1 ? step_length(largest_eigenvalue(w, 1, block.rows)) : 0;
            break;
        case BlockKind::Patch: {
            const PatchSteps steps = patch_steps(w);
            block.r_n = steps.r_n;
            block.r_f = steps.r_f;
            break;
        }
    }
}

void project_block(const Block& block, double n, double* z) {
    switch (block.kind) {
        case BlockKind::Bilateral: return;
        case BlockKind::Interval: z[0] = clamp(z[0], block.low, block.high); return;
        case BlockKind::Ball: {
            const double size = length(Vec3{z[0], z[1], z[2]});
            if (size > block.high)
                for (int i = 0; i < 3; ++i) z[i] *= block.high / size;
            return;
        }
        case BlockKind::Contact: {
            z[0] = larger(z[0], 0.0);
            if (block.rows == 1) return;
            const Vec3 f = friction::project(block.set, {z[1], z[2], block.rows > 3 ? z[3] : 0}, n);
            for (int i = 1; i < block.rows; ++i) z[i] = f[i - 1];
            return;
        }
        case BlockKind::Patch: ASPERITY_ASSERT(false); return;
    }
}

double natural_map(const Block& block, const double* lambda, const double* u) {
    double largest = 0;
    if (block.kind == BlockKind::Bilateral) {
        for (int i = 0; i < block.rows; ++i)
            if (!(block.fixed_rows >> i & 1)) largest = worse(largest, std::fabs(u[i]));
        return largest;
    }
    if (block.kind == BlockKind::Patch) return patch_natural_map(*block.patch, {block.r_n, block.r_f}, lambda, u);
    const bool has_normal = block.kind != BlockKind::Ball, has_friction = block.rows > 1;
    if ((has_normal && block.r_n == 0) || (!has_normal && block.r_f == 0)) return 0;
    const int first_friction = has_normal ? 1 : 0;
    double z[kMaxBlockRows];
    for (int i = 0; i < block.rows; ++i) z[i] = lambda[i] - (i < first_friction ? block.r_n : block.r_f) * u[i];
    project_block(block, lambda[0], z);
    if (has_normal) largest = std::fabs(lambda[0] - z[0]) / block.r_n;
    if (!has_friction || block.r_f == 0) return largest;
    Vec3 change;
    for (int i = first_friction; i < block.rows; ++i) change[i - first_friction] = lambda[i] - z[i];
    return worse(largest, length(change) / block.r_f);
}

double beyond_rounding(const Block& block, const double* lambda, double value) {
    constexpr double kRows = 16;  // number of rows whose rounding errors add up at a body: its own and a neighbour's
    // [m/s] upper bound of the allowance. 0.1 um/s is not visible. Without the bound, the unlimited growth of impulses in an
    // unsolvable problem would hide any error.
    constexpr double kMaxAllowance = 1e-7;
    double gives = 0;
    for (int i = 0; i < block.rows; ++i)
        if (const double r = block.step_length(i); r > 0) gives = std::fmax(gives, std::fabs(lambda[i]) / r);
    const double rounding = smaller(kRows * 0x1p-53 * gives, kMaxAllowance);
    return value <= rounding ? 0 : value;  // keeps a NaN
}

}  // namespace asperity::solvers

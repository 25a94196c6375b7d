// The block of a contact patch: six rows that form one wrench under one friction law.
//
//     row   0         1, 2            3         4, 5
//     u     v_n       v_t, v_b        w_n       w_u, w_w       [m/s] at the patch centre; angular rows times a length
//     l     f_n       f_t, f_b        tau_n     tau_u, tau_w   [N s] torques divided by that length
//
// Normal part ("pressing"): l_N = (f_n, m), m = (-tau_w, tau_u) = f_n d, against u_N = (v_n, g), g = (-w_w, w_u):
//     l_N in C = { f_n >= 0, m in f_n R },    u_N in C*,    l_N . u_N = 0
// so each point of the region either separates, or carries pressure and does not approach. For a rolling region, f_n and v_n
// are complementary as at a point, and m in f_n R dissipates most against g. Friction part ("rubbing") about the centre of
// pressure d: x = (f, tau_n - d x f) against y = (v + w_n n x d, w_n):
//     x in f_n K(d),    -y in the normal cone of f_n K(d) at x                             most dissipation
// The power is l_N.u_N + x.y for every d. The natural map combines both laws:
//     l_N = P_C(l_N - r_n u_N) =: f_n (1, d),      x = P_{f_n K(d)}(x - r_f y)
// The friction set is taken at the normal part that the first equation predicts. For a rolling region, P_C takes the nearest
// f_n >= 0 first, then the nearest m in f_n R. R and K(d): friction/patch_limits.h.
#pragma once
#include "asperity/friction/patch_limits.h"
#include "asperity/math/dense.h"

namespace asperity::solvers {

constexpr int kPatchRows = 6;

/// The centre of pressure in the law's axes t, b, in units of the rows' length. The patch centre if the normal impulse is 0.
Vec2 centre_of_pressure(const friction::PatchLimits& limits, const double* lambda);

/// Step lengths of the normal and the friction part, 1/(largest eigenvalue of W on their rows) [kg]; 0 if nothing can move.
struct PatchSteps {
    double r_n = 0, r_f = 0;
};
PatchSteps patch_steps(const SymBlock& w);

/// F = (l_N - P_C(...), x - P(...)) of the natural map [N s]: normal part in F[0..2], friction part in F[3..5]. A
/// non-negative `frozen` normal impulse replaces f_n in the friction set. Returns the index of the smooth piece of the map.
/// It changes where the patch opens, where the pressure reaches the region's edge, and where the patch starts to slip or to
/// spin.
int patch_defect(const friction::PatchLimits& limits, const PatchSteps& steps, const double* lambda, const double* u,
                 double* F, double frozen = -1);
/// piece indices: open patch; all within bounds, so that the map is zero where u is zero
constexpr int kPatchOpen = 0, kPatchSticks = 8;
/// The larger of |F_N|/r_n and |F_f|/r_f [m/s].
double patch_natural_map(const friction::PatchLimits& limits, const PatchSteps& steps, const double* lambda,
                         const double* u);
/// One projected step: normal part, its effect on the velocities, then friction part. `w` is W_ii of the block.
void patch_projected_step(const friction::PatchLimits& limits, const PatchSteps& steps, const SymBlock& w, double* lambda,
                          double* u);

/// W_ii of the block and its inverse. Directions that cannot move have zero rows in the inverse.
struct PatchMatrix {
    SymBlock own, inverse;

    explicit PatchMatrix(const SymBlock& w) : own(w), inverse(asperity::inverse(w, kPatchRows)) {}
};
/// Solves one patch with all other impulses fixed: u = W lambda + c. `lambda` is a guess on entry and the solution on
/// return, a zero of the natural map to rounding. Returns false if it holds only the iterate with the smallest defect found.
bool solve_patch(const friction::PatchLimits& limits, const PatchSteps& steps, const PatchMatrix& w, const double* c,
                 double* lambda);

}  // namespace asperity::solvers

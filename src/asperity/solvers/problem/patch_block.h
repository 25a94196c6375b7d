// The block of a contact patch: six rows, one wrench, one law.
//
//     row   0         1, 2            3                 4, 5
//     u     v_n       v_t, v_b        w_n               w_u, w_w               at the patch's centre; turns times a length,
//     so all in m/s
//     l     f_n       f_t, f_b        tau_n             tau_u, tau_w           torques over that length, so all in N s
//
// Pressing l_N = (f_n, m), m = (-tau_w, tau_u) = f_n d, against u_N = (v_n, g), g = (-w_w, w_u):
//     l_N in C = { f_n >= 0, m in f_n R },    u_N in C*,    l_N . u_N = 0                  it lifts, or presses where it
//     does not sink
// or, where it rolls, f_n against v_n as at a point and m in f_n R of most dissipation against g.
// Rubbing about the centre of pressure d, x = (f, tau_n - d x f) against y = (v + w_n n x d, w_n):
//     x in f_n K(d),    -y in the normal cone of f_n K(d) at x                             most dissipation
// The power is l_N.u_N + x.y, whatever d is. Both lines at once are the natural map
//     l_N = P_C(l_N - r_n u_N) =: f_n (1, d),      x = P_{f_n K(d)}(x - r_f y)
// (where it rolls, P_C is the nearest f_n >= 0, then the nearest m of f_n R) with the friction set of the pressing that the
// first line predicts. R, K(d): friction/patch_limits.h.
#pragma once
#include "asperity/friction/patch_limits.h"
#include "asperity/math/dense.h"

namespace asperity::solvers {

constexpr int kPatchRows = 6;

/// The pressure's centre, in the law's axes t, b and lengths of the rows; the patch's centre where nothing presses.
Vec2 centre_of_pressure(const friction::PatchLimits& limits, const double* lambda);

/// Step lengths of pressing and rubbing, 1/(largest eigenvalue of W on their rows) [kg]; zero where nothing can move.
struct PatchSteps {
    double r_n = 0, r_f = 0;
};
PatchSteps patch_steps(const SymBlock& w);

/// F = (l_N - P_C(...), x - P(...)) of the natural map [N s]: pressing in F[0..2], rubbing in F[3..5]. A `frozen` normal
/// impulse that is not negative takes the place of f_n in the friction set. Returns which piece of the map it is: a number
/// that changes where the patch opens, reaches an edge, slips or spins.
int patch_defect(const friction::PatchLimits& limits, const PatchSteps& steps, const double* lambda, const double* u,
                 double* F, double frozen = -1);
/// pieces: nothing presses; all is within its bounds, so that the map is zero where u is
constexpr int kPatchOpen = 0, kPatchSticks = 8;
/// The larger of |F_N|/r_n and |F_f|/r_f [m/s].
double patch_natural_map(const friction::PatchLimits& limits, const PatchSteps& steps, const double* lambda,
                         const double* u);
/// One projected step: pressing, what that does to the velocities, rubbing. `w` is the block's own matrix.
void patch_projected_step(const friction::PatchLimits& limits, const PatchSteps& steps, const SymBlock& w, double* lambda,
                          double* u);

/// The block's own matrix and its inverse, which has zero rows where nothing can move.
struct PatchMatrix {
    SymBlock own, inverse;

    explicit PatchMatrix(const SymBlock& w) : own(w), inverse(asperity::inverse(w, kPatchRows)) {}
};
/// One patch on its own: u = W lambda + c, all other impulses held still. `lambda` is a guess on entry and the solution on
/// return, a zero of the natural map to rounding; false where only the smallest defect that was met is returned.
bool solve_patch(const friction::PatchLimits& limits, const PatchSteps& steps, const PatchMatrix& w, const double* c,
                 double* lambda);

}  // namespace asperity::solvers

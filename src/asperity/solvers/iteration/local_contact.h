// Exact solution of one contact with all other impulses fixed: u = W lambda + c, where W is the 3 x 3 diagonal block. Fewer
// sweeps of Gauss-Seidel are needed if each visit solves its contact exactly.
#pragma once
#include "asperity/friction/limit_surface.h"
#include "asperity/math/dense.h"

namespace asperity::solvers {

/// A point contact with an elliptic limit set, solved in axes scaled by the semi-axes: t' = mu_t t, b' = mu_b b. There the
/// set is a disc and the friction law has the same form: f is in the ellipse and -u in its normal cone exactly if f' is in
/// the disc and -u' in the disc's normal cone. W need not be symmetric; some problem files contain such matrices.
class LocalContact {
  public:
    /// False if the exact solution is not available: a flat ellipse or a singular block.
    bool set_up(const SymBlock& w, const friction::Ellipse& set);
    bool is_set_up() const { return t_ > 0; }
    /// lambda: a guess on entry, the solution on return. Returns false and leaves lambda unchanged if no solution was found.
    /// That requires friction so high that pressing makes the contact rise: W_nn <= mu |W_nt|.
    bool solve(const double* c, double* lambda) const;
    /// The same, given the velocities u at `lambda`: c = u - W lambda.
    bool move(const double* u, double* lambda) const;

  private:
    bool solve_scaled(const Vec3& c, double* lambda) const;
    bool slide(const Vec3& c, Vec3& lambda) const;
    bool slide_along(const Vec2& guess, const Vec3& c, Vec3& lambda) const;

    Mat3 w_, inverse_;  // in scaled axes
    double t_ = 0, b_ = 0;
};

}  // namespace asperity::solvers

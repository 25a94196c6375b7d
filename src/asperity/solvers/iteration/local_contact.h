// One contact on its own: u = W lambda + c with W its 3 x 3 diagonal block and all other impulses held still. Exactly
// solved, so that a sweep of Gauss-Seidel gets all it can out of each visit.
#pragma once
#include "asperity/friction/limit_surface.h"
#include "asperity/math/dense.h"

namespace asperity::solvers {

/// A point contact whose limit set is an ellipse, in axes scaled by its semi-axes, t' = mu_t t and b' = mu_b b: there the
/// set is a disc, and the law is the same law (f in the ellipse and -u in its normal cone exactly when f' is in the disc and
/// -u' in the disc's). W need not be symmetric; files exist in which it is not.
class LocalContact {
  public:
    /// False when there is nothing to solve here: a flat ellipse, or a block that is singular.
    bool set_up(const SymBlock& w, const friction::Ellipse& set);
    bool is_set_up() const { return t_ > 0; }
    /// lambda: a guess on entry, the solution on return. False (lambda unchanged) where no answer was found, which takes a
    /// friction so high that pressing makes the contact rise, W_nn <= mu |W_nt|.
    bool solve(const double* c, double* lambda) const;
    /// The same with the velocities u that the contact has at `lambda`, from which c = u - W lambda.
    bool move(const double* u, double* lambda) const;

  private:
    bool solve_scaled(const Vec3& c, double* lambda) const;
    bool slide(const Vec3& c, Vec3& lambda) const;
    bool slide_along(const Vec2& guess, const Vec3& c, Vec3& lambda) const;

    Mat3 w_, inverse_;  // scaled axes
    double t_ = 0, b_ = 0;
};

}  // namespace asperity::solvers

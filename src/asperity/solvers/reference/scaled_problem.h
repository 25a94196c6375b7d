// An assembled problem in scaled units and with convex sets:
//     lambda = D x,   D u = (D W D) x + D q,   D = diag(sqrt r_n, sqrt r_f, ...)
// The diagonal blocks of D W D have size 1 whatever the masses are. A contact's set becomes the cone { n >= 0, f in n K' }
// with K' = K sqrt(r_n/r_f). Its law becomes a cone complementarity if De Saxce's term s is added to the normal velocity:
//     x in C,   v = D u + (s, 0, 0) in C*,   x perpendicular to v,      s = max over K' of -f.(D u)_T.
// A patch with a held centre (held_centres.h) is the cone over R x K', with the same term. If it rolls, max over R of -m.g
// is added to the term, because then the tilting dissipates too. Sources: De Saxce, Feng, "The bipotential method", Math.
// Comput. Modelling 1998; Acary, Cadoux, Lemarechal, Malick, "A formulation of the linear discrete Coulomb friction problem
// via convex optimization", ZAMM 2011. Any convex K is allowed: u_n + h_K(-u_T) >= h_K(-u_T).
#pragma once
#include <span>
#include <vector>

#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::solvers {

class ScaledProblem {
  public:
    /// Keeps a reference to the problem, which must be prepared.
    void start(const AssembledProblem& problem);

    int rows() const { return static_cast<int>(scale_.size()); }
    std::span<const double> scale() const { return scale_; }  ///< D; zero on rows that no impulse can move
    std::span<const double> q() const { return q_; }          ///< D q

    /// y = D W D x.
    void multiply(std::span<const double> x, std::span<double> y) const;
    /// Projects x onto the product of all sets, in place.
    void project(std::span<double> x) const;
    /// De Saxce's term of each contact for the velocities v = D u, at its normal row; zero on all other rows.
    void de_saxce_term(std::span<const double> v, std::span<double> s) const;

    void load_impulse(std::span<double> x) const;  ///< x = D^-1 lambda of the problem
    void store_impulse(std::span<const double> x, AssembledProblem& problem) const;
    /// Sets lambda and u of the problem from x and D W D x + D q without a product with W.
    void store(std::span<const double> x, std::span<const double> v, AssembledProblem& problem) const;

  private:
    const AssembledProblem* problem_ = nullptr;
    std::vector<double> scale_, inverse_scale_, q_;
    std::vector<friction::LimitSet> sets_;  // K' of contacts
    mutable std::vector<double> impulse_;
};

}  // namespace asperity::solvers

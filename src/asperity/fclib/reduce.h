// Problems brought down to what solvers take: contacts alone, u = W r + q.
#pragma once
#include <memory>
#include <span>

#include "asperity/fclib/problem.h"

namespace asperity::fclib {

/// The same problem with its equations solved for l:  W - V R^-1 V^T  and  q - V R^-1 s. Equations that repeat others are
/// allowed; throws InputError when they contradict each other.
LocalProblem without_equations(const LocalProblem& problem);

/// A global problem without its velocities:  W = H^T M^-1 H,  q = w + H^T M^-1 f. Freedoms that M does not couple (the
/// bodies) are inverted on their own, so that a pile of rigid bodies costs what its contacts cost; a large body of finite
/// elements gets a sparse Cholesky factorisation. An M that is not symmetric (some files hold one triangle) is taken as it
/// stands, as Siconos takes it.
class Reduction {
  public:
    /// Throws InputError when M is singular or not positive definite. `global` must outlive this.
    explicit Reduction(const GlobalProblem& global);
    ~Reduction();
    Reduction(const Reduction&) = delete;
    Reduction& operator=(const Reduction&) = delete;

    const LocalProblem& local() const;  ///< without equations
    /// v and l of given impulses, from M v = H r + G l + f and G^T v + b = 0.
    Solution complete(std::span<const double> r) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// What Siconos 4.4 reports for a global problem [-], with u = H^T v + w and F as in solvers::siconos_error():
///     |M v - H r - f| / max(|f|, |M v|, |H r|) + sqrt(sum |F|^2) / max(|u|, |r|)
/// Equations count like the balance: G l belongs to H r, and |G^T v + b| / max(|b|, |G^T v|) is added.
double global_error(const GlobalProblem& problem, const Solution& solution);

}  // namespace asperity::fclib

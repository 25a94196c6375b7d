// Reduces problems to contacts alone, the form that solvers take: u = W r + q.
#pragma once
#include <memory>
#include <span>

#include "asperity/fclib/problem.h"

namespace asperity::fclib {

/// Eliminates the equations by solving them for l:  W - V R^-1 V^T  and  q - V R^-1 s. Redundant equations are allowed.
/// Throws InputError when equations contradict each other.
LocalProblem without_equations(const LocalProblem& problem);

/// Eliminates the velocities of a global problem:  W = H^T M^-1 H,  q = w + H^T M^-1 f. Each connected component of M (a
/// body) is inverted separately, so the cost of a pile of rigid bodies is that of its contacts. A large body of finite
/// elements gets a sparse Cholesky factorisation. A non-symmetric M (some files hold one triangle only) is used as it is, as
/// in Siconos.
class Reduction {
  public:
    /// Throws InputError when M is singular or not positive definite. `global` must outlive this.
    explicit Reduction(const GlobalProblem& global);
    ~Reduction();
    Reduction(const Reduction&) = delete;
    Reduction& operator=(const Reduction&) = delete;

    const LocalProblem& local() const;  ///< equations already eliminated
    /// v and l for given impulses, from M v = H r + G l + f and G^T v + b = 0.
    Solution complete(std::span<const double> r) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Error of a global problem as reported by Siconos 4.4 [-], with u = H^T v + w and F as in solvers::siconos_error():
///     |M v - H r - f| / max(|f|, |M v|, |H r|) + sqrt(sum |F|^2) / max(|u|, |r|)
/// With equations, G l is added to H r, and |G^T v + b| / max(|b|, |G^T v|) to the error.
double global_error(const GlobalProblem& problem, const Solution& solution);

}  // namespace asperity::fclib

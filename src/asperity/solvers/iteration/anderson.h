// Anderson acceleration of a fixed-point iteration x <- G(x): the next iterate is the mix of the last few that a linear map
// would have mapped closest to itself.
//     f_i = G(x_i) - x_i,   gamma = argmin |f_k - dF gamma|,   x_{k+1} = G(x_k) - dG gamma
// with dF, dG the columns of differences between successive f and G. For a linear G this is GMRES on the last `depth`
// iterates, which is why a stack that costs Gauss-Seidel thousands of sweeps costs it hundreds.
// Source: Walker, Ni, "Anderson acceleration for fixed-point iterations", SIAM J. Numer. Anal. 2011.
#pragma once
#include <span>
#include <vector>

namespace asperity::solvers {

class Anderson {
  public:
    /// `weight` scales each component in the norm. Memory is reused between calls.
    void start(std::span<const double> weight, int depth);
    /// Forgets the history, as after a step that made things worse.
    void restart() { count_ = 0; }
    /// Given x and G(x), writes the accelerated next x over `gx`. The first call after a restart changes nothing.
    void extrapolate(std::span<const double> x, std::span<double> gx);

  private:
    std::span<float> column(std::vector<float>& store, int j) {
        return {store.data() + static_cast<size_t>(j) * size_, size_};
    }

    size_t size_ = 0;
    int depth_ = 0;
    int count_ = 0;  // pairs seen since the restart; the difference columns in use are min(count_ - 1, depth_)
    std::vector<double> weight_, f_, last_f_, last_g_;
    std::vector<float> dF_, dG_;  // differences: the mixture needs no more digits, and half the memory is half the time
    std::vector<double> gram_, rhs_, factor_, gamma_;
};

}  // namespace asperity::solvers

// Anderson acceleration of a fixed-point iteration x <- G(x). The next iterate is a combination of the last few: the one
// that minimises the fixed-point residual f if G is linear.
//     f_i = G(x_i) - x_i,   gamma = argmin |f_k - dF gamma|,   x_{k+1} = G(x_k) - dG gamma
// The columns of dF and dG are differences between successive f and G. For a linear G this is GMRES on the last `depth`
// iterates; a stack that needs thousands of plain Gauss-Seidel sweeps needs hundreds. Source: Walker, Ni, "Anderson
// acceleration for fixed-point iterations", SIAM J. Numer. Anal. 2011.
#pragma once
#include <span>
#include <vector>

namespace asperity::solvers {

class Anderson {
  public:
    /// `weight` is the weight of each component in the squared norm. Memory is reused between calls.
    void start(std::span<const double> weight, int depth);
    /// Discards the history, for example after a step that made the error grow.
    void restart() { count_ = 0; }
    /// Given x and G(x), replaces `gx` by the accelerated next x. The first call after a restart leaves it unchanged.
    void extrapolate(std::span<const double> x, std::span<double> gx);

  private:
    std::span<float> column(std::vector<float>& store, int j) {
        return {store.data() + static_cast<size_t>(j) * size_, size_};
    }

    size_t size_ = 0;
    int depth_ = 0;
    int count_ = 0;  // number of (x, G(x)) pairs since the restart; min(count_ - 1, depth_) difference columns are in use
    std::vector<double> weight_, f_, last_f_, last_g_;
    std::vector<float> dF_, dG_;  // differences as float: enough digits for a mixture, half the memory, half the time
    std::vector<double> gram_, rhs_, factor_, gamma_;
};

}  // namespace asperity::solvers

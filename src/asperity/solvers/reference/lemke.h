// Lemke's algorithm for the linear complementarity problem  w = M z + q,  w >= 0,  z >= 0,  w.z = 0,  with M dense.
#pragma once
#include <span>
#include <vector>

#include "asperity/core/deadline.h"

namespace asperity::solvers {

enum class LemkeEnd { Solved, Ray, PivotLimit, TimeLimit, NotFinite };

class Lemke {
  public:
    /// `m` holds M row by row. Writes z if it returns Solved; else z is not changed.
    LemkeEnd solve(std::span<const double> m, std::span<const double> q, std::span<double> z, int max_pivots,
                   const Deadline& deadline);
    int pivots() const { return pivots_; }

  private:
    int leaving_row(int entering) const;
    void pivot(int row, int entering);
    bool polish(std::span<const double> m, std::span<const double> q, std::span<double> z) const;

    int size_ = 0, width_ = 0, pivots_ = 0;
    std::vector<double> tableau_;  // rows of [w | z | z0 | right-hand side]
    std::vector<int> basic_;       // variable of each row: w_i is i, z_i is size + i, z0 is 2 size
};

}  // namespace asperity::solvers

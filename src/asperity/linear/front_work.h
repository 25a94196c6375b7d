// Private to linear/: the numeric work on one front, and on chunks of its row groups, for one thread or several.
#pragma once
#include <algorithm>
#include <span>

#include "asperity/linear/aligned.h"
#include "asperity/linear/front_kernels.h"
#include "asperity/linear/front_plan.h"

namespace asperity::linear {

/// Arrays of a factorisation.
struct FrontValues {
    AlignedDoubles factor, workspace;
    AlignedDoubles inverse;  ///< per unknown, padded: reciprocals of the diagonal of the factor
    AlignedDoubles x, tail;  ///< padded vector of a solve; parts of the fronts' rows below
};

template <int Dim>
class FrontWork {
  public:
    FrontWork(const FrontPlan& plan, FrontValues& values, std::span<const double> matrix, const Front& front);

    /// Eliminates all columns of the front, on this thread or on all of the team. False if a pivot is not positive.
    bool eliminate(bool parallel, LeastPivot& least);

  private:
    int groups() const { return own_ + below_; }
    double* strip(int group) const;
    double* target(int group, int column_group) const;
    void clear(int group) const;
    void add_matrix() const;
    void add_children(int first_group, int end_group) const;
    void add_child(const Front& child, int first_group, int end_group) const;
    void factor_panel(int begin, int end, LeastPivot& least) const;
    void update(int group, int first, int end, int begin_column, int depth) const;
    void update_pair(int pair, int first, int end, int begin_column, int depth) const;
    /// Columns eliminated, or below, that a group of columns has.
    int columns_of(int group) const { return group < own_ ? std::min(kGroup, columns_ - group * kGroup) : kGroup; }

    const FrontPlan& plan_;
    std::span<const double> matrix_;
    const FrontValues& values_;
    const Front& front_;
    double *factor_, *update_, *inverse_;
    int columns_, own_, below_;  ///< unknowns eliminated; groups of own rows, of rows below
};

/// Solves with one front: forward with L, taking the tails of the children and leaving its own; backward with L^T.
template <int Dim>
void solve_forward(const FrontPlan& plan, FrontValues& values, const Front& front);
template <int Dim>
void solve_backward(const FrontPlan& plan, FrontValues& values, const Front& front);

}  // namespace asperity::linear

#include "asperity/linear/front_work.h"

#include <algorithm>
#include <bit>

#include "asperity/core/parallel.h"
#include "asperity/linear/wide_kernels.h"

namespace asperity::linear {
namespace {

/// Columns eliminated before the rest of the front is updated. The panel of 24 rows that a product reads again and again
/// fits the first cache; fewer columns read and write the update matrix more often.
constexpr int kPanel = 144;
/// Groups of rows of B that a pass over all rows uses: with a panel of 144 columns, half of a second cache of one megabyte.
constexpr int kPass = 40;

/// Calls body(i) for i in [first, end).
template <class Body>
void for_groups(int first, int end, bool parallel, const Body& body) {
    if (parallel)
        parallel_for(
            end - first, [&](int i) { body(first + i); }, 1);
    else
        for (int i = first; i < end; ++i) body(i);
}

/// Adds blocks of the update matrix of a child, all in the same rows. `from` and `to` are at the rows' first lanes, `lane`
/// is that of `to` within its group; block j goes to the columns `column[j] - first` of nodes.
template <int Dim>
inline void add_blocks(const double* from, double* to, int, const int* column, int first, int count) {
    for (int j = 0; j < count; ++j, from += Dim * kGroup) {
        double* at = to + (column[j] - first) * (Dim * kGroup);
#pragma GCC unroll 3
        for (int e = 0; e < Dim; ++e)
#pragma GCC unroll 3
            for (int f = 0; f < Dim; ++f) at[e * kGroup + f] += from[e * kGroup + f];
    }
}

/// In space: four values at a time, of which one is a neighbour and stays. At the last lane the neighbour is the one before,
/// so that nothing outside of the column is written.
template <>
inline void add_blocks<3>(const double* from, double* to, int lane, const int* column, int first, int count) {
    using Bits = long long __attribute__((vector_size(32)));
    using Loose = double __attribute__((vector_size(32), aligned(8), may_alias));
    const bool last = lane == kGroup - 3;
    const Bits mask = {last ? 0 : -1, -1, -1, last ? -1 : 0};
    from -= last;
    to -= last;
    for (int j = 0; j < count; ++j, from += 3 * kGroup) {
        double* at = to + (column[j] - first) * (3 * kGroup);
#pragma GCC unroll 3
        for (int e = 0; e < 3; ++e) {
            const Quad value = *reinterpret_cast<const Loose*>(from + e * kGroup);
            Loose& sum = *reinterpret_cast<Loose*>(at + e * kGroup);
            sum += std::bit_cast<Quad>(std::bit_cast<Bits>(value) & mask);
        }
    }
}

}  // namespace

template <int Dim>
FrontWork<Dim>::FrontWork(const FrontPlan& plan, FrontValues& values, std::span<const double> matrix, const Front& front)
    : plan_(plan),
      matrix_(matrix),
      values_(values),
      front_(front),
      factor_(values.factor.data() + front.factor),
      update_(values.workspace.data() + front.update),
      inverse_(values.inverse.data() + front.slot),
      columns_(front.columns * Dim),
      own_(front.own_groups(Dim)),
      below_(front.row_groups(Dim)) {}

/// The first value of a group of rows in the factor.
template <int Dim>
double* FrontWork<Dim>::strip(int group) const {
    if (group < own_) return factor_ + triangle_values(group);
    return factor_ + triangle_values(own_) +
           static_cast<std::size_t>((group - own_) * kGroup) * static_cast<std::size_t>(columns_);
}

/// The square of a group of rows and a group of columns, in the factor or in the update matrix.
template <int Dim>
double* FrontWork<Dim>::target(int group, int column_group) const {
    if (column_group < own_) return strip(group) + column_group * (kGroup * kGroup);
    return update_ + triangle_values(group - own_) + (column_group - own_) * (kGroup * kGroup);
}

template <int Dim>
void FrontWork<Dim>::clear(int group) const {
    if (group < own_) {
        std::fill_n(strip(group), (group + 1) * (kGroup * kGroup), 0.0);
    } else {
        std::fill_n(strip(group), columns_ * kGroup, 0.0);
        std::fill_n(update_ + triangle_values(group - own_), (group - own_ + 1) * (kGroup * kGroup), 0.0);
    }
}

template <int Dim>
void FrontWork<Dim>::add_matrix() const {
    for (int k = front_.first_block; k < front_.end_block; ++k) {
        const BlockTarget& b = plan_.block[static_cast<std::size_t>(k)];
        const double* from = matrix_.data() + static_cast<std::size_t>(b.entry) * (Dim * Dim);
        double* to = factor_ + b.target;
        for (int e = 0; e < Dim; ++e)
            for (int f = 0; f < Dim; ++f) to[e * kGroup + f] = b.transposed ? from[f * Dim + e] : from[e * Dim + f];
    }
    for (int j = 0; j < columns_; ++j) inverse_[j] = strip(j / kGroup)[j * kGroup + j % kGroup];
}

template <int Dim>
void FrontWork<Dim>::add_children(int first_group, int end_group) const {
    for (int k = front_.first_child; k < front_.end_child; ++k)
        add_child(plan_.fronts[static_cast<std::size_t>(plan_.child[static_cast<std::size_t>(k)])], first_group, end_group);
}

/// The update matrix of a child, as far as its rows are in these groups (extend-add).
template <int Dim>
void FrontWork<Dim>::add_child(const Front& child, int first_group, int end_group) const {
    const int* place = plan_.place_in_parent.data() + child.first_row;
    const int* end = place + child.rows;
    const double* update = values_.workspace.data() + child.update;
    constexpr int kNodes = kGroup / Dim;  // per group
    const auto first_place = [&](int group) {
        return group <= own_ ? std::min(group * kNodes, front_.columns) : front_.columns + (group - own_) * kNodes;
    };
    const int first = static_cast<int>(std::lower_bound(place, end, first_place(first_group)) - place);
    const int last = static_cast<int>(std::lower_bound(place, end, first_place(end_group)) - place);
    const int split = static_cast<int>(std::lower_bound(place, end, front_.columns) - place);
    for (int i = first; i < last; ++i) {
        const double* from = update + triangle_values(i / kNodes) + i % kNodes * Dim;
        const bool own = i < split;
        const int row = own ? place[i] : place[i] - front_.columns;
        const int group = row / kNodes, lane = row % kNodes * Dim;
        add_blocks<Dim>(from, strip(own ? group : own_ + group) + lane, lane, place, 0, own ? i + 1 : split);
        if (!own)
            add_blocks<Dim>(from + split * (Dim * kGroup), update_ + triangle_values(group) + lane, lane, place + split,
                            front_.columns, i + 1 - split);
    }
}

/// Diagonal block of a panel, of which begin is a multiple of 12.
template <int Dim>
void FrontWork<Dim>::factor_panel(int begin, int end, LeastPivot& least) const {
    for (int g = begin / kGroup; g * kGroup < end && !least.failed; ++g) {
        double* rows = strip(g);
        const int first = g * kGroup;
        solve_strip(rows, factor_, inverse_, begin, first);
        double* square = rows + first * kGroup;
        subtract_square(rows + begin * kGroup, rows + begin * kGroup, first - begin, kGroup, square);
        factor_square(square, std::min(kGroup, end - first), inverse_ + first, first, least);
    }
}

/// Subtracts the product of panels from the squares of a group of rows and the groups of columns first to end - 1.
template <int Dim>
void FrontWork<Dim>::update(int group, int first, int end, int begin_column, int depth) const {
    const double* a = strip(group) + begin_column * kGroup;
    for (int l = first; l < std::min(end, group + 1); ++l)
        subtract_square(a, strip(l) + begin_column * kGroup, depth, columns_of(l), target(group, l));
}

/// The same for the groups 2 pair and 2 pair + 1, both at a time.
template <int Dim>
void FrontWork<Dim>::update_pair(int pair, int first, int end, int begin_column, int depth) const {
    const int group = 2 * pair, next = group + 1;
    if (next >= groups() || group < first) {
        if (group >= first) update(group, first, end, begin_column, depth);
        if (next < groups()) update(next, first, end, begin_column, depth);
        return;
    }
    const double *a = strip(group) + begin_column * kGroup, *a_next = strip(next) + begin_column * kGroup;
    for (int l = first; l < std::min(end, next); ++l)
        subtract_two_squares(a, a_next, strip(l) + begin_column * kGroup, depth, columns_of(l), target(group, l),
                             target(next, l));
    if (next < end) update(next, next, end, begin_column, depth);
}

template <int Dim>
bool FrontWork<Dim>::eliminate(bool parallel, LeastPivot& least) {
    for_groups(0, groups(), parallel, [&](int g) { clear(g); });
    add_matrix();
    if (parallel)
        for_groups(0, groups(), true, [&](int g) { add_children(g, g + 1); });
    else
        add_children(0, groups());
    for (int begin = 0; begin < columns_; begin += kPanel) {
        const int end = std::min(columns_, begin + kPanel), next = (end + kGroup - 1) / kGroup;
        factor_panel(begin, end, least);
        if (least.failed) return false;
        const int pairs = has_wide_kernels() ? (groups() - next) / 2 : 0;
        for_groups(0, pairs, parallel, [&](int p) {
            solve_two_strips(strip(next + 2 * p), strip(next + 2 * p + 1), factor_, inverse_, begin, end);
        });
        for_groups(next + 2 * pairs, groups(), parallel,
                   [&](int g) { solve_strip(strip(g), factor_, inverse_, begin, end); });
        for (int pass = next; pass < groups(); pass += kPass)
            if (has_wide_kernels())
                for_groups(pass / 2, (groups() + 1) / 2, parallel,
                           [&](int pair) { update_pair(pair, pass, pass + kPass, begin, end - begin); });
            else
                for_groups(pass, groups(), parallel, [&](int g) { update(g, pass, pass + kPass, begin, end - begin); });
    }
    return true;
}

template class FrontWork<2>;
template class FrontWork<3>;

namespace {

/// x -= L^T y for the columns 0 to columns - 1 of 12 rows.
void subtract_transposed(const double* strip, int columns, const double* y, double* x) {
    const Twelve t = load_twelve(y);
    const auto dot = [&](int j) {
        const Twelve l = load_twelve(strip + j * kGroup);
        return add_product(add_product(l.part[0] * t.part[0], l.part[1], t.part[1]), l.part[2], t.part[2]);
    };
    int j = 0;
    for (; j + 4 <= columns; j += 4) {
        const Quad a = dot(j), b = dot(j + 1), c = dot(j + 2), d = dot(j + 3);
        const Quad ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
        const Quad cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
        quad(x + j) -= __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    }
    for (; j < columns; ++j) {
        const Quad a = dot(j);
        x[j] -= (a[0] + a[2]) + (a[1] + a[3]);
    }
}

/// y -= L x for 12 rows and the columns 0 to columns - 1. Two sums of alternate columns hide the latency of the additions.
void subtract_strip(const double* strip, int columns, const double* x, double* y) {
    Twelve even = load_twelve(y), odd{};
    int j = 0;
    for (; j + 2 <= columns; j += 2) {
        subtract_product(even, load_twelve(strip + j * kGroup), x[j]);
        subtract_product(odd, load_twelve(strip + (j + 1) * kGroup), x[j + 1]);
    }
    if (j < columns) subtract_product(even, load_twelve(strip + j * kGroup), x[j]);
    for (int p = 0; p < 3; ++p) even.part[p] += odd.part[p];
    store_twelve(y, even);
}

}  // namespace

template <int Dim>
void solve_forward(const FrontPlan& plan, FrontValues& values, const Front& front) {
    double* x = values.x.data() + front.slot;
    double* tail = values.tail.data() + front.tail;
    const double* factor = values.factor.data() + front.factor;
    const double* inverse = values.inverse.data() + front.slot;
    const int columns = front.columns * Dim, own = front.own_groups(Dim), below = front.row_groups(Dim);
    std::fill_n(tail, below * kGroup, 0.0);
    for (int k = front.first_child; k < front.end_child; ++k) {
        const Front& child = plan.fronts[static_cast<std::size_t>(plan.child[static_cast<std::size_t>(k)])];
        const int* place = plan.place_in_parent.data() + child.first_row;
        const double* from = values.tail.data() + child.tail;
        for (int i = 0; i < child.rows; ++i) {
            double* to = place[i] < front.columns ? x + place[i] * Dim : tail + (place[i] - front.columns) * Dim;
            for (int f = 0; f < Dim; ++f) to[f] += from[i * Dim + f];
        }
    }
    for (int g = 0; g < own; ++g) {
        const int first = g * kGroup, size = std::min(kGroup, columns - first);
        const double* rows = factor + triangle_values(g);
        double* part = x + first;
        subtract_strip(rows, first, x, part);
        const double* square = rows + first * kGroup;
        for (int j = 0; j < size; ++j) {
            part[j] *= inverse[first + j];
            for (int i = j + 1; i < size; ++i) part[i] -= square[j * kGroup + i] * part[j];
        }
    }
    const double* rows = factor + triangle_values(own);
    for (int g = 0; g < below; ++g, rows += columns * kGroup) subtract_strip(rows, columns, x, tail + g * kGroup);
}

template <int Dim>
void solve_backward(const FrontPlan& plan, FrontValues& values, const Front& front) {
    double* x = values.x.data() + front.slot;
    double* tail = values.tail.data() + front.tail;
    const double* factor = values.factor.data() + front.factor;
    const double* inverse = values.inverse.data() + front.slot;
    const int columns = front.columns * Dim, own = front.own_groups(Dim), below = front.row_groups(Dim);
    for (int i = 0; i < front.rows; ++i) {
        const auto row = static_cast<std::size_t>(plan.row[static_cast<std::size_t>(front.first_row + i)]);
        const double* from = values.x.data() + plan.slot[row];
        for (int f = 0; f < Dim; ++f) tail[i * Dim + f] = from[f];
    }
    std::fill(tail + front.rows * Dim, tail + below * kGroup, 0.0);
    const double* rows = factor + triangle_values(own);
    for (int g = 0; g < below; ++g, rows += columns * kGroup) subtract_transposed(rows, columns, tail + g * kGroup, x);
    for (int g = own; g-- > 0;) {
        const int first = g * kGroup, size = std::min(kGroup, columns - first);
        const double* strip = factor + triangle_values(g);
        const double* square = strip + first * kGroup;
        double* part = x + first;
        for (int j = size; j-- > 0;) {
            double sum = part[j];
            for (int i = j + 1; i < size; ++i) sum -= square[j * kGroup + i] * part[i];
            part[j] = sum * inverse[first + j];
        }
        subtract_transposed(strip, first, part, x);
    }
}

template void solve_forward<2>(const FrontPlan&, FrontValues&, const Front&);
template void solve_forward<3>(const FrontPlan&, FrontValues&, const Front&);
template void solve_backward<2>(const FrontPlan&, FrontValues&, const Front&);
template void solve_backward<3>(const FrontPlan&, FrontValues&, const Front&);

}  // namespace asperity::linear

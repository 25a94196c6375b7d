// Dense work within a front (front_plan.h), on groups of 12 rows: products, triangular solves and the Cholesky factor of one
// square. A product reads both factors as the factor itself is stored, so nothing is packed or copied.
#pragma once
#include <cmath>
#include <limits>

#include "asperity/linear/aligned.h"
#include "asperity/linear/supernodes.h"

namespace asperity::linear {

/// Twelve rows of one column.
struct Twelve {
    Quad part[3];
};
[[gnu::always_inline]] inline Twelve load_twelve(const double* at) { return {{quad(at), quad(at + 4), quad(at + 8)}}; }
[[gnu::always_inline]] inline void store_twelve(double* at, const Twelve& t) {
    quad(at) = t.part[0];
    quad(at + 4) = t.part[1];
    quad(at + 8) = t.part[2];
}
[[gnu::always_inline]] inline void subtract_product(Twelve& c, const Twelve& a, double b) {
    const Quad factor = all_of(b);
    c.part[0] = subtract_product(c.part[0], a.part[0], factor);
    c.part[1] = subtract_product(c.part[1], a.part[1], factor);
    c.part[2] = subtract_product(c.part[2], a.part[2], factor);
}

/// C -= A B^T for 12 rows of A, `Columns` rows of B (at most 4, at b and beside it), over `depth` columns of both.
template <int Columns>
[[gnu::always_inline]] inline void subtract_product(const double* a, const double* b, int depth, Twelve (&c)[Columns]) {
    for (int k = 0; k < depth; ++k, a += kGroup, b += kGroup) {
        const Twelve column = load_twelve(a);
#pragma GCC unroll 4
        for (int j = 0; j < Columns; ++j) subtract_product(c[j], column, b[j]);
    }
}

/// The same, on `Columns` columns in memory.
template <int Columns>
inline void subtract_product(const double* a, const double* b, int depth, double* c) {
    Twelve sum[Columns];
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) sum[j] = load_twelve(c + j * kGroup);
    subtract_product<Columns>(a, b, depth, sum);
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) store_twelve(c + j * kGroup, sum[j]);
}

/// The same with up to 12 rows of B.
inline void subtract_square(const double* a, const double* b, int depth, int columns, double* c) {
    for (; columns >= 4; columns -= 4, b += 4, c += 4 * kGroup) subtract_product<4>(a, b, depth, c);
    switch (columns) {
        case 1: return subtract_product<1>(a, b, depth, c);
        case 2: return subtract_product<2>(a, b, depth, c);
        case 3: return subtract_product<3>(a, b, depth, c);
        default: return;
    }
}

/// X L^T = B for 12 rows of X, in columns first to first + Columns - 1; columns begin to first - 1 are known. `strip` is B
/// and becomes X, `l` the rows of these columns in L (lane of the first), `inverse` the reciprocals of L's diagonal.
template <int Columns>
inline void solve_columns(double* strip, const double* l, const double* inverse, int begin, int first) {
    Twelve x[Columns];
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) x[j] = load_twelve(strip + (first + j) * kGroup);
    subtract_product<Columns>(strip + begin * kGroup, l + begin * kGroup, first - begin, x);
    const double* triangle = l + first * kGroup;
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) {
#pragma GCC unroll 4
        for (int k = 0; k < j; ++k) subtract_product(x[j], x[k], triangle[k * kGroup + j]);
        const Quad factor = all_of(inverse[first + j]);
        for (Quad& part : x[j].part) part *= factor;
        store_twelve(strip + (first + j) * kGroup, x[j]);
    }
}

/// In the diagonal block of a front: the row of L whose number is that of a column, at column 0.
[[gnu::always_inline]] inline const double* rows_of_column(const double* diagonal_groups, int column) {
    const auto g = static_cast<std::size_t>(column / kGroup);
    return diagonal_groups + g * (g + 1) / 2 * (kGroup * kGroup) + column % kGroup;
}

/// The same for columns begin to end - 1, where begin is a multiple of 12. `diagonal_groups` is the diagonal block of the
/// front.
inline void solve_strip(double* strip, const double* diagonal_groups, const double* inverse, int begin, int end) {
    int j = begin;
    for (; j + 4 <= end; j += 4) solve_columns<4>(strip, rows_of_column(diagonal_groups, j), inverse, begin, j);
    switch (end - j) {
        case 1: return solve_columns<1>(strip, rows_of_column(diagonal_groups, j), inverse, begin, j);
        case 2: return solve_columns<2>(strip, rows_of_column(diagonal_groups, j), inverse, begin, j);
        case 3: return solve_columns<3>(strip, rows_of_column(diagonal_groups, j), inverse, begin, j);
        default: return;
    }
}

/// The smallest pivot so far, over the same value of the diagonal before any elimination.
struct LeastPivot {
    double share = std::numeric_limits<double>::infinity();
    int column = -1;  ///< within the front
    bool failed = false;
};

/// Cholesky factor of a square of `size` <= 12 columns in place; values above the diagonal are meaningless before and after.
/// `diagonal` holds the diagonal of the matrix before any elimination, and receives the reciprocals of the factor's. Fails
/// at a pivot of which cancellation has left no digit; `first` is the square's first column within the front.
inline void factor_square(double* square, int size, double* diagonal, int first, LeastPivot& least) {
    for (int j = 0; j < size; ++j) {
        double* column = square + j * kGroup;
        const double pivot = column[j], whole = std::fabs(diagonal[j]), share = pivot / whole;
        if (!(share >= least.share)) {
            least.share = share;
            least.column = first + j;
        }
        least.failed =
            !(pivot > std::numeric_limits<double>::epsilon() * whole && pivot <= std::numeric_limits<double>::max());
        if (least.failed) {
            least.column = first + j;
            return;
        }
        const double root = std::sqrt(pivot);
        diagonal[j] = 1 / root;
        Twelve l = load_twelve(column);
        const Quad factor = all_of(diagonal[j]);
        for (Quad& part : l.part) part *= factor;
        store_twelve(column, l);
        column[j] = root;
        for (int k = j + 1; k < size; ++k) {
            Twelve other = load_twelve(square + k * kGroup);
            subtract_product(other, l, column[k]);
            store_twelve(square + k * kGroup, other);
        }
    }
}

}  // namespace asperity::linear

// Private to linear/: the product and the solve of front_kernels.h for 24 rows at a time, in registers of 512 bits. Every
// sum has the same order and the same fused operations as with 256 bits, so the bits are the same.
#pragma once

namespace asperity::linear {

/// True if this processor has such registers, and the other kernels fuse their operations too.
bool has_wide_kernels();

/// C -= A B^T for two groups of 12 rows, A at a and a_next, C at c and c_next; up to 12 rows of B, over `depth` columns.
void subtract_two_squares(const double* a, const double* a_next, const double* b, int depth, int columns, double* c,
                          double* c_next);

/// X L^T = B for two groups of 12 rows, as solve_strip() does for one.
void solve_two_strips(double* strip, double* strip_next, const double* diagonal_groups, const double* inverse, int begin,
                      int end);

}  // namespace asperity::linear

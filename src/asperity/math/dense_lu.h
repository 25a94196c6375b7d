// Private to math/: the dense kernel of SparseLu.
#pragma once

namespace asperity {

/// Eliminates the first `pivots` columns of a row-major `size` x `size` matrix in place. Rows are exchanged among the first
/// `pivots` rows only. On return the first rows hold U, the first columns below their diagonal hold L (unit diagonal), and
/// the rest holds the Schur complement. swap[k] is the row exchanged with row k. Pivots smaller than `smallest` in magnitude
/// are replaced by it; returns their number. A stop request ends it early, with a matrix of no use.
int eliminate(double* matrix, int size, int pivots, double smallest, int* swap);

}  // namespace asperity

// Private to math/: the dense kernel of SparseLu.
#pragma once

namespace asperity {

/// Eliminates the first `pivots` columns of a row-major `size` x `size` matrix in place, exchanging rows among the first
/// `pivots` alone. On return: U in the first rows, the unit lower L below the diagonal of the first columns, the rest minus
/// what was eliminated. swap[k] is the row that row k was exchanged with. Pivots below `smallest` in size are replaced by
/// it; returns how many.
int eliminate(double* matrix, int size, int pivots, double smallest, int* swap);

}  // namespace asperity

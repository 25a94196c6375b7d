#include <algorithm>

#include "asperity/core/assert.h"
#include "asperity/fclib/assembled.h"

namespace asperity::fclib {
namespace {

/// Symmetrised pattern of nonzero 3 x 3 blocks, including the diagonal: block columns of each block row.
std::vector<std::vector<int>> block_pattern(const SparseMatrix& W, int contacts) {
    std::vector<std::vector<int>> columns(static_cast<size_t>(contacts));
    for (int r = 0; r < W.rows; ++r)
        for (auto e = static_cast<size_t>(W.row_start[static_cast<size_t>(r)]);
             e < static_cast<size_t>(W.row_start[static_cast<size_t>(r) + 1]); ++e) {
            const int i = r / 3, k = W.column[e] / 3;
            if (W.value[e] == 0 || i == k) continue;
            columns[static_cast<size_t>(i)].push_back(k);
            columns[static_cast<size_t>(k)].push_back(i);
        }
    for (size_t i = 0; i < columns.size(); ++i) {
        columns[i].push_back(static_cast<int>(i));
        std::sort(columns[i].begin(), columns[i].end());
        columns[i].erase(std::unique(columns[i].begin(), columns[i].end()), columns[i].end());
    }
    return columns;
}

}  // namespace

solvers::AssembledProblem to_assembled(const LocalProblem& from) {
    ASPERITY_ASSERT(from.equation_count() == 0);
    solvers::AssembledProblem p;
    p.q = from.q;
    for (int i = 0; i < from.contact_count(); ++i) {
        solvers::Block block;
        block.kind = solvers::BlockKind::Contact;
        block.first_row = 3 * i;
        block.rows = 3;
        const double mu = from.mu[static_cast<size_t>(i)];
        block.set = friction::Ellipse{mu, mu};
        p.blocks.push_back(block);
    }
    const std::vector<std::vector<int>> pattern = block_pattern(from.W, from.contact_count());
    p.W.row_start.push_back(0);
    for (const std::vector<int>& columns : pattern) {
        for (const int k : columns) {
            p.W.value_start.push_back(static_cast<int>(9 * p.W.column.size()));
            p.W.column.push_back(k);
        }
        p.W.row_start.push_back(static_cast<int>(p.W.column.size()));
    }
    p.W.values.assign(9 * p.W.column.size(), 0.0);
    for (const Triplet& e : triplets(from.W)) {
        if (e.value == 0) continue;
        const auto row = static_cast<size_t>(e.row / 3);
        const auto first = p.W.column.begin() + p.W.row_start[row], last = p.W.column.begin() + p.W.row_start[row + 1];
        const auto entry = static_cast<size_t>(std::lower_bound(first, last, e.column / 3) - p.W.column.begin());
        p.W.values[9 * entry + static_cast<size_t>(3 * (e.row % 3) + e.column % 3)] = e.value;
    }
    p.prepare();
    return p;
}

}  // namespace asperity::fclib

#include "asperity/solvers/newton/block_subset.h"

#include <algorithm>

namespace asperity::solvers {

void BlockSubset::load(const ContactProblem& problem) {
    for (size_t k = 0; k < chosen.size(); ++k) {
        const Block& from = problem.blocks[static_cast<size_t>(chosen[k])];
        std::copy_n(&problem.impulse[static_cast<size_t>(from.first_row)], from.rows,
                    &together.impulse[static_cast<size_t>(together.blocks[k].first_row)]);
    }
    together.multiply(together.impulse, together.velocity);
    for (size_t k = 0; k < chosen.size(); ++k) {
        const Block& from = problem.blocks[static_cast<size_t>(chosen[k])];
        for (int r = 0; r < from.rows; ++r) {
            const auto row = static_cast<size_t>(together.blocks[k].first_row + r);
            together.q[row] = problem.row_velocity(from, from.first_row + r) - together.velocity[row];
        }
    }
    together.refresh_velocities();
}

void BlockSubset::keep(ContactProblem& problem, bool solved) {
    for (size_t k = 0; k < chosen.size(); ++k) {
        const Block& to = problem.blocks[static_cast<size_t>(chosen[k])];
        std::copy_n(&together.impulse[static_cast<size_t>(together.blocks[k].first_row)], to.rows,
                    &problem.impulse[static_cast<size_t>(to.first_row)]);
    }
    problem.refresh_velocities();
    if (!solved) iterations *= 2;
}

}  // namespace asperity::solvers

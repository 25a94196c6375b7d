#include "asperity/solvers/sweeps/coloured_blocks.h"

#include <algorithm>

namespace asperity::solvers {

void ColouredBlocks::arrange(const ContactProblem& problem) {
    moves_.resize(problem.velocity.size());
    for (size_t g = 0; g < moves_.size(); ++g) {
        const Mat3& turn = problem.inverse_inertia[g];
        moves_[g] = problem.inverse_mass[g] > 0 || turn.r[0] != Vec3{} || turn.r[1] != Vec3{} || turn.r[2] != Vec3{};
    }
    found_.clear();
    for (size_t k = 0; k < problem.blocks.size(); ++k) {
        const Block& block = problem.blocks[k];
        if (!found_.empty() && found_.back().a == block.a && found_.back().b == block.b)
            ++found_.back().count;
        else
            found_.push_back({block.a, block.b, static_cast<int>(k), 1});
    }
    colouring_.colour(found_, moves_);

    const std::span<const std::uint8_t> colours = colouring_.colours();
    const int count = colours.empty() ? 0 : 1 + *std::max_element(colours.begin(), colours.end());
    start_.assign(static_cast<size_t>(count) + 1, 0);
    for (const std::uint8_t c : colours) ++start_[static_cast<size_t>(c) + 1];
    for (size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
    runs_.resize(found_.size());
    for (size_t i = found_.size(); i-- > 0;)  // from the back, so that start_ can be counted down
        runs_[static_cast<size_t>(--start_[static_cast<size_t>(colours[i]) + 1])] = found_[i];
    for (size_t c = 0; c + 1 < start_.size(); ++c) start_[c] = start_[c + 1];
    start_.back() = static_cast<int>(runs_.size());
}

}  // namespace asperity::solvers

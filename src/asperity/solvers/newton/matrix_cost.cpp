#include "asperity/solvers/newton/matrix_cost.h"

namespace asperity::solvers {
namespace {

// Values of W per row above which a problem is counted before it is written out. Walls, piles and machines have 100 to 300.
constexpr double kUsualValues = 400;

bool can_move(const ContactProblem& p, int group) {
    const auto g = static_cast<size_t>(group);
    return p.inverse_mass[g] > 0 || p.inverse_inertia[g].r[0] != Vec3{};
}

}  // namespace

void MatrixCost::count(const ContactProblem& p, std::span<const int> chosen, std::span<const int> unknowns) {
    pairs_.clear();
    rows_of_.assign(p.velocity.size(), 0.0);
    rows_ = values_ = 0;
    for (size_t k = 0; k < chosen.size(); ++k) {
        const Block& block = p.blocks[static_cast<size_t>(chosen[k])];
        if (pairs_.empty() || pairs_.back().a != block.a || pairs_.back().b != block.b)
            pairs_.push_back({block.a, block.b, 0, 0});
        pairs_.back().rows += block.rows;
        pairs_.back().unknowns += unknowns.empty() ? block.rows : unknowns[k];
        rows_ += block.rows;
        for (const int group : {block.a, block.b})
            if (can_move(p, group)) rows_of_[static_cast<size_t>(group)] += block.rows;
    }
    for (const Pair& pair : pairs_) {
        const double touching = rows_of_[static_cast<size_t>(pair.a)] + rows_of_[static_cast<size_t>(pair.b)];
        values_ += pair.rows * (can_move(p, pair.a) && can_move(p, pair.b) ? touching - pair.rows : touching);
    }
}

bool MatrixCost::surely_exceeds(double work) const {
    if (2 * values_ > kMostValues) return true;  // W, and its copy in the linear system
    if (values_ <= kUsualValues * rows_) return false;
    std::vector<int> weight, start(rows_of_.size() + 1, 0), member;
    weight.reserve(pairs_.size());
    const auto for_ends = [&](auto&& visit) {
        for (size_t k = 0; k < pairs_.size(); ++k)
            for (const int group : {pairs_[k].a, pairs_[k].b})
                if (rows_of_[static_cast<size_t>(group)] > 0) visit(static_cast<size_t>(group), static_cast<int>(k));
    };
    for (const Pair& pair : pairs_) weight.push_back(pair.unknowns);
    for_ends([&](size_t group, int) { ++start[group + 1]; });
    for (size_t g = 1; g < start.size(); ++g) start[g] += start[g - 1];
    member.resize(static_cast<size_t>(start.back()));
    std::vector<int> next(start.begin(), start.end() - 1);
    for_ends([&](size_t group, int k) { member[static_cast<size_t>(next[group]++)] = k; });
    const EliminationCost most{work, kMostValues - 2 * values_};
    // Never more than the work of SparseLu, whose fronts also hold zeros: it takes 1 to 6.5 times as much.
    const EliminationCost cost = elimination_cost({start, member}, weight, most);
    return cost.work > most.work || cost.factors > most.factors;
}

}  // namespace asperity::solvers

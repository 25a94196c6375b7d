#include "asperity/linear/multigrid.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"

namespace asperity::linear {
namespace {

/// A level with at most this many unknowns is factored: up to here that takes less time than to set up and smooth it.
constexpr std::size_t kFactor = 6000;
/// Strong coupling on the finest level; half of it on each level below (Vanek, Mandel and Brezina 1996, section 5). Higher
/// values make small aggregates and large coarse matrices; lower ones join nodes that move apart at little cost.
constexpr double kStrong = 0.08;

template <int B>
void aggregate_level(const BlockLevel<B>& level, double strong, Aggregates& out) {
    std::vector<double> norm(level.graph().neighbour.size()), diagonal(static_cast<std::size_t>(level.size()));
    using Square = Eigen::Map<const Matrix<B, B>>;
    parallel_for(
        level.size(),
        [&](int node) {
            const auto i = static_cast<std::size_t>(node);
            diagonal[i] = Square(level.diagonal(node)).norm();
            for (int e = level.graph().start[i]; e < level.graph().start[i + 1]; ++e)
                norm[static_cast<std::size_t>(e)] = Square(level.off_diagonal(e)).norm();
        },
        512);
    aggregate(level.graph(), norm, diagonal, strong, out);
}

/// Translations, and rotations about the centre of the nodes in units of their extent, so that all have sizes near 1.
template <int Dim>
std::vector<double> rigid_modes(const std::vector<Vector<Dim>>& positions) {
    constexpr int kModes = Multigrid<Dim>::kModes;
    Vector<Dim> low = positions.front(), high = positions.front();
    for (const Vector<Dim>& p : positions) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const Vector<Dim> centre = 0.5 * low + 0.5 * high;
    const double extent = (high - low).maxCoeff(), scale = extent > 0 ? 2 / extent : 0;
    std::vector<double> modes(positions.size() * Dim * kModes, 0.0);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Eigen::Map<Matrix<Dim, kModes>> m(modes.data() + i * Dim * kModes);
        m.template leftCols<Dim>().setIdentity();
        const Vector<Dim> r = scale * (positions[i] - centre);
        for (int axis = 0, k = Dim; k < kModes; ++axis, ++k) {  // the plane of rotation k: axes a and b
            const int a = Dim == 2 ? 0 : (axis + 1) % 3, b = Dim == 2 ? 1 : (axis + 2) % 3;
            m(a, k) = -r[b];
            m(b, k) = r[a];
        }
    }
    return modes;
}

}  // namespace

template <int Dim>
bool Multigrid<Dim>::prepare(BlockLevel<Dim>& fine, const std::vector<Vector<Dim>>& positions) {
    fine_ = &fine;
    depth_ = 0;
    Aggregates aggregates;
    aggregate_level(fine, kStrong, aggregates);
    std::vector<double> modes = rigid_modes<Dim>(positions), coarse_modes, values;
    BlockPattern pattern;
    make_prolongation<Dim, kModes>(fine, aggregates, modes, first_, coarse_modes);
    coarse_matrix<Dim, kModes>(fine, first_, pattern, values);
    double strong = kStrong;
    while (static_cast<std::size_t>(pattern.size()) * kModes > kFactor) {
        if (depth_ == coarse_.size()) coarse_.push_back(std::make_unique<Coarse>());
        Coarse& c = *coarse_[depth_];
        if (!c.level.set_matrix(pattern, values)) return false;
        c.level.estimate_spectrum();
        if (!c.level.spectrum().positive) return false;
        strong *= 0.5;
        aggregate_level(c.level, strong, aggregates);
        if (aggregates.count > pattern.size() / 2) break;  // coarser levels would cost as much as this one
        modes.swap(coarse_modes);
        make_prolongation<kModes, kModes>(c.level, aggregates, modes, c.from_coarser, coarse_modes);
        coarse_matrix<kModes, kModes>(c.level, c.from_coarser, pattern, values);
        c.right.resize(c.level.unknowns());
        c.x.resize(c.level.unknowns());
        c.residual.resize(c.level.unknowns());
        ++depth_;
    }
    residual_.resize(fine.unknowns());
    right_.resize(static_cast<std::size_t>(first_.coarse) * kModes);
    x_.resize(static_cast<std::size_t>(pattern.size()) * kModes);
    return factor(pattern, values);
}

/// Blocks of 6 x 6 are factored as two by two blocks of 3 x 3.
template <int Dim>
bool Multigrid<Dim>::factor(const BlockPattern& pattern, const std::vector<double>& values) {
    if (kModes == 3) {
        bottom_.analyse(pattern);
        return bottom_.factor(values) == CholeskyStatus::Done;
    }
    split_pattern_.start.assign(1, 0);
    split_pattern_.column.clear();
    split_values_.clear();
    for (std::size_t i = 0; i < static_cast<std::size_t>(pattern.size()); ++i)
        for (std::size_t half = 0; half < 2; ++half) {
            for (int k = pattern.start[i]; k < pattern.start[i + 1]; ++k) {
                const int j = pattern.column[static_cast<std::size_t>(k)];
                for (std::size_t part = 0; part < (static_cast<std::size_t>(j) == i ? half + 1 : 2); ++part) {
                    split_pattern_.column.push_back(2 * j + static_cast<int>(part));
                    for (std::size_t e = 0; e < 3; ++e) {
                        const double* from = values.data() + (static_cast<std::size_t>(k) * 6 + part * 3 + e) * 6 + half * 3;
                        split_values_.insert(split_values_.end(), from, from + 3);
                    }
                }
            }
            split_pattern_.start.push_back(static_cast<int>(split_pattern_.column.size()));
        }
    bottom_.analyse(split_pattern_);
    return bottom_.factor(split_values_) == CholeskyStatus::Done;
}

template <int Dim>
void Multigrid<Dim>::apply(std::span<const double> b, std::span<double> x) {
    fine_->smooth(b.data(), x.data(), true);
    fine_->residual(b.data(), x.data(), residual_.data());
    if (depth_ == 0) {
        first_.restrict_to(residual_.data(), x_.data());
        bottom_.solve(x_);
        first_.add(x_.data(), x.data());
    } else {
        first_.restrict_to(residual_.data(), right_.data());
        solve_coarse(0, right_, coarse_[0]->x);
        first_.add(coarse_[0]->x.data(), x.data());
    }
    fine_->smooth(b.data(), x.data(), false);
}

/// The V-cycle below the finest level. Each level has at most half the nodes of the one above it, so this is not deep.
template <int Dim>
void Multigrid<Dim>::solve_coarse(std::size_t depth, std::vector<double>& right, std::vector<double>& x) {
    Coarse& c = *coarse_[depth];
    c.level.smooth(right.data(), x.data(), true);
    c.level.residual(right.data(), x.data(), c.residual.data());
    if (depth + 1 == depth_) {
        c.from_coarser.restrict_to(c.residual.data(), x_.data());
        bottom_.solve(x_);
        c.from_coarser.add(x_.data(), x.data());
    } else {
        Coarse& below = *coarse_[depth + 1];
        c.from_coarser.restrict_to(c.residual.data(), below.right.data());
        solve_coarse(depth + 1, below.right, below.x);
        c.from_coarser.add(below.x.data(), x.data());
    }
    c.level.smooth(right.data(), x.data(), false);
}

template class Multigrid<2>;
template class Multigrid<3>;

}  // namespace asperity::linear

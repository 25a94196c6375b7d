#include "asperity/linear/sparse_cholesky.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/core/assert.h"
#include "asperity/core/parallel.h"
#include "asperity/linear/front_work.h"
#include "asperity/linear/ordering.h"

namespace asperity::linear {
namespace {

/// An order of elimination is made anew when it costs this much more than when it was made. New contacts in a tenth of the
/// nodes cost 1.03 to 1.6 times; an order costs a third of a factorisation of a small mesh and a tenth for a large one.
constexpr double kReorder = 1.2;
/// Cycles from which the threads share one front: handing over its parts takes about a tenth of this.
constexpr double kSharedFront = 200000;

/// A pivot below this part of the diagonal puts the matrix to the test whether it is singular, at the price of two solves.
/// Pivots of singular meshes are rounding errors of up to 3e-9 (30,000 unknowns in the plane). A larger value tests sound
/// matrices too.
constexpr double kDoubtful = 1e-6;
/// Energy of a motion in units of the diagonal below which the matrix counts as singular: rounding of its values alone makes
/// about one unit of 2.2e-16.
constexpr double kSingular = 64 * std::numeric_limits<double>::epsilon();

/// The smallest pivot of a part of the factorisation, over the diagonal.
struct Pivot {
    double share = std::numeric_limits<double>::infinity();
    int place = -1;  ///< of its node in the order of elimination
    bool failed = false;
};

bool all_finite(std::span<const double> values) {
    constexpr int kChunk = 8192;
    const int chunks = static_cast<int>((values.size() + kChunk - 1) / kChunk);
    std::atomic<bool> finite{true};
    parallel_for(
        chunks,
        [&](int c) {
            const std::size_t first = static_cast<std::size_t>(c) * kChunk, end = std::min(values.size(), first + kChunk);
            double sum[4] = {0, 0, 0, 0};  // of zeros, or of what is not a number
            std::size_t i = first;
            for (; i + 4 <= end; i += 4)
                for (std::size_t k = 0; k < 4; ++k) sum[k] += values[i + k] * 0;
            for (; i < end; ++i) sum[0] += values[i] * 0;
            if (sum[0] + sum[1] + sum[2] + sum[3] != 0) finite.store(false, std::memory_order_relaxed);
        },
        4);
    return finite;
}

}  // namespace

template <int Dim>
struct SparseCholesky<Dim>::Data {
    BlockPattern pattern;
    NodeGraph graph;
    std::vector<int> order;  ///< of elimination, as it was made
    double order_flops = 0;  ///< when it was made
    int orderings = 0;
    FrontPlan plan;
    FrontValues values;
    std::vector<Pivot> pivots;  ///< the worst of each subtree, and then of the top
    std::vector<double> probe;
    int failed_node = -1;
    bool analysed = false, factored = false;

    void make_order() {
        order = elimination_order(graph, Dim == 2 ? Ordering::MinimumDegree : Ordering::NestedDissection);
        make_front_plan(pattern, graph, order, Dim, plan);
        order_flops = plan.flops;
        ++orderings;
    }

    /// The order that begin() starts from, and the last order that was made for the first pattern after it.
    struct Start {
        BlockPattern base, pattern;
        std::vector<int> base_order, order;
        double base_flops = 0;
        bool set = false, fresh = false;
        bool is_first = false;  ///< the plan is that of the first pattern after begin()
    } start;

    void begin(const BlockPattern& base) {
        if (!start.set || !(base == start.base)) {
            start = {};
            pattern = base;
            graph_of_pattern(pattern, graph);
            make_order();
            analysed = false;  // makes no memory for the factor: a caller that reads flops() may do without it
            start.base = base;
            start.base_order = order;
            start.base_flops = order_flops;
            start.set = true;
        }
        start.fresh = true;
    }

    void analyse_first(const BlockPattern& wanted) {
        start.fresh = false;
        if (start.is_first && wanted == pattern) return;
        pattern = wanted;
        graph_of_pattern(pattern, graph);
        order = start.base_order;
        order_flops = start.base_flops;
        make_front_plan(pattern, graph, order, Dim, plan);
        if (plan.flops > kReorder * order_flops) {
            if (wanted == start.pattern) {
                order = start.order;
                make_front_plan(pattern, graph, order, Dim, plan);
                order_flops = plan.flops;
            } else {
                make_order();
                start.pattern = wanted;
                start.order = order;
            }
        }
        start.is_first = true;
        allocate();
    }

    void analyse(const BlockPattern& wanted) {
        if (start.fresh) return analyse_first(wanted);
        if (analysed && wanted == pattern) return;
        start.is_first = false;
        const bool same_size = analysed && wanted.size() == pattern.size();
        pattern = wanted;
        graph_of_pattern(pattern, graph);
        if (same_size) make_front_plan(pattern, graph, order, Dim, plan);
        if (!same_size || plan.flops > kReorder * order_flops) make_order();
        allocate();
    }

    void allocate() {
        values.factor.resize(plan.factor_values);
        values.workspace.resize(plan.workspace);
        for (AlignedDoubles* v : {&values.inverse, &values.x}) v->assign(plan.padded, 0);
        values.tail.assign(plan.tails, 0);
        pivots.resize(plan.subtrees.size() + 1);
        probe.resize(plan.order.size() * Dim);
        analysed = true;
        factored = false;
    }

    CholeskyStatus factor(std::span<const double> matrix) {
        ASPERITY_ASSERT(analysed && matrix.size() == pattern.column.size() * (Dim * Dim));
        factored = false;
        failed_node = -1;
        if (!all_finite(matrix)) return CholeskyStatus::NotFinite;
        std::fill(pivots.begin(), pivots.end(), Pivot{});
        const auto eliminate = [&](int k, Pivot& worst, bool parallel) {
            const Front& front = plan.fronts[static_cast<std::size_t>(k)];
            LeastPivot least;
            FrontWork<Dim>(plan, values, matrix, front).eliminate(parallel, least);
            if (least.share < worst.share || least.failed)
                worst = {least.share, front.first + least.column / Dim, least.failed};
            return !least.failed;
        };
        Team::run([&](Team& team) {
            parallel_for(
                static_cast<int>(plan.subtrees.size()),
                [&](int t) {
                    const Subtree& tree = plan.subtrees[static_cast<std::size_t>(t)];
                    for (int k = tree.first; k < tree.end; ++k)
                        if (!eliminate(k, pivots[static_cast<std::size_t>(t)], false)) return;
                },
                1);
            if (std::any_of(pivots.begin(), pivots.end(), [](const Pivot& p) { return p.failed; })) return;
            for (const int k : plan.top) {
                const Front& front = plan.fronts[static_cast<std::size_t>(k)];
                const bool parallel = team.size() > 1 && front_cost(front.columns * Dim, front.rows * Dim) > kSharedFront;
                if (!eliminate(k, pivots.back(), parallel)) return;
            }
        });
        Pivot worst;
        for (const Pivot& p : pivots)
            if (!worst.failed && (p.failed || p.share < worst.share)) worst = p;
        factored = !worst.failed;
        if (factored && worst.share < kDoubtful) factored = !is_singular(matrix);
        if (factored) return CholeskyStatus::Done;
        failed_node = plan.order[static_cast<std::size_t>(worst.place)];
        return CholeskyStatus::NotPositive;
    }

    /// Two steps of inverse iteration find the motion x of least energy x^T A x, over x^T D x with the diagonal D. The
    /// factor of a singular matrix is that of a matrix nearby, where this energy is small but positive; here it is computed
    /// with the matrix itself.
    bool is_singular(std::span<const double> matrix) {
        for (std::size_t i = 0; i < probe.size(); ++i)
            probe[i] = i * 2654435761U % 1024 < 512 ? 1 : -1;  // no mode is left out
        for (int step = 0; step < 2; ++step) {
            double size = 0;
            for (std::size_t i = 0; i < probe.size(); ++i) size = std::max(size, std::fabs(probe[i]));
            if (!std::isfinite(size)) return true;
            for (std::size_t i = 0; i < probe.size(); ++i) probe[i] *= diagonal_of(matrix, i) / size;
            solve(probe);
        }
        double energy = 0, weight = 0, size = 0;
        for (const double x : probe) size = std::max(size, std::fabs(x));
        if (!std::isfinite(size) || size == 0) return true;
        for (double& x : probe) x /= size;
        for (std::size_t i = 0; i < probe.size(); ++i) weight += probe[i] * probe[i] * diagonal_of(matrix, i);
        for (std::size_t i = 0; i + 1 < pattern.start.size(); ++i)
            for (int k = pattern.start[i]; k < pattern.start[i + 1]; ++k) {
                const auto j = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
                const double* block = matrix.data() + static_cast<std::size_t>(k) * (Dim * Dim);
                for (std::size_t e = 0; e < Dim; ++e)
                    for (std::size_t f = i == j ? e : 0; f < Dim; ++f)
                        energy += (i == j && e == f ? 1 : 2) * block[e * Dim + f] * probe[j * Dim + e] * probe[i * Dim + f];
            }
        return !(energy > kSingular * weight);
    }
    double diagonal_of(std::span<const double> matrix, std::size_t unknown) const {
        const std::size_t node = unknown / Dim, k = unknown % Dim;
        return matrix[static_cast<std::size_t>(pattern.start[node + 1] - 1) * (Dim * Dim) + k * (Dim + 1)];
    }

    void solve(std::span<double> x) {
        ASPERITY_ASSERT(factored && x.size() == plan.order.size() * Dim);
        for (std::size_t i = 0; i < plan.order.size(); ++i)
            for (std::size_t f = 0; f < Dim; ++f)
                values.x[plan.slot[i] + f] = x[static_cast<std::size_t>(plan.order[i]) * Dim + f];
        const auto front = [&](int k) -> const Front& { return plan.fronts[static_cast<std::size_t>(k)]; };
        Team::run([&](Team&) {
            parallel_for(
                static_cast<int>(plan.subtrees.size()),
                [&](int t) {
                    const Subtree& tree = plan.subtrees[static_cast<std::size_t>(t)];
                    for (int k = tree.first; k < tree.end; ++k) solve_forward<Dim>(plan, values, front(k));
                },
                1);
            for (const int k : plan.top) solve_forward<Dim>(plan, values, front(k));
            for (std::size_t i = plan.top.size(); i-- > 0;) solve_backward<Dim>(plan, values, front(plan.top[i]));
            parallel_for(
                static_cast<int>(plan.subtrees.size()),
                [&](int t) {
                    const Subtree& tree = plan.subtrees[static_cast<std::size_t>(t)];
                    for (int k = tree.end; k-- > tree.first;) solve_backward<Dim>(plan, values, front(k));
                },
                1);
        });
        for (std::size_t i = 0; i < plan.order.size(); ++i)
            for (std::size_t f = 0; f < Dim; ++f)
                x[static_cast<std::size_t>(plan.order[i]) * Dim + f] = values.x[plan.slot[i] + f];
    }
};

template <int Dim>
SparseCholesky<Dim>::SparseCholesky() : data_(std::make_unique<Data>()) {}
template <int Dim>
SparseCholesky<Dim>::~SparseCholesky() = default;
template <int Dim>
SparseCholesky<Dim>::SparseCholesky(SparseCholesky&&) noexcept = default;
template <int Dim>
SparseCholesky<Dim>& SparseCholesky<Dim>::operator=(SparseCholesky&&) noexcept = default;
template <int Dim>
void SparseCholesky<Dim>::analyse(const BlockPattern& pattern) {
    data_->analyse(pattern);
}
template <int Dim>
void SparseCholesky<Dim>::begin(const BlockPattern& base) {
    data_->begin(base);
}
template <int Dim>
CholeskyStatus SparseCholesky<Dim>::factor(std::span<const double> values) {
    return data_->factor(values);
}
template <int Dim>
int SparseCholesky<Dim>::failed_node() const {
    return data_->failed_node;
}
template <int Dim>
void SparseCholesky<Dim>::solve(std::span<double> x) {
    data_->solve(x);
}
template <int Dim>
double SparseCholesky<Dim>::flops() const {
    return data_->plan.flops;
}
template <int Dim>
std::size_t SparseCholesky<Dim>::factor_values() const {
    return data_->plan.factor_values;
}
template <int Dim>
int SparseCholesky<Dim>::orderings() const {
    return data_->orderings;
}

template class SparseCholesky<2>;
template class SparseCholesky<3>;

}  // namespace asperity::linear

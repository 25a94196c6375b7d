#include "asperity/linear/multigrid_cg.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "asperity/core/assert.h"
#include "asperity/core/parallel.h"
#include "asperity/linear/multigrid.h"

namespace asperity::linear {
namespace {

/// Condition with diagonal blocks above which multigrid is quicker in all, for a residual of 1e-6 (bench/linear). Iterations
/// with diagonal blocks grow with the square root of the condition.
constexpr double kDiagonalBlocks = 1000;
/// Share of the nodes that may have less inertia than the value that stands for all.
constexpr double kQuantile = 0.1;

}  // namespace

template <int Dim>
struct MultigridCg<Dim>::Data {
    BlockLevel<Dim> level;
    Multigrid<Dim> multigrid;
    Preconditioner preconditioner = Preconditioner::DiagonalBlocks;
    CgStatus matrix = CgStatus::Done;  ///< NotPositive or NotFinite: known before any solve
    double condition = 1;
    std::vector<double> r, z, p, product, scratch;

    /// The energy of translations that is not elastic: rows of an elastic matrix sum to zero, and what is left is inertia,
    /// supports and contact with obstacles. In units of the diagonal block, per node.
    double translation_share() {
        std::vector<double> share(static_cast<std::size_t>(level.size()), 0.0);
        std::vector<double> one(level.unknowns()), product_of_one(level.unknowns());
        for (int k = 0; k < Dim; ++k) {
            for (std::size_t i = 0; i < one.size(); ++i) one[i] = static_cast<int>(i % Dim) == k ? 1 : 0;
            level.multiply(one.data(), product_of_one.data());
            for (std::size_t i = 0; i < share.size(); ++i) {
                const double diagonal = level.diagonal(static_cast<int>(i))[k * (Dim + 1)];
                share[i] += std::max(0.0, product_of_one[i * Dim + static_cast<std::size_t>(k)] / diagonal) / Dim;
            }
        }
        const auto at = share.begin() + static_cast<std::ptrdiff_t>(kQuantile * static_cast<double>(share.size()));
        std::nth_element(share.begin(), at, share.end());
        return *at;
    }

    void prepare(const BlockPattern& pattern, std::span<const double> values, const std::vector<Vector<Dim>>& positions,
                 std::optional<Preconditioner> wanted) {
        ASPERITY_ASSERT(values.size() == pattern.column.size() * (Dim * Dim) &&
                        positions.size() == static_cast<std::size_t>(pattern.size()));
        Team::run([&](Team&) { find_preconditioner(pattern, values, positions, wanted); });
    }

    void find_preconditioner(const BlockPattern& pattern, std::span<const double> values,
                             const std::vector<Vector<Dim>>& positions, std::optional<Preconditioner> wanted) {
        matrix = CgStatus::Done;
        preconditioner = Preconditioner::DiagonalBlocks;
        condition = 1;
        double zero = 0;
        for (const double v : values) zero += v * 0;
        if (zero != 0) {  // a sum of zeros, or not a number
            matrix = CgStatus::NotFinite;
            return;
        }
        if (!level.set_matrix(pattern, values)) {
            matrix = CgStatus::NotPositive;
            return;
        }
        if (pattern.size() == 0) return;
        level.estimate_spectrum();
        if (!level.spectrum().positive) {
            matrix = CgStatus::NotPositive;
            return;
        }
        const double smallest = std::min(level.spectrum().smallest, translation_share());
        condition = smallest > 0 ? level.spectrum().largest / smallest : std::numeric_limits<double>::infinity();
        preconditioner =
            wanted.value_or(condition > kDiagonalBlocks ? Preconditioner::Multigrid : Preconditioner::DiagonalBlocks);
        if (preconditioner == Preconditioner::Multigrid && !multigrid.prepare(level, positions))
            matrix = CgStatus::NotPositive;
    }

    void precondition() {
        if (preconditioner == Preconditioner::Multigrid)
            multigrid.apply(r, z);
        else
            level.scale(r.data(), z.data());
    }

    CgReport solve(std::span<const double> b, std::span<double> x, double tolerance, int limit) {
        CgReport report;
        if (matrix != CgStatus::Done) {
            report.status = matrix;
            report.residual = 1;
            return report;
        }
        ASPERITY_ASSERT(b.size() == level.unknowns() && x.size() == b.size());
        Team::run([&](Team&) { report = iterate(b, x, tolerance, limit); });
        return report;
    }

    /// Hestenes and Stiefel 1952. A residual that is small by recurrence is computed anew, and the iteration restarts from
    /// it if it is not small.
    CgReport iterate(std::span<const double> b, std::span<double> x, double tolerance, int limit) {
        const std::size_t n = b.size();
        r.resize(n);
        z.resize(n);
        p.resize(n);
        product.resize(n);
        const auto update = [&](std::span<double> to, double factor, std::span<const double> by) {
            parallel_for(
                static_cast<int>(n),
                [&](int i) { to[static_cast<std::size_t>(i)] += factor * by[static_cast<std::size_t>(i)]; }, 4096);
        };
        CgReport report;
        const double size = std::sqrt(dot(b, b, scratch));
        if (!std::isfinite(size)) return {CgStatus::NotFinite, 0, 1};
        if (size == 0) {
            std::fill(x.begin(), x.end(), 0.0);
            return report;
        }
        double before = std::numeric_limits<double>::infinity();  // residual at the last restart
        for (;;) {
            level.residual(b.data(), x.data(), r.data());
            report.residual = std::sqrt(dot(r, r, scratch)) / size;
            if (!std::isfinite(report.residual)) report.status = CgStatus::NotFinite;
            if (!std::isfinite(report.residual) || report.residual <= tolerance) return report;
            if (report.residual > 0.5 * before || report.iterations >= limit) {
                report.status = CgStatus::Limit;
                return report;
            }
            before = report.residual;
            double rz = 0;
            for (bool first = true;; first = false) {
                precondition();
                const double rz_before = rz;
                rz = dot(r, z, scratch);
                if (!std::isfinite(rz)) report.status = CgStatus::NotFinite;
                if (rz <= 0) report.status = CgStatus::NotPositive;
                if (report.status != CgStatus::Done) return report;
                const double beta = first ? 0 : rz / rz_before;
                parallel_for(
                    static_cast<int>(n),
                    [&](int k) {
                        const auto i = static_cast<std::size_t>(k);
                        p[i] = z[i] + (first ? 0 : beta * p[i]);
                    },
                    4096);
                level.multiply(p.data(), product.data());
                const double curvature = dot(p, product, scratch);
                if (!std::isfinite(curvature)) report.status = CgStatus::NotFinite;
                if (curvature <= 0) report.status = CgStatus::NotPositive;
                if (report.status != CgStatus::Done) return report;
                const double step = rz / curvature;
                update(x, step, p);
                update(r, -step, product);
                ++report.iterations;
                const double residual = std::sqrt(dot(r, r, scratch)) / size;
                if (!(residual > tolerance) || report.iterations >= limit) break;
            }
        }
    }
};

template <int Dim>
MultigridCg<Dim>::MultigridCg() : data_(std::make_unique<Data>()) {}
template <int Dim>
MultigridCg<Dim>::~MultigridCg() = default;
template <int Dim>
MultigridCg<Dim>::MultigridCg(MultigridCg&&) noexcept = default;
template <int Dim>
MultigridCg<Dim>& MultigridCg<Dim>::operator=(MultigridCg&&) noexcept = default;
template <int Dim>
void MultigridCg<Dim>::prepare(const BlockPattern& pattern, std::span<const double> values,
                               const std::vector<Vector<Dim>>& positions) {
    data_->prepare(pattern, values, positions, std::nullopt);
}
template <int Dim>
void MultigridCg<Dim>::prepare(const BlockPattern& pattern, std::span<const double> values,
                               const std::vector<Vector<Dim>>& positions, Preconditioner preconditioner) {
    data_->prepare(pattern, values, positions, preconditioner);
}
template <int Dim>
CgReport MultigridCg<Dim>::solve(std::span<const double> rhs, std::span<double> x, double relative_tolerance,
                                 int max_iterations) {
    return data_->solve(rhs, x, relative_tolerance, max_iterations);
}
template <int Dim>
Preconditioner MultigridCg<Dim>::preconditioner() const {
    return data_->preconditioner;
}
template <int Dim>
double MultigridCg<Dim>::condition() const {
    return data_->condition;
}

template class MultigridCg<2>;
template class MultigridCg<3>;

}  // namespace asperity::linear

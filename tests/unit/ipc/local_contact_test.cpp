// Energy, gradient and Hessian of single contacts.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>

#include "asperity/ipc/distance/closest.h"
#include "asperity/ipc/edge_factor.h"
#include "tests/unit/ipc/meshes.h"

namespace asperity::ipc {
namespace {

template <int Dim>
struct Case {
    Collision collision;
    Points<Dim> x;
};

/// A contact of the stencil with a gap between 0.02 and 0.98 of dhat, in a body of size 1.
template <int Dim>
Case<Dim> random_case(Random& random, Stencil stencil, double dhat) {
    for (;;) {
        Case<Dim> c;
        c.collision.stencil = stencil;
        c.collision.weight = random.uniform(0.5, 2);
        c.collision.thickness = random.below(2) ? 0.1 * dhat : 0;
        c.collision.parallel = random.below(2) ? kParallelShare : 0.3;
        const int count = stencil == Stencil::PointPoint ? 2 : stencil == Stencil::PointLine ? 3 : 4;
        for (int k = 0; k < count; ++k) {
            c.collision.vertices[static_cast<std::size_t>(k)] = k;
            c.x.push_back(random_vector<Dim>(random));
        }
        const Separation<Dim> s = separation<Dim>(c.collision, c.x);
        bool good = s.distance > 1e-3;
        for (const double weight : s.weight) good = good && std::fabs(weight) < 1.5;
        for (int k = 0; k < s.parameters; ++k)
            for (const double slope : s.slope[static_cast<std::size_t>(k)]) good = good && std::fabs(slope) < 3;
        if constexpr (Dim == 3)
            if (stencil == Stencil::EdgeEdge) {
                EdgeFactor f;
                edge_factor(c.x[1] - c.x[0], c.x[3] - c.x[2], c.x[0] - c.x[2], c.collision.parallel, 0, f);
                good = good && f.value > 0.1;
            }
        if (!good) continue;
        // move the first primitive along the normal to the wanted distance
        const Vector<Dim> shift = (c.collision.thickness + dhat * random.uniform(0.02, 0.98) - s.distance) * s.normal;
        const int first = stencil == Stencil::EdgeEdge ? 2 : 1;
        for (int k = 0; k < first; ++k) c.x[static_cast<std::size_t>(k)] += shift;
        return c;
    }
}

template <int Dim>
void compare_with_differences(Stencil stencil, double& worst_gradient, double& worst_hessian) {
    Random random(19);
    const Surface<Dim> surface;
    const double dhat = 0.1;
    const Barrier barrier{1e5, dhat};
    for (int trial = 0; trial < 300; ++trial) {
        const Case<Dim> c = random_case<Dim>(random, stencil, dhat);
        LocalContact<Dim> local, high, low;
        barrier_local<Dim>(surface, barrier, c.collision, c.x, true, local, false);
        ASSERT_EQ(local.count, static_cast<int>(c.x.size()));
        const double step = 3e-6 * gap<Dim>(c.collision, c.x);
        for (int i = 0; i < local.count * Dim; ++i) {
            Points<Dim> up = c.x, down = c.x;
            up[static_cast<std::size_t>(i / Dim)][i % Dim] += step;
            down[static_cast<std::size_t>(i / Dim)][i % Dim] -= step;
            const std::span<const Collision> one(&c.collision, 1);
            const double slope =
                (barrier_energy<Dim>(surface, barrier, one, up) - barrier_energy<Dim>(surface, barrier, one, down)) /
                (2 * step);
            worst_gradient = std::max(worst_gradient, std::fabs(slope - local.gradient[i]) / local.gradient.norm());
            barrier_local<Dim>(surface, barrier, c.collision, up, false, high);
            barrier_local<Dim>(surface, barrier, c.collision, down, false, low);
            const Vector<4 * Dim> column = (high.gradient - low.gradient) / (2 * step);
            worst_hessian = std::max(worst_hessian, (column - local.hessian.col(i)).norm() / local.hessian.norm());
        }
    }
}

/// Central differences, step 3e-6 of the gap: the truncation error is about 1e-8 near dhat, where the energy is the cube of
/// what is left. Rounding: that of the gap, 1e-16 of coordinates of size 1 over a step of 6e-9 or more; and that of the
/// value, 1e-16 over 3e-6 times value over (gap times slope), which is below 1. Measured: see the output; asserted: 1e-7.
TEST(IpcLocal, DerivativesAgreeWithDifferences) {
    for (const Stencil stencil : {Stencil::PointPoint, Stencil::PointLine}) {
        double gradient = 0, hessian = 0;
        compare_with_differences<2>(stencil, gradient, hessian);
        std::printf("2D stencil %d: gradient %.1e, Hessian %.1e\n", static_cast<int>(stencil), gradient, hessian);
        EXPECT_LT(gradient, 1e-7);
        EXPECT_LT(hessian, 1e-7);
    }
    for (const Stencil stencil : {Stencil::PointPoint, Stencil::PointLine, Stencil::PointPlane, Stencil::EdgeEdge}) {
        double gradient = 0, hessian = 0;
        compare_with_differences<3>(stencil, gradient, hessian);
        std::printf("3D stencil %d: gradient %.1e, Hessian %.1e\n", static_cast<int>(stencil), gradient, hessian);
        EXPECT_LT(gradient, 1e-7);
        EXPECT_LT(hessian, 1e-7);
    }
}

TEST(IpcLocal, ClampedHessianIsPositiveSemidefinite) {
    Random random(23);
    const Barrier barrier{1e5, 0.1};
    for (const Stencil stencil : {Stencil::PointPoint, Stencil::PointLine, Stencil::PointPlane, Stencil::EdgeEdge})
        for (int trial = 0; trial < 200; ++trial) {
            Case<3> c = random_case<3>(random, stencil, barrier.dhat);
            if (trial % 2 && stencil != Stencil::EdgeEdge) c.collision.weight = -c.collision.weight;
            LocalContact<3> exact, clamped;
            barrier_local<3>({}, barrier, c.collision, c.x, true, exact, false);
            barrier_local<3>({}, barrier, c.collision, c.x, true, clamped);
            const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 12, 12>> eigen{
                Eigen::Matrix<double, 12, 12>(clamped.hessian)};
            EXPECT_GE(eigen.eigenvalues()[0], -1e-13 * exact.hessian.norm());
            if (stencil == Stencil::EdgeEdge) continue;  // a bound in its place
            const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 12, 12>> all{
                Eigen::Matrix<double, 12, 12>(exact.hessian)};
            const Eigen::Matrix<double, 12, 12> nearest =
                all.eigenvectors() * all.eigenvalues().cwiseMax(0).asDiagonal() * all.eigenvectors().transpose();
            EXPECT_LT((clamped.hessian - nearest).norm(), 1e-12 * exact.hessian.norm()) << static_cast<int>(stencil);
        }
}

TEST(IpcLocal, ForcesBalanceWithoutTorque) {
    Random random(29);
    const Barrier barrier{1e5, 1e-3};
    for (const Stencil stencil : {Stencil::PointPoint, Stencil::PointLine, Stencil::PointPlane, Stencil::EdgeEdge})
        for (int trial = 0; trial < 300; ++trial) {
            const Case<3> c = random_case<3>(random, stencil, barrier.dhat);
            LocalContact<3> local;
            barrier_local<3>({}, barrier, c.collision, c.x, false, local);
            Vector<3> force = Vector<3>::Zero(), torque = Vector<3>::Zero();
            for (int k = 0; k < local.count; ++k) {
                const Vector<3> f = local.gradient.segment<3>(3 * k);
                force += f;
                torque += c.x[static_cast<std::size_t>(k)].cross(f);
            }
            EXPECT_LT(force.norm(), 1e-12 * local.gradient.norm());
            EXPECT_LT(torque.norm(), 1e-12 * local.gradient.norm());
        }
}

TEST(IpcLocal, TurningAndSwappingLeavesTheEnergyAndTurnsTheForces) {
    Random random(31);
    const Barrier barrier{1e5, 0.1};
    for (const Stencil stencil : {Stencil::PointPoint, Stencil::PointLine, Stencil::PointPlane, Stencil::EdgeEdge})
        for (int trial = 0; trial < 100; ++trial) {
            const Case<3> c = random_case<3>(random, stencil, barrier.dhat);
            const Matrix<3, 3> turn = random_rotation(random);
            const Vector<3> shift = random_vector<3>(random);
            Case<3> turned = c;
            for (Vector<3>& p : turned.x) p = turn * p + shift;
            if (stencil == Stencil::EdgeEdge) turned.collision.vertices = {3, 2, 1, 0};
            if (stencil == Stencil::PointPoint) turned.collision.vertices = {1, 0, -1, -1};
            LocalContact<3> a, b;
            barrier_local<3>({}, barrier, c.collision, c.x, true, a);
            barrier_local<3>({}, barrier, turned.collision, turned.x, true, b);
            // the gap is 2e-3 or more of coordinates of size 1: some 1e-13 relative, in the Hessian squared by 1/gap
            const std::span<const Collision> one(&c.collision, 1), other(&turned.collision, 1);
            const double energy = barrier_energy<3>({}, barrier, one, c.x);
            EXPECT_NEAR(barrier_energy<3>({}, barrier, other, turned.x), energy, 1e-11 * energy);
            for (int k = 0; k < a.count; ++k)
                for (int l = 0; l < b.count; ++l) {
                    if (a.vertices[static_cast<std::size_t>(k)] != b.vertices[static_cast<std::size_t>(l)]) continue;
                    EXPECT_LT((turn * a.gradient.segment<3>(3 * k) - b.gradient.segment<3>(3 * l)).norm(),
                              1e-11 * a.gradient.norm());
                    EXPECT_LT(
                        (turn * a.hessian.block<3, 3>(3 * k, 3 * k) * turn.transpose() - b.hessian.block<3, 3>(3 * l, 3 * l))
                            .norm(),
                        1e-10 * a.hessian.norm());
                }
        }
}

TEST(IpcLocal, BarrierHasThePressureOfItsHeaderAndSmoothEnds) {
    for (const double dhat : {1e-6, 1e-3, 1.0, 1e6}) {
        const Barrier barrier{2e5, dhat};
        EXPECT_NEAR(-barrier.first(dhat / 2), (std::log(2.0) + 0.5) * 2e5, 1e-9);
        for (const double s : {1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999}) {
            const double gap = s * dhat, step = 1e-5 * gap;
            EXPECT_LE(barrier.first(gap), 0);
            EXPECT_GE(barrier.second(gap), 0);
            // central differences: truncation 1e-10; rounding 1e-11 of the value over gap times slope. Near dhat all vanish
            // as powers of 1 - s, so that the comparison is absolute there, at the size of kappa.
            EXPECT_NEAR((barrier.value(gap + step) - barrier.value(gap - step)) / (2 * step), barrier.first(gap),
                        1e-8 * 2e5 * (1 + 1 / s));
            EXPECT_NEAR((barrier.first(gap + step) - barrier.first(gap - step)) / (2 * step), barrier.second(gap),
                        1e-8 * 2e5 / dhat * (1 + 1 / (s * s)));
        }
        EXPECT_EQ(barrier.value(dhat), 0);
        EXPECT_LT(barrier.value(dhat * (1 - 1e-6)), 1e-17 * 2e5 * dhat);  // third order: 1e-18
        EXPECT_LT(barrier.second(dhat * (1 - 1e-6)), 1e-5 * 2e5 / dhat);  // first order: 6e-6
        EXPECT_EQ(barrier.value(0), std::numeric_limits<double>::infinity());
        EXPECT_EQ(barrier.value(-dhat), std::numeric_limits<double>::infinity());
        EXPECT_TRUE(std::isfinite(barrier.value(1e-300 * dhat)));
    }
}

TEST(IpcLocal, EnergyGrowsWithoutBoundAsTheGapCloses) {
    Random random(37);
    const Barrier barrier{1, 0.1};
    for (const Stencil stencil : {Stencil::PointPoint, Stencil::PointLine, Stencil::PointPlane, Stencil::EdgeEdge}) {
        const Case<3> c = random_case<3>(random, stencil, barrier.dhat);
        const Separation<3> s = separation<3>(c.collision, c.x);
        double last = 0;
        for (int k = 1; k <= 12; ++k) {
            Points<3> x = c.x;
            const Vector<3> shift = (s.distance - c.collision.thickness - barrier.dhat * std::pow(10.0, -k)) * s.normal;
            for (int v = 0; v < (stencil == Stencil::EdgeEdge ? 2 : 1); ++v) x[static_cast<std::size_t>(v)] -= shift;
            const double energy = barrier_energy<3>({}, barrier, std::span<const Collision>(&c.collision, 1), x);
            // the logarithm adds ln 10 each time, and the factor 1 - s goes to 1 from below
            EXPECT_GT(energy, last + 0.02 * barrier.dhat) << static_cast<int>(stencil);
            last = energy;
        }
    }
}

}  // namespace
}  // namespace asperity::ipc

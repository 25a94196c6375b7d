#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <chrono>
#include <cmath>

#include "asperity/core/threads.h"
#include "asperity/deform/affine.h"
#include "asperity/deform/element_blocks.h"
#include "asperity/deform/meshes/generators.h"
#include "asperity/deform/stress.h"
#include "tests/unit/deform/random_matrices.h"

namespace asperity::deform {
namespace {

constexpr Hyperelastic kModels[] = {Hyperelastic::NeoHookean, Hyperelastic::StableNeoHookean, Hyperelastic::FixedCorotated,
                                    Hyperelastic::Linear};

template <class T>
class ElementsIn : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(ElementsIn, Dimensions);

template <int Dim>
std::array<int, Dim> cells(int n) {
    std::array<int, Dim> out{};
    out.fill(n);
    return out;
}
template <int Dim>
SolidMesh<Dim> cube(int n) {
    return box<Dim>(Vector<Dim>::Ones(), cells<Dim>(n));
}
template <int Dim>
std::vector<Vector<Dim>> shaken(const std::vector<Vector<Dim>>& points, Random& random, double size) {
    std::vector<Vector<Dim>> x = points;
    for (auto& p : x)
        for (int d = 0; d < Dim; ++d) p[d] += random.uniform(-size, size);
    return x;
}
template <int Dim>
std::vector<Vector<Dim>> gathered(const Elements<Dim>& elements, const std::vector<Vector<Dim>>& x) {
    std::vector<Vector<Dim>> local(elements.nodes.size() * (Dim + 1)), sum(x.size(), Vector<Dim>::Zero());
    elastic_gradient<Dim>(elements, x, local);
    for (std::size_t e = 0; e < elements.nodes.size(); ++e)
        for (std::size_t a = 0; a <= Dim; ++a)
            sum[static_cast<std::size_t>(elements.nodes[e][a])] += local[e * (Dim + 1) + a];
    return sum;
}

TYPED_TEST(ElementsIn, GradientIsTheDerivativeOfTheEnergy) {
    constexpr int Dim = TypeParam::value;
    constexpr double kStep = 1e-6;
    Random random(1);
    const SolidMesh<Dim> mesh = cube<Dim>(2);
    for (const Hyperelastic model : kModels) {
        const Elements<Dim> elements = make_elements<Dim>(mesh, {model, 100, 0.3, Plane::Strain}, 0);
        std::vector<Vector<Dim>> x = shaken<Dim>(mesh.points, random, 0.05);
        const std::vector<Vector<Dim>> gradient = gathered<Dim>(elements, x);
        for (std::size_t i = 0; i < x.size(); ++i)
            for (int d = 0; d < Dim; ++d) {
                const double at = x[i][d];
                x[i][d] = at + kStep;
                const double high = elastic_energy<Dim>(elements, x);
                x[i][d] = at - kStep;
                const double low = elastic_energy<Dim>(elements, x);
                x[i][d] = at;
                EXPECT_NEAR(gradient[i][d], (high - low) / (2 * kStep), 1e-7) << name(model);  // energy 10: 1e-15/1e-6
            }
    }
}

TYPED_TEST(ElementsIn, HessianIsTheDerivativeOfTheGradient) {
    constexpr int Dim = TypeParam::value;
    constexpr double kStep = 1e-6;
    Random random(2);
    const SolidMesh<Dim> mesh = cube<Dim>(2);
    for (const Hyperelastic model : kModels) {
        const Elements<Dim> elements = make_elements<Dim>(mesh, {model, 100, 0.3, Plane::Strain}, 0);
        std::vector<Vector<Dim>> x = shaken<Dim>(mesh.points, random, 0.05);
        std::vector<Vector<Dim>> high(elements.nodes.size() * (Dim + 1)), low = high;
        for (int e = 0; e < elements.count(); e += 3) {
            Matrix<Dim*(Dim + 1), Dim*(Dim + 1)> H;
            elastic_hessian<Dim>(elements, x, Projection::None, e, H);
            for (int a = 0; a <= Dim; ++a)
                for (int d = 0; d < Dim; ++d) {
                    double& at =
                        x[static_cast<std::size_t>(elements.nodes[static_cast<std::size_t>(e)][static_cast<std::size_t>(a)])]
                         [d];
                    const double old = at;
                    at = old + kStep;
                    elastic_gradient<Dim>(elements, x, high);
                    at = old - kStep;
                    elastic_gradient<Dim>(elements, x, low);
                    at = old;
                    for (int b = 0; b <= Dim; ++b) {
                        const std::size_t slot = static_cast<std::size_t>(e * (Dim + 1) + b);
                        const Vector<Dim> slope = (high[slot] - low[slot]) / (2 * kStep);
                        const Vector<Dim> column = H.col(a * Dim + d).template segment<Dim>(b * Dim);
                        EXPECT_LT((column - slope).norm(), 1e-6 * H.norm()) << name(model);
                    }
                }
        }
    }
}

TYPED_TEST(ElementsIn, BlocksOfFourElementsAreThoseOfEachHessian) {
    constexpr int Dim = TypeParam::value;
    Random random(4);
    const SolidMesh<Dim> mesh = cube<Dim>(2);
    for (const Hyperelastic model : kModels)
        for (const Projection projection : {Projection::None, Projection::Clamp}) {
            const Elements<Dim> elements = make_elements<Dim>(mesh, {model, 100, 0.4, Plane::Strain}, 0);
            const std::vector<Vector<Dim>> x = shaken<Dim>(mesh.points, random, 0.05);
            using Blocks = ElementBlocks<Dim>;
            Blocks blocks;
            for (int first = 0; first + 4 <= elements.count(); first += 3) {
                const int last = first + 1 + first % Blocks::kElements;
                elastic_blocks<Dim>(elements, x, projection, first, last, blocks);
                for (int e = first; e < last; ++e) {
                    Matrix<Dim*(Dim + 1), Dim*(Dim + 1)> expected, H;
                    elastic_hessian<Dim>(elements, x, projection, e, expected);
                    for (int a = 0; a <= Dim; ++a)
                        for (int b = 0; b <= a; ++b)
                            for (int i = 0; i < Dim; ++i)
                                for (int k = 0; k < Dim; ++k) {
                                    const auto& block = blocks.value[Blocks::pair(a, b)];
                                    H(a * Dim + i, b * Dim + k) = H(b * Dim + k, a * Dim + i) =
                                        block[k * Dim + i][e - first];
                                    if (a != b) continue;
                                    EXPECT_EQ(block[k * Dim + i][e - first], block[i * Dim + k][e - first]);
                                }
                    EXPECT_LT((H - expected).norm(), 1e-13 * expected.norm()) << name(model);
                }
            }
        }
}

TYPED_TEST(ElementsIn, ProjectedStiffnessHasNoNegativeEigenvalue) {
    constexpr int Dim = TypeParam::value, N = Dim * (Dim + 1);
    Random random(3);
    const SolidMesh<Dim> mesh = cube<Dim>(2);
    for (const Hyperelastic model : kModels) {
        const Elements<Dim> elements = make_elements<Dim>(mesh, {model, 100, 0.4, Plane::Strain}, 0);
        const std::vector<Vector<Dim>> x = shaken<Dim>(mesh.points, random, 0.08);
        for (int e = 0; e < elements.count(); ++e) {
            Matrix<N, N> H, exact;
            elastic_hessian<Dim>(elements, x, Projection::Clamp, e, H);
            elastic_hessian<Dim>(elements, x, Projection::None, e, exact);
            EXPECT_EQ((H - H.transpose()).cwiseAbs().maxCoeff(), 0);
            EXPECT_EQ((exact - exact.transpose()).cwiseAbs().maxCoeff(), 0);
            const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> eigen{Eigen::Matrix<double, N, N>(H)};
            EXPECT_GT(eigen.eigenvalues()[0], -1e-13 * H.norm()) << name(model);
        }
    }
}

TYPED_TEST(ElementsIn, APatchUnderAffineDisplacementHasConstantStressAndNoForcesInside) {
    constexpr int Dim = TypeParam::value;
    Random random(4);
    SolidMesh<Dim> mesh = cube<Dim>(4);
    std::vector<char> outside(mesh.points.size(), 0);
    for (const auto& face : boundary(mesh))
        for (const int v : face) outside[static_cast<std::size_t>(v)] = 1;
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        if (!outside[i])
            for (int d = 0; d < Dim; ++d) mesh.points[i][d] += random.uniform(-0.05, 0.05);
    check(mesh);
    for (const Hyperelastic model : kModels) {
        const Elements<Dim> elements = make_elements<Dim>(mesh, {model, 100, 0.3, Plane::Strain}, 0);
        const Matrix<Dim, Dim> G = random_stretch<Dim>(random, 0.8, 1.3);
        std::vector<Vector<Dim>> x = mesh.points;
        for (auto& p : x) p += G * p + Vector<Dim>::Constant(3);
        const std::vector<Vector<Dim>> gradient = gathered<Dim>(elements, x);
        const Stress<Dim> expected = stress<Dim>(elements.materials[0], G);
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_LT(outside[i] ? 0 : gradient[i].norm(), 1e-11)
                << name(model);  // stress 100, face 0.1: 1e4 rounding errors
        for (int e = 0; e < elements.count(); ++e) {
            const Stress<Dim> s = stress<Dim>(elements, std::span<const Vector<Dim>>(x), e);
            EXPECT_LT((s.cauchy - expected.cauchy).norm(), 1e-10) << name(model);
            EXPECT_NEAR(s.von_mises, expected.von_mises, 1e-10);
            EXPECT_NEAR(s.pressure, expected.pressure, 1e-10);
        }
    }
}

TYPED_TEST(ElementsIn, ForcesOfARigidMotionAndSumsOfForcesAndTorquesVanish) {
    constexpr int Dim = TypeParam::value;
    Random random(5);
    const SolidMesh<Dim> mesh = cube<Dim>(3);
    for (const Hyperelastic model : kModels) {
        if (model == Hyperelastic::Linear) continue;
        const Elements<Dim> elements = make_elements<Dim>(mesh, {model, 100, 0.3, Plane::Strain}, 0);
        std::vector<Vector<Dim>> x = mesh.points;
        const Matrix<Dim, Dim> R = random_rotation<Dim>(random);
        for (auto& p : x) p = R * p + Vector<Dim>::Constant(2);
        for (const auto& g : gathered<Dim>(elements, x)) EXPECT_LT(g.norm(), 1e-12) << name(model);  // E 100, face 0.1
        x = shaken<Dim>(x, random, 0.03);
        const auto gradient = gathered<Dim>(elements, x);
        Vector<Dim> sum = Vector<Dim>::Zero();
        Matrix<Dim, Dim> torque = Matrix<Dim, Dim>::Zero();
        for (std::size_t i = 0; i < x.size(); ++i) {
            sum += gradient[i];
            torque += gradient[i] * x[i].transpose();
        }
        EXPECT_LT(sum.norm(), 1e-12);
        EXPECT_LT((torque - torque.transpose()).norm(), 1e-11) << name(model);
    }
}

TYPED_TEST(ElementsIn, AtRestEnergyAndForcesAreExactlyZero) {
    constexpr int Dim = TypeParam::value;
    for (const double scale : {1e-6, 1.0, 1e6})
        for (const Hyperelastic model : kModels) {
            SolidMesh<Dim> mesh = cube<Dim>(3);
            for (auto& p : mesh.points) p = scale * (p + Vector<Dim>::Constant(0.3));
            const Elements<Dim> elements = make_elements<Dim>(mesh, {model, 1e9, 0.3, Plane::Strain}, 0);
            EXPECT_EQ(elastic_energy<Dim>(elements, mesh.points), 0);
            for (const auto& g : gathered<Dim>(elements, mesh.points)) EXPECT_EQ(g.norm(), 0);
        }
}

TYPED_TEST(ElementsIn, InversionLimitIsTheFirstInversionAlongTheWay) {
    constexpr int Dim = TypeParam::value;
    Random random(6);
    const SolidMesh<Dim> mesh = cube<Dim>(1);
    int limited = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Elements<Dim> elements = make_elements<Dim>(mesh, {Hyperelastic::NeoHookean, 100, 0.3, Plane::Strain}, 0);
        const std::vector<Vector<Dim>> x = shaken<Dim>(mesh.points, random, 0.1);
        std::vector<Vector<Dim>> step(x.size());
        const double size = trial % 2 == 0 ? 1 : 0.3;
        for (auto& s : step)
            for (int d = 0; d < Dim; ++d) s[d] = random.uniform(-size, size);
        const double limit = inversion_limit<Dim>(elements, x, step);
        limited += limit < 1;
        ASSERT_GT(limit, 0);
        const auto inverted = [&](double t) {
            for (int e = 0; e < elements.count(); ++e) {
                std::vector<Vector<Dim>> y = x;
                for (std::size_t i = 0; i < y.size(); ++i) y[i] += t * step[i];
                if (deformation_gradient<Dim>(elements, std::span<const Vector<Dim>>(y), e).determinant() <= 0) return true;
            }
            return false;
        };
        for (int k = 0; k <= 200; ++k) EXPECT_FALSE(inverted(limit * k / 200 * (1 - 1e-12))) << trial << " " << limit;
        EXPECT_TRUE(limit == 1 || inverted(limit + 1e-9)) << trial << " " << limit;
    }
    EXPECT_GT(limited, 50);
    const Elements<Dim> stable = make_elements<Dim>(mesh, {Hyperelastic::StableNeoHookean, 100, 0.3, Plane::Strain}, 0);
    std::vector<Vector<Dim>> collapse = mesh.points;
    for (auto& p : collapse) p *= -2;
    EXPECT_EQ((inversion_limit<Dim>(stable, mesh.points, collapse)), 1);
}

TYPED_TEST(ElementsIn, InversionLimitFindsCollapseToAPointAtItsTime) {
    constexpr int Dim = TypeParam::value;  // det = (1 - 2 t)^Dim: a root of multiplicity Dim
    for (const double scale : {1e-6, 1.0, 1e6}) {
        SolidMesh<Dim> mesh = cube<Dim>(2);
        for (auto& p : mesh.points) p *= scale;
        const Elements<Dim> elements = make_elements<Dim>(mesh, {Hyperelastic::NeoHookean, 100, 0.3, Plane::Strain}, 0);
        std::vector<Vector<Dim>> step = mesh.points;
        for (auto& s : step) s *= -2;
        const double limit = inversion_limit<Dim>(elements, mesh.points, step);
        EXPECT_LE(limit, 0.5);
        EXPECT_GT(limit, 0.5 - 1e-4);  // the tolerance 1e-14 on the cube of the distance
    }
}

TYPED_TEST(ElementsIn, AppendKeepsEveryBodyItsMaterial) {
    constexpr int Dim = TypeParam::value;
    const SolidMesh<Dim> mesh = cube<Dim>(1);
    const Elasticity soft{Hyperelastic::NeoHookean, 100, 0.3, Plane::Strain},
        stiff{Hyperelastic::Linear, 1e4, 0.2, Plane::Strain};
    Elements<Dim> all;
    append<Dim>(all, make_elements<Dim>(mesh, soft, 0));
    const int points = static_cast<int>(mesh.points.size());
    append<Dim>(all, make_elements<Dim>(mesh, stiff, points));
    append<Dim>(all, make_elements<Dim>(mesh, soft, 2 * points));
    EXPECT_EQ(all.materials.size(), 2u);
    std::vector<Vector<Dim>> x;
    for (int copy = 0; copy < 3; ++copy)
        for (const auto& p : mesh.points) x.push_back(1.01 * p);
    const double one = elastic_energy<Dim>(make_elements<Dim>(mesh, soft, 0), x);
    const double other = elastic_energy<Dim>(make_elements<Dim>(mesh, stiff, 0), x);
    EXPECT_NEAR(elastic_energy<Dim>(all, x), 2 * one + other, 1e-14 * other);
}

TYPED_TEST(ElementsIn, EnergyHasTheSameBitsOnAnyNumberOfThreads) {
    constexpr int Dim = TypeParam::value;
    Random random(7);
    const SolidMesh<Dim> mesh = cube<Dim>(Dim == 2 ? 40 : 10);
    const Elements<Dim> elements = make_elements<Dim>(mesh, {}, 0);
    const std::vector<Vector<Dim>> x = shaken<Dim>(mesh.points, random, 0.1 / 40);
    const int before = thread_count();
    set_thread_count(1);
    const double one = elastic_energy<Dim>(elements, x);
    const auto gradient = gathered<Dim>(elements, x);
    set_thread_count(4);
    EXPECT_EQ(elastic_energy<Dim>(elements, x), one);
    EXPECT_EQ(gathered<Dim>(elements, x), gradient);
    set_thread_count(before);
}

TYPED_TEST(ElementsIn, OrthogonalityHasItsDerivativesAndNoNegativeCurvature) {
    constexpr int Dim = TypeParam::value, N = Dim * Dim;
    Random random(8);
    constexpr double kStep = 1e-5;
    for (int trial = 0; trial < 100; ++trial) {
        const Matrix<Dim, Dim> A = random_stretch<Dim>(random, 0.7, 1.4) + Matrix<Dim, Dim>::Identity();
        std::vector<Vector<Dim>> columns(Dim);
        for (int k = 0; k < Dim; ++k) columns[static_cast<std::size_t>(k)] = A.col(k);
        const std::span<const Vector<Dim>> view(columns);
        AffineEnergy<Dim> at, high, low;
        orthogonality<Dim>(view, 7, true, at);
        EXPECT_NEAR(orthogonality_energy<Dim>(view, 7), 7 * (A.transpose() * A - Matrix<Dim, Dim>::Identity()).squaredNorm(),
                    1e-12);
        Eigen::Matrix<double, N, N> exact;
        for (int k = 0; k < N; ++k) {
            double& entry = columns[static_cast<std::size_t>(k / Dim)][k % Dim];
            const double old = entry;
            entry = old + kStep;
            orthogonality<Dim>(view, 7, false, high);
            const double above = orthogonality_energy<Dim>(view, 7);
            entry = old - kStep;
            orthogonality<Dim>(view, 7, false, low);
            const double below = orthogonality_energy<Dim>(view, 7);
            entry = old;
            EXPECT_NEAR(at.gradient[k], (above - below) / (2 * kStep), 1e-6);
            exact.col(k) = (high.gradient - low.gradient) / (2 * kStep);
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> eigen(0.5 * (exact + exact.transpose()));
        const Eigen::Matrix<double, N, N> clamped =
            eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
        EXPECT_LT((at.hessian - clamped).norm(), 1e-7 * exact.norm());
    }
}

}  // namespace
}  // namespace asperity::deform

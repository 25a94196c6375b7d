#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "asperity/core/error.h"
#include "asperity/deform/material.h"
#include "asperity/deform/stress.h"
#include "tests/unit/deform/random_matrices.h"

namespace asperity::deform {
namespace {

constexpr Hyperelastic kModels[] = {Hyperelastic::NeoHookean, Hyperelastic::StableNeoHookean, Hyperelastic::FixedCorotated,
                                    Hyperelastic::Linear};
constexpr Lame kLame{40, 60};  // E 104, nu 0.3

template <class T>
class MaterialIn : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(MaterialIn, Dimensions);

template <int Dim>
Matrix<Dim * Dim, Dim * Dim> hessian(const Material& material, const Matrix<Dim, Dim>& G, Projection projection) {
    Matrix<Dim * Dim, Dim * Dim> out;
    energy_hessian<Dim>(material, G, projection, Matrix<Dim, Dim>::Identity(), out);
    return out;
}

TYPED_TEST(MaterialIn, StressIsTheDerivativeOfTheEnergy) {
    constexpr int Dim = TypeParam::value;
    Random random(1);
    // central differences: truncation step^2, rounding epsilon/step, both about 1e-10 of the modulus at this step
    constexpr double kStep = 1e-5;
    for (const Hyperelastic model : kModels)
        for (int trial = 0; trial < 100; ++trial) {
            const Material material{model, kLame, Plane::Strain};
            const Matrix<Dim, Dim> G = random_stretch<Dim>(random, 0.5, 1.8), P = first_piola<Dim>(material, G);
            for (int k = 0; k < Dim * Dim; ++k) {
                Matrix<Dim, Dim> step = Matrix<Dim, Dim>::Zero();
                step.reshaped()[k] = kStep;
                const double slope = (energy_density<Dim>(material, Matrix<Dim, Dim>(G + step)) -
                                      energy_density<Dim>(material, Matrix<Dim, Dim>(G - step))) /
                                     (2 * kStep);
                EXPECT_NEAR(P.reshaped()[k], slope, 1e-9 * 1000) << name(model) << " trial " << trial;
            }
        }
}

TYPED_TEST(MaterialIn, HessianIsTheDerivativeOfTheStress) {
    constexpr int Dim = TypeParam::value;
    Random random(2);
    constexpr double kStep = 1e-5;
    for (const Hyperelastic model : kModels)
        for (int trial = 0; trial < 100; ++trial) {
            const Material material{model, kLame, Plane::Strain};
            // some inverted, where the model allows it
            Matrix<Dim, Dim> G = random_stretch<Dim>(random, 0.5, 1.8);
            if (!forbids_inversion(model) && trial % 3 == 0) G = random_stretch<Dim>(random, -0.3, 1.5);
            const Matrix<Dim * Dim, Dim* Dim> H = hessian<Dim>(material, G, Projection::None);
            if (model == Hyperelastic::FixedCorotated && H.norm() > 1e4) continue;  // beside its kink
            for (int k = 0; k < Dim * Dim; ++k) {
                Matrix<Dim, Dim> step = Matrix<Dim, Dim>::Zero();
                step.reshaped()[k] = kStep;
                const Matrix<Dim, Dim> slope = (first_piola<Dim>(material, Matrix<Dim, Dim>(G + step)) -
                                                first_piola<Dim>(material, Matrix<Dim, Dim>(G - step))) /
                                               (2 * kStep);
                // third derivatives grow with the square of the Hessian beside the kink of the corotated model
                EXPECT_LT((H.col(k) - slope.reshaped()).norm(), 1e-6 * H.norm()) << name(model) << " trial " << trial;
            }
            EXPECT_EQ((H - H.transpose()).norm() <= 1e-13 * H.norm(), true) << name(model);
        }
}

TYPED_TEST(MaterialIn, ProjectedHessianEqualsAClampOfItsEigenvalues) {
    constexpr int Dim = TypeParam::value;
    using Dense = Eigen::Matrix<double, Dim * Dim, Dim * Dim>;
    Random random(3);
    int projected = 0;
    for (const Hyperelastic model : kModels)
        for (int trial = 0; trial < 400; ++trial) {
            const Material material{model, kLame, Plane::Strain};
            Matrix<Dim, Dim> G;
            switch (trial % 4) {
                case 0: G = random_stretch<Dim>(random, 0.3, 2.5); break;
                case 1:
                    G = forbids_inversion(model) ? random_stretch<Dim>(random, 0.05, 1)
                                                 : random_stretch<Dim>(random, -1, 1.5);
                    break;
                case 2: G = random_matrix<Dim>(random, 1e-9); break;  // nearly equal stretches
                default: {                                            // exactly equal ones, turned
                    const double s = random.uniform(0.5, 1.5);
                    G = s * random_rotation<Dim>(random) - Matrix<Dim, Dim>::Identity();
                }
            }
            const Dense exact = hessian<Dim>(material, G, Projection::None);
            const Eigen::SelfAdjointEigenSolver<Dense> eigen(exact);
            const double size = exact.norm();
            projected += eigen.eigenvalues()[0] < -1e-9 * size;
            const Dense clamped =
                eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
            const Dense absolute =
                eigen.eigenvectors() * eigen.eigenvalues().cwiseAbs().asDiagonal() * eigen.eigenvectors().transpose();
            EXPECT_LT((Dense(hessian<Dim>(material, G, Projection::Clamp)) - clamped).norm(), 1e-10 * size)
                << name(model) << " trial " << trial;
            EXPECT_LT((Dense(hessian<Dim>(material, G, Projection::Absolute)) - absolute).norm(), 1e-10 * size)
                << name(model) << " trial " << trial;
        }
    EXPECT_GT(projected, 100);
}

TYPED_TEST(MaterialIn, IsFreeOfStressAtRestAndUnderRotation) {
    constexpr int Dim = TypeParam::value;
    Random random(4);
    for (const Hyperelastic model : kModels) {
        const Material material{model, kLame, Plane::Strain};
        const Matrix<Dim, Dim> zero = Matrix<Dim, Dim>::Zero();
        EXPECT_EQ(energy_density<Dim>(material, zero), 0) << name(model);
        EXPECT_EQ(first_piola<Dim>(material, zero).norm(), 0) << name(model);
        if (model == Hyperelastic::Linear) continue;
        for (int trial = 0; trial < 20; ++trial) {
            const Matrix<Dim, Dim> R = random_rotation<Dim>(random), G = R - Matrix<Dim, Dim>::Identity();
            // the rotation itself is exact to a few rounding errors: strain 1e-15, energy modulus times its square
            EXPECT_LT(std::fabs(energy_density<Dim>(material, G)), 1e3 * 1e-29) << name(model);
            EXPECT_LT(first_piola<Dim>(material, G).norm(), 1e3 * 3e-15) << name(model);
        }
    }
}

TYPED_TEST(MaterialIn, EnergyAndStressDoNotDependOnAxesOrRotation) {
    constexpr int Dim = TypeParam::value;
    Random random(5);
    const Matrix<Dim, Dim> I = Matrix<Dim, Dim>::Identity();
    for (const Hyperelastic model : kModels) {
        if (model == Hyperelastic::Linear) continue;
        const Material material{model, kLame, Plane::Strain};
        for (int trial = 0; trial < 50; ++trial) {
            const Matrix<Dim, Dim> G = random_stretch<Dim>(random, 0.5, 1.6), F = I + G;
            const Matrix<Dim, Dim> R = random_rotation<Dim>(random), Q = random_rotation<Dim>(random);
            const Matrix<Dim, Dim> turned = R * F * Q.transpose() - I;
            const double energy = energy_density<Dim>(material, G);
            EXPECT_NEAR(energy_density<Dim>(material, turned), energy, 1e-13 * (1 + energy)) << name(model);
            const Matrix<Dim, Dim> P = first_piola<Dim>(material, G);
            EXPECT_LT((first_piola<Dim>(material, turned) - R * P * Q.transpose()).norm(), 1e-12 * (100 + P.norm()))
                << name(model);
        }
    }
}

/// Relative errors against Hooke's energy at strains down to 1e-9. The difference of the models is of the order of the
/// strain, so the bound is a multiple of the strain plus rounding: a formula with mu/2 (|F|^2 - Dim) - mu ln J has lost all
/// digits at 1e-8.
TYPED_TEST(MaterialIn, SmallStrainHasHookesEnergyToTheLastDigits) {
    constexpr int Dim = TypeParam::value;
    Random random(6);
    for (const Hyperelastic model : kModels)
        for (const double size : {1e-3, 1e-6, 1e-9, 1e-12})
            for (int trial = 0; trial < 50; ++trial) {
                const Matrix<Dim, Dim> G = random_matrix<Dim>(random, size), e = 0.5 * (G + G.transpose());
                const double hooke = kLame.mu * e.squaredNorm() + 0.5 * kLame.lambda * e.trace() * e.trace();
                const Matrix<Dim, Dim> sigma = 2 * kLame.mu * e + kLame.lambda * e.trace() * Matrix<Dim, Dim>::Identity();
                const Material material{model, kLame, Plane::Strain};
                // |G|/|e| is at most about 50 in these trials, and enters squared in the difference
                EXPECT_NEAR(energy_density<Dim>(material, G) / hooke, 1, 200 * size + 1e-13) << name(model) << " " << size;
                EXPECT_LT((first_piola<Dim>(material, G) - sigma).norm(), (200 * size + 1e-13) * sigma.norm())
                    << name(model) << " " << size;
            }
}

TYPED_TEST(MaterialIn, SmallStrainOnTopOfARotationKeepsItsEnergy) {
    constexpr int Dim = TypeParam::value;
    Random random(7);
    const Matrix<Dim, Dim> I = Matrix<Dim, Dim>::Identity();
    for (const Hyperelastic model : kModels) {
        if (model == Hyperelastic::Linear) continue;
        const Material material{model, kLame, Plane::Strain};
        for (int trial = 0; trial < 50; ++trial) {
            const Matrix<Dim, Dim> e = random_matrix<Dim>(random, 1e-6), S = 0.5 * (e + e.transpose());
            const Matrix<Dim, Dim> R = random_rotation<Dim>(random);
            const Matrix<Dim, Dim> G = R - I + R * S;
            // rounding of G: 1e-16 of a strain of 1e-6, twice in the energy
            const double still = energy_density<Dim>(material, S);
            EXPECT_NEAR(energy_density<Dim>(material, G) / still, 1, 1e-8) << name(model);
        }
    }
}

TEST(Material, AgreesWithTheTabulatedUniaxialStretches) {
    const Material material{Hyperelastic::NeoHookean, kLame, Plane::Strain};
    const double rows[][3] = {
        {1.001, .10392, .999700}, {1.1, 9.68005, .971493}, {1.5, 39.34114, .880175}, {.8, -24.96056, 1.067338}};
    for (const auto& [stretch, P11, lateral] : rows) {
        double low = 0.5, high = 1.5;  // P22 rises with the lateral stretch
        for (int k = 0; k < 80; ++k) {
            const double middle = 0.5 * (low + high);
            const Matrix<3, 3> G = Vector<3>(stretch - 1, middle - 1, middle - 1).asDiagonal();
            (first_piola<3>(material, G)(1, 1) > 0 ? high : low) = middle;
        }
        const Matrix<3, 3> G = Vector<3>(stretch - 1, low - 1, low - 1).asDiagonal();
        EXPECT_NEAR(low, lateral, 5e-7);  // the table has six digits
        EXPECT_NEAR(first_piola<3>(material, G)(0, 0), P11, 5e-6);
    }
    for (const auto& [stretch, P11] : {std::pair{.9, -29.516548}, {1.1, 23.232575}})
        EXPECT_NEAR(first_piola<3>(material, (stretch - 1) * Matrix<3, 3>::Identity())(0, 0), P11, 5e-7);
    Matrix<3, 3> shear = Matrix<3, 3>::Zero();
    shear(0, 1) = 0.3;
    const Matrix<3, 3> P = first_piola<3>(material, shear);
    EXPECT_NEAR(P(0, 1), 12, 1e-13);
    EXPECT_NEAR(P(1, 0), 12, 1e-13);
}

TEST(Material, PlaneStrainIsTheSectionOfABodyWithoutStrainAlongItsDepth) {
    Random random(8);
    for (const Hyperelastic model : kModels)
        for (int trial = 0; trial < 50; ++trial) {
            const Material material{model, kLame, Plane::Strain};
            const Matrix<2, 2> G = random_stretch<2>(random, 0.5, 1.6);
            Matrix<3, 3> space = Matrix<3, 3>::Zero();
            space.topLeftCorner<2, 2>() = G;
            EXPECT_NEAR(energy_density<2>(material, G), energy_density<3>(material, space), 1e-12 * 100) << name(model);
            EXPECT_LT((first_piola<2>(material, G) - first_piola<3>(material, space).topLeftCorner<2, 2>()).norm(), 1e-11)
                << name(model);
            const Stress<2> flat = stress<2>(material, G);
            const Stress<3> solid = stress<3>(material, space);
            EXPECT_EQ(flat.von_mises, solid.von_mises);
            EXPECT_EQ(flat.pressure, solid.pressure);
        }
}

TEST(Material, PlaneStressHasNoStressAlongTheDepthAtSmallStrain) {
    const double E = 104, nu = 0.3;
    const Material material = deform::material<2>({Hyperelastic::NeoHookean, E, nu, Plane::Stress});
    // uniaxial strain in the plane: sigma_11 = E/(1 - nu^2) e, sigma_22 = nu sigma_11
    Matrix<2, 2> G = Matrix<2, 2>::Zero();
    G(0, 0) = 1e-7;
    const Stress<2> s = stress<2>(material, G);
    EXPECT_NEAR(s.cauchy(0, 0), E / (1 - nu * nu) * 1e-7, 1e-6 * 1e-5);  // second order: strain 1e-7 of it
    EXPECT_NEAR(s.cauchy(1, 1), nu * E / (1 - nu * nu) * 1e-7, 1e-6 * 1e-5);
    EXPECT_EQ(s.along_depth, 0);
}

TEST(Material, AnInvertedElementHasInfiniteEnergyOnlyWhereTheModelSaysSo) {
    const Matrix<3, 3> inverted = Vector<3>(-1.5, 0, 0).asDiagonal(), flat = Vector<3>(-1, 0, 0).asDiagonal();
    for (const Hyperelastic model : kModels)
        for (const Matrix<3, 3>& G : {inverted, flat}) {
            const Material material{model, kLame, Plane::Strain};
            EXPECT_EQ(std::isinf(energy_density<3>(material, G)), forbids_inversion(model)) << name(model);
            EXPECT_EQ(first_piola<3>(material, G).allFinite(), !forbids_inversion(model)) << name(model);
            if (forbids_inversion(model)) continue;
            EXPECT_TRUE((hessian<3>(material, G, Projection::Clamp).allFinite())) << name(model);
        }
}

TEST(Material, APointOfASpotHasAFiniteProjectedHessian) {
    for (const Hyperelastic model : {Hyperelastic::StableNeoHookean, Hyperelastic::FixedCorotated})
        for (const Matrix<3, 3>& G :
             {Matrix<3, 3>(-Matrix<3, 3>::Identity()), Matrix<3, 3>(Vector<3>(0, -1, -1).asDiagonal())}) {
            const Material material{model, kLame, Plane::Strain};
            EXPECT_TRUE(first_piola<3>(material, G).allFinite()) << name(model);
            EXPECT_TRUE((hessian<3>(material, G, Projection::Clamp).allFinite())) << name(model);
        }
}

TEST(Material, CheckNamesKeyValueAndRange) {
    const auto message = [](const Elasticity& e) -> std::string {
        try {
            check(e);
        } catch (const InputError& error) { return error.what(); }
        return "";
    };
    EXPECT_EQ(message({}), "");
    EXPECT_NE(message({Hyperelastic::Linear, -1, 0.3, {}}).find("young = -1"), std::string::npos);
    EXPECT_NE(message({Hyperelastic::Linear, std::nan(""), 0.3, {}}).find("young"), std::string::npos);
    EXPECT_NE(message({Hyperelastic::Linear, 1, 0.5, {}}).find("incompressible"), std::string::npos);
    EXPECT_NE(message({Hyperelastic::Linear, 1, -1, {}}).find("above -1 and below 0.5"), std::string::npos);
    EXPECT_NE(message({Hyperelastic::Linear, 1, 0.6, {}}).find("poisson = 0.6"), std::string::npos);
}

}  // namespace
}  // namespace asperity::deform

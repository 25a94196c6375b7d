// Hyperelastic materials: energy density psi, first Piola-Kirchhoff stress P = d psi/dF and its derivative, for a
// deformation gradient F = I + G. All functions take G, the gradient of the displacement: near the rest state F itself has
// lost the digits of the strain.
#pragma once
#include <string_view>

#include "asperity/math/matrix.h"

namespace asperity::deform {

/// The formulas stand in detail/<name>.h. All models agree with Hooke's law for small strain.
enum class Hyperelastic {
    NeoHookean,        ///< with ln J: infinite energy at zero volume, so elements cannot invert
    StableNeoHookean,  ///< finite at zero volume: elements may invert and recover
    FixedCorotated,    ///< finite at zero volume; linear in the principal stretches
    Linear,            ///< Hooke's law: for strains and rotations up to about a percent
};

/// The body of which a two-dimensional one is a section. Its energy is that of a depth of 1 m.
enum class Plane {
    Strain,  ///< a long bar: no strain along the depth
    Stress,  ///< a thin plate: no stress along the depth
};

struct Elasticity {
    Hyperelastic model = Hyperelastic::NeoHookean;
    double young = 1e6;           ///< Young's modulus [Pa]
    double poisson = 0.3;         ///< Poisson's ratio, above -1 and below 0.5; FixedCorotated: not negative
    Plane plane = Plane::Strain;  ///< 2D only
};

/// Throws InputError with key, value, allowed range and remedy.
void check(const Elasticity& elasticity);

/// Treatment of negative eigenvalues of a Hessian.
enum class Projection {
    None,      ///< keep them: the exact Hessian
    Clamp,     ///< set them to zero
    Absolute,  ///< change their sign (Chen et al. 2024, "Stabler Neo-Hookean Simulation: Absolute Eigenvalue Filtering")
};

/// Lame's constants [Pa].
struct Lame {
    double mu = 0, lambda = 0;
    bool operator==(const Lame&) const = default;
};

/// A material as the formulas use it. In plane stress `lame` holds the lambda that gives the in-plane law.
struct Material {
    Hyperelastic model = Hyperelastic::NeoHookean;
    Lame lame;
    Plane plane = Plane::Strain;
    bool operator==(const Material&) const = default;
};

/// mu = E/(2(1 + nu)), lambda = E nu/((1 + nu)(1 - 2 nu)). In plane stress lambda becomes 2 lambda mu/(lambda + 2 mu), the
/// in-plane part of Hooke's law once the strain along the depth is eliminated: exact for small strain; at strains of 10 %
/// the hyperelastic models differ from a thin plate of the same material by a few percent.
template <int Dim>
Material material(const Elasticity& elasticity);

/// Whether the energy contains ln J and is infinite for inverted elements.
constexpr bool forbids_inversion(Hyperelastic model) { return model == Hyperelastic::NeoHookean; }

/// psi [J/m^3], zero at rest; +infinity if the model forbids inversion and det F <= 0.
template <int Dim>
double energy_density(const Material& material, const Matrix<Dim, Dim>& G);
/// P [Pa]; not a number where the energy is infinite.
template <int Dim>
Matrix<Dim, Dim> first_piola(const Material& material, const Matrix<Dim, Dim>& G);

/// d^2 psi/dF^2 [Pa], contracted with directions d_a, the columns of `directions`: block (a, b) of `out` has the entries
/// sum_jl d2psi/(dF_ij dF_kl) d_a[j] d_b[l] at (i, k). With the identity: the Hessian by vec(F), column by column. With the
/// gradients of shape functions: the stiffness of an element per volume. The projection acts on the Hessian by F.
template <int Dim>
void energy_hessian(const Material& material, const Matrix<Dim, Dim>& G, Projection projection,
                    const Matrix<Dim, Dim>& directions, Matrix<Dim * Dim, Dim * Dim>& out);

std::string_view name(Hyperelastic model);

}  // namespace asperity::deform

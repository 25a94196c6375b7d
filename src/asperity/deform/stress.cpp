#include "asperity/deform/stress.h"

#include <cmath>

#include "asperity/deform/detail/invariants.h"

namespace asperity::deform {
namespace {

Matrix<3, 3> cauchy_of(const Material& material, const Matrix<3, 3>& G) {
    const Matrix<3, 3> P = first_piola<3>(material, G);
    if (material.model == Hyperelastic::Linear) return P;
    const double J = 1 + determinant_minus_one(G);
    const Matrix<3, 3> sigma = (P + P * G.transpose()) / (J > 0 ? J : std::nan(""));
    return 0.5 * (sigma + sigma.transpose());
}

}  // namespace

template <int Dim>
Stress<Dim> stress(const Material& material, const Matrix<Dim, Dim>& G) {
    // Plane strain is the section of a body with F_33 = 1. So is the in-plane law of plane stress, with its own lambda.
    Matrix<3, 3> space = Matrix<3, 3>::Zero();
    space.template topLeftCorner<Dim, Dim>() = G;
    Matrix<3, 3> sigma = cauchy_of(material, space);
    Stress<Dim> out;
    out.cauchy = sigma.template topLeftCorner<Dim, Dim>();
    if (Dim == 2 && material.plane == Plane::Stress) sigma(2, 2) = 0;
    if (Dim == 2) out.along_depth = sigma(2, 2);
    out.pressure = -sigma.trace() / 3;
    sigma.diagonal().array() += out.pressure;
    out.von_mises = std::sqrt(1.5) * sigma.norm();
    return out;
}

template <int Dim>
Stress<Dim> stress(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, int element) {
    const int material = elements.material[static_cast<std::size_t>(element)];
    return stress<Dim>(elements.materials[static_cast<std::size_t>(material)], displacement_gradient(elements, x, element));
}

template Stress<2> stress<2>(const Material&, const Matrix<2, 2>&);
template Stress<3> stress<3>(const Material&, const Matrix<3, 3>&);
template Stress<2> stress<2>(const Elements<2>&, std::span<const Vector<2>>, int);
template Stress<3> stress<3>(const Elements<3>&, std::span<const Vector<3>>, int);

}  // namespace asperity::deform

// Stress of an element, constant within it.
#pragma once
#include <span>

#include "asperity/deform/elements.h"

namespace asperity::deform {

template <int Dim>
struct Stress {
    Matrix<Dim, Dim> cauchy;  ///< force per deformed area [Pa]; of Linear: Hooke's stress
    double along_depth = 0;   ///< 2D: the stress along the depth, zero in plane stress [Pa]
    double von_mises = 0;     ///< sqrt(3/2) times the norm of the deviator [Pa]
    double pressure = 0;      ///< minus the mean of the three normal stresses [Pa]
};

/// F = dx/dX
template <int Dim>
Matrix<Dim, Dim> deformation_gradient(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, int element) {
    return Matrix<Dim, Dim>::Identity() + displacement_gradient(elements, x, element);
}

/// Cauchy stress P F^T/J. Not a number for an inverted element.
template <int Dim>
Stress<Dim> stress(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, int element);

/// The same from a material and a displacement gradient.
template <int Dim>
Stress<Dim> stress(const Material& material, const Matrix<Dim, Dim>& G);

}  // namespace asperity::deform

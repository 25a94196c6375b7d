// Derivatives of the distance from a Separation. The energy's Hessian acts on few directions: w N t_k for the tangents, and
// w N n and w_k' N n along the normal. In an orthonormal basis of these it is a matrix of at most 5 rows (3 in 2D), whose
// eigenvalues are those of the large matrix.
#include <Eigen/Eigenvalues>
#include <cmath>

#include "asperity/ipc/distance/separation.h"

namespace asperity::ipc {
namespace {

using Weights = Eigen::Map<const Eigen::Vector4d>;

template <int Dim>
void add_outer(const Eigen::Vector4d& weights, const Vector<Dim>& direction,
               Eigen::Ref<Eigen::Matrix<double, 4 * Dim, 1>> out) {
    for (int i = 0; i < 4; ++i) out.template segment<Dim>(i * Dim) += weights[i] * direction;
}

template <int Dim>
void clamp_eigenvalues(Eigen::Matrix<double, Dim, Dim>& m) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, Dim, Dim>> eigen(m);
    m = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace

template <int Dim>
Vector<4 * Dim> distance_gradient(const Separation<Dim>& s) {
    Eigen::Matrix<double, 4 * Dim, 1> out;
    out.setZero();
    add_outer<Dim>(Weights(s.weight.data()), s.normal, out);
    return out;
}

template <int Dim>
Vector<4 * Dim> squared_distance_gradient(const Separation<Dim>& s) {
    return 2 * s.distance * distance_gradient(s);
}

template <int Dim>
Matrix<4 * Dim, 4 * Dim> squared_distance_hessian(const Separation<Dim>& s) {
    Eigen::Matrix<double, 4 * Dim, 4 * Dim> out;
    out.setZero();
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            out.template block<Dim, Dim>(i * Dim, j * Dim).diagonal().array() +=
                2 * s.weight[static_cast<std::size_t>(i)] * s.weight[static_cast<std::size_t>(j)];
    for (std::size_t k = 0; k < static_cast<std::size_t>(s.parameters); ++k) {
        Eigen::Matrix<double, 4 * Dim, 1> mixed;
        mixed.setZero();
        add_outer<Dim>(Weights(s.weight.data()), s.tangent[k], mixed);
        add_outer<Dim>(s.distance * Weights(s.slope[k].data()), s.normal, mixed);
        out -= 2 * mixed * mixed.transpose();
    }
    return out;
}

template <int Dim>
Matrix<4 * Dim, 4 * Dim> energy_hessian(const Separation<Dim>& s, double first, double second, bool clamp) {
    constexpr int kTangents = Dim - 1, kSize = 2 * Dim - 1;
    const Eigen::Vector4d weight = Weights(s.weight.data());
    const double size = weight.norm();
    // normal[0] is along the weights, the others complete a basis of the slopes; coordinates(j, k) of slope k in it
    std::array<Eigen::Vector4d, static_cast<std::size_t>(Dim)> normal;
    Eigen::Matrix<double, Dim, 2> coordinates;
    coordinates.setZero();
    normal[0] = weight / size;
    for (int k = 0; k < s.parameters; ++k) {
        Eigen::Vector4d rest = Weights(s.slope[static_cast<std::size_t>(k)].data());
        for (int j = 0; j <= k; ++j) {
            coordinates(j, k) = normal[static_cast<std::size_t>(j)].dot(rest);
            rest -= coordinates(j, k) * normal[static_cast<std::size_t>(j)];
        }
        coordinates(k + 1, k) = rest.norm();
        normal[static_cast<std::size_t>(k) + 1] = coordinates(k + 1, k) > 0 ? Eigen::Vector4d(rest / coordinates(k + 1, k))
                                                                            : Eigen::Vector4d(Eigen::Vector4d::Zero());
    }
    Eigen::Matrix<double, kSize, kSize> small;
    small.setZero();
    for (int k = s.parameters; k < kTangents; ++k) small(k, k) = first * size * size / s.distance;
    small(kTangents, kTangents) = second * size * size;
    for (int k = 0; k < s.parameters; ++k) {
        for (int j = 0; j <= s.parameters; ++j) {
            small(k, kTangents + j) = small(kTangents + j, k) = -first * size * coordinates(j, k);
            for (int i = 0; i <= s.parameters; ++i)
                small(kTangents + i, kTangents + j) -= first * s.distance * coordinates(i, k) * coordinates(j, k);
        }
    }
    if (clamp) {
        if (s.parameters == 0)
            small = small.cwiseMax(0);  // diagonal
        else
            clamp_eigenvalues(small);
    }
    Eigen::Matrix<double, 4 * Dim, kSize> basis;
    basis.setZero();
    for (int k = 0; k < kTangents; ++k) add_outer<Dim>(normal[0], s.tangent[static_cast<std::size_t>(k)], basis.col(k));
    for (int j = 0; j <= s.parameters; ++j)
        add_outer<Dim>(normal[static_cast<std::size_t>(j)], s.normal, basis.col(kTangents + j));
    const Eigen::Matrix<double, 4 * Dim, kSize> product = basis * small;
    Matrix<4 * Dim, 4 * Dim> out;
    out.noalias() = product * basis.transpose();
    return out;
}

#define ASPERITY_INSTANTIATE(Dim)                                                                \
    template Vector<4 * (Dim)> distance_gradient<Dim>(const Separation<Dim>&);                   \
    template Vector<4 * (Dim)> squared_distance_gradient<Dim>(const Separation<Dim>&);           \
    template Matrix<4 * (Dim), 4 * (Dim)> squared_distance_hessian<Dim>(const Separation<Dim>&); \
    template Matrix<4 * (Dim), 4 * (Dim)> energy_hessian<Dim>(const Separation<Dim>&, double, double, bool);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::ipc

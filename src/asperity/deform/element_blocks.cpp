#include "asperity/deform/element_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asperity::deform {
namespace {

using Four = double __attribute__((vector_size(32)));  // one element in each lane

template <int Dim>
struct FourMatrices {
    Four m[Dim][Dim];
    Four& operator()(int i, int k) { return m[i][k]; }
    const Four& operator()(int i, int k) const { return m[i][k]; }
};

// The functions of detail/invariants.h in lanes.

template <int Dim>
Four trace(const FourMatrices<Dim>& A) {
    Four sum = A(0, 0);
    for (int i = 1; i < Dim; ++i) sum += A(i, i);
    return sum;
}

template <int Dim>
Four second_invariant(const FourMatrices<Dim>& A) {
    Four sum{};
    for (int i = 0; i < Dim; ++i)
        for (int j = i + 1; j < Dim; ++j) sum += A(i, i) * A(j, j) - A(i, j) * A(j, i);
    return sum;
}

template <int Dim>
Four third_invariant(const FourMatrices<Dim>& A) {
    if constexpr (Dim == 2)
        return Four{};
    else
        return A(0, 0) * (A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1)) - A(0, 1) * (A(1, 0) * A(2, 2) - A(1, 2) * A(2, 0)) +
               A(0, 2) * (A(1, 0) * A(2, 1) - A(1, 1) * A(2, 0));
}

template <int Dim>
FourMatrices<Dim> cofactor(const FourMatrices<Dim>& A) {
    FourMatrices<Dim> out;
    if constexpr (Dim == 2) {
        out = {{{A(1, 1), -A(1, 0)}, {-A(0, 1), A(0, 0)}}};
    } else {
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) {
                const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
                out(i, k) = A(i1, k1) * A(i2, k2) - A(i2, k1) * A(i1, k2);
            }
    }
    return out;
}

/// ln J as Stretch::log()
double log_of(double determinant, double squared) {
    if (!(determinant > 0)) return std::numeric_limits<double>::quiet_NaN();
    return squared > -0.5 ? 0.5 * std::log1p(squared) : std::log(determinant);
}

/// Lanes beyond `last` repeat the last element.
template <int Dim>
void neo_hookean_blocks(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, int first, int last,
                        ElementBlocks<Dim>& out) {
    FourMatrices<Dim> change, inverse;  // D_s - D_m and D_m^-1
    Four mu, lambda, volume;
    for (int lane = 0; lane < 4; ++lane) {
        const auto e = static_cast<std::size_t>(std::min(first + lane, last - 1));
        const auto& nodes = elements.nodes[e];
        const Vector<Dim>& origin = x[static_cast<std::size_t>(nodes[0])];
        for (int a = 0; a < Dim; ++a) {
            const Vector<Dim>& corner = x[static_cast<std::size_t>(nodes[static_cast<std::size_t>(a) + 1])];
            for (int i = 0; i < Dim; ++i) {
                change(i, a)[lane] = (corner[i] - origin[i]) - elements.rest_edges[e](i, a);
                inverse(i, a)[lane] = elements.inverse_rest_edges[e](i, a);
            }
        }
        const Lame& lame = elements.materials[static_cast<std::size_t>(elements.material[e])].lame;
        mu[lane] = lame.mu;
        lambda[lane] = lame.lambda;
        volume[lane] = elements.rest_volume[e];
    }
    FourMatrices<Dim> G, E, F;
    for (int i = 0; i < Dim; ++i)
        for (int k = 0; k < Dim; ++k) {
            G(i, k) = change(i, 0) * inverse(0, k);
            for (int j = 1; j < Dim; ++j) G(i, k) += change(i, j) * inverse(j, k);
        }
    for (int i = 0; i < Dim; ++i)
        for (int k = 0; k < Dim; ++k) {
            Four product = G(0, i) * G(0, k);
            for (int j = 1; j < Dim; ++j) product += G(j, i) * G(j, k);
            E(i, k) = 0.5 * (G(i, k) + G(k, i) + product);
            F(i, k) = i == k ? 1 + G(i, k) : G(i, k);
        }
    const Four determinant = 1 + (trace(G) + second_invariant(G) + third_invariant(G));
    const Four squared = 2 * trace(E) + (4 * second_invariant(E) + 8 * third_invariant(E));  // J^2 - 1
    Four log;
    for (int lane = 0; lane < 4; ++lane) log[lane] = log_of(determinant[lane], squared[lane]);

    // K_ab = mu (d_a . d_b) I + (mu - lambda ln J) h_b h_a^T + lambda h_a h_b^T with h_a = F^-T d_a, where d_a is row a of
    // the inverse rest matrix
    const FourMatrices<Dim> C = cofactor(F);
    FourMatrices<Dim> h, swapped, direct;  // column a belongs to corner a + 1
    for (int i = 0; i < Dim; ++i)
        for (int a = 0; a < Dim; ++a) {
            h(i, a) = C(i, 0) * inverse(a, 0);
            for (int j = 1; j < Dim; ++j) h(i, a) += C(i, j) * inverse(a, j);
            h(i, a) /= determinant;
            swapped(i, a) = (mu - lambda * log) * h(i, a);
            direct(i, a) = lambda * h(i, a);
        }
    const auto store = [&](int a, int b, int i, int k, Four value) {
        *reinterpret_cast<Four*>(out.value[ElementBlocks<Dim>::pair(a, b)][k * Dim + i]) = value;
    };
    FourMatrices<Dim> sum[Dim] = {};  // over a of blocks (a, b) for a = 1..Dim, minus block (0, b)
    for (int a = 0; a < Dim; ++a)
        for (int b = 0; b <= a; ++b) {
            Four diagonal = inverse(a, 0) * inverse(b, 0);
            for (int j = 1; j < Dim; ++j) diagonal += inverse(a, j) * inverse(b, j);
            diagonal *= mu;
            for (int k = 0; k < Dim; ++k)
                for (int i = 0; i < (a == b ? k + 1 : Dim); ++i) {
                    Four value = swapped(i, b) * h(k, a) + direct(i, a) * h(k, b);
                    if (i == k) value += diagonal;
                    value *= volume;
                    store(a + 1, b + 1, i, k, value);
                    sum[b](i, k) += value;
                    if (b == a && i == k) continue;
                    sum[a](k, i) += value;
                    if (b == a) store(a + 1, b + 1, k, i, value);  // symmetric to the last bit, as the factorisation assumes
                }
        }
    FourMatrices<Dim> corner = {};
    for (int b = 0; b < Dim; ++b)
        for (int k = 0; k < Dim; ++k)
            for (int i = 0; i < Dim; ++i) {
                store(b + 1, 0, k, i, -sum[b](i, k));
                corner(i, k) += sum[b](i, k);
            }
    for (int k = 0; k < Dim; ++k)
        for (int i = 0; i < Dim; ++i) store(0, 0, i, k, 0.5 * (corner(i, k) + corner(k, i)));
}

}  // namespace

template <int Dim>
void elastic_blocks(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, Projection projection, int first,
                    int last, ElementBlocks<Dim>& out) {
    const auto model = [&](int e) {
        return elements.materials[static_cast<std::size_t>(elements.material[static_cast<std::size_t>(e)])].model;
    };
    bool in_lanes = projection == Projection::None;
    for (int e = first; e < last; ++e) in_lanes = in_lanes && model(e) == Hyperelastic::NeoHookean;
    if (in_lanes) return neo_hookean_blocks(elements, x, first, last, out);
    Matrix<Dim*(Dim + 1), Dim*(Dim + 1)> hessian;
    for (int e = first; e < last; ++e) {
        elastic_hessian(elements, x, projection, e, hessian);
        for (int a = 0; a <= Dim; ++a)
            for (int b = 0; b <= a; ++b)
                for (int k = 0; k < Dim; ++k)
                    for (int i = 0; i < Dim; ++i)
                        out.value[ElementBlocks<Dim>::pair(a, b)][k * Dim + i][e - first] =
                            hessian(a * Dim + i, b * Dim + k);
    }
}

template void elastic_blocks<2>(const Elements<2>&, std::span<const Vector<2>>, Projection, int, int, ElementBlocks<2>&);
template void elastic_blocks<3>(const Elements<3>&, std::span<const Vector<3>>, Projection, int, int, ElementBlocks<3>&);

}  // namespace asperity::deform

// Matrices of linear elasticity on structured meshes: a cube of Kuhn cells (six tetrahedra each) or a square of triangles.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "asperity/linear/block_pattern.h"
#include "asperity/math/matrix.h"

namespace asperity::testing_support {

template <int Dim>
struct ElasticMesh {
    std::vector<Vector<Dim>> positions;
    std::vector<std::array<int, Dim + 1>> elements;
};

/// The unit cube, or square, with `cells` cells along each edge. Each cell is cut along its main diagonal: one simplex per
/// order in which a path from corner to corner can go along the axes.
template <int Dim>
ElasticMesh<Dim> elastic_mesh(int cells) {
    ElasticMesh<Dim> mesh;
    const int side = cells + 1;
    const int depth = Dim == 3 ? side : 1;
    const std::array<int, 3> stride{1, side, side * side};
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const std::array<int, 3> at{x, y, z};
                Vector<Dim> p;
                for (int k = 0; k < Dim; ++k) p[k] = static_cast<double>(at[static_cast<std::size_t>(k)]) / cells;
                mesh.positions.push_back(p);
            }
    for (int z = 0; z < (Dim == 3 ? cells : 1); ++z)
        for (int y = 0; y < cells; ++y)
            for (int x = 0; x < cells; ++x) {
                std::array<int, Dim> axes;
                std::iota(axes.begin(), axes.end(), 0);
                do {
                    std::array<int, Dim + 1> element;
                    element[0] = x + y * stride[1] + z * stride[2];
                    for (std::size_t k = 0; k < Dim; ++k)
                        element[k + 1] = element[k] + stride[static_cast<std::size_t>(axes[k])];
                    mesh.elements.push_back(element);
                } while (std::next_permutation(axes.begin(), axes.end()));
            }
    return mesh;
}

template <int Dim>
linear::BlockPattern elastic_pattern(const ElasticMesh<Dim>& mesh) {
    std::vector<int> start{0}, nodes;
    for (const auto& element : mesh.elements) {
        nodes.insert(nodes.end(), element.begin(), element.end());
        start.push_back(static_cast<int>(nodes.size()));
    }
    return linear::pattern_of_cliques(static_cast<int>(mesh.positions.size()), start, nodes);
}

/// Stiffness for the Lame parameters, plus `inertia` (mass over the squared time step, per volume) lumped at the nodes.
template <int Dim>
std::vector<double> elastic_values(const ElasticMesh<Dim>& mesh, const linear::BlockPattern& pattern, double lambda,
                                   double mu, double inertia) {
    std::vector<double> values(pattern.column.size() * Dim * Dim, 0.0);
    const auto add = [&](int row, int column, const Matrix<Dim, Dim>& block) {
        if (column > row) return;
        double* to = &values[static_cast<std::size_t>(linear::entry(pattern, row, column)) * Dim * Dim];
        for (int e = 0; e < Dim; ++e)
            for (int f = 0; f < Dim; ++f) to[e * Dim + f] += block(f, e);
    };
    for (const auto& element : mesh.elements) {
        Matrix<Dim, Dim> edges;
        for (int k = 0; k < Dim; ++k)
            edges.col(k) = mesh.positions[static_cast<std::size_t>(element[static_cast<std::size_t>(k) + 1])] -
                           mesh.positions[static_cast<std::size_t>(element[0])];
        const double volume = std::abs(edges.determinant()) / (Dim == 3 ? 6 : 2);
        const Matrix<Dim, Dim> inverse = edges.inverse();
        std::array<Vector<Dim>, Dim + 1> gradient;  // of the shape functions
        gradient[0].setZero();
        for (int k = 0; k < Dim; ++k) {
            gradient[static_cast<std::size_t>(k) + 1] = inverse.row(k).transpose();
            gradient[0] -= gradient[static_cast<std::size_t>(k) + 1];
        }
        for (std::size_t a = 0; a <= Dim; ++a)
            for (std::size_t b = 0; b <= Dim; ++b) {
                Matrix<Dim, Dim> block =
                    lambda * gradient[a] * gradient[b].transpose() + mu * gradient[b] * gradient[a].transpose();
                block.diagonal().array() += mu * gradient[a].dot(gradient[b]);
                block *= volume;
                if (a == b) block.diagonal().array() += inertia * volume / (Dim + 1);
                add(element[a], element[b], block);
            }
    }
    return values;
}

/// y = A x.
template <int Dim>
std::vector<double> product(const linear::BlockPattern& pattern, const std::vector<double>& values,
                            const std::vector<double>& x) {
    std::vector<double> y(x.size(), 0.0);
    for (std::size_t i = 0; i + 1 < pattern.start.size(); ++i)
        for (int k = pattern.start[i]; k < pattern.start[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
            for (std::size_t e = 0; e < Dim; ++e)
                for (std::size_t f = 0; f < Dim; ++f) {
                    const double v = values[(static_cast<std::size_t>(k) * Dim + e) * Dim + f];
                    y[i * Dim + f] += v * x[j * Dim + e];
                    if (i != j) y[j * Dim + e] += v * x[i * Dim + f];
                }
        }
    return y;
}

}  // namespace asperity::testing_support

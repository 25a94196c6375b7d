// Random sparse positive definite matrices of blocks, and dense copies of them.
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "asperity/core/random.h"
#include "asperity/linear/block_pattern.h"

namespace asperity::linear {

struct BlockMatrix {
    BlockPattern pattern;
    std::vector<double> values;
};

/// The pattern of edges between different nodes.
inline BlockPattern pattern_of_edges(int size, const std::vector<std::pair<int, int>>& edges) {
    std::vector<int> start{0}, nodes;
    for (const auto& [a, b] : edges) {
        nodes.insert(nodes.end(), {a, b});
        start.push_back(static_cast<int>(nodes.size()));
    }
    return pattern_of_cliques(size, start, nodes);
}

/// Random blocks of size `scale`. Each diagonal block is symmetric and exceeds the sum of the row's other values by
/// `scale * share`, so the matrix is positive definite.
template <int Dim>
std::vector<double> dominant_values(const BlockPattern& pattern, Random& random, double scale = 1, double share = 0.1) {
    const auto n = static_cast<std::size_t>(pattern.size());
    std::vector<double> values(pattern.column.size() * Dim * Dim, 0.0), sum(n * Dim, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (int k = pattern.start[i]; k < pattern.start[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
            for (std::size_t e = 0; e < Dim; ++e)
                for (std::size_t f = i == j ? e + 1 : 0; f < Dim; ++f) {
                    const double v = scale * random.uniform(-1, 1);
                    values[(static_cast<std::size_t>(k) * Dim + e) * Dim + f] = v;
                    if (i == j) values[(static_cast<std::size_t>(k) * Dim + f) * Dim + e] = v;
                    sum[i * Dim + f] += std::abs(v);
                    sum[j * Dim + e] += std::abs(v);
                }
        }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = 0; e < Dim; ++e)
            values[static_cast<std::size_t>(pattern.start[i + 1] - 1) * Dim * Dim + e * (Dim + 1)] =
                sum[i * Dim + e] + scale * share;
    return values;
}

template <int Dim>
Eigen::MatrixXd dense(const BlockPattern& pattern, const std::vector<double>& values) {
    const Eigen::Index n = pattern.size();
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n * Dim, n * Dim);
    for (Eigen::Index i = 0; i < n; ++i)
        for (int k = pattern.start[static_cast<std::size_t>(i)]; k < pattern.start[static_cast<std::size_t>(i) + 1]; ++k) {
            const Eigen::Index j = pattern.column[static_cast<std::size_t>(k)];
            const Eigen::Map<const Eigen::Matrix<double, Dim, Dim>> block(values.data() +
                                                                          static_cast<std::size_t>(k) * Dim * Dim);
            out.block<Dim, Dim>(i * Dim, j * Dim) = block;
            out.block<Dim, Dim>(j * Dim, i * Dim) = block.transpose();
        }
    return out;
}

inline std::vector<double> random_vector(std::size_t size, Random& random) {
    std::vector<double> out(size);
    for (double& v : out) v = random.uniform(-1, 1);
    return out;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// Every pair with the given probability.
inline std::vector<std::pair<int, int>> random_edges(int size, double probability, Random& random) {
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < i; ++j)
            if (random.uniform(0, 1) < probability) edges.push_back({i, j});
    return edges;
}

}  // namespace asperity::linear

// Gaussian blur of periodic images.
#pragma once
#include <cmath>
#include <vector>

namespace asperity::surface::detail {

inline int wrapped(int i, int count) { return ((i % count) + count) % count; }
inline size_t texel_at(int width, int x, int y) {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
}

/// Weights from -reach to reach, with sum 1; a single weight of 1 for sigma = 0.
inline std::vector<double> gaussian_weights(double sigma) {
    const int reach = static_cast<int>(std::ceil(3 * sigma));
    std::vector<double> weights;
    double sum = 0;
    for (int i = -reach; i <= reach; ++i)
        sum += weights.emplace_back(sigma > 0 ? std::exp(-0.5 * i * i / (sigma * sigma)) : 1.0);
    for (double& w : weights) w /= sum;
    return weights;
}

/// Blurs in place with standard deviations of `sigma_x` texels along rows and `sigma_y` texels along columns.
inline void blur(std::vector<double>& values, int width, int height, double sigma_x, double sigma_y) {
    std::vector<double> out(values.size());
    for (const bool rows : {true, false}) {
        const double sigma = rows ? sigma_x : sigma_y;
        if (!(sigma > 0)) continue;
        const std::vector<double> weights = gaussian_weights(sigma);
        const int reach = static_cast<int>(weights.size() / 2);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                double mean = 0;
                for (int i = -reach; i <= reach; ++i)
                    mean +=
                        weights[static_cast<size_t>(i + reach)] * values[rows ? texel_at(width, wrapped(x + i, width), y)
                                                                              : texel_at(width, x, wrapped(y + i, height))];
                out[texel_at(width, x, y)] = mean;
            }
        values.swap(out);
    }
}

}  // namespace asperity::surface::detail

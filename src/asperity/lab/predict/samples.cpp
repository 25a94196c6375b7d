#include "asperity/lab/predict/samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace asperity::lab {
namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

}  // namespace

std::vector<double> Standard::of(const std::vector<double>& features) const {
    std::vector<double> out;
    for (std::size_t i = 0; i < features.size(); ++i) out.push_back((features[i] - mean[i]) / deviation[i]);
    return out;
}

Standard standardise(const Samples& samples) {
    const std::size_t width = samples.names.size();
    const auto count = static_cast<double>(samples.features.size());
    Standard s{std::vector<double>(width, 0.0), std::vector<double>(width, 0.0)};
    for (const auto& row : samples.features)
        for (std::size_t i = 0; i < width; ++i) s.mean[i] += row[i] / count;
    for (const auto& row : samples.features)
        for (std::size_t i = 0; i < width; ++i) s.deviation[i] += (row[i] - s.mean[i]) * (row[i] - s.mean[i]) / count;
    for (double& d : s.deviation) d = d > 0 ? std::sqrt(d) : 1;
    return s;
}

double leave_one_out_of_mean(const Samples& samples) {
    const auto n = static_cast<double>(samples.targets.size());
    double sum = 0, squares = 0;
    for (const double y : samples.targets) sum += y;
    for (const double y : samples.targets) squares += std::pow(y - (sum - y) / (n - 1), 2);
    return std::sqrt(squares / n);
}

std::string extrapolation(const Samples& samples, const std::vector<double>& features) {
    std::string why;
    for (std::size_t i = 0; i < features.size(); ++i) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const auto& row : samples.features) low = std::min(low, row[i]), high = std::max(high, row[i]);
        const double slack = 1e-9 * std::max(std::fabs(low), std::fabs(high));
        if (features[i] < low - slack || features[i] > high + slack)
            why += fmt::format("{}{} = {:.4g} is outside [{:.4g}, {:.4g}]", why.empty() ? "" : "; ", samples.names[i],
                               features[i], low, high);
    }
    if (!why.empty()) return why;
    const Standard standard = standardise(samples);
    std::vector<std::vector<double>> rows;
    for (const auto& row : samples.features) rows.push_back(standard.of(row));
    const std::vector<double> here = standard.of(features);
    double widest = 0, nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double own = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < rows.size(); ++j)
            if (const double d = distance(rows[i], rows[j]); d > 1e-9) own = std::min(own, d);
        if (std::isfinite(own)) widest = std::max(widest, own);
        nearest = std::min(nearest, distance(rows[i], here));
    }
    if (nearest > widest)
        why = fmt::format("the nearest sample is {:.2g} deviations away; among the samples at most {:.2g}", nearest, widest);
    return why;
}

}  // namespace asperity::lab

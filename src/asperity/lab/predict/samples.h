// What the predictors learn from, and how a prediction is judged.
#pragma once
#include <string>
#include <vector>

namespace asperity::lab {

struct Samples {
    std::vector<std::string> names;             ///< of the features
    std::vector<std::vector<double>> features;  ///< one row per sample
    std::vector<double> targets;
    std::vector<double> noise;  ///< standard error of each target; empty: unknown
};

/// Mean and deviation (of the population) of every feature; a feature that never changes has deviation 1.
struct Standard {
    std::vector<double> mean, deviation;
    std::vector<double> of(const std::vector<double>& features) const;
};
Standard standardise(const Samples& samples);

/// Root mean square error when each sample is predicted by the mean of the others: what a predictor has to beat.
double leave_one_out_of_mean(const Samples& samples);

/// Why a prediction would be an extrapolation; empty if it is none. A feature outside the range of the samples, or a point
/// farther from every sample, in deviations, than any sample is from its nearest distinct neighbour.
std::string extrapolation(const Samples& samples, const std::vector<double>& features);

}  // namespace asperity::lab

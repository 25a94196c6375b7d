// Regression with error bars: a Gaussian process over dimensionless groups of the lab's runs.
#pragma once
#include <filesystem>

#include "asperity/lab/predict/samples.h"

namespace asperity::lab {

/// mu(x) = mean + f(x) + noise, f a Gaussian process whose covariance is
///     a^2 x.y + s^2 exp(-1/2 sum_j (x_j - y_j)^2/l_j^2)
/// over standardised features: a linear trend, and what bends it. Noise: the standard error of each target, and one
/// deviation more that is common to all. The six or so parameters maximise the likelihood of the targets (Rasmussen and
/// Williams, "Gaussian Processes for Machine Learning", 2006: 2.25 to 2.30, leave-one-out 5.10 to 5.12).
class GaussianProcess {
  public:
    /// Throws InputError for fewer than four samples.
    explicit GaussianProcess(const Samples& samples);

    struct Prediction {
        double mean = 0;
        double deviation = 0;  ///< of the mean over many surfaces, not of one surface
    };
    Prediction predict(const std::vector<double>& features) const;

    /// Each target from all others, with the parameters kept.
    double leave_one_out() const { return leave_one_out_; }
    double within_two_deviations() const {
        return within_two_;
    }  ///< fraction of the left-out targets inside their error bars
    double log_likelihood() const { return log_likelihood_; }
    const std::vector<double>& lengths() const { return lengths_; }  ///< l_j in deviations of the features
    double noise() const { return noise_; }

  private:
    double covariance(const std::vector<double>& x, const std::vector<double>& y) const;
    bool factorise();  // fills factor_ and weights_ for the present parameters; false where the matrix is not positive
    void set(const std::vector<double>& logarithms);

    Standard standard_;
    std::vector<std::vector<double>> rows_;
    std::vector<double> targets_, errors_;
    double mean_ = 0, slope_ = 0, height_ = 0, noise_ = 0;
    std::vector<double> lengths_;
    std::vector<double> factor_, weights_;  // Cholesky factor row by row; K^-1 (y - mean)
    double log_likelihood_ = 0, leave_one_out_ = 0, within_two_ = 0;
};

/// The lab's parameters in its own units.
struct LabSetting {
    double young = 0, poisson = 0, damping = 0, density = 0;
};
/// log10 of P = rho g H (1 - nu^2) 2/E, the pressure of the own weight over E*; nu; log10 of beta sqrt(g/lambda). Gravity
/// 9.8, a block 100 high and the shortest wave of 8 units are those of the protocol (docs/lab.md). E and rho act through
/// P alone.
std::vector<double> groups_of(const LabSetting& setting);

/// The 28 distinct settings of Table 4.1; rows that repeat a setting are one sample. noise = deviation/sqrt(12).
Samples samples_of_lab_table();
/// Adds the runs of a CSV file with columns young, poisson, damping, density and `target`. Runs of one setting become one
/// sample with their standard error. Throws InputError for missing columns and rows that are no numbers.
void add_runs(Samples& samples, const std::filesystem::path& csv, const std::string& target);

}  // namespace asperity::lab

#include "asperity/lab/predict/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/lab/predict/tables.h"
#include "asperity/record/csv.h"

namespace asperity::lab {

double GaussianProcess::covariance(const std::vector<double>& x, const std::vector<double>& y) const {
    double product = 0, square = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
        product += x[j] * y[j];
        const double d = (x[j] - y[j]) / lengths_[j];
        square += d * d;
    }
    return slope_ * slope_ * product + height_ * height_ * std::exp(-0.5 * square);
}

bool GaussianProcess::factorise() {
    const std::size_t n = rows_.size();
    factor_.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = covariance(rows_[i], rows_[j]);
            if (i == j) sum += noise_ * noise_ + errors_[i] * errors_[i];
            for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
            if (i == j && !(sum > 0)) return false;
            factor_[i * n + j] = i == j ? std::sqrt(sum) : sum / factor_[j * n + j];
        }
    weights_ = targets_;
    for (double& w : weights_) w -= mean_;
    log_likelihood_ = -0.5 * static_cast<double>(n) * std::log(2 * std::numbers::pi);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) weights_[i] -= factor_[i * n + k] * weights_[k];
        weights_[i] /= factor_[i * n + i];
        log_likelihood_ -= 0.5 * weights_[i] * weights_[i] + std::log(factor_[i * n + i]);
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) weights_[i] -= factor_[k * n + i] * weights_[k];
        weights_[i] /= factor_[i * n + i];
    }
    return true;
}

void GaussianProcess::set(const std::vector<double>& logarithms) {
    slope_ = std::exp(logarithms[0]), height_ = std::exp(logarithms[1]), noise_ = std::exp(logarithms[2]);
    for (std::size_t j = 0; j < lengths_.size(); ++j) lengths_[j] = std::exp(logarithms[3 + j]);
}

GaussianProcess::GaussianProcess(const Samples& samples) : standard_(standardise(samples)), targets_(samples.targets) {
    const std::size_t n = targets_.size();
    if (n < 4) throw InputError(fmt::format("Gaussian process: {} samples; needs at least 4", n));
    for (const auto& features : samples.features) rows_.push_back(standard_.of(features));
    errors_ = samples.noise.empty() ? std::vector<double>(n, 0.0) : samples.noise;
    double spread = 0;
    for (const double y : targets_) mean_ += y / static_cast<double>(n);
    for (const double y : targets_) spread += (y - mean_) * (y - mean_) / static_cast<double>(n);
    spread = std::max(std::sqrt(spread), 1e-6);

    // Pattern search on the logarithms: steps of a factor e, halved down to 1 %. Bounds keep a parameter that the targets
    // do not determine from running away: lengths from a tenth to 30 deviations, deviations from 1e-3 to 10 times that of
    // the targets.
    lengths_.assign(samples.names.size(), 2.0);
    std::vector<double> at(3 + lengths_.size(), std::log(2.0));
    at[0] = std::log(0.5 * spread), at[1] = std::log(0.5 * spread), at[2] = std::log(0.1 * spread);
    const auto bounded = [&](std::size_t j, double value) {
        return j < 3 ? std::clamp(value, std::log(1e-3 * spread), std::log(10 * spread))
                     : std::clamp(value, std::log(0.1), std::log(30.0));
    };
    const auto likelihood = [&](const std::vector<double>& x) {
        set(x);
        return factorise() ? log_likelihood_ : -1e300;
    };
    double best = likelihood(at);
    for (double step = 1; step > 0.01;) {
        bool better = false;
        for (std::size_t j = 0; j < at.size(); ++j)
            for (const double sign : {1.0, -1.0}) {
                std::vector<double> next = at;
                next[j] = bounded(j, at[j] + sign * step);
                if (const double value = likelihood(next); value > best + 1e-9) best = value, at = next, better = true;
            }
        if (!better) step *= 0.5;
    }
    set(at);
    if (!factorise()) throw InputError("Gaussian process: the samples contradict one another: no noise explains them");

    // Left-out mean y_i - w_i/(K^-1)_ii with variance 1/(K^-1)_ii; (K^-1)_ii is the squared length of a column of L^-1.
    double squares = 0, inside = 0;
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> column(n, 0.0);
        double diagonal = 0;
        for (std::size_t k = i; k < n; ++k) {
            double value = k == i ? 1 : 0;
            for (std::size_t l = i; l < k; ++l) value -= factor_[k * n + l] * column[l];
            column[k] = value / factor_[k * n + k];
            diagonal += column[k] * column[k];
        }
        const double error = weights_[i] / diagonal;
        squares += error * error;
        if (std::fabs(error) <= 2 / std::sqrt(diagonal)) ++inside;
    }
    leave_one_out_ = std::sqrt(squares / static_cast<double>(n));
    within_two_ = inside / static_cast<double>(n);
}

GaussianProcess::Prediction GaussianProcess::predict(const std::vector<double>& features) const {
    const std::vector<double> x = standard_.of(features);
    const std::size_t n = rows_.size();
    Prediction p{mean_, covariance(x, x)};
    std::vector<double> k(n);
    for (std::size_t i = 0; i < n; ++i) {
        k[i] = covariance(x, rows_[i]);
        p.mean += k[i] * weights_[i];
    }
    for (std::size_t i = 0; i < n; ++i) {  // variance - |L^-1 k|^2
        for (std::size_t j = 0; j < i; ++j) k[i] -= factor_[i * n + j] * k[j];
        k[i] /= factor_[i * n + i];
        p.deviation -= k[i] * k[i];
    }
    p.deviation = std::sqrt(std::max(p.deviation, 0.0) + noise_ * noise_);
    return p;
}

std::vector<double> groups_of(const LabSetting& s) {
    constexpr double kGravity = 9.8, kHeight = 100, kWave = 8;
    const double modulus = s.young / (2 * (1 - s.poisson * s.poisson));
    return {std::log10(s.density * kGravity * kHeight / modulus), s.poisson,
            std::log10(s.damping * std::sqrt(kGravity / kWave))};
}

namespace {

struct Results {
    std::vector<double> values;
    double tabled_error = 0;  // standard error of a row of the table
};
using Settings = std::map<std::vector<double>, Results>;

void append(Samples& samples, const Settings& settings) {
    for (const auto& [setting, results] : settings) {
        const auto n = static_cast<double>(results.values.size());
        double mean = 0, variance = 0;
        for (const double v : results.values) mean += v / n;
        for (const double v : results.values) variance += (v - mean) * (v - mean) / std::max(n - 1, 1.0);
        samples.features.push_back(groups_of({setting[0], setting[1], setting[2], setting[3]}));
        samples.targets.push_back(mean);
        samples.noise.push_back(results.tabled_error > 0 ? results.tabled_error : std::sqrt(variance / n));
    }
}

}  // namespace

Samples samples_of_lab_table() {
    Samples samples;
    samples.names = {"log10(rho g H/E*)", "nu", "log10(beta sqrt(g/lambda))"};
    Settings settings;
    for (const LabResult& row : table_of_lab_results()) {
        Results& r = settings[{row.young, row.poisson, row.damping, row.density}];
        r.values.push_back(row.mu_mean);
        r.tabled_error = std::max(r.tabled_error, row.mu_std / std::sqrt(12.0));  // repeated rows differ in their deviation
    }
    append(samples, settings);
    return samples;
}

void add_runs(Samples& samples, const std::filesystem::path& csv, const std::string& target) {
    const record::Table table = record::read_csv(csv);
    const auto column = [&](const std::string& name) -> const record::Column& {
        const record::Column* found = table.find(name);
        if (!found || found->is_text)
            throw InputError(fmt::format("{}: {} column '{}'; it needs young, poisson, damping, density and {}; it has {}",
                                         csv.string(), found ? "no numbers in its" : "has no", name, target,
                                         fmt::join(table.names(), ", ")));
        return *found;
    };
    const record::Column* const parameters[] = {&column("young"), &column("poisson"), &column("damping"),
                                                &column("density")};
    const record::Column& mu = column(target);
    Settings settings;
    for (std::size_t row = 0; row < table.row_count; ++row) {
        if (std::isnan(mu.numbers[row])) continue;  // a run without this result
        std::vector<double> setting;
        for (const record::Column* c : parameters) setting.push_back(c->numbers[row]);
        const bool good = setting[0] > 0 && setting[1] > -1 && setting[1] < 0.5 && setting[2] > 0 && setting[3] > 0;
        if (!good || !std::isfinite(setting[0] * setting[3] * setting[2] * mu.numbers[row]))
            throw InputError(
                fmt::format("{}:{}: young {:g}, poisson {:g}, damping {:g}, density {:g}, {} {:g}: young, damping and "
                            "density must be above 0, poisson in (-1, 0.5)",
                            csv.string(), row + 2, setting[0], setting[1], setting[2], setting[3], target, mu.numbers[row]));
        settings[setting].values.push_back(mu.numbers[row]);
    }
    append(samples, settings);
}

}  // namespace asperity::lab

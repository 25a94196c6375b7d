// asperity lab predict: from materials, or from a setting of the 2D lab, to a coefficient of friction.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/lab.h"
#include "asperity/lab/predict/gaussian_process.h"
#include "asperity/lab/predict/svr.h"
#include "asperity/tell.h"

namespace asperity::app {
namespace {

int predict_materials(const LabPredictArgs& args) {
    const lab::NamedMaterial a = lab::find_material(args.a, "lab predict: --a"),
                             b = lab::find_material(args.b, "lab predict: --b");
    const lab::Samples samples = lab::samples_of_pairs();
    const lab::Svr svr(samples);
    const double mu = lab::predict_pair(svr, a.material, b.material);
    const double error = lab::leave_one_out(samples), of_mean = lab::leave_one_out_of_mean(samples);
    // The pair in the order that is nearer to the samples decides whether it is inside of them.
    std::string outside = lab::extrapolation(samples, lab::features_of(a.material, b.material));
    if (!outside.empty()) {
        const std::string turned = lab::extrapolation(samples, lab::features_of(b.material, a.material));
        if (turned.empty()) outside.clear();
    }
    std::vector<double> tabled;
    for (const lab::MaterialPair& pair : lab::table_of_pairs()) {
        const auto features = lab::features_of(pair.a, pair.b);
        if (features == lab::features_of(a.material, b.material) || features == lab::features_of(b.material, a.material))
            tabled.push_back(pair.mu);
    }
    if (args.json) {
        const nlohmann::ordered_json json = {{"a", a.name},
                                             {"b", b.name},
                                             {"mu", mu},
                                             {"loo_rmse", error},
                                             {"loo_rmse_of_mean", of_mean},
                                             {"inside_data", outside.empty()},
                                             {"why_outside", outside},
                                             {"tabled_mu", tabled},
                                             {"model", "epsilon-SVR on Table 4.3"},
                                             {"support_vectors", svr.support_vectors()},
                                             {"bias", svr.bias()}};
        fmt::print("{}\n", json.dump(2));
        return kGood;
    }
    fmt::print("{} on {}: mu {:.3f}\nerror of pairs left out {:.3f}; of the mean of all pairs {:.3f}: {}\n", a.name, b.name,
               mu, error, of_mean, "the materials' moduli and densities alone say almost nothing about friction");
    if (!tabled.empty()) fmt::print("the table itself has {:.3g} for this pair\n", fmt::join(tabled, " and "));
    if (!outside.empty()) fmt::print("OUTSIDE the data: {}\n", outside);
    return kGood;
}

int predict_setting(const LabPredictArgs& args) {
    const auto positive = [](const std::optional<double>& value, const char* option) {
        if (!value)
            throw InputError(
                fmt::format("lab predict: {} is missing: a setting is --young, --poisson, --damping and --density", option));
        if (!(*value > 0) || !std::isfinite(*value))
            throw InputError(fmt::format("lab predict: {} {:g}: must be above 0", option, *value));
        return *value;
    };
    if (!args.poisson)
        throw InputError("lab predict: --poisson is missing: a setting is --young, --poisson, --damping and --density");
    if (!(*args.poisson > -1 && *args.poisson < 0.5))
        throw InputError(fmt::format("lab predict: --poisson {:g}: must be in (-1, 0.5)", *args.poisson));
    const lab::LabSetting setting{positive(args.young, "--young"), *args.poisson, positive(args.damping, "--damping"),
                                  positive(args.density, "--density")};
    lab::Samples samples = lab::samples_of_lab_table();
    if (!args.runs.empty()) lab::add_runs(samples, args.runs, args.target);
    const lab::GaussianProcess process(samples);
    const std::vector<double> groups = lab::groups_of(setting);
    const auto p = process.predict(groups);
    const double of_mean = lab::leave_one_out_of_mean(samples);
    const std::string outside = lab::extrapolation(samples, groups);
    if (args.json) {
        nlohmann::ordered_json json = {{"mu", p.mean},
                                       {"deviation", p.deviation},
                                       {"loo_rmse", process.leave_one_out()},
                                       {"loo_rmse_of_mean", of_mean},
                                       {"loo_within_two_deviations", process.within_two_deviations()},
                                       {"inside_data", outside.empty()},
                                       {"why_outside", outside},
                                       {"model", "Gaussian process on Table 4.1"},
                                       {"samples", samples.targets.size()}};
        for (std::size_t i = 0; i < groups.size(); ++i) json["groups"][samples.names[i]] = groups[i];
        fmt::print("{}\n", json.dump(2));
        return kGood;
    }
    fmt::print("mu {:.3f} +- {:.3f} (one deviation of the mean over surfaces)\n", p.mean, p.deviation);
    fmt::print("error of settings left out {:.4f}; of the mean of all {:.4f}; {} samples\n", process.leave_one_out(),
               of_mean, samples.targets.size());
    if (!outside.empty()) fmt::print("OUTSIDE the data: {}\n", outside);
    return kGood;
}

}  // namespace

int lab_predict(const LabPredictArgs& args) {
    const bool materials = !args.a.empty() || !args.b.empty();
    const bool setting = args.young || args.poisson || args.damping || args.density || !args.runs.empty();
    if (materials == setting)
        throw InputError(
            "lab predict: give either two materials (--a and --b) or a setting of the lab (--young, --poisson, --damping, "
            "--density; with --runs if there are more)");
    if (!materials) return predict_setting(args);
    if (args.a.empty() || args.b.empty())
        throw InputError("lab predict: friction is between two materials: give both --a and --b");
    return predict_materials(args);
}

}  // namespace asperity::app

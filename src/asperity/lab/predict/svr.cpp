#include "asperity/lab/predict/svr.h"

#include <libsvm/svm.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/one_line.h"

namespace asperity::lab {

struct Svr::Model {
    Standard standard;
    std::vector<std::vector<svm_node>> rows;  // libsvm keeps pointers to them
    std::vector<svm_node*> starts;
    std::vector<double> targets;
    svm_model* model = nullptr;

    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    ~Model() { svm_free_and_destroy_model(&model); }

    std::vector<svm_node> nodes(const std::vector<double>& features) const {
        std::vector<svm_node> out;
        for (const double x : standard.of(features)) out.push_back({static_cast<int>(out.size()) + 1, x});
        out.push_back({-1, 0});
        return out;
    }
};

Svr::Svr(const Samples& samples, const SvrOptions& options) : model_(std::make_unique<Model>()) {
    if (samples.features.size() < 2) throw InputError("support vector regression: needs at least two samples");
    Model& m = *model_;
    m.standard = standardise(samples);
    for (const auto& features : samples.features) m.rows.push_back(m.nodes(features));
    for (auto& row : m.rows) m.starts.push_back(row.data());
    m.targets = samples.targets;
    svm_problem problem{static_cast<int>(m.targets.size()), m.targets.data(), m.starts.data()};
    svm_parameter parameter{};
    parameter.svm_type = EPSILON_SVR;
    parameter.kernel_type = RBF;
    parameter.gamma = 1.0 / static_cast<double>(samples.names.size());
    parameter.cache_size = 8;  // MB
    parameter.eps = options.tolerance;
    parameter.C = options.c;
    parameter.p = options.epsilon;
    if (const char* complaint = svm_check_parameter(&problem, &parameter))
        throw InputError(fmt::format("support vector regression: {}", complaint));
    svm_set_print_string_function([](const char*) {});
    m.model = svm_train(&problem, &parameter);
}
Svr::~Svr() = default;
Svr::Svr(Svr&&) noexcept = default;
Svr& Svr::operator=(Svr&&) noexcept = default;

double Svr::predict(const std::vector<double>& features) const {
    const std::vector<svm_node> nodes = model_->nodes(features);
    return svm_predict(model_->model, nodes.data());
}
int Svr::support_vectors() const { return svm_get_nr_sv(model_->model); }
double Svr::bias() const { return -model_->model->rho[0]; }

FitErrors training_errors(const Svr& svr, const Samples& samples) {
    FitErrors e;
    const auto n = static_cast<double>(samples.targets.size());
    double mean = 0, spread = 0, squares = 0;
    for (const double y : samples.targets) mean += y / n;
    for (std::size_t i = 0; i < samples.targets.size(); ++i) {
        const double error = svr.predict(samples.features[i]) - samples.targets[i];
        e.mean_absolute += std::fabs(error) / n;
        squares += error * error;
        spread += (samples.targets[i] - mean) * (samples.targets[i] - mean);
    }
    e.root_mean_square = std::sqrt(squares / n);
    e.r2 = 1 - squares / spread;
    return e;
}

double leave_one_out(const Samples& samples, const SvrOptions& options) {
    double squares = 0;
    for (std::size_t i = 0; i < samples.targets.size(); ++i) {
        Samples others = samples;
        others.features.erase(others.features.begin() + static_cast<std::ptrdiff_t>(i));
        others.targets.erase(others.targets.begin() + static_cast<std::ptrdiff_t>(i));
        squares += std::pow(Svr(others, options).predict(samples.features[i]) - samples.targets[i], 2);
    }
    return std::sqrt(squares / static_cast<double>(samples.targets.size()));
}

std::vector<double> features_of(const TabledMaterial& a, const TabledMaterial& b) {
    return {a.young, a.poisson, a.density, b.young, b.poisson, b.density};
}

Samples samples_of_pairs() {
    Samples s;
    s.names = {"E1 [GPa]", "nu1", "rho1 [kg/m^3]", "E2 [GPa]", "nu2", "rho2 [kg/m^3]"};
    for (const MaterialPair& pair : table_of_pairs()) {
        s.features.push_back(features_of(pair.a, pair.b));
        s.targets.push_back(pair.mu);
    }
    return s;
}

double predict_pair(const Svr& svr, const TabledMaterial& a, const TabledMaterial& b) {
    for (const MaterialPair& pair : table_of_pairs()) {
        if (features_of(pair.a, pair.b) == features_of(a, b)) return svr.predict(features_of(a, b));
        if (features_of(pair.a, pair.b) == features_of(b, a)) return svr.predict(features_of(b, a));
    }
    return 0.5 * (svr.predict(features_of(a, b)) + svr.predict(features_of(b, a)));
}

NamedMaterial find_material(const std::string& text, const std::string& where) {
    std::string word = text;
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return c == '_' || c == '-' ? ' ' : std::tolower(c); });
    std::vector<std::string> known;
    for (const MaterialPair& pair : table_of_pairs())
        for (const TabledMaterial& m : {pair.a, pair.b}) {
            if (word == m.name) return {std::string(m.name), m};
            if (std::find(known.begin(), known.end(), m.name) == known.end()) known.emplace_back(m.name);
        }
    double numbers[3] = {};
    int count = 0;
    for (std::size_t i = 0; i < text.size() && count < 3;) {
        const auto [rest, error] = std::from_chars(text.data() + i, text.data() + text.size(), numbers[count]);
        if (error != std::errc()) break;
        ++count;
        i = static_cast<std::size_t>(rest - text.data());
        if (i == text.size()) {
            i = text.size() + 1;
            if (count < 3) break;
            if (!(numbers[0] > 0 && numbers[1] > -1 && numbers[1] < 0.5 && numbers[2] > 0) ||
                !std::isfinite(numbers[0] * numbers[2]))
                throw InputError(fmt::format("{} {}: needs E > 0 [Pa], nu in (-1, 0.5) and rho > 0 [kg/m^3]", where, text));
            return {text, {"", numbers[0] / 1e9, numbers[1], numbers[2]}};
        }
        if (text[i] != ',') break;
        ++i;
    }
    std::sort(known.begin(), known.end());
    const std::string near = nearest_name(word, known);
    throw InputError(fmt::format("{} {}: no such material{}; give E,nu,rho [Pa, -, kg/m^3] or one of {}", where,
                                 one_line(text, 60), near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                                 fmt::join(known, ", ")));
}

}  // namespace asperity::lab

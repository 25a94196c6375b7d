#include "asperity/lab/study/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "asperity/lab/predict/svr.h"
#include "asperity/lab/study/figure.h"

namespace asperity::lab {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Two-sided 95 % quantile of Student's t. Beyond the table the expansion about the normal distribution, within 1e-3.
double student_quantile(int degrees) {
    static constexpr double kTable[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    if (degrees < 1) return kNone;
    if (degrees <= 10) return kTable[degrees - 1];
    const double z = 1.959964, n = degrees;
    return z + (z * z * z + z) / (4 * n) + (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n) +
           (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * z * z * z - 15 * z) / (384 * n * n * n);
}

std::vector<double> values_of(const std::vector<StudyResult>& results, int setting, const std::string& name) {
    std::vector<double> out;
    for (const StudyResult& r : results)
        if (r.setting == setting && r.done)
            if (const auto found = r.values.find(name); found != r.values.end()) out.push_back(found->second);
    return out;
}

std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> out(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
        for (std::size_t k = i; k < end; ++k) out[order[k]] = 0.5 * static_cast<double>(i + end - 1);
        i = end;
    }
    return out;
}

/// Params with more than one value in the sweep; the one that the sweep is named after first.
std::vector<std::size_t> varying(const StudyPlan& plan, const StudyPlan::Sweep& sweep) {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < plan.names.size(); ++k)
        for (const int s : sweep.settings)
            if (plan.settings[static_cast<std::size_t>(s)][k] !=
                plan.settings[static_cast<std::size_t>(sweep.settings[0])][k]) {
                out.push_back(k);
                break;
            }
    const auto own = std::find_if(out.begin(), out.end(), [&](std::size_t k) { return plan.names[k] == sweep.name; });
    if (own != out.end()) std::rotate(out.begin(), own, own + 1);
    return out;
}

/// Settings of a sweep that differ only in the param `x`, ascending in it, with what else varies as a name.
struct Line {
    std::string name;
    std::vector<int> settings;
};
std::vector<Line> lines_of(const StudyPlan& plan, const StudyPlan::Sweep& sweep, const std::vector<std::size_t>& keys) {
    std::vector<Line> lines;
    for (const int s : sweep.settings) {
        std::string name;
        for (std::size_t i = 1; i < keys.size(); ++i)
            name += fmt::format("{}{} {:g}", i > 1 ? ", " : "", plan.names[keys[i]],
                                plan.settings[static_cast<std::size_t>(s)][keys[i]]);
        auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.name == name; });
        if (line == lines.end()) line = lines.insert(lines.end(), Line{name, {}});
        line->settings.push_back(s);
    }
    const auto value = [&](int s) { return plan.settings[static_cast<std::size_t>(s)][keys[0]]; };
    for (Line& line : lines)
        std::sort(line.settings.begin(), line.settings.end(), [&](int a, int b) { return value(a) < value(b); });
    return lines;
}

std::string symbol(const std::string& name) {
    if (name == "young") return "Young's modulus E";
    if (name == "poisson") return "Poisson's ratio nu";
    if (name == "damping") return "damping beta [s]";
    if (name == "density") return "density rho";
    return name;
}

/// Least squares slope of y over x; a line through fewer than two places has none.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
    double mx = 0, my = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        mx += x[i] / static_cast<double>(x.size()), my += y[i] / static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) xx += (x[i] - mx) * (x[i] - mx), xy += (x[i] - mx) * (y[i] - my);
    return xx > 0 ? xy / xx : kNone;
}

std::string plus_minus(const Spread& s) {
    if (s.count == 0) return "-";
    return s.count == 1 ? fmt::format("{:.3f}", s.mean) : fmt::format("{:.3f} +- {:.3f}", s.mean, s.half_width);
}

std::string figure_of_sweep(const StudyPlan& plan, const StudyPlan::Sweep& sweep,
                            const std::vector<SettingStatistics>& statistics) {
    const std::vector<std::size_t> keys = varying(plan, sweep);
    if (keys.empty()) return {};
    Figure figure;
    figure.title = "mu at a slide of 30 against " + symbol(plan.names[keys[0]]);
    figure.x_label = symbol(plan.names[keys[0]]);
    figure.y_label = "force over weight";
    double low = std::numeric_limits<double>::infinity(), high = 0;
    int colour = 0;
    for (const Line& line : lines_of(plan, sweep, keys)) {
        FigureSeries ours, source;
        ours.name = line.name.empty() ? "ours, 95 % intervals" : line.name;
        source.name = colour == 0 && !plan.references.empty() ? "source (dashed)" : "";
        source.dashed = true;
        ours.colour = source.colour = colour++;
        for (const int s : line.settings) {
            const auto i = static_cast<std::size_t>(s);
            const double x = plan.settings[i][keys[0]];
            low = std::min(low, x);
            high = std::max(high, x);
            ours.x.push_back(x);
            ours.y.push_back(statistics[i].mu_30.count > 0 ? statistics[i].mu_30.mean : kNone);
            ours.error.push_back(statistics[i].mu_30.half_width);
            for (const StudyPlan::Reference& r : plan.references)
                if (r.setting == s) {
                    source.x.push_back(x);
                    source.y.push_back(r.mean);
                    break;
                }
        }
        figure.series.push_back(std::move(ours));
        if (!source.x.empty()) figure.series.push_back(std::move(source));
    }
    figure.log_x = low > 0 && high / low > 5 && plan.names[keys[0]] != "poisson";
    return svg(figure);
}

std::string figure_of_curves(const StudyPlan& plan, const StudyPlan::Sweep& sweep, const std::vector<StudyResult>& results) {
    const std::vector<std::size_t> keys = varying(plan, sweep);
    if (keys.empty()) return {};
    Figure figure;
    figure.title = "mu(S), means over the surfaces";
    figure.x_label = "slide S [units]";
    figure.y_label = "force over weight";
    int colour = 0;
    const std::vector<Line> lines = lines_of(plan, sweep, keys);
    for (const int s : lines[0].settings) {
        FigureSeries series;
        series.name = fmt::format("{} {:g}", plan.names[keys[0]], plan.settings[static_cast<std::size_t>(s)][keys[0]]);
        series.colour = colour++;
        series.markers = false;
        std::vector<std::pair<double, std::vector<double>>> at;
        for (const StudyResult& r : results)
            for (std::size_t i = 0; r.setting == s && i < r.slide.size(); ++i) {
                auto found = std::find_if(at.begin(), at.end(), [&](const auto& a) { return a.first == r.slide[i]; });
                if (found == at.end()) found = at.insert(at.end(), {r.slide[i], {}});
                found->second.push_back(r.mu[i]);
            }
        std::sort(at.begin(), at.end());
        for (const auto& [x, mu] : at) {
            series.x.push_back(x);
            series.y.push_back(spread_of(mu).mean);
        }
        figure.series.push_back(std::move(series));
    }
    return svg(figure);
}

/// How mu changes along each line of a sweep, surface by surface.
std::string table_of_effects(const StudyPlan& plan, const StudyPlan::Sweep& sweep, const std::vector<StudyResult>& results) {
    const std::vector<std::size_t> keys = varying(plan, sweep);
    if (keys.empty()) return {};
    std::string out = "<table><tr><th>from</th><th>to</th><th>change of mu_30, 95 % interval</th><th>source</th></tr>\n";
    for (const Line& line : lines_of(plan, sweep, keys))
        for (std::size_t i = 1; i < line.settings.size(); ++i) {
            const int from = line.settings[0], to = line.settings[i];
            const auto name = [&](int s) {
                return fmt::format("{} {:g}{}{}", plan.names[keys[0]], plan.settings[static_cast<std::size_t>(s)][keys[0]],
                                   line.name.empty() ? "" : ", ", line.name);
            };
            const auto reference = [&](int s) {
                for (const StudyPlan::Reference& r : plan.references)
                    if (r.setting == s) return r.mean;
                return kNone;
            };
            const Spread change = paired_difference(results, from, to, "mu_30");
            const double source = reference(to) - reference(from);
            out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", name(from), name(to),
                               plus_minus(change), std::isfinite(source) ? fmt::format("{:+.3f}", source) : "");
        }
    return out + "</table>\n";
}

/// Slopes of mu_30 in log10 of a param, one per surface.
std::string slopes_per_decade(const StudyPlan& plan, const StudyPlan::Sweep& sweep,
                              const std::vector<StudyResult>& results) {
    const std::vector<std::size_t> keys = varying(plan, sweep);
    if (keys.size() != 1) return {};
    std::vector<double> slopes;
    int positive = 0;
    for (const int seed : plan.seeds) {
        std::vector<double> x, y;
        for (const StudyResult& r : results)
            if (r.seed == seed && r.done && r.values.contains("mu_30") &&
                std::find(sweep.settings.begin(), sweep.settings.end(), r.setting) != sweep.settings.end()) {
                const double value = plan.settings[static_cast<std::size_t>(r.setting)][keys[0]];
                if (!(value > 0)) return {};
                x.push_back(std::log10(value));
                y.push_back(r.values.at("mu_30"));
            }
        if (x.size() < sweep.settings.size()) continue;
        slopes.push_back(slope(x, y));
        positive += slopes.back() > 0;
    }
    if (slopes.empty()) return {};
    return fmt::format("<p>Slope of mu_30 per decade of {}: {} over {} surfaces, positive on {}.</p>\n", plan.names[keys[0]],
                       plus_minus(spread_of(slopes)), slopes.size(), positive);
}

/// Fig 4.7 of the source: the regression over its table of real pairs, through the medians of all other properties.
std::string figures_of_regression() {
    const Samples samples = samples_of_pairs();
    const Svr svr(samples);
    std::string out =
        "<h2>Regression over the source's 36 pairs of real materials</h2>\n<p>Through the medians of all other properties. "
        "Beware: predictions of pairs that are left out are hardly better than the mean of all.</p>\n<div class=\"row\">";
    const std::array<const char*, 3> labels = {"Young's modulus of both [GPa]", "Poisson's ratio of both",
                                               "density of both [kg/m^3]"};
    std::vector<double> middle;
    std::vector<std::vector<double>> sorted(6);
    for (std::size_t k = 0; k < 6; ++k) {
        for (const std::vector<double>& row : samples.features) sorted[k].push_back(row[k]);
        std::sort(sorted[k].begin(), sorted[k].end());
        middle.push_back(sorted[k][sorted[k].size() / 2]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        Figure figure;
        figure.title = std::string("Table 4.3: mu against ") + labels[k];
        figure.x_label = labels[k];
        figure.y_label = "predicted mu";
        FigureSeries series;
        series.markers = false;
        const double low = std::max(sorted[k].front(), sorted[k + 3].front()),
                     high = std::min(sorted[k].back(), sorted[k + 3].back());
        for (int i = 0; i <= 60; ++i) {
            std::vector<double> features = middle;
            features[k] = features[k + 3] = low + (high - low) * i / 60;
            series.x.push_back(features[k]);
            series.y.push_back(svr.predict(features));
        }
        figure.series.push_back(std::move(series));
        out += svg(figure);
    }
    return out + "</div>\n";
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
    Spread s;
    s.count = static_cast<int>(values.size());
    if (s.count == 0) return {0, kNone, kNone, kNone};
    for (const double v : values) s.mean += v / s.count;
    double squares = 0;
    for (const double v : values) squares += (v - s.mean) * (v - s.mean);
    s.deviation = s.count > 1 ? std::sqrt(squares / (s.count - 1)) : kNone;
    s.half_width = s.count > 1 ? student_quantile(s.count - 1) * s.deviation / std::sqrt(s.count) : kNone;
    return s;
}

std::vector<SettingStatistics> statistics_of(const StudyPlan& plan, const std::vector<StudyResult>& results) {
    std::vector<SettingStatistics> out;
    for (int s = 0; s < static_cast<int>(plan.settings.size()); ++s)
        out.push_back({s, spread_of(values_of(results, s, "mu_30")), spread_of(values_of(results, s, "mu_10")),
                       spread_of(values_of(results, s, "mu_onset"))});
    return out;
}

Spread paired_difference(const std::vector<StudyResult>& results, int from, int to, const std::string& value) {
    std::vector<double> differences;
    for (const StudyResult& a : results)
        for (const StudyResult& b : results)
            if (a.seed == b.seed && a.setting == from && b.setting == to && a.values.contains(value) &&
                b.values.contains(value))
                differences.push_back(b.values.at(value) - a.values.at(value));
    return spread_of(differences);
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size() || a.size() < 3) return kNone;
    const std::vector<double> x = ranks(a), y = ranks(b);
    const double mean = 0.5 * static_cast<double>(a.size() - 1);
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
        xy += (x[i] - mean) * (y[i] - mean);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : kNone;
}

std::string settings_csv(const StudyPlan& plan, const std::vector<SettingStatistics>& statistics) {
    std::string text;
    for (const std::string& name : plan.names) text += name + ",";
    text +=
        "runs,mu_30,mu_30_deviation,mu_30_half_width,mu_10,mu_10_deviation,mu_onset,mu_onset_deviation,source,source_"
        "deviation\n";
    const auto cell = [](double v) { return std::isfinite(v) ? fmt::format("{}", v) : std::string(); };
    for (const SettingStatistics& s : statistics) {
        for (const double value : plan.settings[static_cast<std::size_t>(s.setting)]) text += fmt::format("{},", value);
        text += fmt::format("{},{},{},{},{},{},{},{}", s.mu_30.count, cell(s.mu_30.mean), cell(s.mu_30.deviation),
                            cell(s.mu_30.half_width), cell(s.mu_10.mean), cell(s.mu_10.deviation), cell(s.mu_onset.mean),
                            cell(s.mu_onset.deviation));
        const auto r = std::find_if(plan.references.begin(), plan.references.end(),
                                    [&](const StudyPlan::Reference& x) { return x.setting == s.setting; });
        text += r == plan.references.end() ? ",,\n" : fmt::format(",{},{}\n", r->mean, r->deviation);
    }
    return text;
}

std::string report_html(const StudyPlan& plan, const std::vector<StudyResult>& results,
                        const std::vector<SettingStatistics>& statistics) {
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
        "charset=\"utf-8\"><title>{0}</title>\n<style>body{{font-family:sans-serif;"
        "max-width:75em;margin:2em auto;padding:0 1em}}table{{border-collapse:collapse;margin:1em 0}}td,th{{border:1px "
        "solid "
        "#ccc;padding:2px 8px;text-align:right}}.row{{display:flex;flex-wrap:wrap}}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(plan.title));
    int done = 0;
    std::vector<double> cpu, triangles;
    for (const StudyResult& r : results) {
        done += r.done;
        if (r.values.contains("cpu_s")) cpu.push_back(r.values.at("cpu_s"));
        if (r.values.contains("triangles")) triangles.push_back(r.values.at("triangles"));
    }
    std::sort(cpu.begin(), cpu.end());
    out += fmt::format("<p>{} of {} runs: {} settings on {} pairs of surfaces.", done, plan.run_count(),
                       plan.settings.size(), plan.seeds.size());
    if (!cpu.empty())
        out += fmt::format(
            " Processor time of a run: {:.2f} s in the median, {:.2f} s at most, {:.0f} s of all; {:.0f} triangles.",
            cpu[cpu.size() / 2], cpu.back(), std::accumulate(cpu.begin(), cpu.end(), 0.0),
            triangles.empty() ? 0 : triangles[0]);
    out += "</p>\n";
    if (!results.empty())
        out +=
            "<p><img src=\"example/stress.svg\" alt=\"the first run: both blocks coloured by stress\" "
            "style=\"width:100%\"></p>\n";
    for (const StudyResult& r : results)
        if (!r.done) out += fmt::format("<p>Failed: seed {}: {}</p>\n", r.seed, escaped(r.message));

    std::vector<double> ours, source;
    double worst = 0;
    for (const StudyPlan::Reference& r : plan.references) {
        const Spread& s = statistics[static_cast<std::size_t>(r.setting)].mu_30;
        if (s.count == 0) continue;
        ours.push_back(s.mean);
        source.push_back(r.mean);
        worst = std::max(worst, std::fabs(s.mean - r.mean));
    }
    if (const double rank = rank_correlation(ours, source); std::isfinite(rank))
        out += fmt::format(
            "<p>Against the source's means: rank correlation {:.3f} over {} settings; largest difference {:.3f}.</p>\n",
            rank, ours.size(), worst);
    for (const StudyPlan::Sweep& sweep : plan.sweeps) {
        out += fmt::format("<h2>{}</h2>\n<div class=\"row\">{}{}</div>\n{}{}", escaped(sweep.name),
                           figure_of_sweep(plan, sweep, statistics), figure_of_curves(plan, sweep, results),
                           slopes_per_decade(plan, sweep, results), table_of_effects(plan, sweep, results));
    }
    if (!plan.references.empty()) out += figures_of_regression();
    out += "<h2>All settings</h2>\n<table><tr>";
    for (const std::string& name : plan.names) out += "<th>" + escaped(name) + "</th>";
    out +=
        "<th>runs</th><th>mu_30, 95 % interval</th><th>deviation</th><th>mu_10</th><th>mu_onset</th><th>source</th></tr>\n";
    for (const SettingStatistics& s : statistics) {
        out += "<tr>";
        for (const double value : plan.settings[static_cast<std::size_t>(s.setting)])
            out += fmt::format("<td>{:g}</td>", value);
        std::string reference;
        for (const StudyPlan::Reference& r : plan.references)
            if (r.setting == s.setting) {
                reference = fmt::format("{:.3f} (deviation {:.3f})", r.mean, r.deviation);
                break;
            }
        out += fmt::format("<td>{}</td><td>{}</td><td>{:.3f}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", s.mu_30.count,
                           plus_minus(s.mu_30), s.mu_30.deviation, plus_minus(s.mu_10), plus_minus(s.mu_onset), reference);
    }
    return out + "</table>\n</body></html>\n";
}

}  // namespace asperity::lab

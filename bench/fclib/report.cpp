#include "report.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/record/plot.h"

namespace asperity::bench {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

double time_of(const Cell& cell) { return cell.solved ? cell.seconds : kNever; }

/// Geometric mean of the time ratios a/b over the problems that both solve.
struct Ratio {
    double mean = 0;
    int both = 0;
};
template <class TimeOfB>
Ratio ratio(const Results& r, size_t a, TimeOfB&& time_of_b) {
    Ratio out;
    double sum = 0;
    for (const std::vector<Cell>& row : r.cells) {
        const double mine = time_of(row[a]), other = time_of_b(row);
        if (mine == kNever || other == kNever) continue;
        sum += std::log(mine / other);
        ++out.both;
    }
    out.mean = out.both ? std::exp(sum / out.both) : std::nan("");
    return out;
}

int solved_count(const Results& r, size_t solver) {
    return static_cast<int>(
        std::count_if(r.cells.begin(), r.cells.end(), [&](const auto& row) { return row[solver].solved; }));
}

double best_of_siconos(const Results& r, const std::vector<Cell>& row) {
    double best = kNever;
    for (size_t s = 0; s < row.size(); ++s)
        if (!r.contestants[s].ours) best = std::min(best, time_of(row[s]));
    return best;
}

std::string time_text(const Cell& cell) {
    if (cell.solved) return fmt::format("{:.3g}", 1e3 * cell.seconds);
    return cell.trouble.empty() ? fmt::format("({:.0e})", cell.error) : cell.trouble == "time limit" ? "limit" : "fails";
}

}  // namespace

std::string table(const Results& r) {
    std::string out =
        fmt::format("\n{} problems to {:g}: ms; in brackets the error of an answer that is not good enough\n{:<34} {:>8}",
                    r.global ? "Global" : "Local", r.tolerance, "problem", "contacts");
    for (const Contestant& c : r.contestants) out += fmt::format(" {:>11}", c.name);
    out += "\n";
    for (size_t p = 0; p < r.problems.size(); ++p) {
        out += fmt::format("{:<34} {:>8}", r.problems[p].substr(0, 34), r.contacts[p]);
        for (const Cell& cell : r.cells[p]) out += fmt::format(" {:>11}", time_text(cell));
        out += "\n";
    }
    out += fmt::format("{:<43}", fmt::format("solved of {}", r.problems.size()));
    for (size_t s = 0; s < r.contestants.size(); ++s) out += fmt::format(" {:>11}", solved_count(r, s));
    out += "\n";

    // Siconos' best solver: the one that solves most problems, and of equals the fastest.
    size_t best = r.contestants.size();
    for (size_t s = 0; s < r.contestants.size(); ++s) {
        if (r.contestants[s].ours) continue;
        if (best == r.contestants.size() || solved_count(r, s) > solved_count(r, best) ||
            (solved_count(r, s) == solved_count(r, best) &&
             ratio(r, s, [&](const auto& row) { return time_of(row[best]); }).mean < 1))
            best = s;
    }
    if (best == r.contestants.size()) return out;
    out +=
        fmt::format("\nbest single Siconos solver: {}, which solves {}\n", r.contestants[best].name, solved_count(r, best));
    out += fmt::format("{:<10} {:>7} {:>26} {:>34}\n", "ours", "solved",
                       fmt::format("time by {}'s (both)", r.contestants[best].name), "time by Siconos' best per problem");
    for (size_t s = 0; s < r.contestants.size() && r.contestants[s].ours; ++s) {
        const Ratio single = ratio(r, s, [&](const auto& row) { return time_of(row[best]); });
        const Ratio each = ratio(r, s, [&](const auto& row) { return best_of_siconos(r, row); });
        out += fmt::format("{:<10} {:>7} {:>26} {:>34}\n", r.contestants[s].name, solved_count(r, s),
                           fmt::format("{:.3g} ({})", single.mean, single.both),
                           fmt::format("{:.3g} ({})", each.mean, each.both));
    }
    return out;
}

std::string csv_rows(const Results& r) {
    std::string out;
    for (size_t p = 0; p < r.problems.size(); ++p)
        for (size_t s = 0; s < r.contestants.size(); ++s)
            out += fmt::format("{},{},{},{}{},{},{},{},{},{}\n", r.tolerance, r.problems[p], r.contacts[p],
                               r.contestants[s].ours ? "" : "siconos:", r.contestants[s].name, r.cells[p][s].solved ? 1 : 0,
                               r.cells[p][s].seconds, r.cells[p][s].error, r.cells[p][s].iterations, r.cells[p][s].trouble);
    return out;
}

std::string profile_svg(const Results& r) {
    constexpr double kWidth = 4;    // width of the axis [decades]
    constexpr size_t kSeries = 13;  // largest number of distinguishable curves
    record::PlotSpec plot{
        fmt::format("{} problems solved to {:g}, of {}", r.global ? "Global" : "Local", r.tolerance, r.problems.size()),
        "log10 (time / time of the best solver)",
        "part solved within that time",
        {},
        false};
    plot.height = 560;
    const auto count = static_cast<double>(r.problems.size());
    std::vector<std::pair<double, record::PlotSeries>> ranked;  // ordered by the area under the curve
    for (size_t s = 0; s < r.contestants.size(); ++s) {
        std::vector<double> ratios;
        for (const std::vector<Cell>& row : r.cells) {
            double best = kNever;
            for (const Cell& cell : row) best = std::min(best, time_of(cell));
            if (row[s].solved) ratios.push_back(std::log10(std::max(1.0, row[s].seconds / best)));
        }
        if (ratios.empty()) continue;
        std::sort(ratios.begin(), ratios.end());
        double area = r.contestants[s].name == "auto" ? kNever : 0;
        record::PlotSeries series{(r.contestants[s].ours ? "" : "Siconos ") + r.contestants[s].name, {0}, {0}};
        for (size_t i = 0; i < ratios.size(); ++i) {  // step function
            series.x.insert(series.x.end(), {ratios[i], ratios[i]});
            series.y.insert(series.y.end(), {static_cast<double>(i) / count, static_cast<double>(i + 1) / count});
            area += std::max(0.0, kWidth - ratios[i]);
        }
        series.x.push_back(std::max(kWidth, ratios.back()));
        series.y.push_back(series.y.back());
        ranked.emplace_back(area, std::move(series));
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (size_t i = 0; i < std::min(ranked.size(), kSeries); ++i) plot.series.push_back(std::move(ranked[i].second));
    return record::svg_plot(plot);
}

}  // namespace asperity::bench

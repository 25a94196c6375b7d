#include "asperity/record/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/record/csv.h"
#include "tests/unit/record/sample.h"

namespace asperity::record {
namespace {

/// A simple XML checker for documents without comments and CDATA: tags nest, attributes are quoted, entities are known.
std::string xml_defect(std::string_view text) {
    std::vector<std::string> open;
    const auto bad_text = [](std::string_view s) {
        for (std::size_t i = 0; i < s.size(); ++i) {
            if (s[i] == '<') return true;
            if (static_cast<unsigned char>(s[i]) < 0x20 && s[i] != '\n') return true;
            if (s[i] != '&') continue;
            bool known = false;
            for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
                known = known || s.substr(i).starts_with(entity);
            if (!known) return true;
        }
        return false;
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t tag = std::min(text.find('<', at), text.size());
        if (bad_text(text.substr(at, tag - at))) return "bad text near " + std::string(text.substr(at, 40));
        if (tag == text.size()) break;
        // The tag ends at the first '>' outside quotes.
        std::size_t end = tag + 1;
        for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end)
            if (text[end] == '"') quoted = !quoted;
        if (end == text.size()) return "open tag";
        std::string_view body = text.substr(tag + 1, end - tag - 1);
        at = end + 1;
        if (body.starts_with('/')) {
            if (open.empty() || open.back() != body.substr(1)) return "closes " + std::string(body);
            open.pop_back();
            continue;
        }
        const bool closed = body.ends_with('/');
        if (closed) body.remove_suffix(1);
        const std::size_t name = std::min(body.find(' '), body.size());
        if (!closed) open.emplace_back(body.substr(0, name));
        std::string_view rest = body.substr(name);
        while (!rest.empty()) {
            if (rest[0] != ' ') return "no space before attribute " + std::string(rest);
            rest.remove_prefix(1);
            const std::size_t equals = rest.find("=\"");
            const std::size_t close = equals == rest.npos ? rest.npos : rest.find('"', equals + 2);
            if (close == rest.npos) return "attribute " + std::string(rest);
            if (bad_text(rest.substr(equals + 2, close - equals - 2))) return "attribute value " + std::string(rest);
            rest.remove_prefix(close + 1);
        }
    }
    return open.empty() ? "" : "never closes " + open.back();
}

int count(const std::string& text, const std::string& word) {
    int n = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

/// The points of the i-th polyline.
std::vector<std::pair<double, double>> polyline(const std::string& svg, int i) {
    std::size_t at = 0;
    for (int k = 0; k <= i; ++k) at = svg.find("<polyline", at) + 1;
    at = svg.find("points=\"", at) + 8;
    std::vector<std::pair<double, double>> points;
    const std::string list = svg.substr(at, svg.find('"', at) - at);
    for (const char* c = list.c_str(); *c;) {
        char* end = nullptr;
        const double x = std::strtod(c, &end);
        const double y = std::strtod(end + 1, &end);
        points.emplace_back(x, y);
        c = *end ? end + 1 : end;
    }
    return points;
}

PlotSeries wave(const std::string& name, int points, double phase) {
    PlotSeries s{name, {}, {}};
    for (int i = 0; i < points; ++i) {
        s.x.push_back(10.0 * i / (points - 1));
        s.y.push_back(std::sin(s.x.back() + phase));
    }
    return s;
}

TEST(Plot, IsWellFormedWithOneLineForEachSeries) {
    PlotSpec spec{"a < b & \"c\"",
                  "time [s]",
                  "height [m]",
                  {wave("one & only", 200, 0), wave("<two>", 200, 1), wave("three", 200, 2)},
                  {}};
    const std::string svg = svg_plot(spec);
    EXPECT_EQ(xml_defect(svg), "");
    EXPECT_EQ(count(svg, "<polyline"), 3);
    EXPECT_EQ(count(svg, "<circle"), 0);
    EXPECT_EQ(count(svg, "class=\"legend\""), 3);
    EXPECT_NE(svg.find("time [s]"), std::string::npos);
    EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
    EXPECT_EQ(polyline(svg, 0).size(), 200u);
    // The x axis runs from the first to the last value. The curve fills the height except for 5% on either side.
    const auto points = polyline(svg, 0);
    for (const auto& [x, y] : points) EXPECT_TRUE(x > 30 && x < 800 && y > 40 && y < 440) << x << " " << y;
    EXPECT_EQ(count(svg, "class=\"tick-x\""), 6) << "0 2 4 6 8 10";
    EXPECT_NE(svg.find(">10</text>"), std::string::npos);
}

TEST(Plot, PutsPointsWhereTheTicksSayTheyAre) {
    const std::string svg = svg_plot({"", "", "", {{"", {0, 1, 2}, {-10, 0, 10}}}, {}});
    const auto points = polyline(svg, 0);
    ASSERT_EQ(points.size(), 3u);
    // The tick label "10" has its baseline 4 px below its grid line.
    const std::size_t label = svg.find(">10</text>");
    const std::size_t y = svg.rfind("y=\"", label) + 3;
    EXPECT_NEAR(std::stod(svg.substr(y)), points[2].second + 4, 0.02);  // coordinates have two decimals
    EXPECT_NEAR(points[1].first, 0.5 * (points[0].first + points[2].first), 0.02);
    EXPECT_GT(points[0].second, points[2].second) << "up is up";
}

TEST(Plot, MarksFewPointsAndLeavesGapsAtNan) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::string svg = svg_plot({"", "x", "y", {{"gaps", {0, 1, 2, 3, 4, 5, 6}, {1, 2, nan, 3, nan, 4, 5}}}, {}});
    EXPECT_EQ(xml_defect(svg), "");
    EXPECT_EQ(count(svg, "<polyline"), 2) << "points 0-1 and 5-6";
    EXPECT_EQ(count(svg, "<circle"), 5) << "point 3 alone too";
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(count(svg_plot({"", "", "", {wave("", 31, 0)}, {}}), "<circle"), 0);
}

TEST(Plot, ChoosesALogarithmicAxisForManyDecadesOnly) {
    PlotSeries decay{"residual", {}, {}};
    for (int i = 0; i <= 100; ++i) decay.x.push_back(i), decay.y.push_back(std::pow(10.0, -0.1 * i));
    const std::string svg = svg_plot({"", "", "", {decay}, {}});
    EXPECT_NE(svg.find("10⁻⁸"), std::string::npos);
    const auto points = polyline(svg, 0);  // exponential decay is a straight line on this axis
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
        EXPECT_NEAR(points[i].second, 0.5 * (points[i - 1].second + points[i + 1].second), 0.02);

    EXPECT_EQ(svg_plot({"", "", "", {decay}, false}).find("10⁻⁸"), std::string::npos) << "asked for linear";
    decay.y[50] = 0;
    EXPECT_EQ(svg_plot({"", "", "", {decay}, {}}).find("10⁻⁸"), std::string::npos) << "zero has no logarithm";
    const std::string asked = svg_plot({"", "", "", {decay}, true});
    EXPECT_NE(asked.find("10⁻⁸"), std::string::npos);
    EXPECT_EQ(count(asked, "<polyline"), 2) << "a gap at the zero";
}

TEST(Plot, ThinsLongSeriesWithoutLosingTheirPeaks) {
    PlotSeries noise = wave("", 200000, 0);
    noise.y[123456] = 7;
    noise.y[77777] = -7;
    const std::string svg = svg_plot({"", "", "", {noise}, {}});
    const auto points = polyline(svg, 0);
    EXPECT_LT(points.size(), 4u * 800);
    double low = 1e9, high = -1e9;
    for (const auto& [x, y] : points) low = std::min(low, y), high = std::max(high, y);
    // The axis spans -7..7 and 5% of 14 on both sides. Margins of 26 px above and 34 below leave 420 px for 15.4.
    EXPECT_NEAR(high - low, 14 * 420 / 15.4, 0.05);
    for (std::size_t i = 1; i < points.size(); ++i) EXPECT_GE(points[i].first, points[i - 1].first);
}

TEST(Plot, DrawsWhateverItIsGiven) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<PlotSeries> hard = {{"none", {}, {}},
                                          {"one", {1}, {1}},
                                          {"constant", {0, 1, 2}, {5, 5, 5}},
                                          {"zero", {0, 0, 0}, {0, 0, 0}},
                                          {"nan", {0, 1}, {nan, inf}},
                                          {"tiny", {0, 1}, {1e-300, 3e-300}},
                                          {"huge", {0, 1}, {-1e300, 1e300}},
                                          {"near", {0, 1}, {1, 1 + 1e-9}},
                                          {"\xff\x01", {0, 1}, {0, 1}},
                                          {"largest", {-1e308, 1e308}, {-1.7e308, 1.7e308}},
                                          {"smallest", {0, 5e-324}, {5e-324, 1e-310}}};
    for (const PlotSeries& s : hard) {
        for (const std::optional<bool> log : {std::optional<bool>{}, std::optional<bool>{true}}) {
            const std::string svg = svg_plot({s.name, s.name, s.name, {s}, log});
            EXPECT_EQ(xml_defect(svg), "") << s.name;
            EXPECT_EQ(svg.find("nan,"), std::string::npos) << s.name;
            EXPECT_EQ(svg.find("inf,"), std::string::npos) << s.name;
            EXPECT_EQ(svg.find("\"nan\""), std::string::npos) << s.name;
        }
    }
    EXPECT_NE(svg_plot({}).find("nothing to show"), std::string::npos);
    std::vector<PlotSeries> many;
    for (int i = 0; i < 100; ++i) many.push_back(wave("body number " + std::to_string(i) + " with a very long name", 50, i));
    const std::string svg = svg_plot({"", "", "", many, {}});
    EXPECT_NE(svg.find("and 84 more"), std::string::npos);
    EXPECT_EQ(count(svg, "<polyline"), 100);
}

TEST(Plot, RefusesWhatCannotBeDrawn) {
    EXPECT_NE(message_of([] {
                  svg_plot({"", "", "", {{"s", {1, 2}, {1}}}, {}});
              }).find("2 x values and 1 y values"),
              std::string::npos);
    EXPECT_NE(message_of([] { svg_plot({"", "", "", {}, {}, 100, 480}); }).find("100 by 480"), std::string::npos);
}

/// A folder as a run writes it.
void write_run(const TemporaryFolder& folder) {
    const Recording r = sample_recording();
    std::string bodies = bodies_csv_header(), steps = steps_csv_header();
    for (const Frame& frame : r.frames) append_bodies_csv(bodies, r, frame);
    for (int i = 1; i <= 10; ++i) {
        sim::StepReport report;
        report.step = i, report.time = 0.1 * i, report.kinetic_energy = i, report.residual = std::pow(10.0, -i);
        append_steps_csv(steps, report);
    }
    write_file(folder / "bodies.csv", bodies);
    write_file(folder / "steps.csv", steps);
}

TEST(PlotFromRun, TakesStepsFirstThenBodies) {
    TemporaryFolder folder;
    write_run(folder);
    const PlotSpec energy = plot_from_run(folder.path(), {"kinetic_energy"});
    ASSERT_EQ(energy.series.size(), 1u);
    EXPECT_EQ(energy.x_label, "time [s]");
    EXPECT_EQ(energy.y_label, "kinetic_energy [J]");
    EXPECT_EQ(energy.series[0].y[4], 5);

    const PlotSpec px = plot_from_run(folder.path(), {"px"});
    ASSERT_EQ(px.series.size(), 3u);
    EXPECT_EQ(px.series[1].name, "mover, left");
    EXPECT_EQ(px.series[1].x.size(), 11u);
    EXPECT_DOUBLE_EQ(px.series[1].y[10], 2);

    const PlotSpec mixed = plot_from_run(folder.path(), {"speed", "height", "energy"}, "time", {"mover, left"});
    ASSERT_EQ(mixed.series.size(), 3u);
    EXPECT_EQ(mixed.series[0].name, "mover, left speed [m/s]");
    EXPECT_EQ(mixed.series[0].y[3], 2);
    EXPECT_EQ(mixed.series[1].y[3], 0.3);
    EXPECT_EQ(mixed.series[2].name, "energy [J]");

    const PlotSpec path = plot_from_run(folder.path(), {"py"}, "px", {"mover, left"});
    EXPECT_EQ(path.x_label, "px [m]");
    EXPECT_EQ(xml_defect(svg_plot(path)), "");
    EXPECT_EQ(plot_from_run(folder.path(), {"ms_find_pairs"}, "step").x_label, "step");
}

TEST(PlotFromRun, NamesWhatItDoesNotKnow) {
    TemporaryFolder folder;
    const auto why = [&](const std::vector<std::string>& y, const std::string& x = "time",
                         const std::vector<std::string>& bodies = {}) {
        return message_of([&] { plot_from_run(folder.path(), y, x, bodies); });
    };
    EXPECT_NE(why({"px"}).find("neither steps.csv nor bodies.csv"), std::string::npos);
    write_run(folder);
    const std::string column = why({"sped"});
    EXPECT_NE(column.find("no column 'sped', did you mean 'speed'?"), std::string::npos) << column;
    EXPECT_NE(column.find("kinetic_energy"), std::string::npos);
    EXPECT_NE(why({"px"}, "tme").find("no column 'tme', did you mean 'time'?"), std::string::npos);
    EXPECT_NE(why({"px"}, "time", {"stender"}).find("no body 'stender', did you mean 'stander'?"), std::string::npos);
    EXPECT_NE(why({"energy"}, "px").find("different tables"), std::string::npos);
    EXPECT_NE(why({"status"}).find("no column 'status'"), std::string::npos) << "text cannot be drawn";
    EXPECT_NE(why({}).find("nothing to plot"), std::string::npos);
}

TEST(Rose, DrawsClosedCurvesAndOpensThemAtGaps) {
    RoseSpec spec{"limit set", "friction coefficient [-]", {{"ellipse", {}, {}}, {"measured", {}, {}}}};
    for (int i = 0; i < 72; ++i) {
        const double a = 2 * std::numbers::pi * i / 72;
        spec.series[0].radius.push_back(1 / std::hypot(std::cos(a) / 0.3, std::sin(a) / 0.6));
        spec.series[1].radius.push_back(i == 10 ? std::numeric_limits<double>::quiet_NaN() : 0.5);
    }
    const std::string svg = svg_rose(spec);
    EXPECT_EQ(xml_defect(svg), "");
    EXPECT_EQ(count(svg, "<polygon"), 1);
    EXPECT_EQ(count(svg, "<polyline"), 1);
    EXPECT_EQ(count(svg, "class=\"tick-angle\""), 12);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(polyline(svg, 0).size(), 71u);
    EXPECT_NE(message_of([] { svg_rose({"", "", {{"s", {}, {-1}}}}); }).find("radius -1"), std::string::npos);
    EXPECT_EQ(xml_defect(svg_rose({})), "");
}

}  // namespace
}  // namespace asperity::record

// asperity lab surface: makes rough surfaces or reads measured ones; measures, draws and saves them.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/lab.h"
#include "asperity/lab/surfaces/files.h"
#include "asperity/lab/surfaces/filter.h"
#include "asperity/lab/surfaces/roughness.h"
#include "asperity/record/plot.h"
#include "asperity/record/png.h"

namespace asperity::app {
namespace {

using lab::SpectrumKind;

/// A surface, and the band in which its exponent is fitted (0: the whole range).
struct Made {
    lab::Topography map;
    double f_min = 0, f_max = 0;
};

/// Options that would have no effect are refused by name.
void refuse_unless(bool used, bool given, const char* option, const char* needs) {
    if (given && !used) throw InputError(fmt::format("lab surface: {} has no effect here: it needs {}", option, needs));
}

lab::Spectrum spectrum_of(const LabSurfaceArgs& args, double f_min, double f_max) {
    lab::Spectrum s;
    s.kind = lab::spectrum_kind(args.kind, "lab surface: --kind");
    const bool pink = s.kind == SpectrumKind::Pink, affine = s.kind == SpectrumKind::SelfAffine,
               gabor = s.kind == SpectrumKind::Gabor;
    refuse_unless(pink, args.exponent.has_value(), "--exponent", "--kind pink");
    refuse_unless(affine, args.hurst.has_value(), "--hurst", "--kind selfaffine");
    refuse_unless(affine, args.roll_off.has_value(), "--roll-off", "--kind selfaffine");
    refuse_unless(gabor, args.frequency.has_value(), "--frequency", "--kind gabor");
    refuse_unless(gabor, args.bandwidth.has_value(), "--bandwidth", "--kind gabor");
    refuse_unless(gabor && !args.profile, args.direction_deg.has_value(), "--direction", "--kind gabor and a height map");
    s.f_min = args.f_min.value_or(f_min), s.f_max = args.f_max.value_or(f_max);
    s.exponent = args.exponent.value_or(1);
    s.hurst = args.hurst.value_or(0.8);
    s.roll_off = args.roll_off.value_or(0);
    s.frequency = args.frequency.value_or(0.4 * s.f_max);
    s.bandwidth = args.bandwidth.value_or(0.2 * s.f_max);
    s.direction = radians(args.direction_deg.value_or(0));
    return s;
}

Made made_surface(const LabSurfaceArgs& args) {
    refuse_unless(false, args.height_range.has_value(), "--height-range", "a picture to read");
    refuse_unless(false, args.fill, "--fill", "a file to read");
    if (args.sq && args.sdq) throw InputError("lab surface: --sq and --sdq contradict each other; give one of them");
    const double pixel = args.pixel.value_or(1);
    if (!(pixel > 0) || !std::isfinite(pixel))
        throw InputError(fmt::format("lab surface: --pixel {:g}: must be above 0", pixel));
    Made made;
    if (args.profile) {
        if (args.size.size() > 1) throw InputError("lab surface: --size of a profile is one number");
        const int count = args.size.empty() ? 4096 : args.size[0];
        constexpr int kMost = 1 << 20;
        if (count < 8 || count > kMost)
            throw InputError(fmt::format("lab surface: --size {}: must be in [8, {}]", count, kMost));
        lab::ProfileSpec spec;
        spec.period = count * pixel;
        spec.spectrum = spectrum_of(args, std::max(1 / 1500.0, 1 / spec.period), 1 / (8 * pixel));
        if (spec.spectrum.f_max * pixel > 0.5)
            throw InputError(fmt::format("lab surface: --f-max {:g}: pixels of {:g} carry at most {:g}", spec.spectrum.f_max,
                                         pixel, 0.5 / pixel));
        spec.seed = args.seed;
        spec.sigma = args.sq.value_or(5);
        lab::Profile profile = lab::make_profile(spec);
        if (args.sdq) {
            spec.sigma *= *args.sdq / profile.rms_slope();
            profile = lab::make_profile(spec);
        }
        made.map = lab::sample(profile, 0, pixel, count);
        made.f_min = spec.spectrum.f_min, made.f_max = spec.spectrum.f_max;
    } else {
        lab::MapSpec spec;
        if (!args.size.empty()) spec.width = args.size.front(), spec.height = args.size.back();
        spec.pixel = pixel;
        spec.sigma = args.sq.value_or(1);
        spec.slope = args.sdq.value_or(0);
        spec.seed = args.seed;
        spec.spectrum = spectrum_of(args, 1 / (std::max(spec.width, spec.height) * pixel), 1 / (8 * pixel));
        made.map = lab::make_map(spec);
        made.f_min = spec.spectrum.f_min, made.f_max = spec.spectrum.f_max;
    }
    if (args.unit) lab::metres(*args.unit, "lab surface: --unit");
    made.map.unit = args.unit.value_or("unit");
    return made;
}

Made read_from_file(const LabSurfaceArgs& args) {
    for (const auto& [given, option] : {std::pair{args.profile, "--profile"},
                                        {!args.size.empty(), "--size"},
                                        {args.sq.has_value(), "--sq"},
                                        {args.sdq.has_value(), "--sdq"},
                                        {args.exponent.has_value(), "--exponent"},
                                        {args.hurst.has_value(), "--hurst"},
                                        {args.roll_off.has_value(), "--roll-off"},
                                        {args.frequency.has_value(), "--frequency"},
                                        {args.bandwidth.has_value(), "--bandwidth"},
                                        {args.direction_deg.has_value(), "--direction"}})
        refuse_unless(false, given, option, "a surface that is made, not read");
    Made made;
    made.map = lab::read_surface(args.file, {args.pixel, args.unit, args.height_range});
    if (args.fill) made.map = lab::filled(made.map, args.file);
    lab::check_complete(made.map, args.file);
    made.f_min = args.f_min.value_or(0), made.f_max = args.f_max.value_or(0);
    return made;
}

lab::Topography treated(lab::Topography map, const LabSurfaceArgs& args) {
    const std::string trend = !args.detrend.empty() ? args.detrend : args.file.empty() ? "none" : "plane";
    if (trend == "mean") map = lab::detrended(map, lab::Trend::Mean);
    if (trend == "plane") map = lab::detrended(map, lab::Trend::Plane);
    if (trend == "quadratic") map = lab::detrended(map, lab::Trend::Quadratic);
    if (args.low_pass) map = lab::low_pass(map, *args.low_pass);
    if (args.high_pass) map = lab::high_pass(map, *args.high_pass);
    return map;
}

/// One plot with three sets of curves would have three x axes, so the file holds three plots one under another.
std::string svg_of(const lab::Topography& map, const lab::RadialSpectrum& spectrum) {
    const auto logarithms = [](std::vector<double> values) {
        for (double& v : values) v = std::log10(v);
        return values;
    };
    const auto a = lab::autocorrelation(map);
    const auto s = lab::scale_dependent_slope(map);
    record::PlotSpec plots[3];
    plots[0] = {.title = fmt::format("Power spectral density, exponent {:.3f}", spectrum.exponent),
                .x_label = fmt::format("log10 of frequency [cycles/{}]", map.unit),
                .y_label = map.is_profile() ? fmt::format("power [{}^3]", map.unit) : fmt::format("power [{}^4]", map.unit),
                .series = {{"mean over directions", logarithms(spectrum.frequency), spectrum.power}},
                .log_y = true};
    plots[1] = {.title = "Autocorrelation", .x_label = fmt::format("distance [{}]", map.unit), .y_label = "autocorrelation"};
    plots[1].series = {{"mean over directions", a.distance, a.mean}};
    if (!map.is_profile()) {
        plots[1].series.push_back({"least", a.distance, a.least});
        plots[1].series.push_back({"most", a.distance, a.most});
    }
    plots[2] = {.title = "Slope over scale",
                .x_label = fmt::format("log10 of scale [{}]", map.unit),
                .y_label = "root mean square slope",
                .series = {{"", logarithms(s.scale), s.slope}},
                .log_y = true};
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"1140\" viewBox=\"0 0 800 1140\">\n";
    for (int i = 0; i < 3; ++i) {
        plots[i].height = 380;
        out += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", 380 * i, record::svg_plot(plots[i]));
    }
    return out + "</svg>\n";
}

std::string picture_of(const lab::Topography& map) {
    double low = map.heights[0], high = low;
    for (const double h : map.heights) low = std::min(low, h), high = std::max(high, h);
    std::vector<std::uint8_t> pixels;
    pixels.reserve(map.heights.size());
    for (int y = map.height - 1; y >= 0; --y)
        for (int x = 0; x < map.width; ++x)
            pixels.push_back(
                static_cast<std::uint8_t>(high > low ? std::lround(255 * (map.at(x, y) - low) / (high - low)) : 128));
    return record::png(map.width, map.height, 1, pixels);
}

std::string points_of(const lab::Topography& map, const LabSurfaceArgs& args, double f_max) {
    const double highest = args.subsample_f_max.value_or(f_max);
    if (!(highest > 0) || !std::isfinite(highest))
        throw InputError("lab surface: --subsample needs --subsample-f-max above 0, the highest frequency to keep");
    std::string out = fmt::format("# x y height [{}]; points at least {:g} apart\n", map.unit, 0.5 / highest);
    for (const Vec3& p : lab::poisson_disk(map, 0.5 / highest, args.seed))
        fmt::format_to(std::back_inserter(out), "{} {} {}\n", p.x, p.y, p.z);
    return out;
}

}  // namespace

int lab_surface(const LabSurfaceArgs& args) {
    refuse_unless(!args.subsample.empty(), args.subsample_f_max.has_value(), "--subsample-f-max", "--subsample FILE");
    Made made = args.file.empty() ? made_surface(args) : read_from_file(args);
    made.map = treated(std::move(made.map), args);
    const lab::Topography& map = made.map;
    const lab::Roughness r = lab::roughness(map, args.file.empty() ? "surface" : args.file);
    const lab::RadialSpectrum spectrum = lab::radial_spectrum(map, made.f_min, made.f_max);
    // Everything is computed before the first file is written.
    std::vector<std::pair<std::string, std::string>> files;
    std::optional<double> range;
    if (!args.out.empty()) {
        lab::WrittenSurface written = lab::write_surface(map, args.out);
        if (written.range > 0) range = written.range;
        files.emplace_back(args.out, std::move(written.bytes));
    }
    if (!args.plot.empty()) files.emplace_back(args.plot, svg_of(map, spectrum));
    if (!args.picture.empty()) files.emplace_back(args.picture, picture_of(map));
    if (!args.subsample.empty()) files.emplace_back(args.subsample, points_of(map, args, made.f_max));
    for (const auto& [name, bytes] : files) write_file(name, bytes);

    if (args.json) {
        const auto maybe = [](const std::optional<double>& v) { return v ? nlohmann::json(*v) : nlohmann::json(); };
        nlohmann::ordered_json json = {{"width", map.width}, {"height", map.height}, {"pixel", map.pixel_x},
                                       {"unit", map.unit},   {"sq", r.sq},           {"sa", r.sa},
                                       {"ssk", r.ssk},       {"sku", r.sku},         {"sz", r.sz},
                                       {"sdq", r.sdq},       {"nayak", r.nayak},     {"sal", maybe(r.sal)}};
        if (!map.is_profile()) json["str"] = maybe(r.str), json["std_deg"] = degrees(r.std);
        json["exponent"] =
            std::isfinite(spectrum.exponent) ? nlohmann::ordered_json(spectrum.exponent) : nlohmann::ordered_json();
        if (args.file.empty()) json["kind"] = args.kind, json["seed"] = args.seed;
        if (range) json["height_range"] = *range;
        fmt::print("{}\n", json.dump(2));
        return kGood;
    }
    const char* letter = map.is_profile() ? "R" : "S";
    fmt::print("{} x {} heights, pixel {:g} {}\n", map.width, map.height, map.pixel_x, map.unit);
    fmt::print("{}q {:.6g}  {}a {:.6g}  {}sk {:.4g}  {}ku {:.4g}  {}z {:.6g} {}\n", letter, r.sq, letter, r.sa, letter,
               r.ssk, letter, r.sku, letter, r.sz, map.unit);
    fmt::print("{}dq {:.6g}  Nayak {:.4g}  spectrum's exponent {:.3f}\n", letter, r.sdq, r.nayak, spectrum.exponent);
    if (r.sal)
        fmt::print("{}al {:.4g} {}", letter, *r.sal, map.unit);
    else
        fmt::print("{}al: the autocorrelation stays above 0.2", letter);
    if (!map.is_profile())
        fmt::print("  Str {}  Std {:.1f} deg", r.str ? fmt::format("{:.3f}", *r.str) : "-", degrees(r.std));
    fmt::print("\n");
    for (const auto& [name, bytes] : files)
        fmt::print("{}{}\n", name,
                   name == args.out && range ? fmt::format(": white is {} {} over black", *range, map.unit) : "");
    return kGood;
}

}  // namespace asperity::app

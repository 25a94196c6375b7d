// asperity lab bem: a rough surface against an elastic half-space.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/threads.h"
#include "asperity/lab.h"
#include "asperity/lab/contact/half_space.h"
#include "asperity/lab/contact/rough_contact.h"
#include "asperity/lab/surfaces/files.h"
#include "asperity/lab/surfaces/filter.h"
#include "asperity/lab/surfaces/roughness.h"
#include "asperity/record/png.h"
#include "asperity/tell.h"

namespace asperity::app {

int lab_bem(const LabBemArgs& args) {
    set_thread_count(args.threads);
    lab::Topography map = lab::read_surface(args.file, {args.pixel, args.unit, args.height_range});
    if (args.fill) map = lab::filled(map, args.file);
    lab::check_complete(map, args.file);
    if (args.detrend == "mean") map = lab::detrended(map, lab::Trend::Mean);
    if (args.detrend == "plane") map = lab::detrended(map, lab::Trend::Plane);
    if (args.detrend == "quadratic") map = lab::detrended(map, lab::Trend::Quadratic);
    if (const double tilted = lab::roughness(map, args.file).sq,
        level = lab::roughness(lab::detrended(map, lab::Trend::Plane)).sq;
        args.detrend == "none" && !args.free && level < 0.7 * tilted)
        tell(
            "asperity: lab bem: the surface is tilted: a plane holds more than half of its variance; --detrend plane "
            "removes it\n");
    map.periodic = !args.free;
    lab::HalfSpaceOptions options;
    options.modulus = args.modulus;
    options.periodic = !args.free;
    if (args.hardness) options.hardness = *args.hardness;
    if (!(args.tolerance > 0) || !std::isfinite(args.tolerance))
        throw InputError(fmt::format("lab bem: --tolerance {:g}: must be above 0", args.tolerance));
    options.tolerance = args.tolerance;
    options.max_iterations = args.max_iterations;
    const double slope = lab::roughness(map, args.file).sdq;
    const lab::HalfSpaceContact c = lab::press(map, args.pressure, options);
    if (!args.out.empty() || !args.picture.empty()) {
        lab::Topography pressures = map;
        pressures.heights = c.pressure;
        std::vector<std::uint8_t> pixels;
        for (int y = map.height - 1; y >= 0; --y)
            for (int x = 0; x < map.width; ++x)
                pixels.push_back(
                    static_cast<std::uint8_t>(std::lround(255 * std::sqrt(pressures.at(x, y) / c.max_pressure))));
        const std::string picture = record::png(map.width, map.height, 1, pixels);
        if (!args.out.empty()) write_file(args.out, lab::write_surface(pressures, args.out).bytes);
        if (!args.picture.empty()) write_file(args.picture, picture);
    }
    if (!c.converged)
        tell("asperity: lab bem: not converged after {} iterations: the pressures still change by {:.1e} of their sum\n",
             c.iterations, c.error);
    // kappa = area E* slope/pressure compares surfaces; Persson's theory has sqrt(8/pi) = 1.60 at small loads.
    const double kappa = slope > 0 ? c.area_corrected * args.modulus * slope / args.pressure : 0;
    if (args.json) {
        nlohmann::ordered_json json = {{"area_fraction", c.area_fraction},
                                       {"area_corrected", c.area_corrected},
                                       {"gap_mean", c.gap_mean},
                                       {"stiffness", c.stiffness},
                                       {"max_pressure", c.max_pressure},
                                       {"slope", slope},
                                       {"kappa", kappa},
                                       {"patches", c.patches},
                                       {"patch_area_mean", c.patch_area_mean},
                                       {"patch_area_max", c.patch_area_max}};
        if (slope > 0) json["persson_area"] = lab::persson_area(args.pressure, args.modulus, slope);
        if (args.free && !map.is_profile()) json["approach"] = c.approach;
        json["iterations"] = c.iterations, json["error"] = c.error, json["converged"] = c.converged;
        fmt::print("{}\n", json.dump(2));
    } else {
        fmt::print("area in contact  {:.6g} of the map, {:.6g} with the pixels' borders corrected\n", c.area_fraction,
                   c.area_corrected);
        if (slope > 0)
            fmt::print("                 kappa {:.4g} at p/(E* slope) {:.4g}; Persson's theory: area {:.4g}\n", kappa,
                       args.pressure / (args.modulus * slope), lab::persson_area(args.pressure, args.modulus, slope));
        fmt::print("mean gap         {:.6g} {}\nstiffness        {:.6g}\nlargest pressure {:.6g}\n", c.gap_mean, map.unit,
                   c.stiffness, c.max_pressure);
        fmt::print("patches          {}, mean area {:.4g}, largest {:.4g} {}^{}\n{} iterations, last change {:.1e}\n",
                   c.patches, c.patch_area_mean, c.patch_area_max, map.unit, map.is_profile() ? 1 : 2, c.iterations,
                   c.error);
    }
    return c.converged ? kGood : kNumericalFailure;
}

}  // namespace asperity::app

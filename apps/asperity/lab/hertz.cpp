// asperity lab hertz: the contact of two spheres or parallel cylinders, in closed form.
#include "asperity/lab/contact/hertz.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "asperity/commands.h"
#include "asperity/lab.h"

namespace asperity::app {

int lab_hertz(const LabHertzArgs& args) {
    // 0 stands for what has no finite value.
    const auto finite_or_infinite = [](double value) {
        return value == 0 ? std::numeric_limits<double>::infinity() : value;
    };
    const double modulus = lab::contact_modulus({finite_or_infinite(args.young_a), args.poisson_a},
                                                {finite_or_infinite(args.young_b), args.poisson_b});
    const double radius = lab::contact_radius(finite_or_infinite(args.radius_a), finite_or_infinite(args.radius_b));
    const lab::Hertz h =
        args.line ? lab::hertz_cylinders(args.force, radius, modulus) : lab::hertz_spheres(args.force, radius, modulus);
    if (args.json) {
        nlohmann::ordered_json json = {{"force", args.force},
                                       {"radius", h.radius},
                                       {"contact_modulus", h.modulus},
                                       {args.line ? "half_width" : "contact_radius", h.half_width},
                                       {"peak_pressure", h.peak_pressure},
                                       {"mean_pressure", h.mean_pressure},
                                       {"area", h.area}};
        if (!args.line) json["approach"] = h.approach, json["stiffness"] = h.stiffness;
        fmt::print("{}\n", json.dump(2));
        return kGood;
    }
    fmt::print(
        "radius           {:.6g} m\ncontact modulus  {:.6g} Pa\n{:<16} {:.6g} m\npeak pressure    {:.6g} Pa\n"
        "mean pressure    {:.6g} Pa\n{:<16} {:.6g} {}\n",
        h.radius, h.modulus, args.line ? "half width" : "contact radius", h.half_width, h.peak_pressure, h.mean_pressure,
        args.line ? "area per length" : "area", h.area, args.line ? "m" : "m^2");
    if (!args.line) fmt::print("approach         {:.6g} m\nstiffness        {:.6g} N/m\n", h.approach, h.stiffness);
    return kGood;
}

}  // namespace asperity::app

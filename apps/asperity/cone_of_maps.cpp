// asperity cone --map-a A.png --map-b B.png: the ploughing coefficients of two normal maps in contact over their whole area.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/friction/law.h"
#include "asperity/record/plot.h"
#include "asperity/scene/normal_map.h"
#include "asperity/surface/normal_map.h"
#include "asperity/surface/slope_table.h"

namespace asperity::app {
namespace {

using friction::FacetWeight;

struct LoadedMap {
    std::string file;  ///< or keys of a scene's normal_map table; empty: smooth
    surface::SlopeMap map;
    surface::SlopeStatistics statistics;
};

LoadedMap load_map(const std::string& file) {
    LoadedMap out{file, {}, {}};
    if (file.empty()) return out;
    out.map = scene::describe_normal_map(file, "--map").slopes;
    out.statistics = surface::statistics(out.map);
    return out;
}

/// out[k] = <max(0, sign g.d[k])>, averaged over the whole map. u of the map is along t, v along `v` times b.
void average(const LoadedMap& from, FacetWeight weight, double sign, double v, std::span<const Vec2> d,
             std::array<double, friction::kMostDirections>& out) {
    if (from.file.empty()) return;
    std::array<Vec2, friction::kMostDirections> turned;
    for (size_t k = 0; k < d.size(); ++k) turned[k] = {sign * d[k].x, sign * v * d[k].y};
    surface::SlopeTable(from.map, weight).whole({turned.data(), d.size()}, {out.data(), d.size()});
}

nlohmann::ordered_json json_of(const LoadedMap& m) {
    if (m.file.empty()) return nullptr;
    return {{"file", m.file},
            {"width", m.map.width},
            {"height", m.map.height},
            {"slope_mean", {m.statistics.mean.x, m.statistics.mean.y}},
            {"slope_deviation", {m.statistics.deviation.x, m.statistics.deviation.y}}};
}

}  // namespace

int cone_of_maps(const ConeArgs& args) {
    if (!args.scene.empty() || !args.pair.empty() || !args.contact.empty())
        throw InputError("cone: --map-a and --map-b need no scene, --pair or --contact");
    friction::Ploughing law{args.mu_0, args.k_a, args.k_b, FacetWeight::Projected, args.directions};
    if (args.weight == "true_area")
        law.weight = FacetWeight::TrueArea;
    else if (args.weight != "projected")
        throw InputError(
            fmt::format("--weight {}: expected projected or true_area (a picture has no salience)", args.weight));
    friction::check(friction::Law{law});
    const LoadedMap a = load_map(args.map_a), b = load_map(args.map_b);

    // A lies face up and B face down on it, both with u along t, so v of B points along -b.
    const std::span<const Vec2> d = friction::plough_directions(law.directions);
    friction::FacetAverages facets;
    facets.covered = 1;
    average(a, law.weight, -1, 1, d, facets.a);
    average(b, law.weight, 1, -1, d, facets.b);
    std::array<double, friction::kMostDirections> mu{};
    friction::plough_coefficients(law, facets, false, {mu.data(), d.size()});

    if (!args.out.empty()) {
        record::RoseSpec rose{fmt::format("Sliding {} over {}", b.file.empty() ? "a smooth surface" : b.file,
                                          a.file.empty() ? "a smooth one" : a.file),
                              "coefficient by the direction of B's motion; 0° is along u",
                              {{"mu", {}, {}}}};
        for (size_t k = 0; k < d.size(); ++k) rose.series[0].radius.push_back(mu[k]);
        write_file(args.out, record::svg_rose(rose));
    }

    if (args.json) {
        nlohmann::ordered_json json{{"map_a", json_of(a)}, {"map_b", json_of(b)}, {"mu_0", law.mu_0},
                                    {"k_a", law.k_a},      {"k_b", law.k_b},      {"weight", args.weight}};
        json["directions"] = nlohmann::ordered_json::array();
        for (size_t k = 0; k < d.size(); ++k)
            json["directions"].push_back(
                {{"angle_deg", 360.0 * static_cast<double>(k) / static_cast<double>(d.size())}, {"mu", mu[k]}});
        if (!args.out.empty()) json["drawing"] = args.out;
        fmt::print("{}\n", json.dump(2));
        return kGood;
    }
    for (const LoadedMap* m : {&a, &b})
        if (!m->file.empty())
            fmt::print("{}: {} x {}, slopes {:.4g} {:.4g} (deviation along u, v), mean {:.2g} {:.2g}\n", m->file,
                       m->map.width, m->map.height, m->statistics.deviation.x, m->statistics.deviation.y,
                       m->statistics.mean.x, m->statistics.mean.y);
    fmt::print("\nB's motion [deg from u]       mu\n");
    for (size_t k = 0; k < d.size(); ++k)
        fmt::print("{:23.2f} {:8.5f}\n", 360.0 * static_cast<double>(k) / static_cast<double>(d.size()), mu[k]);
    if (!args.out.empty()) fmt::print("\n{}\n", args.out);
    return kGood;
}

}  // namespace asperity::app

// normal_map of materials and bodies: from a picture, from heights, or from a generator.
#include <cmath>

#include <fmt/format.h>

#include "asperity/importers/load.h"
#include "asperity/scene/normal_map.h"
#include "asperity/scene/reader.h"
#include "asperity/surface/make_slopes.h"

namespace asperity::scene {
namespace {

using surface::HeightMap;
using surface::MapSize;
using surface::SlopeMap;

/// A source of normal maps, and the keys that only this source takes.
struct Kind {
    const char* name;
    std::vector<std::string> keys;
};
const Kind kKinds[] = {{"file", {"green_down"}},
                       {"height_image", {"height_scale", "pixel_mm"}},
                       {"height", {"pixel_mm", "size"}},
                       {"gaussian", {"size", "seed"}},
                       {"ra_mm", {"pixel_mm", "size", "seed"}},
                       {"brushed", {"length", "direction_deg", "size", "seed"}},
                       {"sawtooth", {"period", "direction_deg", "size"}},
                       {"thread", {"turns", "starts", "left_handed", "size"}},
                       {"finish", {"direction_deg", "size", "seed"}},
                       {"emblem", {"bevel_width", "size"}},
                       {"ramp", {"size"}}};

const Kind& kind_of(const Node& node) {
    const Kind* found = nullptr;
    std::string names;
    int given = 0;
    for (const Kind& kind : kKinds) {
        names += (names.empty() ? "" : ", ") + std::string(kind.name);
        if (node.has(kind.name)) found = &kind, ++given;
    }
    if (given != 1) node.fail("needs exactly one of " + names);
    for (const Kind& kind : kKinds)
        for (const std::string& key : kind.keys)
            if (node.has(key) && std::find(found->keys.begin(), found->keys.end(), key) == found->keys.end())
                node.child(key).fail(fmt::format("does not apply to a map made by '{}'", found->name));
    return *found;
}

MapSize read_size(const Reader& reader, const Node& node) {
    const std::optional<Node> size = node.find("size");
    if (!size) return {};
    const std::vector<double> two = size->numbers(2, {1, 8192});
    if (two[0] != std::floor(two[0]) || two[1] != std::floor(two[1])) size->fail("expected two whole numbers of texels");
    if (two[0] * two[1] > reader.limits.map_texels)
        size->fail(fmt::format("{:.0f} texels, but at most {} are allowed; let the map repeat", two[0] * two[1],
                               reader.limits.map_texels));
    return {static_cast<int>(two[0]), static_cast<int>(two[1])};
}

std::uint64_t read_seed(const Node& node) {
    const std::optional<Node> seed = node.find("seed");
    return seed ? static_cast<std::uint64_t>(seed->integer(0, 2147483647)) : 1;
}

/// The map rotated by 90 degrees: structure along u becomes structure along v.
SlopeMap rotated_90(const SlopeMap& map) {
    SlopeMap out{map.height, map.width, std::vector<surface::Slope>(map.slopes.size())};
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            const surface::Slope& g =
                map.slopes[static_cast<std::size_t>(y) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(x)];
            out.slopes[static_cast<std::size_t>(x) * static_cast<std::size_t>(map.height) +
                       static_cast<std::size_t>(map.height - 1 - y)] = {-g.y, g.x};
        }
    return out;
}

/// One number for both axes, or two.
Vec2 one_or_two(const Node& node, const Range& range) {
    if (node.value().kind != Value::Kind::List) return Vec2{1, 1} * node.number(range);
    const std::vector<double> two = node.numbers(2, range);
    return {two[0], two[1]};
}

constexpr Range kSlope{-surface::kSteepestSlope, surface::kSteepestSlope}, kSlopeDeviation{0, surface::kSteepestSlope},
    kFlank{0.1, 84.9};
constexpr double kFlankError = 0.5;  // error of a side of a sawtooth that is worth a remark [degrees]

class MapReader {
  public:
    MapReader(const Reader& reader, const Node& node, const surface::TileSize& tile)
        : reader_(reader), node_(node), kind_(kind_of(node)) {
        out_.tile = read_tile_size(node, tile);
        pixel_ = kind_.name == std::string("ra_mm") ? 1e-3 * node.number_or("pixel_mm", 1, kSize)
                                                    : 1e-3 * node.number_or("pixel_mm", 0, kSize);
    }

    DescribedMap read() {
        const std::string kind = kind_.name;
        const Node source = node_.child(kind);
        const MapSize size = read_size(reader_, node_);
        if (kind == "file") read_file(source);
        if (kind == "height_image") read_height_image(source);
        if (kind == "height") read_formula(source, size);
        if (kind == "gaussian")
            out_.slopes = surface::gaussian_slopes(size, one_or_two(source, kSlopeDeviation), read_seed(node_));
        if (kind == "ra_mm") {
            lay(size.width);
            out_.heights = surface::rough_heights(size, 1e-3 * source.number({0, 1e6}), pixel_, read_seed(node_));
        }
        if (kind == "brushed")
            out_.heights = surface::brushed_heights(size, source.number(kSlopeDeviation),
                                                    node_.number_or("length", 32, {0.5, 200}), read_seed(node_));
        if (kind == "sawtooth") read_sawtooth(source, size);
        if (kind == "thread") read_thread(source, size);
        if (kind == "finish") {
            const std::string name = source.choice({"acrylic", "oak", "pvc"});
            out_.heights = surface::finish_heights(size,
                                                   name == "oak"   ? surface::Finish::Oak
                                                   : name == "pvc" ? surface::Finish::Pvc
                                                                   : surface::Finish::Acrylic,
                                                   read_seed(node_));
        }
        if (kind == "emblem")
            out_.heights = surface::emblem_heights(size, radians(source.number({0, 84.9})),
                                                   node_.number_or("bevel_width", 0.02, {1e-4, 0.1}));
        if (kind == "ramp") {
            const std::vector<double> two = source.numbers(2, kSlope);
            out_.slopes = surface::ramp_slopes(size, {two[0], two[1]});
        }
        finish(kind);
        return std::move(out_);
    }

  private:
    /// Relates heights [m] to texels: a known pixel size determines the tile size, unless that is given, and the other way
    /// round. Without either a tile is 1 m.
    void lay(int width) {
        const bool tile_given = node_.has("tile_size") || node_.has("tiles_per_face");
        if (pixel_ > 0) {
            if (!tile_given) out_.tile = surface::TileSize::in_metres(pixel_ * width);
            return;
        }
        if (const std::optional<Node> count = node_.find("tiles_per_face"))
            count->fail("the slopes of heights in metres need a length: write tile_size in metres, or pixel_mm too");
        if (!out_.tile.metres) out_.tile = surface::TileSize::in_metres(1);
        pixel_ = out_.tile.edge / width;
    }
    void read_file(const Node& source) {
        const std::filesystem::path path = read_file_name(reader_, source);
        const bool green_down = node_.flag_or("green_down", false);
        source.with_location([&] {
            out_.slopes = surface::decode_normal_map(to_pixels(importers::read_picture(path)), path.string(),
                                                     {.green_down = green_down});
        });
    }
    void read_height_image(const Node& source) {
        const std::filesystem::path path = read_file_name(reader_, source);
        const double height_scale = node_.child("height_scale").number({-1e6, 1e6});
        source.with_location([&] {
            const surface::Pixels pixels = to_pixels(importers::read_picture(path));
            lay(pixels.width);
            out_.heights = surface::heights_of(pixels, height_scale, pixel_, path.string());
        });
    }
    void read_formula(const Node& source, MapSize size) {
        lay(size.width);
        try {
            out_.heights = surface::heights_from_function(size, pixel_ * size.width,
                                                          source.source().formulas->of_position(source.text()));
        } catch (const FormulaError& error) { source.fail(error.what()); }
    }
    void read_sawtooth(const Node& source, MapSize size) {
        const std::vector<double> angles = source.numbers(2, kFlank);
        const surface::Waves waves = surface::waves_of(size, node_.number_or("period", 32, {2, 8192}),
                                                       radians(node_.number_or("direction_deg", 0, {-360, 360})));
        out_.slopes = surface::sawtooth_slopes(size, radians(angles[0]), radians(angles[1]), waves.u, waves.v);
        const Vec2 made = surface::sawtooth_flanks(size, radians(angles[0]), radians(angles[1]), waves.u, waves.v);
        if (std::fabs(degrees(made.x) - angles[0]) > kFlankError || std::fabs(degrees(made.y) - angles[1]) > kFlankError)
            out_.remark = fmt::format(
                "its sides are {:.1f} and {:.1f} degrees steep instead of {:g} and {:g}, because each covers whole texels "
                "of "
                "the period; a longer period comes nearer",
                degrees(made.x), degrees(made.y), angles[0], angles[1]);
    }
    void read_thread(const Node& source, MapSize size) {
        const std::vector<double> two = source.numbers(2, kSize);
        surface::Thread thread{two[0], two[1]};
        thread.turns = node_.integer_or("turns", 8, 1, 1000);
        thread.starts = node_.integer_or("starts", 1, 1, 100);
        thread.left_handed = node_.flag_or("left_handed", false);
        if (4 * thread.turns > size.height)
            source.fail(
                fmt::format("{} turns need a map of at least {} texels along v; see size", thread.turns, 4 * thread.turns));
        out_.slopes = surface::thread_slopes(size, thread);
    }
    void finish(const std::string& kind) {
        if (out_.heights) out_.slopes = surface::slopes_of(*out_.heights);
        if (const std::optional<Node> turn = node_.find("direction_deg"); turn && kind != "sawtooth") {
            const double angle = turn->number();
            if (angle != 0 && angle != 90) turn->fail("this map runs along u (0) or v (90); other angles would not tile");
            if (angle == 90) out_.slopes = rotated_90(out_.slopes);
        }
        const double scale = node_.number_or("scale", 1, {-1e3, 1e3});
        for (surface::Slope& g : out_.slopes.slopes) g.x *= static_cast<float>(scale), g.y *= static_cast<float>(scale);
        surface::cut_steep(out_.slopes);
        if (node_.flag_or("level", false)) surface::level(out_.slopes);
        if (const std::optional<Node> salience = node_.find("salience")) read_salience(*salience);
    }
    void read_salience(const Node& source) {
        const std::filesystem::path path = read_file_name(reader_, source);
        source.with_location([&] {
            const importers::GreyImage grey = importers::read_grey(path);
            if (grey.width != out_.slopes.width || grey.height != out_.slopes.height)
                throw InputError(fmt::format("{}: {} x {} pixels, but the map has {} x {} texels; give one pixel per texel",
                                             path.string(), grey.width, grey.height, out_.slopes.width, out_.slopes.height));
            out_.slopes.salience.assign(grey.values.begin(), grey.values.end());
        });
    }

    const Reader& reader_;
    const Node& node_;
    const Kind& kind_;
    double pixel_ = 0;  // [m]; 0: not known yet
    DescribedMap out_;
};

DescribedMap read_map(const Reader& reader, const Node& node, const surface::TileSize& tile) {
    if (node.value().kind == Value::Kind::Table) return MapReader(reader, node, tile).read();
    DescribedMap out;
    out.tile = tile;
    const std::filesystem::path path = read_file_name(reader, node);
    node.with_location(
        [&] { out.slopes = surface::decode_normal_map(to_pixels(importers::read_picture(path)), path.string()); });
    return out;
}

}  // namespace

std::string report(const SlopeMap& map) {
    const surface::SlopeStatistics s = statistics(map);
    std::string text = fmt::format("{} x {} texels, slopes of {:.4g} along u and {:.4g} along v, steepest {:.1f} degrees",
                                   map.width, map.height, s.deviation.x, s.deviation.y, degrees(std::atan(s.steepest)));
    // 8-bit rounding of a flat normal gives 0.0039. A larger mean slope is an inclined surface, whose friction differs
    // between opposite directions.
    if (length(s.mean) > 0.006)
        text += fmt::format("; its mean slope is ({:.3g}, {:.3g}): 'level = true' removes it", s.mean.x, s.mean.y);
    if (s.backward > 0) text += fmt::format("; {:.2g} % of the texels face backwards and do not count", 100 * s.backward);
    if (s.cut > 0) text += fmt::format("; {:.2g} % are cut to 85 degrees", 100 * s.cut);
    if (s.integrability < -0.5) text += "; green seems to point down (DirectX): 'green_down = true' reverses it";
    return text;
}

std::string report(const DescribedMap& map) { return report(map.slopes) + (map.remark.empty() ? "" : "; " + map.remark); }

std::optional<surface::SlopeTexture> read_normal_map(Reader& reader, const Node& table, const surface::TileSize& tile) {
    const std::optional<Node> node = table.find("normal_map");
    if (!node) return {};
    DescribedMap map = read_map(reader, *node, tile);
    reader.scene.notes.push_back(fmt::format("{}: {}", node->path(), report(map)));
    const surface::TileSize size = map.tile.of_picture(map.slopes.width, map.slopes.height);
    return surface::SlopeTexture{std::make_shared<const SlopeMap>(std::move(map.slopes)), size, {}};
}

DescribedMap describe_normal_map(const std::string& words, const std::string& what) {
    const std::vector<Override> none;
    Reader reader(what, none, {});
    Value map;
    if (words.find('=') == std::string::npos) {
        map.kind = Value::Kind::Text;
        map.text = words;
    } else {
        try {
            map = parse_toml("normal_map = { " + words + " }").items.at(0);
        } catch (const TomlError& error) {
            throw InputError(fmt::format("{} {}: {}; write keys as in normal_map = {{ ... }} of a scene", what,
                                         one_line(words, 100), error.what));
        }
    }
    Value document;
    document.set("normal_map", std::move(map));
    const Node root(reader.source, document, *scene_table().find("material")->table);
    return read_map(reader, root.child("normal_map"), 1);
}

}  // namespace asperity::scene

// [material.NAME], [pair.A-B] and the default pair of [world].
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "asperity/scene/reader.h"

namespace asperity::scene {
namespace {

struct NamedColor {
    const char* name;
    int rgb;  // sRGB, as in #rrggbb
};
constexpr NamedColor kColors[] = {{"oak", 0xc8a16b},   {"walnut", 0x6f4a31},  {"steel", 0x9aa3ab},  {"copper", 0xc57b57},
                                  {"brass", 0xcfae5c}, {"brick", 0xb2533e},   {"stone", 0xa9a49a},  {"sand", 0xdcc9a0},
                                  {"slate", 0x55606b}, {"ice", 0xcfe4ee},     {"rubber", 0x35373a}, {"moss", 0x7c8f56},
                                  {"ocean", 0x3a7ca5}, {"sun", 0xf2b544},     {"coral", 0xe4715c},  {"plum", 0x84527d},
                                  {"paper", 0xf1ede4}, {"charcoal", 0x2b2d31}};

// IEC 61966-2-1: from sRGB to linear light.
double linear(int byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Vec3 linear_rgb(int rgb) { return {linear((rgb >> 16) & 255), linear((rgb >> 8) & 255), linear(rgb & 255)}; }

Vec3 read_color(const Node& node) {
    if (node.value().kind == Value::Kind::List) return node.vec3(kFraction);
    const std::string text = node.text();
    if (text.starts_with("#")) {
        if (text.size() != 7 || text.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
            node.fail("a colour in hexadecimal has six digits, such as \"#c8a16b\"");
        return linear_rgb(std::stoi(text.substr(1), nullptr, 16));
    }
    std::vector<std::string> names;
    for (const NamedColor& color : kColors) {
        if (text == color.name) return linear_rgb(color.rgb);
        names.push_back(color.name);
    }
    node.fail("expected [r, g, b] from 0 to 1, \"#rrggbb\" or a colour's name" + hint(text, names));
}

// The path of a picture, relative to the scene's folder.
std::string picture_path(const Reader& reader, const Node& material, std::string_view key) {
    const std::optional<Node> node = material.find(key);
    if (!node) return {};
    const std::filesystem::path path = read_file_name(reader, *node);
    // Checked now: otherwise the error would only appear after the run, when motion.glb is written.
    char head[8] = {};
    std::ifstream(path, std::ios::binary).read(head, sizeof head);
    if (const std::string_view start(head, sizeof head); start != "\x89PNG\r\n\x1a\n" && !start.starts_with("\xff\xd8\xff"))
        node->fail("cannot be read, or is neither PNG nor JPEG");
    return path.string();
}

surface::Material read_material(Reader& reader, const Node& node, surface::Material material) {
    material.density = node.number_or("density", material.density, {1e-6, 1e9});
    material.mu = node.maybe_number("mu", {0, 1e6});
    material.restitution = node.maybe_number("restitution", kFraction);
    material.surface_velocity = node.vec3_or("surface_velocity", {});
    surface::Appearance& look = material.appearance;
    if (const std::optional<Node> color = node.find("color")) look.color = read_color(*color);
    look.roughness = node.number_or("roughness", look.roughness, kFraction);
    look.metallic = node.number_or("metallic", look.metallic, kFraction);
    look.checker = node.flag_or("checker", look.checker);
    look.texture = picture_path(reader, node, "texture");
    look.texture_size = read_tile_size(node, look.texture_size);
    const surface::TileSize tile = look.texture_size;  // each picture brings its own proportions
    if (!look.texture.empty() && tile.metres)
        node.child("texture").with_location([&] {
            const importers::PictureSize size = importers::picture_size(look.texture);
            look.texture_size = tile.of_picture(size.width, size.height);
        });
    if (std::optional<surface::SlopeTexture> slopes = read_normal_map(reader, node, tile))
        material.slopes = *std::move(slopes);
    if (const std::optional<surface::Grain> grain = read_grain(reader, node, tile)) {
        const auto* constant = std::get_if<surface::ConstantGrain>(&*grain);
        if (constant)
            material.grain = constant->direction;
        else
            material.grain_field = std::make_shared<surface::Grain>(*grain);
    }
    return material;
}

}  // namespace

surface::TileSize read_tile_size(const Node& table, const surface::TileSize& otherwise) {
    if (table.has("tile_size") && table.has("tiles_per_face"))
        table.child("tiles_per_face").fail("give tile_size in metres or tiles_per_face, not both");
    if (const std::optional<double> metres = table.maybe_number("tile_size", kSize))
        return surface::TileSize::in_metres(*metres);
    if (const std::optional<double> count = table.maybe_number("tiles_per_face", kSize)) return 1 / *count;
    return otherwise;
}

std::filesystem::path read_file_name(const Reader& reader, const Node& node) {
    const std::string text = node.text();
    if (text.find('\0') != std::string::npos || text.size() > 1000) node.fail("not a file name");
    const std::filesystem::path path = reader.scene.file.parent_path() / text;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        node.fail(fmt::format("{} is a folder; name a file in it", one_line(path.string(), 200)));
    if (!std::filesystem::is_regular_file(path, ignored))
        node.fail(fmt::format("no such file: {}; paths start at the scene's folder", one_line(path.string(), 200)));
    return path;
}

void read_materials(Reader& reader, const Node& root) {
    sim::World& world = reader.scene.world;
    const std::vector<Node> nodes = root.named("material");
    if (nodes.size() > static_cast<std::size_t>(reader.limits.materials))
        root.child("material").fail(fmt::format("more than {} materials", reader.limits.materials));
    surface::Material standard;
    standard.name = "default";
    standard.appearance.color = {0.7, 0.7, 0.7};
    for (const Node& node : nodes)
        if (node.name() == "default") standard = read_material(reader, node, standard);
    reader.materials["default"] = world.add_material(standard);
    for (const Node& node : nodes) {
        if (node.name() == "default") continue;
        surface::Material material;
        material.name = node.name();
        if (material.name.empty()) node.fail("a material needs a name");
        reader.materials[material.name] = world.add_material(read_material(reader, node, material));
    }
}

void read_pairs(Reader& reader, const Node& root) {
    surface::PairTable& pairs = reader.scene.world.model.pairs;
    std::map<std::pair<int, int>, std::string> seen;
    for (const Node& node : root.named("pair")) {
        // Names may contain '-': use the split whose two halves are both materials.
        const std::string& name = node.name();
        std::vector<std::pair<int, int>> splits;
        for (std::size_t dash = name.find('-'); dash != std::string::npos; dash = name.find('-', dash + 1)) {
            const auto a = reader.materials.find(name.substr(0, dash)), b = reader.materials.find(name.substr(dash + 1));
            if (a != reader.materials.end() && b != reader.materials.end())
                splits.emplace_back(a->second.index, b->second.index);
        }
        if (splits.empty()) {
            std::vector<std::string> known;
            for (const auto& [x, i] : reader.materials)
                for (const auto& [y, j] : reader.materials)
                    if (known.size() < 10000) known.push_back(x + "-" + y);
            const std::string near = nearest_name(name, known);
            node.fail("expected [pair.A-B] with two materials of this scene" +
                      (near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
        }
        if (splits.size() > 1) node.fail("can be read as several pairs of materials; rename one of them");
        const std::pair<int, int> pair = std::minmax(splits[0].first, splits[0].second);
        if (!seen.emplace(pair, name).second) node.fail(fmt::format("the same pair as '{}'", one_line(seen[pair], 60)));
        if (pair.first == pair.second && node.has("tensor_b"))
            node.child("tensor_b").fail("both surfaces are of the same material; leave it out");
        check_implicit_pair(reader, node);
        pairs.set(MaterialId{splits[0].first}, MaterialId{splits[0].second}, read_pair(node));
    }
    if (const std::optional<Node> world = root.find("world"))
        if (const std::optional<Node> standard = world->find("default")) {
            check_implicit_pair(reader, *standard);
            pairs.set_default(read_pair(*standard));
        }
}

}  // namespace asperity::scene

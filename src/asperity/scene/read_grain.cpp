// grain and grain_field of materials and bodies: the direction of a surface's structure.
#include <cmath>

#include <fmt/format.h>

#include "asperity/importers/load.h"
#include "asperity/scene/implicit_settings.h"
#include "asperity/scene/reader.h"

namespace asperity::scene {
namespace {

constexpr const char* kKinds[] = {"radial", "concentric", "axial", "helical", "spiral", "formula", "vertices", "texture"};

surface::AxisGrain read_about_axis(const Node& node, const std::string& kind) {
    surface::AxisGrain grain;
    grain.origin = node.vec3_or("origin", {});
    const Vec3 axis = node.vec3_or("axis", {0, 0, 1});
    if (length(axis) < 1e-9) node.child("axis").fail("the axis needs a direction");
    grain.axis = normalized(axis);
    const bool turned = kind == "helical" || kind == "spiral";
    if (!turned && node.has("angle_deg")) node.child("angle_deg").fail("belongs to helical and spiral fields");
    const double angle = turned ? radians(node.child("angle_deg").number({-360, 360})) : 0;
    grain.radial = kind == "radial" ? 1 : kind == "spiral" ? std::cos(angle) : 0;
    grain.around = kind == "concentric" ? 1 : kind == "helical" ? std::cos(angle) : kind == "spiral" ? std::sin(angle) : 0;
    grain.along = kind == "axial" ? 1 : kind == "helical" ? std::sin(angle) : 0;
    return grain;
}

surface::TextureGrain read_texture(const Reader& reader, const Node& node, const surface::TileSize& tile) {
    const Node file = node.child("texture");
    surface::GrainEncoding encoding = surface::GrainEncoding::Along;
    if (const std::optional<Node> word = node.find("encoding"))
        if (word->choice({"along", "gltf"}) == "gltf") encoding = surface::GrainEncoding::GltfAcross;
    const double rotation = radians(node.number_or("rotation_deg", 0, {-360, 360})),
                 strength = node.number_or("strength", 1, kFraction);
    surface::TextureGrain grain;
    grain.tile = read_tile_size(node, tile);
    grain.footprint = node.number_or("footprint", 0, {0, 1e6});
    const std::filesystem::path path = read_file_name(reader, file);
    file.with_location([&] {
        grain.texture =
            surface::decode_grain(to_pixels(importers::read_picture(path)), encoding, path.string(), rotation, strength);
        grain.tile = grain.tile.of_picture(grain.texture->width(), grain.texture->height());
    });
    return grain;
}

}  // namespace

std::optional<surface::Grain> read_grain(const Reader& reader, const Node& table, const surface::TileSize& tile) {
    if (table.has("grain") && table.has("grain_field"))
        table.child("grain_field").fail("give grain or grain_field, not both");
    if (const std::optional<Node> grain = table.find("grain")) {
        const Vec3 direction = grain->vec3();
        if (length(direction) < 1e-9) grain->fail("the grain needs a direction; leave the key out for none");
        return surface::ConstantGrain{normalized(direction)};
    }
    const std::optional<Node> node = table.find("grain_field");
    if (!node) return {};
    const std::string kind = node->has("kind")      ? node->child("kind").choice({std::begin(kKinds), std::end(kKinds)})
                             : node->has("angle")   ? "formula"
                             : node->has("texture") ? "texture"
                                                    : "";
    if (kind.empty()) node->fail("needs a kind: radial, concentric, axial, helical, spiral, formula, vertices or texture");
    const auto only = [&](std::initializer_list<const char*> keys, const char* owner) {
        for (const char* key : keys)
            if (node->has(key) && kind != owner)
                node->child(key).fail(
                    fmt::format("belongs to kind = \"{}\", but this field has kind = \"{}\"", owner, kind));
    };
    only({"angle", "turn_deg"}, "formula");
    only({"texture", "encoding", "rotation_deg", "strength", "tile_size", "tiles_per_face", "footprint"}, "texture");
    if (kind == "texture") return read_texture(reader, *node, tile);
    if (kind == "vertices") return surface::VertexGrain{};
    if (kind == "formula") {
        const Node angle = node->child("angle");
        std::function<double()> turn = [] { return 0.0; };  // [degrees]
        if (const std::optional<Node> by_time = node->find("turn_deg")) {
            const ImplicitSettings* implicit = reader.scene.implicit_settings.get();
            if (!implicit)
                by_time->fail("a grain that turns with time belongs to the implicit world; give step.method = \"implicit\"");
            turn = [degrees = by_time->function_of_time({-1e9, 1e9}), clock = implicit->clock] { return degrees(*clock); };
        }
        if (angle.value().kind != Value::Kind::Text)
            return surface::FormulaGrain{
                [constant = angle.number({-1e6, 1e6}), turn](const Vec3&) { return radians(constant + turn()); }};
        try {
            return surface::FormulaGrain{[degrees = angle.source().formulas->of_point(angle.text()), turn](const Vec3& p) {
                return radians(degrees(p) + turn());
            }};
        } catch (const FormulaError& error) { angle.fail(error.what()); }
    }
    return read_about_axis(*node, kind);
}

}  // namespace asperity::scene

// asperity texture: makes grain textures from a formula, a photograph or strokes, and normal maps from generators, heights
// and pictures.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/importers/read_picture.h"
#include "asperity/record/png.h"
#include "asperity/scene/formula.h"
#include "asperity/scene/normal_map.h"
#include "asperity/surface/make_grain.h"
#include "asperity/tell.h"

namespace asperity::app {
namespace {

surface::GrainTexture from_formula(const TextureArgs& args) {
    Random random;
    scene::Formulas formulas(random);
    try {
        const auto angle = formulas.of_point(args.formula);
        return surface::grain_from_function(args.size[0], args.size[1], [&](double u, double v) {
            return radians(angle({u, v, 0}));
        });
    } catch (const scene::FormulaError& error) {
        throw InputError(fmt::format("--formula {}: {}", args.formula, error.what()));
    }
}

surface::GrainTexture from_photograph(const TextureArgs& args) {
    const importers::GreyImage photo = importers::read_grey(args.photo);
    return surface::grain_from_photograph(photo.width, photo.height, photo.values, args.sigma);
}

/// One stroke per line: brush width, then points "u,v", in fractions of the picture from its bottom left. '#' starts a
/// comment.
std::vector<surface::Stroke> read_strokes(const std::string& file) {
    std::vector<surface::Stroke> strokes;
    const std::string text = read_file(file, std::size_t{1} << 24);
    int line_number = 0;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line(text.data() + begin, end - begin);
        begin = end + 1;
        ++line_number;
        line = line.substr(0, line.find('#'));
        std::vector<double> numbers;
        for (size_t i = 0; i < line.size();) {
            if (line[i] == ' ' || line[i] == ',' || line[i] == '\t' || line[i] == '\r') {
                ++i;
                continue;
            }
            double number = 0;
            const auto [rest, error] = std::from_chars(line.data() + i, line.data() + line.size(), number);
            if (error != std::errc() || !std::isfinite(number))
                throw InputError(fmt::format(
                    "{}:{}:{}: expected a number; a stroke is its width and then points u,v, from 0,0 bottom left to 1,1",
                    file, line_number, i + 1));
            numbers.push_back(number);
            i = static_cast<size_t>(rest - line.data());
        }
        if (numbers.empty()) continue;
        if (numbers.size() < 5 || numbers.size() % 2 == 0 || !(numbers[0] > 0))
            throw InputError(
                fmt::format("{}:{}: a stroke needs a width above 0 and at least two points u,v; this line has {} numbers",
                            file, line_number, numbers.size()));
        surface::Stroke stroke;
        stroke.width = numbers[0];
        for (size_t i = 1; i + 1 < numbers.size(); i += 2) stroke.points.push_back({numbers[i], numbers[i + 1]});
        strokes.push_back(std::move(stroke));
    }
    if (strokes.empty()) throw InputError(fmt::format("{}: has no strokes", file));
    return strokes;
}

int normal_map_command(const TextureArgs& args) {
    if (args.gltf || !args.look.empty())
        throw InputError(
            "texture: --gltf and --look are for grain; a normal map can be used as glTF's normalTexture unchanged");
    const scene::DescribedMap made = scene::describe_normal_map(args.normal_map, "--normal-map");
    const std::vector<std::uint8_t> pixels = surface::encode_normal_map(made.slopes, args.bits);
    const auto png = args.bits == 16 ? record::png16 : record::png;
    write_file(args.out, png(made.slopes.width, made.slopes.height, 3, pixels));
    fmt::print("{}: {}\n", args.out, scene::report(made));
    if (made.heights) {
        const surface::Roughness r = surface::roughness(*made.heights);
        const double texel_mm = 1e3 * made.tile.edge / made.heights->width, mm = texel_mm / made.heights->pitch;
        fmt::print("heights: Ra {:.4g} mm, Rq {:.4g} mm on texels of {:.4g} mm (a tile of {:.4g} m)\n", r.ra * mm, r.rq * mm,
                   texel_mm, made.tile.edge);
    }
    const double loss = surface::quantisation_error(made.slopes);
    if (args.bits == 8 && loss > 0.05)
        tell("asperity: 8 bits change these slopes by {:.0f} % (root mean square); --bits 16 keeps them\n", 100 * loss);
    return kGood;
}

}  // namespace

int texture_command(const TextureArgs& args) {
    if (!args.formula.empty() + !args.photo.empty() + !args.strokes.empty() + !args.normal_map.empty() != 1)
        throw InputError("texture: give one of --formula, --photo and --strokes, for grain, or --normal-map");
    if (!args.normal_map.empty()) return normal_map_command(args);
    const surface::GrainTexture texture =
        !args.formula.empty() ? from_formula(args)
        : !args.photo.empty() ? from_photograph(args)
                              : surface::grain_from_strokes(args.size[0], args.size[1], read_strokes(args.strokes));
    const auto encoding = args.gltf ? surface::GrainEncoding::GltfAcross : surface::GrainEncoding::Along;
    write_file(args.out,
               record::png(texture.width(), texture.height(), args.gltf ? 3 : 4, surface::encode_grain(texture, encoding)));
    double strength = 0;
    for (int y = 0; y < texture.height(); ++y)
        for (int x = 0; x < texture.width(); ++x) strength += length(texture.texel(x, y));
    fmt::print("{}: {} x {} texels, mean strength {:.3f}\n", args.out, texture.width(), texture.height(),
               strength / (static_cast<double>(texture.width()) * texture.height()));
    if (!args.look.empty()) {
        write_file(args.look, record::png(texture.width(), texture.height(), 1, surface::brushed_look(texture)));
        fmt::print("{}: look of the brushed surface\n", args.look);
    }
    return kGood;
}

}  // namespace asperity::app

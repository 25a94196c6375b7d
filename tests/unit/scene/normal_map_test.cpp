// Normal maps in scenes: valid and invalid files, every generator, glTF's normalTexture, and export to motion.glb.
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "asperity/core/files.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/surface_point.h"
#include "asperity/importers/load.h"
#include "asperity/record/png.h"
#include "asperity/scene/normal_map.h"
#include "asperity/scene/run.h"
#include "asperity/surface/make_slopes.h"
#include "scenes.h"
#include "tests/unit/record/sample.h"
#include "tests/unit/scene/png_kinds.h"

namespace asperity::scene {
namespace {

using record::TemporaryFolder;
using surface::SlopeMap;
#define EXPECT_SAYS(message, words) EXPECT_NE((message).find(words), std::string::npos) << (message)

std::string with_map(const std::string& map) { return "[material.default]\nnormal_map = " + map + "\n" + kBlock; }

class NormalMaps : public testing::Test {
  protected:
    TemporaryFolder folder;
    Scene scene(const std::string& text) { return parse(text, folder / "test.toml", {}); }
    surface::SlopeTexture map_of(const std::string& map) { return scene(with_map(map)).world.model.materials[0].slopes; }
    std::string wrong(const std::string& map) {
        try {
            scene(with_map(map));
        } catch (const InputError& error) { return error.what(); }
        return "no complaint";
    }
    void save(const std::string& name, const std::string& bytes) { write_file(folder / name, bytes); }
    /// A map of one texel.
    void save_normal(const std::string& name, std::vector<std::uint8_t> rgb) { save(name, png_kind(1, 1, 8, 2, rgb)); }
};

std::vector<std::uint8_t> two_bytes(std::initializer_list<int> values) {
    std::vector<std::uint8_t> out;
    for (const int v : values)
        out.push_back(static_cast<std::uint8_t>(v >> 8)), out.push_back(static_cast<std::uint8_t>(v & 0xff));
    return out;
}
double mm(double x) { return 1e-3 * x; }

TEST_F(NormalMaps, FilesOfEveryKindAreRead) {
    save_normal("rgb.png", {204, 128, 230});  // (0.6, 0.0039, 0.8039)
    const surface::SlopeTexture rgb = map_of("\"rgb.png\"");
    EXPECT_NEAR(rgb.map->slopes[0].x, 153.0 / 205, 1e-6);  // (2*204 - 255)/(2*230 - 255)
    EXPECT_NEAR(rgb.map->slopes[0].y, 1.0 / 205, 1e-6);
    EXPECT_EQ(rgb.tile, 1);
    save("rgba.png", png_kind(1, 1, 8, 6, {204, 128, 230, 3}));
    EXPECT_NEAR(map_of("\"rgba.png\"").map->slopes[0].x, 153.0 / 205, 1e-6);
    save("palette.png", png_kind(1, 1, 8, 3, {1}, {0, 0, 0, 204, 128, 230}));
    EXPECT_NEAR(map_of("\"palette.png\"").map->slopes[0].x, 153.0 / 205, 1e-6);
    save("deep.png", png_kind(1, 1, 16, 2, two_bytes({32768 + 10, 32768, 65535})));
    EXPECT_NEAR(map_of("\"deep.png\"").map->slopes[0].x, 21.0 / 65535, 1e-7);  // all 16 bits are used
    EXPECT_NEAR(map_of("{ file = \"rgb.png\", scale = 2, green_down = true, tiles_per_face = 4 }").map->slopes[0].x,
                306.0 / 205, 1e-6);
    EXPECT_NEAR(map_of("{ file = \"rgb.png\", scale = 2, green_down = true, tiles_per_face = 4 }").map->slopes[0].y,
                -2.0 / 205, 1e-6);
    EXPECT_EQ(map_of("{ file = \"rgb.png\", tiles_per_face = 4 }").tile, 0.25);
    EXPECT_EQ(map_of("{ file = \"rgb.png\", tile_size = 0.2 }").tile, surface::TileSize::in_metres(0.2));
    EXPECT_EQ(map_of("{ file = \"rgb.png\", level = true }").map->slopes[0].x, 0);
    save("salience.png", png_kind(1, 1, 8, 0, {51}));
    EXPECT_NEAR(map_of("{ file = \"rgb.png\", salience = \"salience.png\" }").map->salience[0], 0.2, 1e-6);
    EXPECT_EQ(scene("[material.default]\ntile_size = 0.5\n" + with_map("\"rgb.png\"").substr(19))
                  .world.model.materials[0]
                  .slopes.tile,
              surface::TileSize::in_metres(0.5));
}

TEST_F(NormalMaps, HeightsBecomeSlopes) {
    // A ramp up and down over 4 pixels: 0, 1/3, 2/3, 1/3 of 3 mm, on pixels of 1 mm.
    save("h.png", png_kind(4, 1, 16, 0, two_bytes({0, 21845, 43690, 21845})));
    const surface::SlopeTexture image = map_of("{ height_image = \"h.png\", height_scale = 0.003, pixel_mm = 1 }");
    EXPECT_NEAR(image.map->slopes[1].x, -1, 1e-6);
    EXPECT_NEAR(image.map->slopes[3].x, 1, 1e-6);
    EXPECT_NEAR(image.tile.edge, 0.004, 1e-12);  // four pixels
    EXPECT_TRUE(image.tile.metres);
    EXPECT_EQ(image.tile.rise, 0.25);  // one pixel high: texels stay square
    // pixels of 2 mm
    EXPECT_NEAR(map_of("{ height_image = \"h.png\", height_scale = 0.003, tile_size = 0.008 }").map->slopes[1].x, -0.5,
                1e-6);
    const surface::SlopeTexture formula = map_of("{ height = \"0.001*sin(2*pi*x/0.1)\", tile_size = 0.1, size = [64, 8] }");
    EXPECT_EQ(formula.map->width, 64);
    EXPECT_EQ(formula.map->height, 8);
    const double k = 2 * std::acos(-1.0) / 0.1, q = 0.1 / 64;
    EXPECT_NEAR(formula.map->slopes[0].x, -0.001 * std::sin(k * q) / q * std::cos(0.5 * k * q), 1e-7);
}

TEST_F(NormalMaps, GeneratorsAreWhatTheLibraryMakes) {
    const auto same = [&](const std::string& map, const SlopeMap& expected) {
        const surface::SlopeTexture texture = map_of(map);  // owns the map
        const SlopeMap& made = *texture.map;
        ASSERT_EQ(made.width, expected.width) << map;
        ASSERT_EQ(made.height, expected.height) << map;
        for (size_t i = 0; i < made.slopes.size(); ++i) {
            ASSERT_EQ(made.slopes[i].x, expected.slopes[i].x) << map;
            ASSERT_EQ(made.slopes[i].y, expected.slopes[i].y) << map;
        }
    };
    const surface::MapSize small{64, 32};
    same("{ gaussian = 0.15, size = [64, 32], seed = 3 }", surface::gaussian_slopes(small, {0.15, 0.15}, 3));
    same("{ gaussian = [0.1, 1], size = [64, 32] }", surface::gaussian_slopes(small, {0.1, 1}, 1));
    same("{ ra_mm = 0.15, size = [64, 32] }", surface::slopes_of(surface::rough_heights(small, mm(0.15), mm(1), 1)));
    EXPECT_NEAR(map_of("{ ra_mm = 0.15, size = [64, 32] }").tile.edge, 0.064, 1e-12);
    same("{ ra_mm = 0.15, pixel_mm = 2, size = [64, 32] }",
         surface::slopes_of(surface::rough_heights(small, mm(0.15), mm(2), 1)));
    same("{ brushed = 0.3, length = 10, size = [64, 32] }", surface::slopes_of(surface::brushed_heights(small, 0.3, 10, 1)));
    same("{ sawtooth = [15, 60], period = 8, size = [64, 32] }",
         surface::sawtooth_slopes(small, radians(15), radians(60), 8, 0));
    same("{ sawtooth = [15, 60], period = 8, direction_deg = 90, size = [64, 32] }",
         surface::sawtooth_slopes(small, radians(15), radians(60), 0, 4));
    same("{ thread = [0.0007, 0.003545], turns = 4, size = [64, 32] }",
         surface::thread_slopes(small, {0.0007, 0.003545, 4}));
    same("{ finish = \"oak\", size = [64, 32] }",
         surface::slopes_of(surface::finish_heights(small, surface::Finish::Oak, 1)));
    same("{ emblem = 45, size = [64, 32] }", surface::slopes_of(surface::emblem_heights(small, radians(45))));
    same("{ ramp = [1, 0], size = [64, 32] }", surface::ramp_slopes(small, {1, 0}));
    // Rotated by 90 degrees: structure along u becomes structure along v.
    const surface::SlopeStatistics turned =
        statistics(*map_of("{ brushed = 0.3, direction_deg = 90, size = [64, 32] }").map);
    EXPECT_GT(turned.deviation.x, 5 * turned.deviation.y);
    EXPECT_EQ(map_of("{ brushed = 0.3, direction_deg = 90, size = [64, 32] }").map->width, 32);
    // Numbers may be formulas, and --set can change values in the table.
    const std::string text = "[params]\ns = 0.2\n" + with_map("{ ramp = [\"s\", 0] }");
    EXPECT_FLOAT_EQ(parse(text, "test.toml", {}).world.model.materials[0].slopes.map->slopes[0].x, 0.2F);
    EXPECT_FLOAT_EQ(parse(text, "test.toml", {{"params.s", "0.3"}}).world.model.materials[0].slopes.map->slopes[0].x, 0.3F);
    EXPECT_FLOAT_EQ(parse(text, "test.toml", {{"material.default.normal_map.scale", "2"}})
                        .world.model.materials[0]
                        .slopes.map->slopes[0]
                        .x,
                    0.4F);
}

TEST_F(NormalMaps, BodiesComeBeforeMaterials) {
    // The line belongs to the block, which is last.
    const Scene s = scene(with_map("{ ramp = [1, 0] }") + "normal_map = { ramp = [0, 1] }\n");
    EXPECT_EQ(s.world.model.slopes_of(0)->map->slopes[0].x, 1);
    EXPECT_EQ(s.world.model.slopes_of(1)->map->slopes[0].y, 1);
    EXPECT_EQ(scene(kBlock).world.model.slopes_of(0), nullptr);
}

TEST_F(NormalMaps, ProgramsSetThemToo) {
    Scene s = scene(kBlock);
    const surface::SlopeTexture ramp{std::make_shared<SlopeMap>(surface::ramp_slopes({2, 2}, {1, 0})), 0.5, {}};
    const BodyId block = s.world.find_body("block");
    s.world.set_slopes(MaterialId{0}, ramp);
    EXPECT_EQ(s.world.model.slopes_of(0)->map, ramp.map);
    EXPECT_EQ(s.world.model.slopes_of(1)->map, ramp.map);  // uses the same material
    const surface::SlopeTexture own{std::make_shared<SlopeMap>(surface::ramp_slopes({2, 2}, {0, 1})), 1, {}};
    s.world.set_slopes(block, own);
    EXPECT_EQ(s.world.model.slopes_of(1)->map, own.map);
    EXPECT_EQ(s.world.model.slopes_of(0)->map, ramp.map);
    s.world.set_slopes(ColliderId{1}, {});  // back to the material's map
    EXPECT_EQ(s.world.model.slopes_of(1)->map, ramp.map);
    EXPECT_SAYS(record::message_of([&] { s.world.set_slopes(MaterialId{7}, ramp); }), "no material 7");
    EXPECT_SAYS(record::message_of([&] { s.world.set_slopes(BodyId{9}, ramp); }), "no body 9");
    EXPECT_SAYS(record::message_of([&] { s.world.set_slopes(ColliderId{5}, ramp); }), "no shape 5");
}

TEST_F(NormalMaps, MistakesGetAMessage) {
    save_normal("flat.png", {128, 128, 255});
    save("grey.png", png_kind(1, 1, 8, 0, {200}));
    save("photo.png", png_kind(1, 1, 8, 2, {200, 180, 40}));
    save("cut.png", png_kind(2, 2, 8, 2, std::vector<std::uint8_t>(12, 128)).substr(0, 50));
    save("words.png", "no picture");
    EXPECT_SAYS(wrong("\"nowhere.png\""), "no such file");
    EXPECT_SAYS(wrong("\"grey.png\""), "is grey, which is a height map");
    EXPECT_SAYS(wrong("\"photo.png\""), "face backwards");
    EXPECT_SAYS(wrong("\"cut.png\""), "not a picture that can be read");
    EXPECT_SAYS(wrong("\"words.png\""), "not a picture that can be read");
    EXPECT_SAYS(wrong("3"), "normal_map");
    EXPECT_SAYS(wrong("{ seed = 3 }"), "needs exactly one of file, height_image");
    EXPECT_SAYS(wrong("{ gaussian = 1, ramp = [1, 0] }"), "needs exactly one of");
    EXPECT_SAYS(wrong("{ gausian = 1 }"), "did you mean 'gaussian'");
    EXPECT_SAYS(wrong("{ gaussian = 1, period = 3 }"), "does not apply to a map made by 'gaussian'");
    EXPECT_SAYS(wrong("{ gaussian = -1 }"), "gaussian");
    EXPECT_SAYS(wrong("{ gaussian = 1, size = [0, 3] }"), "size");
    EXPECT_SAYS(wrong("{ gaussian = 1, size = [2.5, 3] }"), "whole numbers");
    EXPECT_SAYS(wrong("{ gaussian = 1, size = [8192, 8192] }"), "at most 16777216 are allowed");
    EXPECT_SAYS(wrong("{ height_image = \"grey.png\" }"), "height_scale");
    EXPECT_SAYS(wrong("{ height = \"x*q\" }"), "unknown name 'q'");
    EXPECT_SAYS(wrong("{ sawtooth = [15, 95] }"), "sawtooth");
    EXPECT_SAYS(wrong("{ brushed = 1, direction_deg = 45 }"), "along u (0) or v (90)");
    EXPECT_SAYS(wrong("{ thread = [0.001, 0.004], turns = 100 }"), "100 turns need a map of at least 400 texels");
    EXPECT_SAYS(wrong("{ finish = \"ok\" }"), "did you mean 'oak'");
    EXPECT_SAYS(wrong("{ gaussian = 1, salience = \"grey.png\" }"), "1 x 1 pixels, but the map has 256 x 256");
}

TEST_F(NormalMaps, NotesSayWhatIsOddAboutAMap) {
    const SlopeMap bumps = surface::slopes_of(surface::smooth_heights({64, 64}, 0.3, {3, 3}, 1));
    SlopeMap down = bumps;
    for (surface::Slope& g : down.slopes) g.y = -g.y;
    EXPECT_EQ(report(bumps).find("green"), std::string::npos);
    EXPECT_SAYS(report(down), "green_down = true");
    EXPECT_SAYS(report(surface::ramp_slopes({4, 4}, {0.2, 0})), "level = true");
    save_normal("flat.png", {128, 128, 255});
    const Scene s = scene(with_map("\"flat.png\""));
    ASSERT_FALSE(s.notes.empty());
    EXPECT_SAYS(s.notes[0], "material.default.normal_map: 1 x 1 texels");
    EXPECT_EQ(s.notes[0].find("level"), std::string::npos) << "what 8 bits make of zero is no news";
}

TEST_F(NormalMaps, PicturesOfSixteenBitsComeBack) {
    const SlopeMap before = surface::gaussian_slopes({33, 17}, {0.3, 0.8}, 2);
    const std::string png = record::png16(33, 17, 3, surface::encode_normal_map(before, 16));
    save("deep.png", png);
    const SlopeMap after = *map_of("\"deep.png\"").map;
    ASSERT_EQ(after.slopes.size(), before.slopes.size());
    for (size_t i = 0; i < before.slopes.size(); ++i) {
        const double z = 1 /
                         std::sqrt(1 + before.slopes[i].x * before.slopes[i].x + before.slopes[i].y * before.slopes[i].y),
                     e = 1 / 65535.0 + 1e-7;
        EXPECT_NEAR(after.slopes[i].x, before.slopes[i].x, e * (1 + std::fabs(before.slopes[i].x)) / (z - e));
        EXPECT_NEAR(after.slopes[i].y, before.slopes[i].y, e * (1 + std::fabs(before.slopes[i].y)) / (z - e));
    }
    EXPECT_EQ(
        importers::decode_picture(record::png16(2, 1, 1, std::vector<std::uint8_t>{0x12, 0x34, 0xff, 0xff}), "x").values[0],
        0x1234 / 65535.0F);
}

// Rendering and friction use the same slopes: motion.glb, read as a mesh again, has the slopes of the scene at the same
// places.
TEST_F(NormalMaps, ComeBackFromMotionGlb) {
    const Scene s = scene(
        "[material.rough]\ntiles_per_face = 2\nnormal_map = { gaussian = [0.1, 0.4], size = [32, 16], tiles_per_face = 8 "
        "}\n" +
        kGround + "[[body]]\nname = \"block\"\nmaterial = \"rough\"\nshape = { box = [1, 1, 1] }\n");
    record::Recording recording = start_recording(s);
    recording.bodies.erase(recording.bodies.begin());  // keep only the block
    record::save_glb(recording, folder / "motion.glb");
    const auto textures = importers::read_normal_textures(folder / "motion.glb");
    ASSERT_FALSE(textures.empty());
    const auto& texture = *std::ranges::find_if(textures, [](const auto& t) { return t.has_value(); });
    EXPECT_EQ(texture->scale, 1);
    EXPECT_NEAR(texture->tile.x, 0.25, 1e-12);  // texture coordinates there count tiles of 0.5
    const SlopeMap after = surface::decode_normal_map(
        {texture->picture->width, texture->picture->height, texture->picture->channels, texture->picture->values}, "x");
    const SlopeMap& before = *s.world.model.materials[1].slopes.map;
    ASSERT_EQ(after.slopes.size(), before.slopes.size());
    for (size_t i = 0; i < before.slopes.size(); ++i) EXPECT_NEAR(after.slopes[i].y, before.slopes[i].y, 2e-4);
    // As a mesh: its position on the surface and its tangent frame, on the top face of the box.
    const Scene again = scene(kGround + "[[body]]\nname = \"block\"\nshape = { mesh = \"motion.glb\" }\n");
    const surface::SlopeTexture* laid = again.world.model.slopes_of(1);
    ASSERT_NE(laid, nullptr);
    const Vec3 point{0.2, -0.1, 0.5}, up{0, 0, 1};
    const geometry::SurfacePoint box = geometry::surface_point(geometry::Box{{0.5, 0.5, 0.5}}, point, up),
                                 seen = geometry::surface_point(again.world.model.bodies.colliders[1].shape, point, up);
    const geometry::TriangleSet& mesh = *std::get<geometry::Mesh>(again.world.model.bodies.colliders[1].shape).triangles;
    const auto place = [](const surface::SlopeTexture& t, Vec2 uv) {
        const double u = uv.x / t.tile.edge + t.offset.x, v = uv.y / (t.tile.edge * t.tile.rise) + t.offset.y;
        return Vec2{u - std::floor(u), v - std::floor(v)};
    };
    EXPECT_LT(length(place(laid->on_part(mesh.part_of(seen.triangle)), seen.uv) -
                     place(s.world.model.materials[1].slopes, box.uv)),
              1e-5);
    EXPECT_LT(length(seen.tangent - box.tangent), 1e-6);
    EXPECT_EQ(seen.mirrored, box.mirrored);
}

TEST_F(NormalMaps, RecordingsKeepThem) {
    const Scene s = scene(with_map("{ gaussian = 0.4, size = [32, 16], tiles_per_face = 8 }"));
    record::Recording recording = start_recording(s);
    record_frame(recording, s.world, false);
    record::save(recording, folder / "recording.asp");
    const record::Recording back = record::load(folder / "recording.asp");
    ASSERT_EQ(back.bodies[1].slopes.size(), 1U);
    EXPECT_EQ(back.bodies[0].slopes[0].map, back.bodies[1].slopes[0].map) << "kept once";
    EXPECT_EQ(back.bodies[1].slopes[0].tile, 0.125);
    const SlopeMap &a = *s.world.model.materials[0].slopes.map, &b = *back.bodies[1].slopes[0].map;
    ASSERT_EQ(a.slopes.size(), b.slopes.size());
    for (size_t i = 0; i < a.slopes.size(); ++i) ASSERT_EQ(a.slopes[i].x, b.slopes[i].x);
    EXPECT_EQ(b.height, 16);
    recording.bodies[1].slopes.clear();
    record::save(recording, folder / "recording.asp");
    EXPECT_EQ(record::load(folder / "recording.asp").bodies[1].slopes_of(0).map, nullptr);
}

/// A quad with texture coordinates and a material, as text. `material` is the list entry; `rest` follows the list.
std::string gltf_quad(const std::string& material, const std::string& rest, bool uvs = true) {
    std::string bytes;
    const auto put = [&](float f) { bytes.append(reinterpret_cast<const char*>(&f), 4); };
    // 6 corners
    for (const float f : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 1.F, 1.F, 0.F, 0.F, 0.F, 0.F, 1.F, 1.F, 0.F, 0.F, 1.F, 0.F}) put(f);
    // v downwards
    for (const float f : {0.F, 1.F, 1.F, 1.F, 1.F, 0.F, 0.F, 1.F, 1.F, 0.F, 0.F, 0.F}) put(f);
    std::string base64;
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](size_t k) {
            return k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[k])) : 0U;
        };
        const unsigned bits = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
        for (const int shift : {18, 12, 6, 0}) base64 += kDigits[bits >> shift & 63];
    }
    return fmt::format(
        R"({{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{0},"uri":"data:application/octet-stream;base64,{1}"}}],
        "bufferViews":[{{"buffer":0,"byteLength":72}},{{"buffer":0,"byteOffset":72,"byteLength":48}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3"}},{{"bufferView":1,
         "componentType":5126,"count":6,"type":"VEC2"}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0{2}}},"material":0}}]}}],"materials":[{3}]{4}}})",
        bytes.size(), base64, uvs ? R"(,"TEXCOORD_0":1)" : "", material, rest);
}
const std::string kTextures = R"(,"textures":[{"source":0}],"images":[{"uri":"n.png"}])";

TEST_F(NormalMaps, GltfFilesBringTheirOwn) {
    save_normal("n.png", {204, 128, 230});
    const auto body = [&](const std::string& more = "") {
        return kGround + "[[body]]\nname = \"quad\"\nmass = 1\nshape = { mesh = \"quad.gltf\" }\nfixed = true\n" + more;
    };
    save("quad.gltf", gltf_quad(R"({"normalTexture":{"index":0,"scale":0.5}})", kTextures));
    Scene s = scene(body());
    ASSERT_NE(s.world.model.slopes_of(1), nullptr);
    EXPECT_NEAR(s.world.model.slopes_of(1)->map->slopes[0].x, 0.5 * 153 / 205, 1e-6);
    EXPECT_EQ(s.world.model.slopes_of(1)->tile, 1);
    // The maps of the body and of the material take precedence.
    EXPECT_EQ(scene(body("normal_map = { ramp = [2, 0] }\n")).world.model.slopes_of(1)->map->slopes[0].x, 2);
    EXPECT_EQ(
        scene("[material.default]\nnormal_map = { ramp = [3, 0] }\n" + body()).world.model.slopes_of(1)->map->slopes[0].x,
        3);
    // Green is up in the picture, and so is v. glTF puts this quad into its x-y plane, where up is our z.
    const geometry::SurfacePoint at =
        geometry::surface_point(s.world.model.bodies.colliders[1].shape, {0.5, 0, 0.5}, {0, -1, 0});
    EXPECT_LT(length(at.tangent - Vec3{1, 0, 0}), 1e-9);
    EXPECT_LT(length((at.mirrored ? -1 : 1) * at.bitangent() - Vec3{0, 0, 1}), 1e-9);

    save("quad.gltf",
         gltf_quad(
             R"({"normalTexture":{"index":0,"extensions":{"KHR_texture_transform":{"scale":[4,8],"offset":[0.25,0.5]}}}})",
             kTextures));
    s = scene(body());
    EXPECT_EQ(s.world.model.slopes_of(1)->tile, surface::TileSize(0.25, 0.5));
    EXPECT_EQ(s.world.model.slopes_of(1)->offset.x, 0.25);
    EXPECT_EQ(s.world.model.slopes_of(1)->offset.y, 1 - 8 - 0.5);

    // An unusable map is reported, and the mesh is kept.
    const auto note = [&](const std::string& gltf) {
        save("quad.gltf", gltf);
        const Scene scene_of_it = scene(body());
        EXPECT_EQ(scene_of_it.world.model.slopes_of(1), nullptr);
        std::string all;
        for (const std::string& n : scene_of_it.notes) all += n + "\n";
        return all;
    };
    EXPECT_SAYS(note(gltf_quad(R"({"normalTexture":{"index":3}})", kTextures)), "names number 3 of its textures");
    EXPECT_SAYS(
        note(gltf_quad(R"({"normalTexture":{"index":0}})", R"(,"textures":[{"source":0}],"images":[{"uri":"gone.png"}])")),
        "gone.png");
    EXPECT_SAYS(note(gltf_quad(R"({"normalTexture":{"index":0,"texCoord":1}})", kTextures)), "other than TEXCOORD_0");
    EXPECT_SAYS(note(gltf_quad(R"({"normalTexture":{"index":0,"extensions":{"KHR_texture_transform":{"rotation":0.3}}}})",
                               kTextures)),
                "turns or mirrors");
    EXPECT_SAYS(note(gltf_quad(R"({"normalTexture":{"index":0}})", kTextures, false)), "needs texture coordinates");
    EXPECT_SAYS(note(gltf_quad(R"({"normalTexture":{"index":0}})", R"(,"textures":[{}])")), "only an extension can read");
    save("n.png", "broken");
    EXPECT_SAYS(note(gltf_quad(R"({"normalTexture":{"index":0}})", kTextures)), "not a picture that can be read");
}

TEST_F(NormalMaps, CommandsTakeTheSameWords) {
    EXPECT_EQ(describe_normal_map("ramp = [0.5, 0], size = [4, 2]", "--normal-map").slopes.width, 4);
    const DescribedMap rough = describe_normal_map("ra_mm = 1, pixel_mm = 0.5", "--normal-map");
    ASSERT_TRUE(rough.heights);
    EXPECT_NEAR(rough.heights->pitch, 0.0005, 1e-12);
    EXPECT_NEAR(rough.tile.edge, 0.128, 1e-12);
    save_normal("m.png", {204, 128, 230});
    EXPECT_NEAR(describe_normal_map((folder / "m.png").string(), "--normal-map").slopes.slopes[0].x, 153.0 / 205, 1e-6);
    EXPECT_SAYS(record::message_of([] { describe_normal_map("ramp = [0.5", "--normal-map"); }),
                "--normal-map ramp = [0.5: ");
    EXPECT_SAYS(record::message_of([] { describe_normal_map("rmap = [0.5, 0]", "--normal-map"); }), "did you mean 'ramp'");
    EXPECT_SAYS(record::message_of([] { describe_normal_map("nowhere.png", "--normal-map"); }), "no such file");
}

}  // namespace
}  // namespace asperity::scene

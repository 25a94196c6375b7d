// glTF files with several materials: grain, normal maps and looks of each part, as in Khronos' samples of anisotropy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "asperity/core/files.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/importers/load.h"
#include "asperity/record/png.h"
#include "asperity/scene/run.h"
#include "asperity/surface/footprint_sampler.h"
#include "asperity/surface/sample.h"
#include "scenes.h"
#include "tests/unit/record/sample.h"
#include "tests/unit/scene/png_kinds.h"

namespace asperity::scene {
namespace {

#define EXPECT_SAYS(message, words) EXPECT_NE((message).find(words), std::string::npos) << (message)

const Vec3 kUp{0, 0, 1};

/// Squares of 1 m in a row along x, one primitive each: 0 brushed across y, 1 brushed across x with a picture and a normal
/// map, 2 coloured and without texture coordinates, 3 without material.
class Board : public testing::Test {
  protected:
    record::TemporaryFolder folder;
    const std::string brush_ = png_kind(1, 1, 8, 2, {255, 128, 255}), paint_ = png_kind(1, 1, 8, 2, {255, 0, 0});

    Board() {
        std::string bytes;
        const auto put = [&](std::initializer_list<float> numbers) {
            for (const float f : numbers) bytes.append(reinterpret_cast<const char*>(&f), 4);
        };
        for (int i = 0; i < 4; ++i) {  // y up
            const auto x = static_cast<float>(i);
            put({x, 0, 0, x + 1, 0, 0, x + 1, 0, -1, x, 0, -1});
        }
        put({0, 1, 1, 1, 1, 0, 0, 0});  // v down
        for (const std::uint16_t i : {0, 1, 2, 0, 2, 3}) bytes.append(reinterpret_cast<const char*>(&i), 2);
        write_file(folder / "board.bin", bytes);
        write_file(folder / "brush.png", brush_);
        write_file(folder / "paint.png", paint_);
        write_file(folder / "bumps.png", png_kind(1, 1, 8, 2, {204, 128, 230}));  // slope 153/205 along u
        std::string accessors, primitives;
        for (int i = 0; i < 4; ++i) {
            accessors +=
                fmt::format(R"({{"bufferView":0,"byteOffset":{},"componentType":5126,"count":4,"type":"VEC3"}},)", 48 * i);
            primitives += fmt::format(R"({}{{"attributes":{{"POSITION":{}{}}},"indices":5{}}})", i > 0 ? "," : "", i,
                                      i == 2 ? "" : R"(,"TEXCOORD_0":4)", i == 3 ? "" : fmt::format(R"(,"material":{})", i));
        }
        write_file(folder / "board.gltf",
                   fmt::format(R"({{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"board.bin","byteLength":{0}}}],)"
                               R"("bufferViews":[{{"buffer":0,"byteLength":192}},{{"buffer":0,"byteOffset":192,)"
                               R"("byteLength":32}},{{"buffer":0,"byteOffset":224,"byteLength":12}}],)"
                               R"("accessors":[{1}{{"bufferView":1,"componentType":5126,"count":4,"type":"VEC2"}},)"
                               R"({{"bufferView":2,"componentType":5123,"count":6,"type":"SCALAR"}}],)"
                               R"("meshes":[{{"primitives":[{2}]}}],"images":[{{"uri":"brush.png"}},{{"uri":"paint.png"}},)"
                               R"({{"uri":"bumps.png"}}],)"
                               R"("textures":[{{"source":0}},{{"source":1}},{{"source":2}}],"materials":[)"
                               R"({{"pbrMetallicRoughness":{{"metallicFactor":1,"roughnessFactor":0.25}},)"
                               R"("extensions":{{"KHR_materials_anisotropy":{{"anisotropyStrength":0.5,)"
                               R"("anisotropyTexture":{{"index":0}}}}}}}},)"
                               R"({{"pbrMetallicRoughness":{{"metallicFactor":0,"baseColorTexture":{{"index":1}}}},)"
                               R"("normalTexture":{{"index":2}},)"
                               R"("extensions":{{"KHR_materials_anisotropy":{{"anisotropyStrength":1,)"
                               R"("anisotropyRotation":1.5707963267948966,"anisotropyTexture":{{"index":0}}}}}}}},)"
                               R"({{"pbrMetallicRoughness":{{"baseColorFactor":[0.7,0.7,0.7,1],"metallicFactor":0,)"
                               R"("roughnessFactor":0.75}}}}]}})",
                               bytes.size(), accessors, primitives));
    }
    Scene board(const std::string& keys = "", const std::string& head = "") {
        return parse(head +
                         "[world]\ndefault = { mu = 0.5 }\n[[body]]\nname = \"board\"\nshape = { mesh = \"board.gltf\" }\n"
                         "fixed = true\n" +
                         keys,
                     folder / "test.toml", {});
    }
    static Vec3 grain_at(const Scene& s, double x) {
        const sim::Model& model = s.world.model;
        return surface::sample(model.materials[0], model.grain_of(0),
                               {model.bodies.colliders[0].shape, {}, {x, 0.5, 0}, kUp}, {}, kUp)
            .grain;
    }
};

TEST_F(Board, HasTheGrainOfEachMaterial) {
    const Scene s = board();
    // 8 bits: 128 is 0.0039, 0.22 degrees; the strength of a texel is blue times the factor
    EXPECT_NEAR(std::fabs(grain_at(s, 0.5).y), 0.5, 1e-4);
    EXPECT_NEAR(grain_at(s, 0.5).x, 0, 0.5 * 0.0040);
    EXPECT_NEAR(std::fabs(grain_at(s, 1.5).x), 1, 1e-4);
    EXPECT_NEAR(grain_at(s, 1.5).y, 0, 0.0040);
    EXPECT_EQ(grain_at(s, 2.5), Vec3{});
    EXPECT_EQ(grain_at(s, 3.5), Vec3{});
}

TEST_F(Board, ABodysOwnGrainWinsBeforeTheFilesIsRead) {
    std::filesystem::remove(folder / "brush.png");
    EXPECT_SAYS(record::message_of([&] { board(); }), "brush.png: no such file");
    EXPECT_NEAR(grain_at(board("grain = [1, 0, 0]\n"), 0.5).x, 1, 1e-12);
    const Scene by_material = board("", "[material.default]\ngrain = [0, 1, 0]\n");
    EXPECT_EQ(by_material.world.model.grain_of(0), nullptr);
}

TEST_F(Board, PloughsWithTheNormalMapOfEachMaterial) {
    const Scene s = board();
    const surface::SlopeTexture* slopes = s.world.model.slopes_of(0);
    ASSERT_NE(slopes, nullptr);
    ASSERT_TRUE(slopes->parts);
    std::vector<std::unique_ptr<surface::SlopeTable>> tables;
    std::vector<surface::SlopeLayer> layers;
    for (const surface::SlopeTexture& part : *slopes->parts) {
        tables.push_back(std::make_unique<surface::SlopeTable>(*part.map, friction::FacetWeight::Projected));
        layers.push_back({tables.back().get(), part.tile, part.offset});
    }
    const geometry::Shape plate = geometry::Box{{0.2, 0.2, 0.05}};
    const auto averages = [&](double x, bool rays) {
        surface::FootprintRequest r{kUp, {1, 0, 0}, 0.1, 0.001, 16, {}, {}};
        r.a.shape = &s.world.model.bodies.colliders[0].shape;
        r.a.parts = layers;
        r.b.shape = &plate;
        r.b.pose.position = {x, 0.5, 0.05};
        r.a.point = r.b.point = {x, 0.5, 0};
        friction::FacetAverages out;
        if (rays)
            surface::RaySampler(16).sample({&r, 1}, {&out, 1});
        else
            surface::TableSampler(16).sample({&r, 1}, {&out, 1});
        EXPECT_NEAR(out.covered, 1, 1e-12);
        return out.a;
    };
    const auto full = averages(1.5, true);
    EXPECT_NEAR(*std::ranges::max_element(full), 153.0 / 205, 0.01);  // of 16 directions one is along u
    for (const bool rays : {false, true})
        for (const double smooth : {0.5, 2.5, 3.5})
            for (const double a : averages(smooth, rays)) EXPECT_EQ(a, 0) << smooth;
    const auto by_tables = averages(1.5, false), half = averages(1, true), fallback = averages(1, false);
    for (size_t k = 0; k < 16; ++k) {
        EXPECT_NEAR(by_tables[k], full[k], 1e-6);   // floats
        EXPECT_NEAR(half[k], 0.5 * full[k], 1e-6);  // half of the footprint on a smooth part
        EXPECT_EQ(fallback[k], half[k]);            // two triangles: the tables leave it to the rays
    }
}

TEST_F(Board, KeepsItsColoursInRecordingsAndExports) {
    const Scene s = board();
    record::Recording recording = start_recording(s);
    record_frame(recording, s.world, false);
    record::save(recording, folder / "recording.asp");
    const record::Recording back = record::load(folder / "recording.asp");
    for (const record::Recording* r : {&std::as_const(recording), &back}) {
        const record::RecordedBody& body = r->bodies[0];
        ASSERT_NE(body.look_of(0, 0), nullptr);
        EXPECT_EQ(body.look_of(0, 0)->metallic, 1);
        EXPECT_EQ(body.look_of(0, 0)->roughness, 0.25);
        ASSERT_TRUE(body.look_of(0, 1)->picture);
        EXPECT_EQ(*body.look_of(0, 1)->picture, paint_);
        EXPECT_EQ(body.look_of(0, 2)->color, (Vec3{0.7, 0.7, 0.7}));
        EXPECT_EQ(body.look_of(0, 3), nullptr);
        const auto& mesh = *std::get<geometry::Mesh>(body.colliders[0].shape).triangles;
        EXPECT_EQ(mesh.parts, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
    }
    record::save_glb(recording, folder / "motion.glb");
    const auto looks = importers::read_looks(folder / "motion.glb");
    const auto has = [&](const auto& what) {
        return std::ranges::any_of(looks, [&](const auto& look) { return look && what(*look); });
    };
    EXPECT_TRUE(has([&](const importers::FileLook& look) { return look.picture && *look.picture == paint_; }));
    EXPECT_TRUE(has([](const importers::FileLook& look) { return look.metallic == 1 && look.roughness == 0.25; }));
    EXPECT_TRUE(has([](const importers::FileLook& look) {
        return look.roughness == 0.75 && look.color == Vec3{0.7, 0.7, 0.7};
    }));
    // read again as a mesh: the same grain and the same slopes at the same places
    const Scene again = parse(
        "[world]\ndefault = { mu = 0.5 }\n[[body]]\nname = \"board\"\nshape = { mesh = \"motion.glb\" }\n"
        "fixed = true\n",
        folder / "again.toml", {});
    for (const double x : {0.5, 1.5, 2.5})
        EXPECT_NEAR(length(cross(grain_at(again, x), grain_at(s, x))), 0, 0.01) << x;  // 8 bits twice
    EXPECT_NEAR(length(grain_at(again, 0.5)), 0.5, 0.01);
    EXPECT_EQ(grain_at(again, 2.5), Vec3{});
    ASSERT_NE(again.world.model.slopes_of(0), nullptr);
    const auto maps = importers::read_normal_textures(folder / "motion.glb");
    EXPECT_EQ(std::ranges::count_if(maps, [](const auto& map) { return map.has_value(); }), 1) << "smooth parts get none";
    EXPECT_TRUE(again.world.model.slopes_of(0)->parts);
}

TEST_F(Board, GivesWayToAMaterialsOwnLook) {
    EXPECT_EQ(board().looks.size(), 1U);
    EXPECT_TRUE(board("", "[material.default]\ncolor = \"oak\"\n").looks.empty());
}

TEST_F(Board, ColoursThatCannotBeReadAreANote) {
    write_file(folder / "paint.png", "no picture");
    const Scene s = board();
    EXPECT_TRUE(s.looks.empty());
    EXPECT_SAYS(s.notes.back(), "its colours are not used");
    EXPECT_SAYS(s.notes.back(), "baseColorTexture is neither PNG nor JPEG");
}

TEST(TileKeys, OldOnesAreToldWhatToWrite) {
    const auto says = [](const std::string& text) { return complaint(text + kBlock); };
    EXPECT_SAYS(says("[material.oak]\ntexture_size = 0.25\n"),
                "test.toml:2:1: material.oak.texture_size: is no longer a key");
    EXPECT_SAYS(says("[material.oak]\ntexture_size = 0.25\n"), "write tile_size = 0.25 for metres on every shape");
    EXPECT_SAYS(says("[material.oak]\ntexture_size = 0.25\n"), "or tiles_per_face = 4 for");
    EXPECT_SAYS(says("[material.oak]\nnormal_map = { gaussian = 1, tile = \"2*pi\" }\n"), "tiles_per_face = \"1/(2*pi)\"");
    EXPECT_SAYS(says("[material.oak]\ngrain_field = { texture = \"x.png\", tile = 2 }\n"),
                "grain_field.tile: is no longer a key");
    EXPECT_SAYS(complaint("[material.oak]\n" + kBlock, {{"material.oak.texture_size", "2"}}), "tiles_per_face = 0.5");
    EXPECT_SAYS(says("[material.oak]\ntile_size = 1\ntiles_per_face = 1\n"), "not both");
    EXPECT_SAYS(says("[material.oak]\nnormal_map = { height = \"x\", tiles_per_face = 1 }\n"), "write tile_size in metres");
}

TEST(TileKeys, AreMetresOrFaces) {
    const auto material = [](const std::string& keys) {
        return parse("[material.default]\n" + keys + "\n" + kBlock, "test.toml", {}).world.model.materials[0];
    };
    EXPECT_EQ(material("tile_size = 0.3").appearance.texture_size, surface::TileSize::in_metres(0.3));
    EXPECT_EQ(material("tiles_per_face = 4").appearance.texture_size, surface::TileSize(0.25));
    EXPECT_EQ(material("").appearance.texture_size, surface::TileSize(1));
    // a normal map takes the size of its material, with its own proportions
    EXPECT_EQ(material("tile_size = 0.3\nnormal_map = { gaussian = 1, size = [8, 4] }").slopes.tile,
              surface::TileSize::in_metres(0.3).of_picture(8, 4));
    EXPECT_EQ(material("tiles_per_face = 4\nnormal_map = { gaussian = 1, size = [8, 4] }").slopes.tile,
              surface::TileSize(0.25));
}

}  // namespace
}  // namespace asperity::scene

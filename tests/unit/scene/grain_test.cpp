// Grain in scenes: every kind of field, valid and invalid textures, brushed glTF files, their round trip, and fields changed
// during a run.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/files.h"
#include "asperity/core/random.h"
#include "asperity/record/png.h"
#include "asperity/scene/run.h"
#include "asperity/sim/contact_surface.h"
#include "asperity/sim/step.h"
#include "asperity/surface/make_grain.h"
#include "scenes.h"
#include "tests/unit/record/sample.h"
#include "tests/unit/scene/png_kinds.h"

namespace asperity::scene {
namespace {

using record::TemporaryFolder;
using std::numbers::pi;
#define EXPECT_SAYS(message, words) EXPECT_NE((message).find(words), std::string::npos) << (message)

double apart_deg(const Vec3& a, const Vec3& b) { return degrees(std::atan2(length(cross(a, b)), std::fabs(dot(a, b)))); }

/// A ball of 0.1 m above (x, y) on a ground. `ground`: shape of the ground; `grain`: a line of its table.
std::string ball_on(const std::string& ground, const std::string& grain, double x = 0.3, double y = 0.2) {
    return "[world]\ndefault = { law = \"matchstick\", mu = 0.5, mu_along = 0.1, mu_across = 0.9 }\n[[body]]\nname = "
           "\"ground\"\nshape = { " +
           ground + " }\nfixed = true\n" + grain +
           fmt::format("\n[[body]]\nname = \"ball\"\nshape = {{ sphere = 0.1 }}\nposition = [{}, {}, 0.1]\n", x, y);
}
/// The ground's grain at the contact with the ball, after one step.
Vec3 ground_grain(const std::string& text, const std::filesystem::path& folder = ".") {
    Scene s = parse(text, folder / "test.toml", {});
    sim::step(s.world, 1e-4);
    EXPECT_EQ(s.world.state.active.contacts.size(), 1U) << text;
    if (s.world.state.active.contacts.empty()) return {};
    return sim::sample_surfaces(s.world, s.world.state.active.contacts[0]).a.grain;
}
Vec3 at(double degrees) { return {std::cos(radians(degrees)), std::sin(radians(degrees)), 0}; }
const std::string kPlane = "half_space = true";

TEST(SceneGrain, EveryKindOfFieldIsRead) {
    EXPECT_LT(apart_deg(ground_grain(ball_on(kPlane, "grain = [1, 1, 5]")), at(45)), 1e-6);
    EXPECT_LT(apart_deg(ground_grain(ball_on(kPlane, "grain_field = { kind = \"radial\" }")), {0.3, 0.2, 0}), 1e-6);
    EXPECT_LT(
        apart_deg(ground_grain(ball_on(kPlane, "grain_field = { kind = \"concentric\", origin = [0, 0.2, 0] }")), at(90)),
        1e-6);
    EXPECT_LT(apart_deg(ground_grain(ball_on(kPlane, "grain_field = { kind = \"axial\", axis = [0, 1, 0] }")), at(90)),
              1e-6);
    EXPECT_LT(
        apart_deg(ground_grain(ball_on(kPlane, "grain_field = { kind = \"spiral\", angle_deg = 20, origin = [0, 0.2, 0] }")),
                  at(20)),
        1e-6);
    // Below the axis the direction around it is -x.
    EXPECT_LT(apart_deg(ground_grain(ball_on(
                            kPlane,
                            "grain_field = { kind = \"helical\", angle_deg = 30, axis = [0, 1, 0], origin = [0.3, 0, 1] }")),
                        at(150)),
              1e-5);
    EXPECT_LT(apart_deg(ground_grain(ball_on(kPlane, "grain_field = { angle = \"30*sin(2*pi*y/3)\" }")),
                        at(30 * std::sin(2 * pi * 0.2 / 3))),
              1e-5);
    EXPECT_LT(apart_deg(ground_grain(ball_on(kPlane, "grain_field = { angle = 25 }")), at(25)), 1e-6);
    EXPECT_EQ(ground_grain(ball_on(kPlane, "grain_field = { kind = \"vertices\" }")), Vec3{});
    // A material's field; the body's own grain takes precedence over it.
    const std::string material = "[material.default]\ngrain_field = { kind = \"radial\" }\n";
    EXPECT_LT(apart_deg(ground_grain(material + ball_on(kPlane, "")), {0.3, 0.2, 0}), 1e-6);
    EXPECT_LT(apart_deg(ground_grain(material + ball_on(kPlane, "grain = [0, 1, 0]")), at(90)), 1e-6);
}

TEST(SceneGrain, MistakesGetAMessage) {
    const auto wrong = [](const std::string& grain) { return complaint(ball_on(kPlane, grain)); };
    EXPECT_SAYS(wrong("grain = [0, 0, 0]"), "needs a direction");
    EXPECT_SAYS(wrong("grain = [1, 0, 0]\ngrain_field = { kind = \"radial\" }"), "not both");
    EXPECT_SAYS(wrong("grain_field = { origin = [0, 0, 0] }"), "needs a kind");
    EXPECT_SAYS(wrong("grain_field = { kind = \"radail\" }"), "did you mean 'radial'");
    EXPECT_SAYS(wrong("grain_field = { kind = \"spiral\" }"), "angle_deg");
    EXPECT_SAYS(wrong("grain_field = { kind = \"radial\", angle_deg = 3 }"), "belongs to helical and spiral");
    EXPECT_SAYS(wrong("grain_field = { kind = \"radial\", axis = [0, 0, 0] }"), "the axis needs a direction");
    EXPECT_SAYS(wrong("grain_field = { kind = \"radial\", angle = \"x\" }"), "belongs to kind = \"formula\"");
    EXPECT_SAYS(wrong("grain_field = { angle = \"30*sin(q)\" }"), "unknown name 'q'");
    EXPECT_SAYS(wrong("grain_field = { angle = \"uniform(0, 1)\" }"), "draw it in [params]");
    EXPECT_SAYS(wrong("grain_field = { texture = \"nowhere.png\" }"), "no such file");
    EXPECT_SAYS(
        complaint("[material.oak]\n[pair.oak-oak]\nlaw = \"matchstick\"\nmu = 1\nmu_along = 2\nmu_across = 1\n" + kBlock),
        "larger than mu_across");
    EXPECT_SAYS(complaint("[material.oak]\n[pair.oak-oak]\nmu = 1\nmu_along = 2\n" + kBlock),
                "belongs to law = \"matchstick\"");
    EXPECT_SAYS(complaint("[material.oak]\n[pair.oak-oak]\nlaw = \"tensor\"\ntensor = [1, 1]\ntensor_b = [1, 1]\n" + kBlock),
                "same material");
}

// ---- pictures ----

/// Red and green of a direction in the plane.
std::vector<std::uint8_t> coded(double angle_deg) {
    return {static_cast<std::uint8_t>(std::lround(127.5 * (1 + at(angle_deg).x))),
            static_cast<std::uint8_t>(std::lround(127.5 * (1 + at(angle_deg).y)))};
}

class GrainPictures : public testing::Test {
  protected:
    TemporaryFolder folder;
    Vec3 grain_with(const std::string& png, const std::string& more = "") {
        write_file(folder / "g.png", png);
        return ground_grain(ball_on(kPlane, "grain_field = { texture = \"g.png\"" + more + " }"), folder.path());
    }
    std::string message_with(const std::string& png) {
        write_file(folder / "g.png", png);
        return record::message_of(
            [&] { parse(ball_on(kPlane, "grain_field = { texture = \"g.png\" }"), folder / "test.toml", {}); });
    }
};

TEST_F(GrainPictures, OfEveryKindGiveTheirDirectionOrAMessage) {
    const std::vector<std::uint8_t> c = coded(30);
    const std::vector<std::uint8_t> rgb = {c[0], c[1], 0}, rgba = {c[0], c[1], 0, 128};
    const double eight_bit = 0.35;                                                   // rounding to eight bits [degrees]
    EXPECT_LT(apart_deg(grain_with(record::png(1, 1, 3, rgb)), at(30)), eight_bit);  // no alpha: full strength
    EXPECT_NEAR(length(grain_with(record::png(1, 1, 3, rgb))), 1, 1e-6);
    EXPECT_NEAR(length(grain_with(record::png(1, 1, 4, rgba))), 128 / 255.0, 1e-3);
    // (1 + cos 30)/2 and 3/4
    EXPECT_LT(apart_deg(grain_with(png_kind(1, 1, 16, 2, {0xee, 0xd9, 0xbf, 0xff, 0, 0})), at(30)), 0.01);
    EXPECT_LT(apart_deg(grain_with(png_kind(1, 1, 8, 3, {1}, {0, 0, 0, c[0], c[1], 0})), at(30)), eight_bit);  // a palette
    std::vector<std::uint8_t> odd;
    for (int i = 0; i < 15; ++i) odd.insert(odd.end(), rgb.begin(), rgb.end());
    EXPECT_LT(apart_deg(grain_with(record::png(3, 5, 3, odd)), at(30)), eight_bit);  // no power of two
    EXPECT_LT(apart_deg(grain_with(record::png(1, 1, 3, rgb), ", rotation_deg = 15"), at(45)), eight_bit);
    EXPECT_LT(
        apart_deg(grain_with(record::png(1, 1, 3, std::vector<std::uint8_t>{c[0], c[1], 255}), ", encoding = \"gltf\""),
                  at(120)),
        eight_bit);

    EXPECT_SAYS(message_with(record::png(1, 1, 1, std::vector<std::uint8_t>{7})), "is grey");
    EXPECT_SAYS(message_with(png_kind(1, 1, 8, 4, {7, 255})), "is grey");  // grey and alpha
    std::vector<std::uint8_t> noise;
    Random random(1);
    for (int i = 0; i < 3 * 32 * 32; ++i) noise.push_back(static_cast<std::uint8_t>(random.below(256)));
    const std::string whole = record::png(32, 32, 3, noise);
    for (const size_t size : {size_t{0}, size_t{4}, size_t{20}, size_t{40}, whole.size() / 2}) {
        const std::string message = message_with(whole.substr(0, size));
        EXPECT_SAYS(message, "g.png: not a picture that can be read");
        EXPECT_SAYS(message, "test.toml:");
    }
}

TEST_F(GrainPictures, OnMeshesWithoutTextureCoordinatesOrWithoutTextureAreaAreSound) {
    const std::vector<std::uint8_t> c = coded(30), rgb = {c[0], c[1], 0};
    write_file(folder / "g.png", record::png(1, 1, 3, rgb));
    const std::string corners = "v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\n";
    write_file(folder / "bare.obj", corners + "f 1 2 3 4\n");
    write_file(folder / "flat.obj", corners + "vt 0.5 0.5\nf 1/1 2/1 3/1 4/1\n");
    const std::string grain = "grain_field = { texture = \"g.png\" }";
    // projected along z
    EXPECT_LT(apart_deg(ground_grain(ball_on("mesh = \"bare.obj\"", grain), folder.path()), at(30)), 0.35);
    const Scene bare = parse(ball_on("mesh = \"bare.obj\"", grain), folder / "test.toml", {});
    EXPECT_SAYS(bare.notes.at(0), "without texture coordinates");
    const Vec3 made_up = ground_grain(ball_on("mesh = \"flat.obj\"", grain), folder.path());
    EXPECT_NEAR(length(made_up), 1, 1e-6);
    EXPECT_NEAR(made_up.z, 0, 1e-6);
    const Scene flat = parse(ball_on("mesh = \"flat.obj\"", grain), folder / "test.toml", {});
    EXPECT_SAYS(flat.notes.at(0), "without texture area");
}

// ---- brushed glTF ----

/// A square of 4 m as modelling tools write it: y up, v down, tangents optional.
std::string brushed_gltf(const std::string& material, bool uvs = true) {
    // 4 positions, 4 normals, 4 uvs, 6 indices
    std::string bytes;
    const auto put = [&](std::initializer_list<float> numbers) {
        for (const float f : numbers) bytes.append(reinterpret_cast<const char*>(&f), 4);
    };
    put({-2, 0, 2, 2, 0, 2, 2, 0, -2, -2, 0, -2});
    for (int i = 0; i < 4; ++i) put({0, 1, 0});
    put({0, 1, 1, 1, 1, 0, 0, 0});
    for (const std::uint16_t i : {0, 1, 2, 0, 2, 3}) bytes.append(reinterpret_cast<const char*>(&i), 2);
    std::string hex;
    static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (size_t k = 0; k < 3; ++k)
            word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (int k = 3; k >= 0; --k) hex.push_back(digits[word >> (6 * k) & 63]);
    }
    return "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_materials_anisotropy\"],\"scene\":0,\"scenes\":[{"
           "\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
           "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1" +
           std::string(uvs ? ",\"TEXCOORD_0\":2" : "") + "},\"indices\":3,\"material\":0}]}],\"materials\":[{" + material +
           "}],\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"brush.png\"}],\"buffers\":[{\"byteLength\":140,\"uri\":"
           "\"data:;base64," +
           hex +
           "\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,"
           "\"byteLength\":48},{\"buffer\":0,\"byteOffset\":96,"
           "\"byteLength\":32},{\"buffer\":0,\"byteOffset\":128,\"byteLength\":12}],\"accessors\":[{\"bufferView\":0,"
           "\"componentType\":5126,\"count\":4,\"type\":"
           "\"VEC3\"},{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":2,"
           "\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"},{"
           "\"bufferView\":3,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}]}";
}
std::string extension(const std::string& content) {
    return "\"extensions\":{\"KHR_materials_anisotropy\":{" + content + "}}";
}

class BrushedGltf : public testing::Test {
  protected:
    TemporaryFolder folder;
    BrushedGltf() {
        write_file(folder / "brush.png", record::png(1, 1, 3, std::vector<std::uint8_t>{coded(40)[0], coded(40)[1], 128}));
    }
    Vec3 grain_of(const std::string& material, const std::string& key = "") {
        write_file(folder / "ground.gltf", brushed_gltf(material));
        return ground_grain(ball_on("mesh = \"ground.gltf\"", key), folder.path());
    }
    std::string message_of(const std::string& material, bool uvs = true) {
        write_file(folder / "ground.gltf", brushed_gltf(material, uvs));
        return record::message_of([&] { parse(ball_on("mesh = \"ground.gltf\"", ""), folder / "test.toml", {}); });
    }
};

TEST_F(BrushedGltf, IsGrainAcrossItsDirection) {
    EXPECT_EQ(grain_of("\"name\":\"plain\""), Vec3{});
    EXPECT_EQ(grain_of(extension("\"anisotropyRotation\":0.5")), Vec3{});  // strength 0 by default
    const Vec3 plain = grain_of(extension("\"anisotropyStrength\":0.6,\"anisotropyRotation\":0.5"));
    EXPECT_LT(apart_deg(plain, at(degrees(0.5) + 90)), 1e-4);
    EXPECT_NEAR(length(plain), 0.6, 1e-6);
    const Vec3 textured =
        grain_of(extension("\"anisotropyStrength\":0.6,\"anisotropyRotation\":0.5,\"anisotropyTexture\":{\"index\":0}"));
    EXPECT_LT(apart_deg(textured, at(40 + degrees(0.5) + 90)), 0.35);  // 8 bits
    EXPECT_NEAR(length(textured), 0.6 * 128 / 255, 1e-6);
    // The scene's grain takes precedence.
    EXPECT_LT(apart_deg(grain_of(extension("\"anisotropyStrength\":1"), "grain = [1, 0, 0]"), at(0)), 1e-6);
}

TEST_F(BrushedGltf, ThatCannotBeUsedGetsAMessage) {
    EXPECT_SAYS(message_of(extension("\"anisotropyStrength\":1,\"anisotropyTexture\":{\"index\":0}"), false),
                "needs texture coordinates");
    EXPECT_SAYS(message_of(extension("\"anisotropyStrength\":1,\"anisotropyTexture\":{\"index\":7}")),
                "number 7 of its textures");
    EXPECT_SAYS(message_of(extension("\"anisotropyStrength\":1,\"anisotropyTexture\":{\"index\":0,\"texCoord\":1}")),
                "TEXCOORD_0");
    EXPECT_SAYS(message_of(extension("\"anisotropyStrength\":3")), "anisotropyStrength = 3");
    EXPECT_SAYS(message_of(extension("\"anisotropyStrength\":\"much\"")), "not as glTF should be");
    write_file(folder / "brush.png", "\x89PNG\r\n\x1a\n");
    EXPECT_SAYS(message_of(extension("\"anisotropyStrength\":1,\"anisotropyTexture\":{\"index\":0}")),
                "not a picture that can be read");
}

/// Writes the scene's body to motion.glb, as a run does. Reads that file as a mesh and compares the grain at surface points.
void expect_round_trip(const std::string& shape, const std::string& grain, const std::vector<std::pair<Vec3, Vec3>>& points,
                       const TemporaryFolder& folder) {
    const std::string body = "[[body]]\nname = \"thing\"\nfixed = true\nshape = { " + shape + " }\n" + grain;
    const Scene before = parse("[world]\ndefault = { mu = 1 }\n" + body, folder / "before.toml", {});
    record::Recording recording = start_recording(before);
    record_frame(recording, before.world, false);
    record::save_glb(recording, folder / "motion.glb");
    const Scene after =
        parse("[world]\ndefault = { mu = 1 }\n[[body]]\nname = \"thing\"\nfixed = true\nshape = { mesh = \"motion.glb\" }\n",
              folder / "after.toml", {});
    ASSERT_TRUE(after.world.model.grain_of(0)) << shape << grain;
    for (const auto& [p, n] : points) {
        const auto place = [&](const Scene& s) {
            return surface::SurfaceLocation{s.world.model.bodies.colliders[0].shape, {}, p, n};
        };
        const surface::GrainAt a = surface::grain_at(*before.world.model.grain_of(0), place(before)),
                               b = surface::grain_at(*after.world.model.grain_of(0), place(after));
        const auto tangential = [&, n = n](const Vec3& v) { return v - dot(v, n) * n; };
        EXPECT_LT(apart_deg(tangential(a.direction), tangential(b.direction)), 1)
            << shape << " " << grain << " at " << p.x << " " << p.y << " " << p.z;
        EXPECT_NEAR(a.strength, b.strength, 0.02);
    }
}

TEST(GrainRoundTrip, ThroughOurExportKeepsTheGrainToADegree) {
    TemporaryFolder folder;
    const surface::GrainTexture wave =
        surface::grain_from_function(128, 128, [](double u, double v) { return std::sin(2 * pi * u) + 3 * v; });
    write_file(folder / "wave.png", record::png(128, 128, 4, surface::encode_grain(wave, surface::GrainEncoding::Along)));
    write_file(folder / "sheet.obj",
               "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 2 0\nvt 2 2\nvt 0 2\nf 1/1 2/2 3/3 4/4\n");
    const Vec3 up{0, 0, 1};
    std::vector<std::pair<Vec3, Vec3>> flat, round;
    Random random(2);
    for (int i = 0; i < 50; ++i) {
        flat.push_back({{random.uniform(-0.95, 0.95), random.uniform(-0.95, 0.95), 0}, up});
        const double longitude = random.uniform(0, 2 * pi), z = random.uniform(-0.8, 0.8);
        const Vec3 n{std::sqrt(1 - z * z) * std::cos(longitude), std::sqrt(1 - z * z) * std::sin(longitude), z};
        round.push_back({n, n});
    }
    expect_round_trip("mesh = \"sheet.obj\"", "grain_field = { texture = \"wave.png\" }", flat, folder);
    expect_round_trip("mesh = \"sheet.obj\"", "grain_field = { texture = \"wave.png\", tiles_per_face = \"1/3\" }", flat,
                      folder);
    std::vector<Vec2> faint;  // strength is restored too
    for (int y = 0; y < 128; ++y)
        for (int x = 0; x < 128; ++x) faint.push_back((0.3 + 0.5 * y / 128) * wave.texel(x, y));
    write_file(folder / "faint.png",
               record::png(128, 128, 4,
                           surface::encode_grain(surface::GrainTexture(128, 128, faint), surface::GrainEncoding::Along)));
    expect_round_trip("mesh = \"sheet.obj\"", "grain_field = { texture = \"faint.png\", tiles_per_face = \"1/3\" }", flat,
                      folder);
    expect_round_trip("half_space = true", "grain = [1, 2, 0]", flat, folder);
    expect_round_trip("half_space = true", "grain_field = { angle = \"30*sin(2*pi*y/3)\" }", flat, folder);
    expect_round_trip("sphere = 1", "grain_field = { kind = \"helical\", angle_deg = 30 }", round, folder);
    for (auto& [p, n] : flat) p.z = 0.25;
    expect_round_trip("box = [2, 2, 0.5]", "grain = [3, 1, 0]", flat, folder);
}

// ---- while running ----

TEST(GrainEditing, TakesEffectInTheNextStep) {
    Scene s = read(ball_on(kPlane, "grain = [1, 0, 0]"));
    const auto t_after_a_step = [&] {
        sim::step(s.world, 1e-4);
        return s.world.state.active.contacts.at(0).t;
    };
    EXPECT_LT(apart_deg(t_after_a_step(), at(0)), 1e-6);
    s.world.set_grain(s.world.find_body("ground"), surface::ConstantGrain{at(50)});
    EXPECT_LT(apart_deg(t_after_a_step(), at(50)), 1e-6);
    // Grain of a material, used by bodies without their own grain.
    Scene m = read("[material.default]\ngrain = [1, 0, 0]\n" + ball_on(kPlane, ""));
    sim::step(m.world, 1e-4);
    m.world.set_grain(MaterialId{0}, surface::AxisGrain{{}, {0, 0, 1}, 0, 0, 1});
    m.world.set_grain(m.world.find_body("ball"), surface::ConstantGrain{at(20)});
    sim::step(m.world, 1e-4);
    EXPECT_LT(apart_deg(m.world.state.active.contacts.at(0).t, at(20)), 1e-6);
    EXPECT_THROW(m.world.set_grain(MaterialId{7}, surface::ConstantGrain{}), InputError);
    EXPECT_THROW(m.world.set_grain(BodyId{9}, surface::ConstantGrain{}), InputError);
}

// A block sleeps across the grain. When the grain turns downhill, the block wakes and slides.
TEST(GrainEditing, WakesWhoSleepsOnIt) {
    Scene s = read(R"toml(
[step]
sleep_speed = 0.01
sleep_time = 0.1
[world]
default = { law = "matchstick", mu = 0.5, mu_along = 0.1, mu_across = 0.9 }
[[body]]
name = "slope"
shape = { half_space = true }
fixed = true
pitch_deg = 20
grain = [0, 1, 0]
[[body]]
name = "block"
shape = { box = [0.4, 0.4, 0.1] }
on = "slope"
)toml");
    for (int i = 0; i < 50; ++i) sim::step(s.world, 0.01);
    const auto block = static_cast<size_t>(s.world.find_body("block").index);
    ASSERT_GE(s.world.state.bodies.island[block], 0);  // asleep
    s.world.set_grain(s.world.find_body("slope"), surface::ConstantGrain{{1, 0, 0}});
    for (int i = 0; i < 50; ++i) sim::step(s.world, 0.01);
    EXPECT_NEAR(length(s.world.state.bodies.velocity[block]),
                0.5 * 9.81 * (std::sin(radians(20)) - 0.1 * std::cos(radians(20))), 1e-6);
}

}  // namespace
}  // namespace asperity::scene

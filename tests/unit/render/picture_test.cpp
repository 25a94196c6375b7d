// Looks of materials, picture files, and reproducible bytes.
#include <gtest/gtest.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/surface/make_slopes.h"
#include "stage.h"

namespace asperity::render {
namespace {

Image plain_image(int width, int height, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i) image.rgb.insert(image.rgb.end(), {r, g, b});
    return image;
}

// A box of half width 1 whose front (-y) side fills the middle of a square picture.
const record::View front{{0, -8, 0}, {0, 0, 0}, 20};

Stage front_of_box(const surface::Appearance& appearance) {
    Stage stage;
    stage.body(geometry::Box{{1, 1, 1}}, stage.material(appearance), {});
    stage.frame();
    return stage;
}

Float3 mean_around(const std::vector<Float3>& light, int width, int x, int y) {
    Float3 sum;
    for (int v = y - 2; v <= y + 2; ++v)
        for (int u = x - 2; u <= x + 2; ++u) sum += light[static_cast<std::size_t>(v * width + u)];
    return sum / 25;
}

TEST(Texture, StandsUprightOnTheSideOfABox) {
    const Folder folder;
    // Upper left red, upper right green, lower left blue, lower right white.
    Image quarters = plain_image(64, 64, 255, 255, 255);
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x) {
            std::uint8_t* p = &quarters.rgb[static_cast<std::size_t>(3 * (y * 64 + x))];
            p[0] = (y < 32 && x < 32) || (y >= 32 && x >= 32) ? 255 : 0;
            p[1] = x >= 32 ? 255 : 0;
            p[2] = y >= 32 ? 255 : 0;
        }
    }
    save_png(quarters, folder / "quarters.png");
    const Stage stage = front_of_box({.roughness = 1, .texture = (folder / "quarters.png").string()});
    const std::vector<Float3> light = Renderer(stage.recording, small(64, 64, 16, front)).radiance(0);
    const Float3 upper_left = mean_around(light, 64, 22, 22), upper_right = mean_around(light, 64, 42, 22);
    const Float3 lower_left = mean_around(light, 64, 22, 42), lower_right = mean_around(light, 64, 42, 42);
    // Pure colours are much brighter than the four percent that any surface reflects.
    EXPECT_GT(upper_left.x, 3 * upper_left.y);
    EXPECT_GT(upper_left.x, 3 * upper_left.z);
    EXPECT_GT(upper_right.y, 3 * upper_right.x);
    EXPECT_GT(upper_right.y, 3 * upper_right.z);
    EXPECT_GT(lower_left.z, 3 * lower_left.x);
    EXPECT_GT(lower_left.z, 3 * lower_left.y);
    EXPECT_LT(max_component(lower_right), 2 * lower_right.z);
}

TEST(Texture, TilesAsOftenAsItsSizeSays) {
    const Folder folder;
    Image halves = plain_image(64, 64, 0, 0, 0);  // left half white, right half black
    for (std::size_t i = 0; i < halves.rgb.size(); ++i) halves.rgb[i] = (i / 3) % 64 < 32 ? 255 : 0;
    save_png(halves, folder / "halves.png");
    const Stage stage = front_of_box({.roughness = 1, .texture = (folder / "halves.png").string(), .texture_size = 0.5});
    const std::vector<Float3> light = Renderer(stage.recording, small(64, 64, 16, front)).radiance(0);
    // The face spans about 40 pixels, so each of two tiles has 20: alternately 10 bright and 10 dark.
    const float bright = luminance(mean_around(light, 64, 17, 32)), dark = luminance(mean_around(light, 64, 27, 32));
    EXPECT_GT(bright, 3 * dark);
    EXPECT_NEAR(luminance(mean_around(light, 64, 37, 32)), bright, 0.3f * bright);
}

TEST(NormalMap, TurnsASurfaceTowardsOrAwayFromTheSun) {
    const auto brightness = [&](std::optional<double> slope) {
        Stage stage = front_of_box({.color = {0.5, 0.5, 0.5}, .roughness = 1});
        if (slope)
            stage.recording.bodies[0].slopes.push_back(
                {std::make_shared<surface::SlopeMap>(surface::ramp_slopes({4, 4}, {*slope, 0})), 0.3, {0.1, 0}});
        return luminance(mean_around(Renderer(stage.recording, small(32, 32, 16, front)).radiance(0), 32, 16, 16));
    };
    // Facets tilted by 30 degrees to the side. The sun is to the left of the viewer.
    const float none = brightness({});
    EXPECT_NEAR(brightness(0), none, 0.03f * none);
    EXPECT_GT(brightness(-0.577), 1.2f * none);
    EXPECT_LT(brightness(0.577), 0.9f * none);
}

// The front side of a pyramid, with its texture mirrored in v or not. If v grows downwards, a slope along v must tilt the
// facets the other way. Facets that face up are brighter.
TEST(NormalMap, IsReadTheRightWayRoundOnMirroredTextures) {
    const auto brightness = [&](bool mirrored, double slope) {
        geometry::MeshData wall;
        wall.positions = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 1, 0}};
        wall.triangles = {0, 1, 2, 0, 2, 3, 1, 4, 2, 2, 4, 3, 3, 4, 0, 0, 4, 1};
        for (const std::uint32_t v : wall.triangles) {
            const Vec3& p = wall.positions[v];
            wall.uvs.push_back({0.5 + 0.5 * p.x, 0.5 + (mirrored ? -0.5 : 0.5) * p.z});
        }
        Stage stage;
        stage.body(geometry::make_mesh(wall), stage.material({.color = {0.5, 0.5, 0.5}, .roughness = 1}), {});
        stage.frame();
        stage.recording.bodies[0].slopes.push_back(
            {std::make_shared<surface::SlopeMap>(surface::ramp_slopes({4, 4}, {0, slope})), 1, {}});
        return luminance(mean_around(Renderer(stage.recording, small(32, 32, 16, front)).radiance(0), 32, 16, 16));
    };
    const float up = brightness(false, 0.8), down = brightness(false, -0.8);
    EXPECT_GT(up, 1.2f * down);
    EXPECT_NEAR(brightness(true, -0.8), up, 0.02f * up);  // v grows downwards, so -v faces up
    EXPECT_NEAR(brightness(true, 0.8), down, 0.02f * down);
}

TEST(Palette, GivesBodiesWithoutAColourDifferentOnes) {
    Stage stage;
    const int grey = stage.material({});
    stage.body(geometry::Box{{0.5, 0.5, 0.5}}, grey, {{-1, 0, 0}, {}});
    stage.body(geometry::Box{{0.5, 0.5, 0.5}}, grey, {{1, 0, 0}, {}});
    stage.frame();
    const std::vector<Float3> light = Renderer(stage.recording, small(64, 32, 8, {{0, -8, 0}, {0, 0, 0}, 20})).radiance(0);
    const Float3 a = mean_around(light, 64, 20, 16), b = mean_around(light, 64, 44, 16);
    EXPECT_GT(std::fabs(a.x / luminance(a) - b.x / luminance(b)), 0.2f);
}

Stage busy_stage() {
    Stage stage;
    const int ground = stage.material({.color = {0.7, 0.7, 0.7}, .checker = true}), grey = stage.material({});
    const int metal = stage.material({.color = {0.9, 0.7, 0.4}, .roughness = 0.2, .metallic = 1});
    stage.body(geometry::HalfSpace{}, ground, {}, rigid::Motion::Fixed);
    stage.body(geometry::Box{{0.3, 0.4, 0.5}}, grey, {{0, 0, 0.5}, rotation({0, 0, 0.4})});
    stage.body(geometry::Sphere{0.4}, metal, {{0.9, -0.4, 0.4}, {}});
    stage.body(geometry::Capsule{0.2, 0.3}, grey, {{-0.8, 0.1, 0.2}, rotation({1.5707963, 0, 0})});
    stage.body(geometry::Cylinder{0.2, 0.3}, grey, {{0.2, -0.9, 0.3}, {}});
    stage.recording.links.push_back({1, 2, {0, 0, 0.5}, {0, 0, 0.4}});
    for (int i = 0; i < 2; ++i) {
        record::Frame& frame = stage.frame(0.1 * i);
        frame.poses[2].position.x += 0.6 * i;
        frame.contacts.push_back({0, 1, {0, 0, 0}, {0, 0, 1}, {1, 0, 9}, {1, 0, 0}, 0.5, 0.3});
    }
    return stage;
}

TEST(Renderer, GivesTheSameBytesOnOneAndOnTwoThreads) {
    const Stage stage = busy_stage();
    Options options;
    options.width = 97, options.height = 61, options.samples = 16;
    options.forces = options.trails = options.cones = true;
    set_thread_count(1);
    const Image one = Renderer(stage.recording, options).frame(1);
    set_thread_count(2);
    const Image two = Renderer(stage.recording, options).frame(1);
    set_thread_count(1);
    EXPECT_EQ(one, two);
    options.seed = 2;
    EXPECT_NE(one, Renderer(stage.recording, options).frame(1));
}

TEST(Renderer, DrawsAFrameTheSameWhateverItDrewBefore) {
    const Stage stage = busy_stage();
    Options options;
    options.width = 64, options.height = 36, options.samples = 8;
    Renderer renderer(stage.recording, options);
    const Image first = renderer.frame(0), second = renderer.frame(1);
    EXPECT_NE(first, second);
    EXPECT_EQ(renderer.frame(0), first);
}

TEST(Renderer, DrawsForcesTrailsAndConesOnlyWhenAsked) {
    const Stage stage = busy_stage();
    Options options;
    options.width = 64, options.height = 36, options.samples = 8;
    const Image plain = Renderer(stage.recording, options).frame(1);
    for (bool Options::*wish : {&Options::forces, &Options::trails, &Options::cones}) {
        Options more = options;
        more.*wish = true;
        EXPECT_NE(Renderer(stage.recording, more).frame(1), plain);
    }
}

TEST(Renderer, SaysWhatIsWrongWithItsInput) {
    Stage stage = busy_stage();
    const auto message = [&](const Options& options) -> std::string {
        try {
            Renderer(stage.recording, options).frame(0);
        } catch (const InputError& error) { return error.what(); }
        return "";
    };
    Options options;
    options.width = 16, options.height = 16, options.samples = 1;
    EXPECT_EQ(message(options), "");
    Options wrong = options;
    wrong.samples = 0;
    EXPECT_NE(message(wrong).find("samples"), std::string::npos);
    wrong = options;
    wrong.view = record::View{{1, 1, 1}, {1, 1, 1}, 30};
    EXPECT_NE(message(wrong).find("eye"), std::string::npos);
    stage.recording.materials[1].appearance.texture = "/no/such/texture.png";
    EXPECT_NE(message(options).find("/no/such/texture.png"), std::string::npos);
    stage.recording.frames.clear();
    EXPECT_NE(message(options).find("no frames"), std::string::npos);
    EXPECT_THROW(Renderer(busy_stage().recording, options).frame(2), InputError);
}

TEST(Renderer, LeavesOutABodyWhosePoseIsNotANumber) {
    Stage stage = busy_stage();
    stage.recording.frames[0].poses[1].position.x = std::nan("");
    Options options;
    options.width = 32, options.height = 18, options.samples = 4;
    for (const Float3& c : Renderer(stage.recording, options).radiance(0)) EXPECT_TRUE(std::isfinite(luminance(c)));
}

TEST(Png, ComesBackAsItWasWritten) {
    const Folder folder;
    Image image{17, 9, {}};
    for (int i = 0; i < 17 * 9 * 3; ++i) image.rgb.push_back(static_cast<std::uint8_t>(i * 37 % 256));
    save_png(image, folder / "a.png");
    EXPECT_EQ(load_image(folder / "a.png"), image);
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(Png, LeavesNothingWhereItCannotBeWritten) {
    const Folder folder;
    EXPECT_THROW(save_png({2, 2, std::vector<std::uint8_t>(12)}, folder / "missing/a.png"), InputError);
    EXPECT_EQ(folder.file_count(), 0);
    write_file(folder / "text.png", "this is no picture");
    EXPECT_THROW(load_image(folder / "text.png"), InputError);
}

}  // namespace
}  // namespace asperity::render

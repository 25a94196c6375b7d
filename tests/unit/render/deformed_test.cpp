// Deformable bodies in pictures: they are where their nodes are, with their look or the colours of a field.
#include <gtest/gtest.h>

#include "asperity/core/error.h"
#include "render/color_bar.h"
#include "render/color_map.h"
#include "stage.h"
#include "tests/unit/record/deformable_sample.h"

namespace asperity::render {
namespace {

/// A deformable cube of edge 1 whose lower front left corner is the origin: 5 tetrahedra. Frame k is moved by `steps[k]`.
record::Recording cube(const std::vector<Vec3>& steps) {
    record::DeformableMesh mesh;
    for (int i = 0; i < 8; ++i) mesh.rest.push_back({i & 1 ? 1.0 : 0, i & 2 ? 1.0 : 0, i & 4 ? 1.0 : 0});
    mesh.elements = {{0, 1, 2, 4}, {1, 3, 2, 7}, {1, 5, 7, 4}, {2, 7, 6, 4}, {1, 2, 4, 7}};
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 7}, {4, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 7, 3}, {2, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 7}, {1, 7, 5}};
    record::Recording r;
    r.materials.resize(1);
    r.materials[0].appearance.color = {0.8, 0.05, 0.05};
    r.materials[0].appearance.roughness = 1;
    r.bodies.push_back({"cube", rigid::Motion::Dynamic, {{geometry::Sphere{0.2}, {}, MaterialId{0}}}, {}, {}});
    r.bodies[0].deformable = std::make_shared<record::DeformableMesh>(mesh);
    for (const Vec3& step : steps) {
        record::Frame frame;
        frame.time = static_cast<double>(r.frames.size());
        frame.poses.resize(1);
        record::Deformation now{0, mesh.rest, {}, {}};
        for (Vec3& p : now.positions) p += step;
        frame.deformations = {now};
        r.frames.push_back(frame);
    }
    return r;
}

// From the front; a metre is 20 of 80 pixels, and the origin is in the middle.
const record::View front{{0, -20, 0}, {0, 0, 0}, degrees(2 * std::atan(0.1))};

class Picture {
  public:
    Picture(const record::Recording& recording, std::size_t frame, const std::optional<ColorScale>& color_by = {},
            bool color_bar = false) {
        Options options = small(80, 80, 8, front);
        options.color_by = color_by;
        options.color_bar = color_bar;
        image_ = Renderer(recording, options).frame(frame);
    }
    /// The colour at a point of the plane y = 0, sRGB.
    Vec3 at(double x, double z) const {
        const auto column = static_cast<int>(40 + 20 * x), row = static_cast<int>(40 - 20 * z);
        const std::size_t p = 3 * static_cast<std::size_t>(row * 80 + column);
        return {image_.rgb[p] / 255.0, image_.rgb[p + 1] / 255.0, image_.rgb[p + 2] / 255.0};
    }
    bool is_red(double x, double z) const { return at(x, z).x > 2 * at(x, z).y; }
    const Image& image() const { return image_; }

  private:
    Image image_;
};

TEST(Deformed, IsDrawnWhereItsNodesAre) {
    record::Recording r = cube({{0, 0, 0}, {-1.5, 0, 0.5}, {0, 0, 0}});
    for (const std::size_t upper : {4u, 5u, 6u, 7u}) r.frames[2].deformations[0].positions[upper].x += 0.8;  // sheared
    r.frames[2].poses[0].position = {50, 0, 0};  // does not matter
    const Picture rest(r, 0), moved(r, 1), sheared(r, 2);
    for (const double s : {0.1, 0.5, 0.9}) {
        EXPECT_TRUE(rest.is_red(s, 0.5) && rest.is_red(0.5, s)) << s;
        EXPECT_TRUE(moved.is_red(s - 1.5, 1) && moved.is_red(-1, s + 0.5)) << s;
        EXPECT_TRUE(sheared.is_red(s + 0.8 * 0.5, 0.5) && sheared.is_red(0.5 + 0.8 * s, s)) << s;
    }
    EXPECT_FALSE(rest.is_red(-0.1, 0.5) || rest.is_red(1.1, 0.5) || rest.is_red(0.5, 1.1) || rest.is_red(0.5, -0.1));
    EXPECT_FALSE(moved.is_red(0.5, 0.5) || moved.is_red(-0.4, 1));
    EXPECT_FALSE(sheared.is_red(0.1, 0.9) || sheared.is_red(1.2, 0.1));
}

TEST(Deformed, LooksLikeARigidBodyOfTheSameShape) {
    record::Recording soft = cube({{-0.5, 0, -0.5}}), rigid = soft;
    rigid.bodies[0].deformable = nullptr;
    rigid.bodies[0].colliders[0].shape = geometry::Box{{0.5, 0.5, 0.5}};
    rigid.frames[0].deformations.clear();
    rigid.frames[0].poses[0].position = {0, 0.5, 0};
    const Picture a(soft, 0), b(rigid, 0);
    // One step of 255 is noise of the samples; triangles and tree differ, so rays differ by roundings.
    for (const double x : {-0.4, 0.0, 0.4})
        for (const double z : {-0.4, 0.1, 0.4}) EXPECT_LT(length(a.at(x, z) - b.at(x, z)), 0.02) << x << " " << z;
}

TEST(Deformed, CastsAShadow) {
    record::Recording r = cube({{0, 0, 5}, {0, 0, 0.2}});  // above the picture, so that only its shadow changes
    r.bodies.push_back({"floor", rigid::Motion::Fixed, {{geometry::HalfSpace{}, {}, MaterialId{0}}}, {}, {}});
    for (record::Frame& frame : r.frames) frame.poses.resize(2);
    const record::View above{{0.5, 0.5, 12}, {0.5, 0.5, 0}, 30};
    const auto darkest = [&](std::size_t frame) {
        double least = 1e9;
        const std::vector<Float3> light = Renderer(r, small(48, 48, 8, above)).radiance(frame);
        for (const Float3& c : light) least = std::fmin(least, static_cast<double>(luminance(c)));
        return least;
    };
    EXPECT_LT(darkest(1), 0.7 * darkest(0));
}

TEST(Deformed, IsLeftOutWhereItDivergedAndComesBack) {
    record::Recording r = cube({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
    r.frames[1].deformations[0].positions[3].y = std::nan("");
    Renderer renderer(r, small(80, 80, 8, front));
    const Image before = renderer.frame(0), without = renderer.frame(1), after = renderer.frame(2);
    EXPECT_TRUE(before == after);
    EXPECT_FALSE(before == without);
    const std::size_t middle = 3 * (30 * 80 + 50);  // x = z = 0.5
    EXPECT_GT(before.rgb[middle], 2 * before.rgb[middle + 1]);
    EXPECT_LT(without.rgb[middle], 2 * without.rgb[middle + 1]);
}

TEST(Deformed, OfThePlaneIsDrawnWithItsDepth) {
    record::Recording r = cube({{0, 0, 0}});
    r.bodies[0].deformable = std::make_shared<record::DeformableMesh>(record::square_of_the_plane(0.5));
    r.frames[0].deformations[0].positions = r.bodies[0].deformable->rest;
    EXPECT_TRUE(Picture(r, 0).is_red(0.5, 0.5));
    const record::View side{{20, 0, 0.5}, {0, 0, 0.5}, degrees(2 * std::atan(0.1))};  // y to the right
    const Image image = Renderer(r, small(80, 80, 8, side)).frame(0);
    const auto red = [&](double y) {
        const std::size_t p = 3 * static_cast<std::size_t>(40 * 80 + static_cast<int>(40 + 20 * y * 20 / 19));
        return image.rgb[p] > 2 * image.rgb[p + 1];
    };
    EXPECT_TRUE(red(-0.18) && red(0) && red(0.18));
    EXPECT_FALSE(red(-0.32) || red(0.32));
}

// A checker lies on the rest shape, so stretching the body stretches its squares.
TEST(Deformed, CarriesItsCheckerWithIt) {
    record::Recording r = cube({{-1, 0, 0}, {-1, 0, 0}});
    r.materials[0].appearance.checker = true;
    r.materials[0].appearance.texture_size = 0.5;
    for (const std::size_t right : {1u, 3u, 5u, 7u}) r.frames[1].deformations[0].positions[right].x += 1;
    const Picture rest(r, 0), wide(r, 1);
    const auto differ = [](const Vec3& a, const Vec3& b) { return std::fabs(a.x - b.x) > 0.05; };
    EXPECT_TRUE(differ(rest.at(-0.75, 0.75), rest.at(-0.25, 0.75)));
    EXPECT_TRUE(differ(rest.at(-0.75, 0.75), rest.at(-0.75, 0.25)));
    EXPECT_FALSE(differ(wide.at(-0.75, 0.75), wide.at(-0.25, 0.75))) << "one square is now a metre wide";
    EXPECT_TRUE(differ(wide.at(-0.5, 0.75), wide.at(0.5, 0.75)));
}

TEST(ColorBy, ShowsTheFieldAndItsLegend) {
    record::Recording r = cube({{-0.5, 0, -0.5}, {-0.5, 0, -0.5}});
    r.bodies.push_back({"ball", rigid::Motion::Dynamic, {{geometry::Sphere{0.3}, {}, MaterialId{0}}}, {}, {}});
    for (record::Frame& frame : r.frames) frame.poses = {{}, {{-1.2, 0, -1}, {}}};
    // Displacement 0 at the left side and 0.2 m, into the depth, at the right side.
    r.bodies[0].deformable = [&] {
        record::DeformableMesh mesh = *r.bodies[0].deformable;
        mesh.rest = r.frames[0].deformations[0].positions;
        return std::make_shared<record::DeformableMesh>(mesh);
    }();
    for (const std::size_t right : {1u, 3u, 5u, 7u}) r.frames[1].deformations[0].positions[right].y += 0.2;
    const ColorScale scale{Quantity::Displacement, 0, 0.2};
    const Picture still(r, 0, scale), bent(r, 1, scale);
    const Vec3 low = bent.at(-0.4, 0), high = bent.at(0.4, 0);
    EXPECT_GT(high.x, high.z * 1.5) << "yellow";
    EXPECT_GT(low.z, low.x * 1.2) << "violet";
    EXPECT_LT(length(still.at(0.4, 0) - still.at(-0.4, 0)), 0.05) << "nothing has moved";
    EXPECT_GT(still.at(0.4, 0).z, still.at(0.4, 0).x * 1.2);
    EXPECT_TRUE(bent.is_red(-1.2, -1)) << "rigid bodies keep their look";
    const ColorBar bar(scale, 80, 80);
    const Picture with_bar(r, 1, scale, true);
    int changed = 0;
    for (int y = bar.panel_top; y < bar.panel_bottom; ++y)
        for (int x = bar.panel_left; x < bar.panel_right; ++x) {
            const std::size_t p = 3 * static_cast<std::size_t>(y * 80 + x);
            changed += std::abs(with_bar.image().rgb[p] - bent.image().rgb[p]) > 2;
        }
    EXPECT_GT(changed, (bar.panel_bottom - bar.panel_top) * (bar.panel_right - bar.panel_left) / 2);
}

TEST(ColorBy, AFilmStripHasOneLegend) {
    const record::Recording r = cube({{0, 0, 0}, {0.1, 0, 0}});
    Options options = small(200, 60, 1, front);
    options.color_by = ColorScale{Quantity::Displacement, 0, 1};
    Options without = options;
    without.color_bar = false;
    const Image with_bar = film_strip(r, options, 2), bare = film_strip(r, without, 2);
    const ColorBar bar(*options.color_by, 200, 60);
    for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 200; ++x) {
            const std::size_t p = 3 * static_cast<std::size_t>(y * 200 + x);
            const bool inside = x >= bar.panel_left && x < bar.panel_right && y >= bar.panel_top && y < bar.panel_bottom;
            if (!inside) { ASSERT_EQ(with_bar.rgb[p], bare.rgb[p]) << x << " " << y; }
        }
    EXPECT_FALSE(with_bar == bare);
}

TEST(ColorBy, FindsTheRangeOfTheWholeFilm) {
    std::vector<Vec3> steps;
    for (int i = 0; i <= 100; ++i) steps.push_back({0.01 * i, 0, 0});
    record::Recording r = cube(steps);
    r.frames[50].deformations[0].positions[0] = {1e6, 0, 0};  // one node of 808
    r.frames[60].deformations[0].positions[0].x = std::nan("");
    const ColorScale scale = automatic_scale(r, Quantity::Displacement);
    EXPECT_NEAR(scale.low, 0.01, 0.0101);
    EXPECT_NEAR(scale.high, 0.99, 0.0101);
    const auto message = [&](const record::Recording& from, Quantity quantity) -> std::string {
        try {
            automatic_scale(from, quantity);
        } catch (const InputError& error) { return error.what(); }
        return "";
    };
    EXPECT_NE(message(r, Quantity::Pressure).find("no recorded pressure"), std::string::npos);
    for (record::Frame& frame : r.frames) frame.deformations[0].pressure.assign(5, 7000.0f);
    const ColorScale even = automatic_scale(r, Quantity::Pressure);
    EXPECT_NEAR(even.low, 7000, 1e-8);  // a weighted mean of equal numbers: roundings
    EXPECT_GT(even.high, even.low);
    record::Recording rigid;
    rigid.frames.emplace_back();
    EXPECT_NE(message(rigid, Quantity::Displacement).find("deformable"), std::string::npos);
}

TEST(ColorBy, RefusesDeformationsThatDoNotFit) {
    record::Recording r = cube({{0, 0, 0}});
    r.frames[0].deformations[0].positions.pop_back();
    EXPECT_THROW(Renderer(r, small(8, 8, 1, front)), InputError);
    r.frames[0].deformations.clear();
    EXPECT_THROW(Renderer(r, small(8, 8, 1, front)), InputError);
    Options options = small(8, 8, 1, front);
    options.color_by = ColorScale{Quantity::Displacement, 1, 1};
    EXPECT_THROW(Renderer(cube({{0, 0, 0}}), options), InputError);
}

}  // namespace
}  // namespace asperity::render

// shape = { height_field = ... }: sources of heights, and refused values.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "asperity/geometry/mesh/height_field.h"
#include "tests/unit/scene/scenes.h"

namespace asperity::scene {
namespace {

std::string body(const std::string& table, const std::string& more = "fixed = true") {
    return "[[body]]\nname = \"hill\"\nshape = { height_field = { " + table + " } }\n" + more + "\n";
}
const geometry::TriangleSet& set_of(const Scene& scene) {
    return *std::get<geometry::Mesh>(scene.world.model.bodies.colliders[0].shape).triangles;
}
void expect_complaint(const std::string& table, const std::string& words, const std::string& more = "fixed = true") {
    const std::string message = complaint(body(table, more));
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_NE(message.find("test.toml:"), std::string::npos) << message;
}

TEST(SceneHeightField, FollowsItsFormula) {
    const Scene scene =
        read("params = { a = 0.5 }\n" + body("heights = \"a*x^2 + y\", size = [2, 4], cells = [10, 20], scale = 2"));
    EXPECT_EQ(set_of(scene).report.triangles, 400);
    for (const Vec3& p : set_of(scene).positions) EXPECT_NEAR(p.z, 2 * (0.5 * p.x * p.x + p.y), 1e-15);
    ASSERT_EQ(scene.notes.size(), 1U);
    EXPECT_EQ(scene.notes[0], "height field: 10 x 20 cells of 0.2 x 0.2 m");
}

TEST(SceneHeightField, FollowsItsTable) {
    const Scene scene = read(body("heights = [[0, 1, \"2*3\"], [4, 5, 6]], size = [2, 1]"));
    ASSERT_EQ(set_of(scene).positions.size(), 6U);
    EXPECT_EQ(set_of(scene).positions[2], (Vec3{1, -0.5, 6}));
    EXPECT_EQ(set_of(scene).positions[3], (Vec3{-1, 0.5, 4}));
}

// A binary PGM of 3 x 2 pixels; the file starts with the top row.
TEST(SceneHeightField, FollowsItsPicture) {
    const std::string path = testing::TempDir() + "heights_" + std::to_string(::getpid()) + ".pgm";
    std::ofstream(path, std::ios::binary) << "P5\n3 2\n255\n" << '\xff' << '\0' << '\0' << '\0' << '\x33' << '\0';
    const std::string image = "image = \"" + path + "\", size = [2, 1], scale = 5";
    const Scene scene = read(body(image)), finer = read(body(image + ", cells = [4, 1]"));
    ASSERT_EQ(set_of(scene).positions.size(), 6U);
    EXPECT_NEAR(set_of(scene).positions[1].z, 1, 1e-12);  // 0x33 = 255 / 5
    EXPECT_NEAR(set_of(scene).positions[3].z, 5, 1e-12);  // top left
    EXPECT_EQ(set_of(scene).positions[3].y, 0.5);
    ASSERT_EQ(set_of(finer).positions.size(), 10U);
    EXPECT_NEAR(set_of(finer).positions[1].z, 0.5, 1e-12);  // halfway between two pixels
}

TEST(SceneHeightField, RefusesWhatItCannotUse) {
    expect_complaint("heights = \"1/x\", size = [1, 1], cells = [2, 2]",
                     "the formula gives no finite number at x = 0, y = -0.5");
    expect_complaint("heights = \"sqrt(x)\", size = [1, 1], cells = [2, 2]", "no finite number at x = -0.5");
    expect_complaint("heights = \"x + q\", size = [1, 1], cells = [2, 2]", "unknown name 'q'");
    expect_complaint("heights = \"x + t\", size = [1, 1], cells = [2, 2]", "'t' is the time");
    expect_complaint("heights = \"x +\", size = [1, 1], cells = [2, 2]", "heights");
    expect_complaint("heights = \"x\", size = [1, 1]", "needs cells");
    expect_complaint("heights = \"x\", size = [1, 1], cells = [0, 2]", "cells");
    expect_complaint("heights = \"x\", size = [1, 1], cells = [1.5, 2]", "whole numbers");
    expect_complaint("heights = \"x\", size = [1, 1], cells = [2000, 2000]", "use fewer cells");
    expect_complaint("heights = \"x\", cells = [2, 2]", "size");
    expect_complaint("heights = [[1, 2]], size = [1, 1]", "2 x 1 points; a surface needs 2 x 2");
    expect_complaint("heights = [], size = [1, 1]", "0 x 0 points");
    expect_complaint("heights = [[1, 2], [3]], size = [1, 1]", "this row has 1 heights, the first one 2");
    expect_complaint("heights = [[1, 2], [3, nan]], size = [1, 1]", "nan");
    expect_complaint("heights = [[1, 2], [3, 4]], size = [1, 1], cells = [1, 1]", "leave it out");
    expect_complaint("size = [1, 1], cells = [2, 2]", "needs either heights");
    expect_complaint("image = \"no_such.png\", size = [1, 1]", "no_such.png");
    expect_complaint("image = \"" ASPERITY_SOURCE_DIR "/README.md\", size = [1, 1]", "not a picture that can be read");
    expect_complaint("heights = \"x\", size = [1, 1], cells = [2, 2]",
                     "a height_field has no volume, so it cannot be dynamic", "");
}

}  // namespace
}  // namespace asperity::scene

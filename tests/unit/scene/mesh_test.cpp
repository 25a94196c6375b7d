// Bodies whose shape is a file.
#include <gtest/gtest.h>

#include "asperity/geometry/mesh.h"
#include "tests/unit/scene/scenes.h"

namespace asperity::scene {
namespace {

const std::string kAssets = std::string(ASPERITY_SOURCE_DIR "/assets/");

TEST(SceneMesh, IsReadOnceAndSharedAndLiesWhereItIsSetDown) {
    const Scene scene = read(kGround + "[[generate]]\nname = \"m\"\ncount = 3\n[generate.body]\nshape = { mesh = \"" +
                             kAssets + "suzanne.glb\", scale = 0.2 }\nposition = [\"i\", 0, 0]\non = \"ground\"\n");
    const rigid::Bodies& bodies = scene.world.bodies;
    const auto mesh = [&](int i) {
        return std::get<geometry::Mesh>(bodies.colliders[static_cast<std::size_t>(i)].shape).triangles;
    };
    EXPECT_EQ(mesh(1), mesh(2));
    EXPECT_EQ(mesh(1), mesh(3));
    ASSERT_EQ(scene.notes.size(), 1U);
    EXPECT_NE(scene.notes[0].find("suzanne.glb: 2012 vertices, 3936 triangles, solid; open: 84 boundary edges in 4 holes"),
              std::string::npos)
        << scene.notes[0];
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_NEAR(geometry::bounds(bodies.colliders[i].shape, bodies.pose[i] * bodies.colliders[i].local).low.z, 0, 1e-12);
}

TEST(SceneMesh, HullOfAFileIsConvex) {
    const Scene scene =
        read(kGround + "[[body]]\nname = \"m\"\nshape = { hull_of = \"" + kAssets + "suzanne.glb\", scale = 0.2 }\n");
    const auto& hull = std::get<geometry::Hull>(scene.world.bodies.colliders[1].shape);
    EXPECT_GT(hull.polyhedron->faces.size(), 50U);
    EXPECT_GT(scene.world.bodies.mass[1], 16);  // more than the 16.7 kg of the head itself
}

TEST(SceneMesh, SheetsCannotMoveAndOtherFilesAreRefused) {
    EXPECT_NE(complaint(kGround + "[[body]]\nname = \"m\"\nshape = { mesh = \"" + kAssets + "slope.obj\" }\n")
                  .find("a mesh has no volume"),
              std::string::npos);
    const std::string message =
        complaint(kGround + "[[body]]\nname = \"m\"\nshape = { mesh = \"" + kAssets + "README.md\" }\n");
    EXPECT_NE(message.find("test.toml:10:18: body.m.shape.mesh"), std::string::npos) << message;
    EXPECT_NE(message.find("meshes are read from .obj, .gltf and .glb"), std::string::npos) << message;
}

TEST(SceneMesh, BumpyBoxesAreMadeOnceAndRefusedWhereTheyCannotBe) {
    const auto body = [](const std::string& name, const std::string& table) { return "[[body]]\nname = \"" + name + "\"\nshape = { bumpy_box = { " + table + " } }\n"; };
    const std::string good = "size = [1, 2, 3], height = 0.05, bumps = 2, cells = 8";
    const Scene scene = read("world = { default = { mu = 1 } }\n" + body("a", good) + body("b", good));
    const auto& colliders = scene.world.bodies.colliders;
    const auto mesh = [&](size_t i) { return std::get<geometry::Mesh>(colliders[i].shape).triangles; };
    EXPECT_EQ(mesh(0), mesh(1));
    EXPECT_EQ(mesh(0)->report.triangles, 12 * 8 * 8);
    EXPECT_EQ(mesh(0)->report.boundary_edges, 0);
    EXPECT_NEAR(mesh(0)->box.high.z, 1.5, 1e-12);  // over the tips
    // The base, and per face 4 bumps of mean height 1/4: a grid of four cells per bump has that mean exactly.
    const double base = 0.9 * 1.9 * 2.9, faces = 2 * (0.9 * 1.9 + 1.9 * 2.9 + 2.9 * 0.9);
    EXPECT_NEAR(mesh(0)->integrals.volume, base + 0.05 * 0.25 * faces, 1e-12);
    EXPECT_NE(complaint(body("a", "size = [1, 1, 1], height = 0.3")).find("a quarter"), std::string::npos);
    EXPECT_NE(complaint(body("a", "size = [1, 1, 1], bumps = 8, cells = 8")).find("a bump needs 2 cells"), std::string::npos);
    EXPECT_NE(complaint(body("a", "size = [1, 1, 1], bumps = 1.5")).find("whole number"), std::string::npos);
}

}  // namespace
}  // namespace asperity::scene

// Bodies whose shape is a file.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace asperity::scene

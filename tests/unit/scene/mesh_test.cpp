// Bodies whose shape comes from a file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fmt/format.h>
#include <cmath>
#include <filesystem>

#include "asperity/core/files.h"
#include "asperity/geometry/mesh/mesh.h"
#include "tests/unit/scene/scenes.h"

namespace asperity::scene {
namespace {

const std::string kAssets = std::string(ASPERITY_SOURCE_DIR "/assets/");

TEST(SceneMesh, IsReadOnceAndSharedAndLiesWhereItIsSetDown) {
    const Scene scene = read(kGround + "[[generate]]\nname = \"m\"\ncount = 3\n[generate.body]\nshape = { mesh = \"" +
                             kAssets + "suzanne.glb\", scale = 0.2 }\nposition = [\"i\", 0, 0]\non = \"ground\"\n");
    const rigid::Bodies& bodies = scene.world.model.bodies;
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
        EXPECT_NEAR(
            geometry::bounds(bodies.colliders[i].shape, scene.world.state.bodies.pose[i] * bodies.colliders[i].local).low.z,
            0, 1e-12);
}

TEST(SceneMesh, HullOfAFileIsConvex) {
    const Scene scene =
        read(kGround + "[[body]]\nname = \"m\"\nshape = { hull_of = \"" + kAssets + "suzanne.glb\", scale = 0.2 }\n");
    const auto& hull = std::get<geometry::Hull>(scene.world.model.bodies.colliders[1].shape);
    EXPECT_GT(hull.polyhedron->faces.size(), 50U);
    EXPECT_GT(scene.world.model.bodies.mass[1], 16);  // more than the 16.7 kg of the head itself
}

TEST(SceneMesh, SheetsCannotMoveAndOtherFilesAreRefused) {
    // An explicit mass does not help; the message describes the mesh.
    for (const char* mass : {"", "mass = 2\n"}) {
        const std::string sheet =
            complaint(kGround + "[[body]]\nname = \"m\"\nshape = { mesh = \"" + kAssets + "slope.obj\" }\n" + mass);
        EXPECT_NE(
            sheet.find("a mesh has no volume, so it cannot be dynamic, whatever its mass; give it a thickness or close it"),
            std::string::npos)
            << sheet;
        EXPECT_NE(sheet.find("triangles, a sheet; open: "), std::string::npos) << sheet;
    }
    const std::string message =
        complaint(kGround + "[[body]]\nname = \"m\"\nshape = { mesh = \"" + kAssets + "README.md\" }\n");
    EXPECT_NE(message.find("test.toml:10:18: body.m.shape.mesh"), std::string::npos) << message;
    EXPECT_NE(message.find("meshes are read from .obj, .gltf and .glb"), std::string::npos) << message;
    const std::string folder = complaint(kGround + "[[body]]\nname = \"m\"\nshape = { mesh = \"" + kAssets + "\" }\n");
    EXPECT_NE(folder.find("test.toml:10:18: body.m.shape.mesh"), std::string::npos) << folder;
    EXPECT_NE(folder.find(kAssets + " is a folder; name a file in it"), std::string::npos) << folder;
}

// A bowl, open at the top, is a sheet. It may move, with the mass properties of a filled bowl.
TEST(SceneMesh, ABowlMovesAsIfItWereFull) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("asperity_bowl_" + std::to_string(::getpid()) + ".obj");
    write_file(file,
               "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
               "f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    const std::string body = kGround + "[[body]]\nname = \"m\"\nshape = { mesh = \"" + file.string() + "\" }\n";
    const Scene of_density = read(body), of_mass = read(body + "mass = 3\n");
    std::filesystem::remove(file);
    const std::size_t m = index_of(of_density, "m");
    EXPECT_FALSE(std::get<geometry::Mesh>(of_density.world.model.bodies.colliders[m].shape).triangles->solid());
    EXPECT_NEAR(of_density.world.model.bodies.mass[m], of_density.world.model.materials[0].density,
                1e-9);  // one cubic metre
    EXPECT_EQ(of_mass.world.model.bodies.mass[m], 3);
    EXPECT_NEAR(of_mass.world.model.bodies.inertia[m].r[0].x, 3.0 / 6, 1e-12);  // m a^2 / 6 for a cube
}

TEST(SceneMesh, ImpossibleBodiesSayWhatTheirMeshIsLike) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("asperity_odd_" + std::to_string(::getpid()) + ".obj");
    std::string text;
    for (int i = 0; i <= 24; ++i) {  // a Moebius strip
        const double t = 2 * 3.14159265358979 * i / 24, c = 0.3 * std::cos(t / 2), s = 0.3 * std::sin(t / 2);
        text += fmt::format("v {} {} {}\nv {} {} {}\n", (1 + c) * std::cos(t), (1 + c) * std::sin(t), s,
                            (1 - c) * std::cos(t), (1 - c) * std::sin(t), -s);
    }
    for (int i = 0; i < 24; ++i) text += fmt::format("f {} {} {} {}\n", 2 * i + 1, 2 * i + 2, 2 * i + 4, 2 * i + 3);
    write_file(file, text);
    const std::string message =
        complaint(kGround + "[[body]]\nname = \"m\"\nshape = { mesh = \"" + file.string() + "\" }\n");
    std::filesystem::remove(file);
    EXPECT_NE(message.find("make the body fixed or kinematic (the mesh: 48 vertices, 48 triangles, a sheet"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("no consistent winding exists)"), std::string::npos) << message;
}

TEST(SceneMesh, OfLessThanAMicrometreNeedsAScale) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("asperity_tiny_" + std::to_string(::getpid()) + ".obj");
    write_file(file, "v 0 0 0\nv 1e-9 0 0\nv 0 1e-9 0\nv 0 0 1e-9\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    const auto with = [&](const std::string& kind, const std::string& scale) {
        return complaint(kGround + "[[body]]\nname = \"m\"\nshape = { " + kind + " = \"" + file.string() + "\"" + scale +
                         " }\n");
    };
    for (const char* kind : {"mesh", "hull_of"}) {
        EXPECT_NE(with(kind, "").find("is 1e-09 m long; 1e-06 m are the least; coordinates are metres"), std::string::npos)
            << with(kind, "");
        EXPECT_EQ(with(kind, ", scale = 1e6"), "");
    }
    std::filesystem::remove(file);
}

TEST(SceneMesh, BumpyBoxesAreMadeOnceAndRefusedWhereTheyCannotBe) {
    const auto body = [](const std::string& name, const std::string& table) {
        return "[[body]]\nname = \"" + name + "\"\nshape = { bumpy_box = { " + table + " } }\n";
    };
    const std::string good = "size = [1, 2, 3], height = 0.05, bumps = 2, cells = 8";
    const Scene scene = read("world = { default = { mu = 1 } }\n" + body("a", good) + body("b", good));
    const auto& colliders = scene.world.model.bodies.colliders;
    const auto mesh = [&](size_t i) { return std::get<geometry::Mesh>(colliders[i].shape).triangles; };
    EXPECT_EQ(mesh(0), mesh(1));
    EXPECT_EQ(mesh(0)->report.triangles, 12 * 8 * 8);
    EXPECT_EQ(mesh(0)->report.boundary_edges, 0);
    EXPECT_NEAR(mesh(0)->box.high.z, 1.5, 1e-12);  // including the bumps
    // The base, and per face bumps of mean height 1/4: a grid of four cells per bump has exactly that mean.
    const double base = 0.9 * 1.9 * 2.9, faces = 2 * (0.9 * 1.9 + 1.9 * 2.9 + 2.9 * 0.9);
    EXPECT_NEAR(mesh(0)->integrals.volume, base + 0.05 * 0.25 * faces, 1e-12);
    EXPECT_NE(complaint(body("a", "size = [1, 1, 1], height = 0.3")).find("a quarter"), std::string::npos);
    EXPECT_NE(complaint(body("a", "size = [1, 1, 1], bumps = 8, cells = 8")).find("a bump needs 2 cells"),
              std::string::npos);
    EXPECT_NE(complaint(body("a", "size = [1, 1, 1], bumps = 1.5")).find("whole number"), std::string::npos);
}

}  // namespace
}  // namespace asperity::scene

// Both sides of a contact in world axes.
#include "asperity/sim/contact_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/sim/step.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::sim {
namespace {

/// A box of 0.4 x 0.2 x 0.1 m, rotated by `yaw`, on a shape with its top at z = 0.
World box_on(const geometry::Shape& ground, const geometry::Shape& box, double yaw) {
    World world;
    world.add_material({.name = "stuff"});
    world.model.pairs.set_default({.friction = {.base = friction::Coulomb{0.5}}});
    world.add_body({.name = "ground", .motion = rigid::Motion::Fixed, .colliders = {{ground, {}, {}}}});
    // The collider is offset and rotated in its body, so that all three frames differ.
    world.add_body(
        {.name = "box", .colliders = {{box, {{0.3, 0, 0}, rotation({0, 0, yaw})}, {}}}, .pose = {{-0.1, 0.2, 0.05}, {}}});
    step(world, 0.01);
    return world;
}

// A box lies on its face 5: u along its x, v along its -y. The plane's coordinates are in metres.
TEST(ContactSurface, OfABoxOnAPlaneIsKnownOnBothSides) {
    const double yaw = 0.4;
    const World world = box_on(geometry::HalfSpace{}, geometry::Box{{0.2, 0.1, 0.05}}, yaw);
    ASSERT_EQ(world.state.active.contacts.size(), 4U);
    const Vec3 along{std::cos(yaw), std::sin(yaw), 0};
    for (const contact::Contact& c : world.state.active.contacts) {
        const ContactSurface s = contact_surface(world, c);
        EXPECT_LT(length(s.a.uv - Vec2{c.point.x, c.point.y}), 1e-8);  // the position pass moves the box by less
        EXPECT_LT(length(s.a.normal - Vec3{0, 0, 1}), 1e-12);
        EXPECT_LT(length(s.a.tangent - Vec3{1, 0, 0}), 1e-12);
        EXPECT_EQ(s.b.face, 5);
        EXPECT_LT(length(s.b.normal - Vec3{0, 0, -1}), 1e-9);
        EXPECT_LT(length(s.b.tangent - along), 1e-9);
        const double u = dot(c.point - Vec3{0.2, 0.2, 0}, along) / 0.4 + 0.5;
        EXPECT_NEAR(s.b.uv.x, u, 1e-8);
        EXPECT_NEAR(std::fabs(s.b.uv.y - 0.5), 0.5, 1e-8);
    }
}

// The same box as a mesh on a sheet of triangles: the frames equal those of the box and of the plane.
TEST(ContactSurface, OfMeshesNamesTheTriangleAndAgreesWithThePrimitive) {
    const double yaw = 0.4;
    const geometry::Box box{{0.2, 0.1, 0.05}};
    const geometry::TriangleMesh drawing = geometry::triangulate(box);
    geometry::MeshData data{drawing.positions, drawing.triangles, {}, {}, {}};
    for (const std::uint32_t v : drawing.triangles) data.uvs.push_back(drawing.uvs[v]);
    geometry::MeshData floor = geometry::flat_data(20, 2);
    for (const std::uint32_t v : floor.triangles) floor.uvs.push_back({floor.positions[v].x, floor.positions[v].y});
    const World meshes = box_on(geometry::make_mesh(floor), geometry::make_mesh(data), yaw);
    ASSERT_GE(meshes.state.active.contacts.size(), 4U);
    for (const contact::Contact& c : meshes.state.active.contacts) {
        const ContactSurface s = contact_surface(meshes, c);
        EXPECT_GE(s.a.triangle, 0);
        EXPECT_GE(s.b.triangle, 0);
        EXPECT_LT(length(s.a.uv - Vec2{c.point.x, c.point.y}), 1e-8);
        EXPECT_LT(length(s.a.tangent - Vec3{1, 0, 0}), 1e-12);
        const geometry::SurfacePoint exact =
            geometry::surface_point(box, Pose{{0.2, 0.2, 0.05}, rotation({0, 0, yaw})}.to_local(c.point), {0, 0, -1});
        EXPECT_LT(length(s.b.uv - exact.uv), 1e-8);
        EXPECT_LT(length(s.b.tangent - Vec3{std::cos(yaw), std::sin(yaw), 0}), 1e-9);
        EXPECT_LT(length(s.b.normal - Vec3{0, 0, -1}), 1e-9);
    }
}

}  // namespace
}  // namespace asperity::sim

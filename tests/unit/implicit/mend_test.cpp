// Bodies that overlap at the start are pushed apart, or it is said why not.
#include <gtest/gtest.h>

#include "asperity/ccd/intersections.h"
#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/implicit/mend.h"
#include "asperity/implicit/start_check.h"
#include "tests/unit/implicit/bodies.h"

namespace asperity::implicit::testing {
namespace {

const deform::Elasticity kRubber{deform::Hyperelastic::NeoHookean, 1e5, 0.4};

template <int Dim>
bool is_clean(const World<Dim>& world) {
    const std::vector<Vector<Dim>> x = world.surface_positions();
    const std::span<const Vector<Dim>> view(x);
    return !ccd::first_intersection(world.model.surface.view(), view).found &&
           !ccd::first_containment(world.model.surface.view(), view).found;
}

/// The overlap is 5 cm along z and more along the other axes; the heavier body moves less. The gap is the contact distance.
TEST(Mend, SeparatesAlongTheShortestWayInProportionToMass) {
    World<3> world;
    world.model.settings.dhat = 1e-3;
    world.add(soft_box<3>("lower", {0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0, 0}, kRubber));
    SoftDesc<3> upper = soft_box<3>("upper", {0.2, 0.2, 0.2}, {2, 2, 2}, {0.03, 0.02, 0.15}, kRubber);
    upper.density = 3000;
    world.add(upper);
    const std::vector<Mended> moved = mend(world);
    ASSERT_EQ(moved.size(), 2u);
    // to a 4096th of a twelfth of the way
    EXPECT_NEAR(moved[0].way.z, -0.75 * 0.051, 1e-6);
    EXPECT_NEAR(moved[1].way.z, 0.25 * 0.051, 1e-6);
    EXPECT_EQ(std::hypot(moved[0].way.x, moved[0].way.y), 0);
    EXPECT_NEAR(world.center_of_mass(1).z, 0.15 + 0.25 * 0.051, 1e-6);
    EXPECT_TRUE(is_clean(world));
    world.prepare();
    const StepReport report = step(world, 0.01);  // as if it had been built there: no force acts
    EXPECT_TRUE(report.done);
    EXPECT_LT(report.elastic_energy, 1e-20);  // rounding of the positions
}

TEST(Mend, LiftsBodiesOutOfTheGroundAndOutOfFixedOnes) {
    World<3> world;
    add_ground(world);
    world.add(soft_box<3>("sunk", {0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0, 0.05}, kRubber));
    world.add(affine_box("on top", {0.1, 0.1, 0.1}, 1000, {0.01, 0.02, 0.2}));  // overlaps once the first is lifted
    ObstacleDesc<3> post;
    post.name = "post";
    post.skin = affine_box("", {0.05, 0.05, 0.5}, 1, {}).skin;
    post.pose = {{0.14, 0, 0.5}, {}};
    world.add(post);
    EXPECT_FALSE(mend(world).empty());
    EXPECT_TRUE(is_clean(world));
    EXPECT_NO_THROW(world.prepare());
}

/// A small body inside a hollow one crosses nothing once it is out; a heap that is pressed together comes apart.
TEST(Mend, FreesEnclosedBodiesAndHeaps) {
    World<3> inside;
    inside.add(soft_box<3>("outer", {0.4, 0.4, 0.4}, {4, 4, 4}, {0, 0, 0}, kRubber));
    inside.add(soft_box<3>("inner", {0.1, 0.1, 0.1}, {2, 2, 2}, {0.11, 0.02, 0.03}, kRubber));
    EXPECT_FALSE(mend(inside).empty());
    EXPECT_TRUE(is_clean(inside));

    World<3> heap;
    add_ground(heap);
    Random random(5, 1);
    for (int i = 0; i < 12; ++i) {
        const double x = random.uniform(-0.1, 0.1), y = random.uniform(-0.1, 0.1), z = random.uniform(0, 0.3);
        heap.add(affine_box("block" + std::to_string(i), {0.05, 0.06, 0.04}, 1000, {x, y, z}));
    }
    EXPECT_FALSE(mend(heap).empty());
    EXPECT_TRUE(is_clean(heap));
    EXPECT_NO_THROW(heap.prepare());
}

TEST(Mend, WorksInThePlane) {
    World<2> world;
    add_ground(world);
    for (int i = 0; i < 4; ++i) {
        SoftDesc<2> disc;
        disc.name = "disc" + std::to_string(i);
        disc.mesh = deform::disc(0.1, 8);
        for (Vector<2>& p : disc.mesh.points) p += Vector<2>{0.05 * i, 0.09 + 0.02 * i};
        disc.elasticity = kRubber;
        world.add(disc);
    }
    EXPECT_FALSE(mend(world).empty());
    EXPECT_TRUE(is_clean(world));
    EXPECT_NO_THROW(world.prepare());
}

TEST(Mend, SaysWhatItCannotDoAndLeavesTheWorldAsItWas) {
    const auto message = [](World<3>& world) -> std::string {
        try {
            mend(world);
        } catch (const InputError& error) { return error.what(); }
        return "";
    };
    World<3> held;  // a held body is where its file says
    const int lower = held.add(soft_box<3>("held", {0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0, 0}, kRubber));
    held.prescribe(lower, "all", [](const Vector<3>&) { return true; });
    add_ground(held, -0.05);
    EXPECT_NE(message(held).find("'held' and 'ground'"), std::string::npos) << message(held);

    World<3> narrow;  // no room between floor and ceiling, and walls all round
    for (const double side : {-1.0, 1.0}) {
        ObstacleDesc<3> wall;
        wall.name = side < 0 ? "floor" : "ceiling";
        wall.pose = {{0, 0, side * 0.09}, rotation({side > 0 ? 3.14159265358979 : 0, 0, 0})};
        narrow.add(wall);
    }
    narrow.add(soft_box<3>("body", {0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0, 0}, kRubber));
    const std::vector<Vector<3>> before = narrow.state.nodes.x;
    EXPECT_NE(message(narrow).find("too little room"), std::string::npos) << message(narrow);
    EXPECT_EQ(narrow.state.nodes.x, before);
}

/// The places that a picture marks lie on the surfaces of both bodies.
TEST(Mend, OverlapsNameTheirPlaces) {
    World<3> world;
    world.add(soft_box<3>("lower", {0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0, 0}, kRubber));
    world.add(soft_box<3>("upper", {0.2, 0.2, 0.2}, {2, 2, 2}, {0.03, 0.02, 0.15}, kRubber));
    try {
        world.prepare();
        FAIL();
    } catch (const StartOverlap& overlap) {
        EXPECT_EQ(overlap.body_a + overlap.body_b, 1);
        EXPECT_GT(overlap.places.size(), 3u);
        for (const Vec3& p : overlap.places) {
            EXPECT_GT(p.x, -0.07 - 1e-12);
            EXPECT_LT(p.x, 0.1 + 1e-12);
            EXPECT_GT(p.z, 0.05 - 1e-12);
            EXPECT_LT(p.z, 0.1 + 1e-12);
        }
    }
}

}  // namespace
}  // namespace asperity::implicit::testing

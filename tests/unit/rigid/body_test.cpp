// Mass, centre and inertia of bodies: closed forms, compounds, prescribed masses, and rejected bodies.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/error.h"
#include "asperity/rigid/body.h"

namespace asperity::rigid {
namespace {

using std::numbers::pi;

MassProperties of(std::vector<Collider> colliders, std::vector<double> density = {1000, 2000}) {
    return mass_properties({.name = "body", .colliders = std::move(colliders)}, density);
}
void expect_diagonal(const Mat3& m, const Vec3& diagonal) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(m.r[i][j], i == j ? diagonal[i] : 0, 1e-13 * max_component(diagonal)) << i << j;
}

TEST(MassProperties, OfPrimitivesAreTheClosedForms) {
    const MassProperties sphere = of({{geometry::Sphere{0.5}, {}, {}}});
    EXPECT_NEAR(sphere.mass, 1000 * 4.0 / 3 * pi * 0.125, 1e-10);
    expect_diagonal(sphere.inertia, sphere.mass * 0.4 * 0.25 * Vec3{1, 1, 1});

    const MassProperties box = of({{geometry::Box{{0.1, 0.2, 0.3}}, {}, {}}});
    EXPECT_NEAR(box.mass, 1000 * 8 * 0.006, 1e-11);
    expect_diagonal(box.inertia, box.mass / 3 * Vec3{0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04});

    const MassProperties cylinder = of({{geometry::Cylinder{0.2, 0.5}, {}, {}}});
    EXPECT_NEAR(cylinder.mass, 1000 * pi * 0.04, 1e-10);
    const double across = cylinder.mass * (3 * 0.04 + 1) / 12;
    expect_diagonal(cylinder.inertia, {across, across, cylinder.mass * 0.02});
}

TEST(MassProperties, OfTwoHalvesAreThoseOfTheWhole) {
    const MassProperties halves = of({{geometry::Box{{0.1, 0.2, 0.15}}, {{1, 2, 3 + 0.15}, {}}, {}},
                                      {geometry::Box{{0.1, 0.2, 0.15}}, {{1, 2, 3 - 0.15}, {}}, {}}});
    const MassProperties whole = of({{geometry::Box{{0.1, 0.2, 0.3}}, {{1, 2, 3}, {}}, {}}});
    EXPECT_NEAR(halves.mass, whole.mass, 1e-11);
    EXPECT_NEAR(length(halves.center - Vec3{1, 2, 3}), 0, 1e-13);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(length(halves.inertia.r[i] - whole.inertia.r[i]), 0, 1e-12);
}

TEST(MassProperties, CentreLeansToTheDenserPart) {
    const MassProperties p =
        of({{geometry::Sphere{0.1}, {{-1, 0, 0}, {}}, {}}, {geometry::Sphere{0.1}, {{1, 0, 0}, {}}, MaterialId{1}}});
    EXPECT_NEAR(p.center.x, 1.0 / 3, 1e-14);  // masses 1 : 2
    const double m = 1000 * 4.0 / 3 * pi * 1e-3, own = 0.4 * 3 * m * 0.01;
    EXPECT_NEAR(p.inertia.r[1].y, own + m * 16.0 / 9 + 2 * m * 4.0 / 9, 1e-12);  // parallel axis theorem
}

TEST(MassProperties, GivenMassScalesTheInertia) {
    BodyDesc desc{.name = "body", .colliders = {{geometry::Box{{0.1, 0.2, 0.3}}, {}, {}}}};
    const MassProperties by_density = mass_properties(desc, {1000});
    desc.mass = 7;
    const MassProperties given = mass_properties(desc, {1000});
    EXPECT_DOUBLE_EQ(given.mass, 7);
    EXPECT_NEAR(given.inertia.r[0].x, by_density.inertia.r[0].x * 7 / by_density.mass, 1e-14);
}

TEST(MassProperties, RefuseWhatCannotMove) {
    EXPECT_THROW(of({{geometry::HalfSpace{}, {}, {}}}), InputError);
    for (const double mass :
         {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        BodyDesc desc{.name = "body", .colliders = {{geometry::Sphere{1}, {}, {}}}, .mass = mass};
        EXPECT_THROW(mass_properties(desc, {1000}), InputError) << mass;
    }
}

TEST(Bodies, KeepTheAuthoredFrameApartFromTheCentreOfMass) {
    Bodies bodies;
    BodyStates states;
    BodyDesc desc{.name = "body",
                  .colliders = {{geometry::Sphere{0.1}, {{0.3, 0, 0}, {}}, {}}},
                  .pose = {{1, 2, 3}, rotation({0, 0, pi / 2})}};
    bodies.add(desc, mass_properties(desc, {1000}));
    states.set(0, desc, mass_properties(desc, {1000}));
    EXPECT_NEAR(length(states.pose[0].position - Vec3{1, 2.3, 3}), 0, 1e-14);
    EXPECT_NEAR(length(authored_pose(bodies, states, 0).position - desc.pose.position), 0, 1e-14);
    EXPECT_NEAR(length(bodies.colliders[0].local.position), 0, 1e-14);
}

TEST(Bodies, KineticEnergyIsThatOfEveryPoint) {
    Bodies bodies;
    BodyStates states;
    BodyDesc desc{.name = "body",
                  .colliders = {{geometry::Box{{0.1, 0.2, 0.3}}, {}, {}}},
                  .pose = {{}, rotation({0.4, -0.3, 0.2})},
                  .velocity = {1, -2, 0.5},
                  .angular_velocity = {3, 1, -2}};
    bodies.add(desc, mass_properties(desc, {1000}));
    states.set(0, desc, mass_properties(desc, {1000}));
    double sum = 0;  // midpoint rule over 40^3 cells: error of (1/40)^2 of the rotational part
    const int n = 40;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const Vec3 local{0.1 * ((2 * i + 1.0) / n - 1), 0.2 * ((2 * j + 1.0) / n - 1),
                                 0.3 * ((2 * k + 1.0) / n - 1)};
                sum += 0.5 * bodies.mass[0] / (n * n * n) * length_squared(states.velocity_at(0, states.pose[0] * local));
            }
    EXPECT_NEAR(kinetic_energy(bodies, states, 0) / sum, 1, 1e-3);
}

}  // namespace
}  // namespace asperity::rigid

// Hertz' contact: a disc (a line) and a ball (a circle) that are pressed on a plane.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/implicit/bodies.h"

namespace asperity::implicit::testing {
namespace {

struct LineContact {
    double load = 0, half_width = 0, peak = 0;  ///< [N/m, m, Pa]
};

/// Presses a disc of radius 1 and `cells` cells across on a plane, by moving its upper half down.
LineContact press(int cells, double young, double poisson) {
    World<2> world;
    world.model.settings.integrator = Integrator::QuasiStatic;
    world.model.settings.tolerance = 1e-8;
    world.model.settings.dhat = 1e-4;
    const int ground = add_ground(world);
    SoftDesc<2> disc;
    disc.name = "disc";
    disc.mesh = deform::disc(1, cells);
    for (Vector<2>& p : disc.mesh.points) p[1] += 1 + 5e-5;
    disc.elasticity = {deform::Hyperelastic::NeoHookean, young, poisson};
    const int body = world.add(disc);
    world.prescribe(
        body, "top", [](const Vector<2>& x) { return x[1] > 1; },
        [](const Vector<2>& x, double t) {
            return Vector<2>{x[0], x[1] - 0.01 * t};
        });
    EXPECT_TRUE(run(world, 1, 0.25));
    LineContact out;
    double second_moment = 0;
    const StepData<2>& d = world.data();
    for (const PlaneContact& c : d.now.plane_contacts) {
        const double pressure = -d.barrier.first(c.gap), x = d.now.vertices[static_cast<std::size_t>(c.vertex)][0];
        out.load += pressure * c.weight;
        second_moment += pressure * c.weight * x * x;
        out.peak = std::max(out.peak, pressure);
    }
    out.half_width = 2 * std::sqrt(second_moment / out.load);  // of a semi-ellipse of pressure
    EXPECT_NEAR(out.load, force_between(world, ground, body).z, 1e-9 * out.load);
    return out;
}

/// b = sqrt(4 P R/(pi E*)), p0 = 2 P/(pi b) (T2.9 to T2.13 of the thesis for lines). The strain of about b/R = 0.08 makes
/// the elastic body differ from Hertz' half-space by (b/R)^2 = 0.7 %.
TEST(Hertz, WidthAndPressureOfALineContactConverge) {
    const double young = 1e6, poisson = 0.3, reduced = young / (1 - poisson * poisson);
    double before = 1;
    for (const int cells : {64, 192}) {
        const LineContact c = press(cells, young, poisson);
        const double half_width = std::sqrt(4 * c.load / (std::numbers::pi * reduced));
        const double peak = 2 * c.load / (std::numbers::pi * half_width);
        const double error = std::fabs(c.half_width / half_width - 1);
        std::printf("%d cells: b/R = %.4f, error of b %.4f, of p0 %.4f\n", cells, half_width, c.half_width / half_width - 1,
                    c.peak / peak - 1);
        EXPECT_LT(error, before);
        before = error;
        if (cells == 192) {
            EXPECT_LT(error, 0.03);
            EXPECT_NEAR(c.peak / peak, 1, 0.03);
        }
    }
}

struct CircleContact {
    double load = 0, radius = 0, peak = 0;  ///< [N, m, Pa]
};

/// Presses a ball of radius 1 on a plane, by moving its upper half down. Its elements are twelve times finer at the lowest
/// point than in the middle.
CircleContact press_ball(int cells, double young, double poisson) {
    World<3> world;
    world.model.settings.integrator = Integrator::QuasiStatic;
    world.model.settings.tolerance = 1e-7;
    world.model.settings.dhat = 1e-4;
    const int ground = add_ground(world);
    SoftDesc<3> ball;
    ball.name = "ball";
    ball.mesh = deform::ball(1, cells);
    deform::refine_towards<3>(ball.mesh, 1, {0, 0, -0.85});
    for (Vector<3>& p : ball.mesh.points) p[2] += 1 + 5e-5;
    ball.elasticity = {deform::Hyperelastic::NeoHookean, young, poisson};
    const int body = world.add(ball);
    world.set_self_contact(body, false);
    world.prescribe(
        body, "top", [](const Vector<3>& x) { return x[2] > 1; },
        [](const Vector<3>& x, double t) {
            return Vector<3>{x[0], x[1], x[2] - 0.008 * t};
        });
    EXPECT_TRUE(run(world, 1, 0.5));
    CircleContact out;
    double second_moment = 0;
    const StepData<3>& d = world.data();
    for (const PlaneContact& c : d.now.plane_contacts) {
        const double pressure = -d.barrier.first(c.gap);
        const Vector<3>& x = d.now.vertices[static_cast<std::size_t>(c.vertex)];
        out.load += pressure * c.weight;
        second_moment += pressure * c.weight * (x[0] * x[0] + x[1] * x[1]);
        out.peak = std::max(out.peak, pressure);
    }
    out.radius = std::sqrt(2.5 * second_moment / out.load);  // <r^2> = 2/5 a^2 under p0 sqrt(1 - r^2/a^2)
    EXPECT_NEAR(out.load, force_between(world, ground, body).z, 1e-9 * out.load);
    return out;
}

/// a = (3 F R/(4 E*))^(1/3), p0 = 3 F/(2 pi a^2) (T2.9 to T2.13 of the thesis).
TEST(Hertz, RadiusAndPressureOfABallConverge) {
    const double young = 1e6, poisson = 0.3, reduced = young / (1 - poisson * poisson);
    double before = 1;
    for (const int cells : {8, 16, 24}) {
        const CircleContact c = press_ball(cells, young, poisson);
        const double radius = std::cbrt(3 * c.load / (4 * reduced)),
                     peak = 1.5 * c.load / (std::numbers::pi * radius * radius);
        const double error = std::fabs(c.radius / radius - 1);
        std::printf("%d cells: a/R = %.4f, error of a %.4f, of p0 %.4f\n", cells, radius, c.radius / radius - 1,
                    c.peak / peak - 1);
        EXPECT_LT(error, before);
        before = error;
        if (cells == 24) {
            EXPECT_LT(error, 0.03);
            EXPECT_NEAR(c.peak / peak, 1, 0.03);
        }
    }
}

}  // namespace
}  // namespace asperity::implicit::testing

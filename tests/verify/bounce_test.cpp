// Bounces with friction: one body against closed forms; many bodies must never gain energy.
#include "asperity/core/random.h"
#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/sim/step_data.h"
#include "worlds.h"

namespace asperity::verify {
namespace {

// A ball of inertia 2 m r^2/5 with the slip u at its lowest point. The impulse 2 m u/7 stops the slip; friction can supply
// mu (1 + e) m v_n.
TEST(Bounce, BallWithFrictionKeepsItsRestitutionWhetherItSlipsOrSticks) {
    const double r = 0.1, e = 0.7, v_n = 2, dt = 0.01;
    // The step of the impact starts with a gap of 1e-9, because half of a gap adds to the arm of friction.
    const double height = r + 34 * v_n * dt + 1e-9;
    for (const double mu : {0.05, 0.2, 0.6}) {
        sim::World world = world_with(coulomb(mu), e, {});
        add_ground(world);
        Body ball(world, add(world, "ball", geometry::Sphere{r}, {{0, 0, height}, {}}));
        const double v_x = 1.5, spin = 3;
        ball.velocity() = {v_x, 0, -v_n};
        ball.spin() = {0, spin, 0};
        run(world, dt, 60);
        const double slip = v_x - spin * r, stop = std::fmin(2.0 / 7 * slip, mu * (1 + e) * v_n);
        EXPECT_NEAR(ball.velocity().z, e * v_n, 1e-9) << mu;
        EXPECT_NEAR(ball.velocity().x, v_x - stop, 1e-8) << mu;
        EXPECT_NEAR(ball.spin().y, spin + stop / (0.4 * r), 1e-7) << mu;
    }
}

// A bar lands on its lower end while it rotates, and sticks. Newton's rule alone would give it 1.27 times its energy. In the
// plane, with the slip u = (u_t, u_n) of the end and W its inverse mass, compression leaves K0 = K - u.W^-1 u/2. The share
// e^2 of the difference is returned.
TEST(Bounce, BarThatSticksGetsBackTheSquareOfTheRestitutionOfWhatCompressionTook) {
    const double e = 0.9, half = 0.495, radius = 0.005;
    sim::World world = world_with(coulomb(1), e, {});
    add_ground(world);
    const double angle = pi / 4;
    const int index = add(world, "bar", geometry::Capsule{radius, half}, {{0, 0, 0.365}, rotation({0, angle, 0})});
    Body bar(world, index);
    bar.velocity() = {0, 0, -1.69};
    bar.spin() = {0, -7.45, 0};
    const double before = world.kinetic_energy();
    double touch = 0;  // pitch of the bar in the step of the impact
    run(world, 0.001, 20, [&] {
        if (world.kinetic_energy() == before) touch = rotation_vector(bar.orientation()).y;
    });
    // Arm of the lower end: from the centre to the contact point of its cap.
    const Vec3 arm = rotate(rotation({0, touch, 0}), Vec3{0, 0, -half}) - Vec3{0, 0, radius};
    const double inertia = bar.inertia().r[1].y;
    const double u_t = -7.45 * arm.z, u_n = -1.69 + 7.45 * arm.x;
    const double w_tt = 1 + arm.z * arm.z / inertia, w_nn = 1 + arm.x * arm.x / inertia, w_tn = -arm.x * arm.z / inertia;
    const double taken = 0.5 * (w_nn * u_t * u_t - 2 * w_tn * u_t * u_n + w_tt * u_n * u_n) / (w_tt * w_nn - w_tn * w_tn);
    measured("share", (world.kinetic_energy() - before + taken) / taken);
    // The end rotates by w dt = 7e-3 in the step of the impact.
    EXPECT_NEAR(world.kinetic_energy(), before - (1 - e * e) * taken, 1e-3 * before);
    EXPECT_LT(world.kinetic_energy(), before);
}

geometry::Shape random_shape(Random& random) {
    switch (random.below(4)) {
        case 0: return geometry::Sphere{random.uniform(0.05, 0.2)};
        case 1: return geometry::Capsule{random.uniform(0.02, 0.1), random.uniform(0.05, 0.3)};
        case 2: return geometry::Cylinder{random.uniform(0.05, 0.2), random.uniform(0.02, 0.2)};
        default: return geometry::Box{{random.uniform(0.03, 0.3), random.uniform(0.03, 0.3), random.uniform(0.03, 0.3)}};
    }
}

// Heaps of one to four touching bodies of any mass, with random velocities. All pairs that approach collide at once within
// one short step. Without gravity the energy must not rise. The step rotates bodies by at most 1e-3 (1000 rad/s), an error
// of (w dt)^2 = 1e-6 of the energy.
TEST(Bounce, NeverGainsEnergyInAnyOfManyImpactsAtOnce) {
    Random random(20);
    double largest = 0;
    int limited = 0, contacts = 0;
    for (int k = 0; k < 3000; ++k) {
        sim::World world = world_with(coulomb(random.uniform(0, 1.5)), random.uniform(0, 1), {});
        world.model.settings.bounce_threshold = 0;
        world.model.settings.solve.max_sweeps = k % 3 == 0 ? 20 : 2000;  // also with unconverged solves
        add_ground(world);
        const int bodies = 1 + random.below(4);
        for (int i = 0; i < bodies; ++i) {
            const geometry::Shape shape = random_shape(random);
            const Vec3 turn = random.uniform(0, 1) < 0.3 ? Vec3{} : Vec3{random.normal(), random.normal(), random.normal()};
            Pose pose{{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 5}, rotation(turn)};
            double drop = 10;
            for (const rigid::Collider& other : world.model.bodies.colliders) {
                const auto body = static_cast<size_t>(
                    world.model.bodies.collider_body[static_cast<size_t>(&other - world.model.bodies.colliders.data())]);
                const geometry::Travel travel = geometry::travel_to_touch(
                    other.shape, world.state.bodies.pose[body] * other.local, shape, pose, {0, 0, -1});
                if (travel.meets) drop = std::fmin(drop, travel.distance);
            }
            pose.position.z -= drop;
            const double mass = std::pow(10, random.uniform(-1, 1));
            Body body(world, add(world, fmt::format("b{}", i), shape, pose, mass));
            body.velocity() = {random.normal(), random.normal(), random.normal() - 1};
            body.spin() = {4 * random.normal(), 4 * random.normal(), 4 * random.normal()};
        }
        const double before = world.kinetic_energy();
        contacts += sim::step(world, 1e-6).contacts;
        for (const auto& bounce : world.data().restitution.islands) limited += bounce.share < 1;
        largest = std::fmax(largest, world.kinetic_energy() / before - 1);
        ASSERT_LE(world.kinetic_energy(), (1 + 1e-6) * before) << "heap " << k;
    }
    measured("largest_gain", largest);
    measured("limited", limited);
    EXPECT_GT(limited, 100);  // the energy bound does act
    EXPECT_GT(contacts, 6000);
}

}  // namespace
}  // namespace asperity::verify

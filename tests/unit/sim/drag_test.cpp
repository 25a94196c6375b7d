// Dragging a body by a point: it moves like a critically damped spring for any mass, with bounded force, stably at any dt.
// Drags are part of the state.
#include "asperity/core/error.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {
namespace {

constexpr double kFrequency = 5, kOmega = 2 * pi * kFrequency;  // the default frequency [Hz]

struct Dragged {
    sim::World world = world_with(coulomb(0.5), 0, {});
    Body box;
    DragId drag;
    explicit Dragged(double mass, const Vec3& point = {})
        : box(world, add(world, "box", geometry::Box{{0.1, 0.06, 0.04}}, {}, mass)),
          drag(world.begin_drag(BodyId{0}, point)) {}
};

// x = d (1 - (1 + w t) exp(-w t)); the integration of the spring is first order in dt.
TEST(Drag, FollowsACriticallyDampedSpringWhateverTheMass) {
    const double distance = 0.1;
    for (const double mass : {1e-4, 1.0, 1e5}) {
        double coarse = 0, fine = 0;
        for (const double dt : {2e-4, 1e-4}) {
            Dragged d(mass);
            d.world.move_drag(d.drag, {distance, 0, 0});
            double& worst = dt > 1.5e-4 ? coarse : fine;
            run(d.world, dt, static_cast<int>(std::lround(0.5 / dt)), [&] {
                const double wt = kOmega * d.world.state.time;
                worst = std::fmax(worst, std::fabs(d.box.position().x - distance * (1 - (1 + wt) * std::exp(-wt))));
            });
        }
        measured(fmt::format("error_{}kg", mass), fine);
        EXPECT_LT(fine, 0.5 * kOmega * 1e-4 * distance) << mass;  // half of h = w dt, times the distance
        EXPECT_NEAR(order(coarse, fine), 1, 0.05) << mass;
    }
}

TEST(Drag, PullsNoHarderThanItsMaximum) {
    for (const double mass : {1e-3, 1e3}) {
        Dragged d(mass);
        d.world.move_drag(d.drag, {1000, 0, 0});
        run(d.world, 0.01, 20);
        EXPECT_NEAR(d.box.velocity().x, 200 * d.world.state.time, 1e-8)
            << mass;  // the default bound of the acceleration [m/s^2]
    }
}

// Light and heavy bodies, dragged by a corner, at any dt. While the target circles, the body stays with it. Once the target
// rests, nothing drives the body, and its energy plus the spring's never exceeds the value at that time.
TEST(Drag, IsStableAtAnyStep) {
    for (const double dt : {1e-3, 1e-2, 0.1, 0.5})
        for (const double mass : {1e-4, 1.0, 1e5}) {
            Dragged d(mass, {0.1, 0.06, 0.04});
            d.world.model.settings.gravity = {0, 0, -kGravity};
            const auto total = [&] {
                const Vec3 stretch =
                    d.box.position() + rotate(d.box.orientation(), Vec3{0.1, 0.06, 0.04}) - d.world.drags()[0].target;
                return energy(d.world) + 0.5 * d.world.drags()[0].stiffness * dot(stretch, stretch);
            };
            const auto circling = static_cast<int>(std::ceil(3 / dt));
            double farthest = 0;
            for (int i = 0; i < circling; ++i) {
                const double t = 4 * (i + 1) * dt;
                d.world.move_drag(d.drag, {0.1 + 0.3 * std::sin(t), 0.06, 0.04 + 0.3 * (1 - std::cos(t))});
                run(d.world, dt, 1);
                farthest = std::fmax(farthest, length(d.box.position()));
            }
            EXPECT_LT(farthest, 1.2) << dt << " s, " << mass
                                     << " kg";  // the circle reaches 0.6 m from the start, and the box another 0.13 m
            const double before = total();
            double highest = before;
            run(d.world, dt, 1000, [&] { highest = std::fmax(highest, total()); });
            measured(fmt::format("gain_{}s_{}kg", dt, mass), (highest - before) / mass);
            EXPECT_LT((highest - before) / mass, 0.01) << dt << " s, " << mass << " kg";
        }
}

TEST(Drag, EndsWhenTold) {
    Dragged d(1);
    d.world.move_drag(d.drag, {1, 0, 0});
    run(d.world, 0.01, 5);
    d.world.end_drag(d.drag);
    const Vec3 velocity = d.box.velocity();
    EXPECT_GT(velocity.x, 0.1);
    run(d.world, 0.01, 10);
    EXPECT_EQ(d.box.velocity().x, velocity.x);  // no force acts any more
    EXPECT_TRUE(d.world.drags().empty());
    EXPECT_TRUE(d.world.model.joints.empty());
}

TEST(Drag, StaysBehindTheJointsOfTheScene) {
    Dragged d(1);
    const int other = add(d.world, "other", geometry::Sphere{0.1}, {{1, 0, 0}, {}});
    const DragId second = d.world.begin_drag(BodyId{other}, {1, 0, 0});
    const JointId joint =
        d.world.add_joint(rigid::joint_at("pin", {}, BodyId{other}, {{1, 0, 0.1}, {}}, rigid::Ball{}, d.world.state.bodies));
    EXPECT_EQ(joint.number, 0);
    EXPECT_EQ(d.world.model.joints[0].name, "pin");
    EXPECT_EQ(d.world.scene_joints().size(), 1u);
    d.world.end_drag(d.drag);
    d.world.move_drag(second, {1, 0.2, 0});
    ASSERT_EQ(d.world.model.joints.size(), 2u);
    EXPECT_EQ(d.world.model.joints[1].frame_a.position.y, 0.2);
    EXPECT_EQ(d.world.state.joint_impulses.size(), 2u);
}

TEST(Drag, IsSavedAndRestoredWithTheWorld) {
    Dragged d(1, {0.1, 0, 0});
    add_ground(d.world);
    d.world.model.settings.gravity = {0, 0, -kGravity};
    d.world.move_drag(d.drag, {0.3, 0.1, 0.05});
    run(d.world, 0.01, 30);
    const std::string saved = d.world.save_state(), hash = d.world.state_hash();
    run(d.world, 0.01, 30);
    const std::string later = d.world.state_hash();

    Dragged other(1);  // drags another point elsewhere until it is restored
    add_ground(other.world);
    other.world.model.settings.gravity = {0, 0, -kGravity};
    other.world.restore_state(saved);
    EXPECT_EQ(other.world.state_hash(), hash);
    run(other.world, 0.01, 30);
    EXPECT_EQ(other.world.state_hash(), later);
    other.world.move_drag(d.drag, {0, 0, 1});  // the drag's number is restored too
    EXPECT_NE(other.world.state_hash(), later);
    other.world.end_drag(d.drag);
    other.world.restore_state(saved);
    EXPECT_EQ(other.world.state_hash(), hash);
    EXPECT_THROW(other.world.restore_state(saved.substr(0, saved.size() - 1)), InputError);
    EXPECT_EQ(other.world.state_hash(), hash);
}

TEST(Drag, RefusesWhatCannotBeDragged) {
    Dragged d(1);
    const int ground = add_ground(d.world);
    EXPECT_NE(complaint([&] { d.world.begin_drag(BodyId{ground}, {}); }).find("\"ground\" is fixed or kinematic"),
              std::string::npos);
    EXPECT_NE(complaint([&] { d.world.begin_drag(BodyId{7}, {}); }).find("no body 7"), std::string::npos);
    EXPECT_NE(complaint([&] { d.world.begin_drag({}, {}); }).find("no body -1"), std::string::npos);
    EXPECT_NE(complaint([&] { d.world.begin_drag(BodyId{0}, {NAN, 0, 0}); }).find("not finite"), std::string::npos);
    EXPECT_NE(complaint([&] { d.world.begin_drag(BodyId{0}, {}, {.frequency = 0}); }).find("frequency = 0"),
              std::string::npos);
    EXPECT_NE(complaint([&] { d.world.move_drag(d.drag, {0, INFINITY, 0}); }).find("not finite"), std::string::npos);
    EXPECT_NE(complaint([&] { d.world.move_drag(DragId{99}, {}); }).find("no drag 99"), std::string::npos);
    d.world.end_drag(d.drag);
    EXPECT_NE(complaint([&] { d.world.end_drag(d.drag); }).find("it has ended"), std::string::npos);
}

}  // namespace
}  // namespace asperity::verify

// A stop requested in a step: the step ends early, and the world is as it was before it.
#include "asperity/core/stop.h"

#include "asperity/core/deadline.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {
namespace {

/// A leaning pile whose solves never reach their tolerance, and a kinematic body whose path requests the stop.
struct Endless {
    sim::World world = world_with(coulomb(0.5));
    int paths = 0;         // times that the path was asked for
    int stop_at_path = 0;  // the request comes with that one

    explicit Endless(int substeps) {
        world.model.settings.substeps = substeps;
        world.model.settings.sleep_speed = 1e-3;
        add_ground(world);
        for (int i = 0; i < 5; ++i)
            add(world, fmt::format("box{}", i), geometry::Box{{0.1, 0.1, 0.1}}, {{0.04 * i, 0.01 * i, 0.1 + 0.2 * i}, {}},
                std::pow(10, i));
        world.add_body({.name = "hand",
                        .motion = rigid::Motion::Kinematic,
                        .colliders = {{geometry::Sphere{0.1}, {}, {}}},
                        .pose = {{5, 0, 5}, {}},
                        .path = [this](double t) {
                            if (++paths == stop_at_path) request_stop();
                            return Pose{{5 + 0.1 * t * t, 0, 5}, {}};
                        }});
    }
    ~Endless() { withdraw_stop_request(); }
};

TEST(Stop, LeavesTheStateOfTheLastWholeStep) {
    for (const int substeps : {1, 4}) {
        Endless whole(substeps), stopped(substeps);
        run(whole.world, 0.01, 30);
        run(stopped.world, 0.01, 10);
        const std::string before = stopped.world.state_hash();
        for (int into = 1; into <= substeps; ++into) {
            stopped.stop_at_path = stopped.paths + into;
            const sim::StepReport report = sim::step(stopped.world, 0.01);
            withdraw_stop_request();
            EXPECT_TRUE(report.stopped) << "substep " << into << " of " << substeps;
            EXPECT_EQ(stopped.world.state_hash(), before) << "substep " << into << " of " << substeps;
            EXPECT_EQ(stopped.world.state.steps_done, 10);
        }
        stopped.stop_at_path = 0;
        run(stopped.world, 0.01, 20);
        EXPECT_EQ(stopped.world.state_hash(), whole.world.state_hash()) << substeps;
    }
}

// With a hundred million sweeps and a tolerance of zero each of these solves would take hours.
TEST(Stop, EndsASolveOfAnySolver) {
    for (const std::string& solver : solvers::solver_names()) {
        Endless scene(1);
        scene.world.model.settings.solver = solver;
        scene.world.model.settings.solve.max_sweeps = 100'000'000;
        scene.world.model.settings.solve.tolerance = 0;
        scene.stop_at_path = 1;
        EXPECT_TRUE(sim::step(scene.world, 0.01).stopped) << solver;
    }
}

TEST(Stop, IsDelayedByAShield) {
    request_stop();
    EXPECT_TRUE(stop_requested());
    EXPECT_TRUE(Deadline(1e9).passed());
    {
        const StopShield shield;
        EXPECT_FALSE(stop_requested());
        EXPECT_FALSE(Deadline(1e9).passed());
    }
    EXPECT_TRUE(stop_requested());
    withdraw_stop_request();
    EXPECT_FALSE(stop_requested());
}

}  // namespace
}  // namespace asperity::verify

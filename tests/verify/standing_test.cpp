// Structures that must stand: a tower, a wall, a heavy load on light blocks. Displacement is the largest of any body at any
// time of the run. Creep is the largest displacement in the second half of the run, per second. Bounds are ten times the
// largest measured, 1.1e-9 m (the wall) and 7e-11 m/s. The solver's tolerance of 1e-10 m/s allows that much in the first
// steps, while the impulses build up.
#include "worlds.h"

namespace asperity::verify {
namespace {

constexpr double kMoved = 1e-8, kCreep = 7e-10;

struct Standing {
    double moved = 0, creep = 0, penetration = 0, residual = 0;  // [m, m/s, m, m/s]
    int sweeps = 0;
    double sweeps_mean = 0;
};

Standing stand(sim::World& world, double dt, double duration) {
    Standing s;
    const std::vector<Pose> start = world.state.bodies.pose;
    std::vector<Pose> halfway;
    const auto steps = static_cast<int>(std::lround(duration / dt));
    for (int i = 0; i < steps; ++i) {
        const sim::StepReport report = sim::step(world, dt);
        EXPECT_TRUE(report.finite) << "step " << report.step;
        s.sweeps = std::max(s.sweeps, report.sweeps);
        s.sweeps_mean += static_cast<double>(report.sweeps) / steps;
        s.penetration = std::fmax(s.penetration, report.penetration);
        s.residual = std::fmax(s.residual, report.residual);
        for (size_t b = 0; b < start.size(); ++b) {
            s.moved = std::fmax(s.moved, length(world.state.bodies.pose[b].position - start[b].position));
            if (i > steps / 2)
                s.creep =
                    std::fmax(s.creep, length(world.state.bodies.pose[b].position - halfway[b].position) / (0.5 * duration));
        }
        if (i == steps / 2) halfway = world.state.bodies.pose;
    }
    measured("moved", s.moved), measured("creep", s.creep), measured("penetration", s.penetration),
        measured("residual", s.residual);
    testing::Test::RecordProperty("sweeps_max", s.sweeps);
    measured("sweeps_mean", s.sweeps_mean);
    return s;
}

// Ten storeys of four blocks, each storey across the one below: 16 crossings of two blocks between two storeys, four points
// each.
TEST(Tower, OfTenStoreysStandsForHalfAMinute) {
    sim::World world = world_with(coulomb(0.5));
    add_ground(world);
    for (int storey = 0; storey < 10; ++storey)
        for (int i = 0; i < 4; ++i) {
            const double across = 0.1 * i - 0.15, z = 0.03 + 0.06 * storey;
            const bool turned = storey % 2 == 1;
            add(world, fmt::format("block_{}_{}", storey, i),
                geometry::Box{turned ? Vec3{0.045, 0.2, 0.03} : Vec3{0.2, 0.045, 0.03}},
                {turned ? Vec3{across, 0, z} : Vec3{0, across, z}, {}}, 1);
        }
    const Standing s = stand(world, 0.01, 30);
    EXPECT_LT(s.moved, kMoved);
    EXPECT_LT(s.creep, kCreep);
}

// Ten courses of ten bricks in running bond; every second course starts and ends with half a brick.
TEST(BrickWall, StandsForHalfAMinute) {
    sim::World world = world_with(coulomb(0.6));
    add_ground(world);
    const double length_x = 0.24, height = 0.08, joint = 0.006;
    for (int course = 0; course < 10; ++course) {
        const bool shifted = course % 2 == 1;
        for (int i = 0; i < (shifted ? 11 : 10); ++i) {
            const bool half = shifted && (i == 0 || i == 10);
            const double cell = length_x + joint, left = i == 0 ? 0 : cell * (shifted ? i - 0.5 : i),
                         width = half ? 0.5 * cell - joint : length_x;
            add(world, fmt::format("brick_{}_{}", course, i), geometry::Box{{0.5 * width, 0.06, 0.5 * height}},
                {{left + 0.5 * width, 0, height * (course + 0.5)}, {}}, half ? 1.5 : 3);
        }
    }
    ASSERT_EQ(world.model.bodies.count(), 106);
    const Standing s = stand(world, 0.01, 30);
    EXPECT_LT(s.moved, kMoved);
    EXPECT_LT(s.creep, kCreep);
}

TEST(Stack, OfTenBoxesStandsForHalfAMinute) {
    sim::World world = world_with(coulomb(0.5));
    add_ground(world);
    for (int i = 0; i < 10; ++i)
        add(world, fmt::format("box_{}", i), geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.1 + 0.2 * i}, {}}, 1);
    const Standing s = stand(world, 0.01, 30);
    EXPECT_LT(s.moved, kMoved);
    EXPECT_LT(s.creep, kCreep);
}

// A cube of 1 m on one of 1 mm, 1e9 times as heavy. It lands from 1 mm and balances on that square millimetre. Impulses of
// 50 N s must cancel to within the 1e-6 kg that they support, where doubles err by 1e-16 x 50/1e-6 = 5e-9 m/s. Measured:
// 1.1e-7 m, from the tilt of the load.
TEST(SizeRatio, OfAThousandStandsOnPatches) {
    for (const char* solver : {"prox", "newton", "auto"}) {
        sim::World world = world_with(coulomb(0.5));
        world.model.settings.contact_model = surface::ContactModel::Patches;
        world.model.settings.solver = solver;
        add_ground(world);
        Body grain(world, add(world, "grain", geometry::Box{{5e-4, 5e-4, 5e-4}}, {{0, 0, 5e-4}, {}}, 1e-6));
        Body load(world, add(world, "load", geometry::Box{{0.5, 0.5, 0.5}}, {{0, 0, 0.502}, {}}, 1000));
        int unsolved = 0;
        for (int i = 0; i < 300; ++i) unsolved += sim::step(world, 0.005).residual > 2e-7;
        EXPECT_LE(unsolved, 1) << solver;
        EXPECT_LT(std::hypot(grain.position().x, grain.position().y), 1e-6) << solver;
        EXPECT_LT(length(load.position() - Vec3{0, 0, 0.501}), 1e-6) << solver;
        measured(fmt::format("moved {}", solver), length(load.position() - Vec3{0, 0, 0.501}));
    }
}

// Heavy on light: a load of 100 kg on blocks of 1 kg, and every block 100 times as heavy as the next but one.
struct Loads {
    const char* name;
    std::function<double(int)> mass;
    friend void PrintTo(const Loads& loads, std::ostream* out) { *out << loads.name; }
};
const Loads kLoads[] = {
    {"LoadOnTop", [](int i) { return i == 4 ? 100.0 : 1.0; }},
    {"Alternating", [](int i) { return i % 2 == 1 ? 100.0 : 1.0; }},
};
class MassRatio : public testing::TestWithParam<Loads> {};

TEST_P(MassRatio, OneToAHundredStands) {
    sim::World world = world_with(coulomb(0.5));
    add_ground(world);
    for (int i = 0; i < 5; ++i)
        add(world, fmt::format("box_{}", i), geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.1 + 0.2 * i}, {}},
            GetParam().mass(i));
    const Standing s = stand(world, 0.01, 10);
    std::printf("1:100, %s: at most %d sweeps, %.1f on average, moved %.1e m\n", GetParam().name, s.sweeps, s.sweeps_mean,
                s.moved);
    EXPECT_LT(s.moved, kMoved);
    EXPECT_LT(s.creep, kCreep);
    EXPECT_LT(s.sweeps, 2000);  // the default limit: every step has converged
}
INSTANTIATE_TEST_SUITE_P(Loads, MassRatio, testing::ValuesIn(kLoads), [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace asperity::verify

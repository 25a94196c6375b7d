// The wrenches of contacts.csv and pairs.csv, read back from the files of a run, must be those that move the bodies. At rest
// they carry the weight. In motion they equal the rate of change of momentum, and of angular momentum about the centre of
// mass, in each step.
#include <unistd.h>

#include <filesystem>

#include "asperity/record/csv.h"
#include "asperity/scene/run.h"
#include "worlds.h"

namespace asperity::verify {
namespace {

namespace fs = std::filesystem;

Vec3 vec(const record::Table& t, const std::string& name, size_t row) {
    return {t.find(name + "x")->numbers[row], t.find(name + "y")->numbers[row], t.find(name + "z")->numbers[row]};
}

/// A run with every step recorded, and its tables.
struct Tables {
    record::Table pairs, contacts, bodies;
    explicit Tables(scene::Scene& scene) {
        const fs::path out =
            fs::temp_directory_path() /
            fmt::format("asperity_pairs_{}_{}", testing::UnitTest::GetInstance()->current_test_info()->name(), ::getpid());
        scene::RunOptions options;
        options.out = out;
        options.contacts = true;
        options.record_hz = 1 / scene.dt;
        scene::run(scene, options);
        pairs = record::read_csv(out / "pairs.csv"), contacts = record::read_csv(out / "contacts.csv"),
        bodies = record::read_csv(out / "bodies.csv");
        fs::remove_all(out);
    }
};

struct ForceAndTorque {
    Vec3 force, torque;
};
/// The total wrench on body B in a table, about the point `about`.
ForceAndTorque sum(const record::Table& t, double time, const std::string& body, const Vec3& about) {
    ForceAndTorque all;
    for (size_t row = 0; row < t.row_count; ++row) {
        if (t.find("time")->numbers[row] != time || t.find("body_b")->text[row] != body) continue;
        const Vec3 force = vec(t, "f", row);
        all.force += force;
        all.torque += vec(t, "tau", row) + cross(vec(t, "p", row) - about, force);
    }
    return all;
}

struct Case {
    const char* scene;
    std::vector<scene::Override> overrides;
    const char* body;
    double turn = 0;  // allowed torque error of point contacts: half the rotation in a step
};

// The impulses of a step change its velocities, so the difference is rounding: ten times the measured 5e-14. The arms are
// from the body's position at the start of the step. Points on the rim act at their position halfway through the step but
// are listed where they started. So their torque may be off by half the rotation of a step, 0.5 omega0 dt, times the largest
// friction torque, mu m g R.
TEST(PairWrench, IsTheRateOfMomentumOfABodyThatSlidesAndSpins) {
    const Case cases[] = {{"sixd/disc", {}, "disc"},
                          {"sixd/disc", {{"params.spin_model", "\"uniform\""}}, "disc"},
                          {"sixd/disc", {{"step.contact_model", "\"points\""}}, "disc", 0.5 * 20 * 0.002},
                          {"sixd/disc",
                           {{"step.contact_model", "\"points\""}, {"pair.floor-disc.drilling", "0.02"}},
                           "disc",
                           0.5 * 20 * 0.002},
                          {"sixd/spinning_sphere", {}, "sphere"}};
    for (const Case& c : cases) {
        std::vector<scene::Override> overrides = c.overrides;
        overrides.push_back({"step.duration", "0.5"});
        scene::Scene scene = verify::load(c.scene, overrides);
        const Tables run(scene);
        const size_t bodies = run.bodies.row_count / (static_cast<size_t>(std::llround(scene.duration / scene.dt)) + 1);
        ASSERT_EQ(bodies, 2u);
        // both spin about their own z axis
        const double mass = scene.world.model.bodies.mass[1], inertia = scene.world.model.bodies.inertia[1].r[2].z;
        double off_force = 0, off_torque = 0, friction = 0, spin_torque = 0;
        for (size_t row = bodies + 1; row < run.bodies.row_count; row += bodies) {
            ASSERT_EQ(run.bodies.find("body")->text[row], c.body);
            const double time = run.bodies.find("time")->numbers[row];
            const Vec3 force = mass / scene.dt * (vec(run.bodies, "v", row) - vec(run.bodies, "v", row - bodies)) +
                               Vec3{0, 0, mass * kGravity};
            const Vec3 torque{
                0, 0,
                inertia / scene.dt * (run.bodies.find("wz")->numbers[row] - run.bodies.find("wz")->numbers[row - bodies])};
            for (const record::Table* table : {&run.pairs, &run.contacts}) {
                const ForceAndTorque found = sum(*table, time, c.body, vec(run.bodies, "p", row - bodies));
                off_force = std::fmax(off_force, length(found.force - force));
                off_torque = std::fmax(off_torque, length(found.torque - torque));
            }
        }
        for (size_t row = 0; row < run.pairs.row_count; ++row) {
            friction = std::fmax(friction, length(vec(run.pairs, "fr", row)));
            spin_torque = std::fmax(spin_torque, std::fabs(run.pairs.find("spin_torque")->numbers[row]));
        }
        measured(fmt::format("{}_force", c.body), off_force), measured(fmt::format("{}_torque", c.body), off_torque);
        EXPECT_LT(off_force, 5e-13) << c.scene;
        EXPECT_LT(off_torque, 5e-13 + c.turn * 0.3 * mass * kGravity * 0.1) << c.scene;
        EXPECT_GT(spin_torque, 1e-4) << c.scene << " does not rub, and shows nothing";
        EXPECT_GT(friction, c.body == std::string("disc") ? 0.1 * mass * kGravity : -1) << c.scene;
    }
}

// Each level of the stack carries the weight above it, at its centre, with patches and with points. Residual friction from
// the landing sums to zero. 1e-8 of the weight is ten times the error of the solver's tolerance of 1e-10 m/s in a step of 10
// ms: m 1e-8 m/s^2.
TEST(PairWrench, CarriesTheWeightOfAStackAtRest) {
    for (const char* model : {"\"patches\"", "\"points\""}) {
        scene::Scene scene = verify::load("sixd/tapered_stack", {{"step.contact_model", model}, {"step.duration", "2"}});
        const Tables run(scene);
        const double end = run.bodies.find("time")->numbers.back();
        const rigid::Bodies& bodies = scene.world.model.bodies;
        double weight = 0;
        Vec3 centre;  // of all bodies above
        int rows = 0;
        for (size_t i = static_cast<size_t>(bodies.count()) - 1; i > 0; --i) {
            centre = (weight * centre + bodies.mass[i] * kGravity * scene.world.state.bodies.pose[i].position) /
                     (weight + bodies.mass[i] * kGravity);
            weight += bodies.mass[i] * kGravity;
            for (const record::Table* table : {&run.pairs, &run.contacts}) {
                const ForceAndTorque found = sum(*table, end, bodies.name[i], centre);
                EXPECT_LT(length(found.force - Vec3{0, 0, weight}), 1e-8 * weight) << model << " " << bodies.name[i];
                EXPECT_LT(length(found.torque), 1e-8 * weight) << model << " " << bodies.name[i];
            }
        }
        for (size_t row = 0; row < run.pairs.row_count; ++row) {
            if (run.pairs.find("time")->numbers[row] != end) continue;
            ++rows;
            EXPECT_LT(length(vec(run.pairs, "n", row) - Vec3{0, 0, 1}), 1e-8);
            EXPECT_LT(length(vec(run.pairs, "tau", row) - vec(run.pairs, "frtau", row)), 1e-8 * weight)
                << "the normal forces do not turn about the centre of pressure";
        }
        EXPECT_EQ(rows, 5) << "one for each touching pair";
    }
}

}  // namespace
}  // namespace asperity::verify

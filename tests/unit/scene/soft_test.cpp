// Scenes of the implicit world: what is read, what is refused with its place, and that both worlds agree.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "asperity/core/files.h"
#include "asperity/scene/implicit_run.h"
#include "asperity/scene/run.h"
#include "asperity/scene/skin.h"
#include "asperity/scene/start_picture.h"
#include "scenes.h"

namespace asperity::scene {
namespace {

const std::string kSlope = R"toml(
[step]
method = "implicit"
dt = 0.01
duration = 0.5
tolerance = 1e-9
[material.ice]
mu = 0
[[body]]
name = "plane"
shape = { half_space = true }
material = "ice"
fixed = true
pitch_deg = 30
[[body]]
name = "block"
shape = { box = [0.2, 0.2, 0.1] }
material = "ice"
on = "plane"
)toml";
const std::string kGel = R"toml(
[material.gel]
mu = 0
[[body]]
name = "cube"
shape = { box = [0.1, 0.1, 0.1] }
material = "gel"
[body.soft]
young = 1e5
poisson = 0.3
cells = 2
)toml";

/// Friction too: 30 degrees, mu 0.3. Both worlds are exact under constant forces.
const std::string kRough = [] {
    std::string text = kSlope;
    return text.replace(text.find("mu = 0"), 6, "mu = 0.3");
}();

double speed_of(const Scene& scene, const std::string& body) {
    return length(scene.world.state.bodies.velocity[index_of(scene, body)]);
}

TEST(SoftScene, SlidesDownARoughSlopeAsTheRigidWorldDoes) {
    Scene soft = read(kRough), rigid = read(kRough, {{"step.method", "rigid"}});
    run(soft);
    run(rigid);
    EXPECT_NEAR(speed_of(soft, "block"), speed_of(rigid, "block"), 1e-4 * speed_of(rigid, "block"));
}

/// Backward Euler and the rigid step are exact under a constant force. What is left is the tolerance.
TEST(SoftScene, SlidesDownAFrictionlessSlopeAsTheRigidWorldDoes) {
    Scene soft = read(kSlope), rigid = read(kSlope, {{"step.method", "rigid"}});
    EXPECT_TRUE(soft.implicit);
    EXPECT_FALSE(rigid.implicit);
    run(soft);
    run(rigid);
    EXPECT_NEAR(speed_of(soft, "block"), 9.81 * 0.5 * 0.5, 1e-7);
    EXPECT_NEAR(speed_of(soft, "block"), speed_of(rigid, "block"), 1e-7);
}

/// A head-on collision keeps momentum in both worlds. The affine bodies rebound less than a restitution of 1 would make
/// them: the barrier gives back what backward Euler does not damp.
TEST(SoftScene, CollisionKeepsMomentumInBothWorlds) {
    const std::string scene = R"toml(
[world]
gravity = [0, 0, 0]
[step]
duration = 0.4
[material.m]
mu = 0
[[body]]
name = "a"
shape = { box = [0.2, 0.2, 0.2] }
material = "m"
velocity = [1, 0, 0]
[[body]]
name = "b"
shape = { box = [0.2, 0.2, 0.2] }
material = "m"
position = [0.3, 0, 0]
)toml";
    for (const char* method : {"implicit", "rigid"}) {
        Scene s = read(scene, {{"step.method", method}});
        run(s);
        const Vec3 a = s.world.state.bodies.velocity[0], b = s.world.state.bodies.velocity[1];
        EXPECT_NEAR(a.x + b.x, 1, 1e-8) << method;
        EXPECT_GE(b.x, a.x - 1e-9) << method;  // they part, or go on together
        EXPECT_GT(b.x, 0.4) << method;
    }
}

/// A rod on a ball joint, released at 60 degrees. Both rules are of second order; the affine rod is stiff, not rigid.
TEST(SoftScene, PendulumSwingsAsInTheRigidWorld) {
    const std::string scene = R"toml(
[step]
dt = 1e-3
duration = 1.5
tolerance = 1e-10
[material.steel]
density = 2000
mu = 0
[[body]]
name = "rod"
shape = { box = [0.02, 0.02, 0.4] }
material = "steel"
position = ["-0.2*sin(rad(60))", 0, "-0.2*cos(rad(60))"]
pitch_deg = 60
[[joint]]
kind = "ball"
b = "rod"
at = [0, 0, 0]
)toml";
    Scene soft = read(scene, {{"step.method", "\"implicit\""}, {"step.integrator", "\"newmark\""}}), rigid = read(scene);
    run(soft);
    run(rigid);
    const Vec3 a = soft.world.state.bodies.pose[0].position, b = rigid.world.state.bodies.pose[0].position;
    std::printf("pendulums are %.2g m apart after 1.5 s\n", length(a - b));
    EXPECT_LT(length(a - b), 2e-4);  // it has swung 0.4 m and back
    EXPECT_LT(length(soft.world.state.bodies.velocity[0] - rigid.world.state.bodies.velocity[0]), 2e-3);
}

TEST(SoftScene, ResumesWithTheSameBitsAndFiles) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "soft_resume";
    std::filesystem::remove_all(folder);
    const std::string scene = kGel + "velocity = [0, 0, -1]\n";  // a key of soft: refused below
    EXPECT_NE(complaint(scene), "");
    const std::string falling = "[step]\nduration = 0.3\n" + kGel + R"toml(
[[body]]
name = "ground"
shape = { half_space = true }
material = "gel"
fixed = true
position = [0, 0, -0.1]
)toml";
    const auto go = [&](const char* name, double duration, bool resume) {
        Scene s = read(falling, {{"step.duration", std::to_string(duration)}});
        RunOptions options;
        options.out = folder / name;
        options.resume = resume;
        return run(s, options);
    };
    const RunResult whole = go("whole", 0.3, false);
    go("parts", 0.17, false);
    const RunResult parts = go("parts", 0.3, true);
    EXPECT_EQ(whole.state_hash, parts.state_hash);
    EXPECT_GT(whole.newton_iterations, 0);
    for (const char* file : {"bodies.csv", "forces.csv", "recording.asp"})
        EXPECT_EQ(read_file(folder / "whole" / file), read_file(folder / "parts" / file)) << file;
    EXPECT_TRUE(read_file(folder / "whole" / "steps.csv").starts_with("step,time,contacts,newton_iterations"));
    std::filesystem::remove_all(folder);
}

TEST(SoftScene, ForcesAndPointsAreObservables) {
    Scene s = read(R"toml(
[step]
integrator = "quasi_static"
dt = 0.1
duration = 0.1
tolerance = 1e-10
[material.gel]
mu = 0
[[body]]
name = "cube"
shape = { box = [0.1, 0.1, 0.1] }
material = "gel"
position = [1, 2, 3]
[body.soft]
young = 1e6
poisson = 0
cells = 2
hold = [{ name = "top", box = [[-1, -1, 0.05], [1, 1, 0.05]] }]
load = [{ box = [[-1, -1, -0.05], [1, 1, -0.05]], force = [0, 0, -20] }]
[[expect]]
body = "cube"
observable = "fz"
by = "cube.top"
equals = "20 + 1000*0.001*g"
within = 1e-8
[[expect]]
name = "the lower face sinks by F L/(E A), and half of that by its own weight"
body = "cube"
observable = "travel_z"
point = [0, 0, -0.05]
equals = "-(20 + 0.5*1000*0.001*g)*0.1/(1e6*0.01)"
within_percent = 1            # of strain 2e-3 the second order, and the corners of the held face
)toml");
    const RunResult result = run(s);
    for (const ExpectResult& e : result.expect) EXPECT_TRUE(e.ok) << e.name << ": " << e.value << " " << e.bound;
}

TEST(SoftScene, RefusesWithItsPlaceWhatTheWorldDoesNotHave) {
    const auto says = [](const std::string& text, const std::string& part) {
        const std::string message = complaint(text);
        EXPECT_NE(message.find(part), std::string::npos) << message << "\n" << text;
        EXPECT_TRUE(message.starts_with("test.toml:")) << message;
    };
    std::string rough = kSlope;
    rough.replace(rough.find("mu = 0"), 6, "mu = 0.5");
    const std::string euler = rough.substr(0, 8) + "integrator = \"symplectic_euler\"\n" + rough.substr(8);
    ASSERT_TRUE(rough.starts_with("\n[step]\n"));
    says(euler, "friction needs an implicit integrator");
    const std::string pair = "[pair.ice-ice]\nmu_0 = 0.1\nlaw = \"ploughing\"\n", smooth = "friction = \"smooth\"\n";
    says(kSlope.substr(0, 8) + smooth + kSlope.substr(8) + pair, "is for ellipses");
    // features of laws that the implicit world does not have: each by its own line, with the reason
    for (const auto& [key, why] : {std::pair{"drilling = 0.01", "no drilling friction"},
                                   {"drilling_parallel = 0.01", "no drilling friction"},
                                   {"contact_model = \"patches\"", "no contact patches"},
                                   {"spin_model = \"contensou\"", "no contact patches"},
                                   {"patch_radius = 0.01", "no contact patches"},
                                   {"patch_overlap = \"volume\"", "no contact patches"},
                                   {"target_volume = 1e-9", "no contact patches"},
                                   {"patch_compliance = 1e-6", "no contact patches"},
                                   {"restitution = 0.5", "no restitution"}}) {
        const std::string message = complaint(kSlope + "[pair.ice-ice]\nmu = 0.1\n" + key + "\n"), text = key;
        EXPECT_NE(message.find(why), std::string::npos) << message;
        EXPECT_NE(message.find(text.substr(0, text.find(' '))), std::string::npos) << message;
        // its own line, the third after kSlope
        const auto line = std::count(kSlope.begin(), kSlope.end(), '\n') + 3;
        EXPECT_TRUE(message.starts_with(fmt::format("test.toml:{}:", line))) << message;
        EXPECT_NE(complaint("[world]\ndefault = { mu = 0.1, " + text + " }\n" + kGel).find(why), std::string::npos) << key;
    }
    std::string unknown = kGel;  // a material without any coefficient: only self-contact asks for one
    unknown.replace(unknown.find("mu = 0"), 6, "");
    says(unknown, "no friction is given between");
    EXPECT_EQ(complaint(unknown + "self_contact = false\n"), "");
    says("[step]\nfriction = \"hold\"\neps_v = 1e-3\n" + kGel, "belongs to friction");
    says("[step]\nfriction = \"smooth\"\neps_v = 0\n" + kGel, "eps_v");
    says("[step]\nfriction = \"sticky\"\n" + kGel, "hold");
    const std::string velocity = "[step]\nfriction = \"velocity\"\n";
    says(velocity + "integrator = \"newmark\"\n" + kGel, "newmark");
    says(velocity + "friction_tolerance = 1e-3\n" + kGel, "no effect");
    says(velocity + "contact_stiffness = 1e6\n" + kGel, "no effect");
    says(velocity + "solver = \"pgs\"\n" + kGel, "prox");
    says(velocity + "eps_v = 1e-3\n" + kGel, "belongs to friction");
    says(kSlope + "[[joint]]\nkind = \"slider\"\nb = \"block\"\nat = [0, 0, 0]\naxis = [1, 0, 0]\n", "no sliders");
    says(kGel + "hold = [{ box = [[5, 5, 5], [6, 6, 6]] }]\n", "no node");
    says(kGel + "load = [{ box = [[5, 5, 5], [6, 6, 6]], pressure = 1 }]\n", "no face");
    says(kGel + "plane = \"stress\"\n", "two dimensions");
    says("[step]\nmethod = \"rigid\"\n" + kGel, "needs method");
    says("[step]\ncontact_model = \"patches\"\n" + kGel, "has no effect");
    says("[world]\ndimension = 2\ngravity = [0, 1, 0]\n" + kGel, "y component");
    says("[step]\nnewton_iterations = 3\n" + kBlock, "belongs to method");
    says("[world]\ndimension = 2\n[[body]]\nname = \"a\"\nshape = { sphere = 1 }\n", "need step.method");
    says(kBlock + "thickness = 0.01\n", "implicit world");
    std::string fixed = kGel;
    fixed.replace(fixed.find("material = \"gel\"\n[body"), 16, "material = \"gel\"\nfixed = true");
    says(fixed, "cannot be soft");
}

/// Bad numbers, bad meshes and bodies that overlap: each has one message that names the place, the key or body, and the
/// remedy.
TEST(SoftScene, BadInputHasOneClearMessageEach) {
    const auto says = [](const std::string& text, std::initializer_list<const char*> parts) {
        const std::string message = complaint(text);
        EXPECT_TRUE(message.starts_with("test.toml:")) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        for (const char* part : parts) EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks " << part;
    };
    const auto gel = [](const std::string& from, const std::string& to) {
        std::string text = kGel;
        return text.replace(text.find(from), from.size(), to);
    };
    says(gel("poisson = 0.3", "poisson = 0.5"), {"body.cube.soft", "poisson = 0.5", "0.49"});
    says(gel("young = 1e5", "young = -1e5"), {"body.cube.soft.young = -100000", "must be"});
    says(gel("young = 1e5", "young = 0"), {"young", "must be"});
    says(gel("mu = 0", "mu = 0\ndensity = 0"), {"density"});
    says(kGel + "load = [{ box = [[-1, -1, -1], [1, 1, 1]], pressure = \"1/(t - t)\" }]\n", {"pressure"});

    // meshes of files: inverted, flat, open
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "bad_meshes";
    std::filesystem::create_directories(folder);
    const auto tetrahedron = [&](const char* name, const char* last, const char* order) {
        write_file(folder / name,
                   std::string("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 ") + last +
                       "\n5 0 0 -1\n$EndNodes\n$Elements\n2\n1 4 2 0 0 " + order + "\n2 4 2 0 0 1 3 2 5\n$EndElements\n");
        return gel("cells = 2", "mesh = \"" + (folder / name).string() + "\"");
    };
    says(tetrahedron("flat.msh", "0.3 0.3 0", "1 2 3 4"), {"'cube'", "element 0", "degenerate", "mesh the body again"});
    write_file(folder / "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    says(gel("{ box = [0.1, 0.1, 0.1] }", "{ mesh = \"" + (folder / "open.obj").string() + "\" }"), {"'cube'", "edges"});
    std::filesystem::remove_all(folder);

    // two bodies in one place
    const std::string other = R"toml(
[[body]]
name = "other"
shape = { box = [0.1, 0.1, 0.1] }
material = "gel"
position = [0.02, 0.03, 0.06]
)toml";
    says(kGel + other, {"'cube' and 'other' intersect", "near [", "step.mend"});
    try {
        read(kGel + other);
        FAIL();
    } catch (const OverlapError& error) {  // what a picture of it shows
        const record::Recording& picture = error.picture;
        ASSERT_EQ(picture.frames.size(), 1u);
        EXPECT_TRUE(picture.view.has_value());
        EXPECT_GT(picture.bodies.size(), 4u);  // both bodies, and a ball at each crossing
        EXPECT_EQ(picture.frames[0].poses.size(), picture.bodies.size());
    }
    Scene mended = read(kGel + other, {{"step.mend", "true"}});
    EXPECT_NE(mended.notes.back().find("mend: 'other'"), std::string::npos) << mended.notes.back();
    EXPECT_EQ(run(mended).status, RunStatus::Ok);
}

/// A pressure that grows without bound ends the run with a message, and the last good state stays finite.
TEST(SoftScene, ForcesThatBlowUpEndTheRunWithAMessage) {
    Scene s = read("[step]\ndt = 0.01\nduration = 5\n" + kGel +
                   "load = [{ box = [[-1, -1, 0.05], [1, 1, 0.05]], force = [0, 0, \"1e12*t\"] }]\n");
    const RunResult result = run(s);
    EXPECT_EQ(result.status, RunStatus::NumericalFailure);
    EXPECT_NE(result.trouble.find("'cube'"), std::string::npos) << result.trouble;
    EXPECT_NE(result.trouble.find("t = "), std::string::npos) << result.trouble;
    const std::vector<record::Deformation> end = s.implicit->deformations();
    for (const Vec3& p : end.front().positions) EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));
}

/// The rows of forces.csv: in equilibrium the forces on each body that moves balance its weight, to 1e-9 of the load.
TEST(SoftScene, ForcesOfAllPairsAndHeldPartsBalance) {
    Scene s = read(R"toml(
[step]
integrator = "quasi_static"
dt = 1
duration = 1
tolerance = 1e-12
[material.gel]
mu = 0
[[body]]
name = "ground"
shape = { half_space = true }
material = "gel"
fixed = true
[[body]]
name = "lower"
shape = { box = [0.2, 0.2, 0.1] }
material = "gel"
on = "ground"
soft = { young = 2e5, poisson = 0.3, cells = 3 }
[[body]]
name = "stiff"
shape = { box = [0.1, 0.1, 0.1] }
material = "gel"
on = "lower"
[[body]]
name = "upper"
shape = { box = [0.12, 0.12, 0.1] }
material = "gel"
on = "stiff"
[body.soft]
young = 1e5
poisson = 0.4
cells = 3
hold = [{ name = "top", box = [[-1, -1, 0.05], [1, 1, 0.05]], position = [0.001, 0, "-0.002*t"] }]
)toml");
    run(s);
    const rigid::Bodies& bodies = s.world.model.bodies;
    std::vector<Vec3> sum(bodies.motion.size());
    double load = 0;
    for (const record::ForceSample& f : s.implicit->forces()) {
        load = std::max(load, length(f.force));
        sum[static_cast<std::size_t>(f.body_b)] += f.force;
        if (f.body_a >= 0) sum[static_cast<std::size_t>(f.body_a)] -= f.force;
    }
    EXPECT_GT(load, 20);
    for (const char* name : {"lower", "stiff", "upper"}) {
        const auto b = index_of(s, name);
        EXPECT_LT(length(sum[b] - Vec3{0, 0, 9.81 * bodies.mass[b]}), 1e-9 * load) << name;
    }
}

/// A grain that turns with time: a block held at 20 degrees by its grain slides once that has turned. Not in the rigid
/// world.
TEST(SoftScene, TurnsAGrainWithTime) {
    std::string text = kSlope;
    text.replace(text.find("duration = 0.5"), 14, "duration = 2");
    text.replace(text.find("pitch_deg = 30"), 14, "pitch_deg = 20");
    text.replace(text.find("mu = 0\n"), 7, "grain_field = { angle = 90, turn_deg = \"t < 1 ? 0 : 90\" }\n");
    text += "[pair.ice-ice]\nlaw = \"elliptic\"\nmu_t = 0.1\nmu_b = 0.5\n";
    Scene scene = parse(text, "test.toml");
    while (scene.world.state.time < 0.985) scene.implicit->step(scene.world, scene.dt);
    EXPECT_LT(speed_of(scene, "block"), 1e-9);
    while (scene.world.state.time < 1.995) scene.implicit->step(scene.world, scene.dt);
    const double a = 20 * std::numbers::pi / 180;
    EXPECT_NEAR(speed_of(scene, "block"), 9.81 * (std::sin(a) - 0.1 * std::cos(a)), 0.03);  // a step is 0.024 m/s
    text.replace(text.find("method = \"implicit\"\n"), 20, "");
    text.replace(text.find("tolerance = 1e-9\n"), 17, "");
    EXPECT_NE(complaint(text).find("belongs to the implicit world"), std::string::npos) << complaint(text);
}

/// Skins are closed and outward: the volume of their cones from the origin is that of the shape, up to its facets.
TEST(Skin, ContainsTheVolumeOfItsShape) {
    const auto volume = [](const implicit::Skin<3>& skin) {
        double sum = 0;
        for (const auto& f : skin.faces) {
            Matrix<3, 3> m;
            for (int k = 0; k < 3; ++k) m.col(k) = skin.points[static_cast<std::size_t>(f[static_cast<std::size_t>(k)])];
            sum += m.determinant() / 6;
        }
        return sum;
    };
    const geometry::Shape shapes[] = {geometry::Box{{0.1, 0.2, 0.3}}, geometry::Sphere{0.3}, geometry::Capsule{0.1, 0.2},
                                      geometry::Cylinder{0.2, 0.1},
                                      geometry::convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})};
    for (const geometry::Shape& shape : shapes) {
        const double exact = geometry::volume_integrals(shape).volume;
        EXPECT_NEAR(volume(skin_of<3>(shape, 0)) / exact, 1, 0.02) << geometry::name(shape);
        EXPECT_LT(volume(skin_of<3>(shape, 0.01)), volume(skin_of<3>(shape, 0))) << geometry::name(shape);
    }
    EXPECT_NEAR(volume(skin_of<3>(shapes[0], 0.01)), 8 * 0.09 * 0.19 * 0.29, 1e-15);
    // the corner planes of a tetrahedron recede by the inset: its inscribed sphere shrinks by it
    const double inradius = 1 / (3 + std::sqrt(3.0)), shrunk = 1 - 0.01 / inradius;
    EXPECT_NEAR(volume(skin_of<3>(shapes[4], 0.01)), std::pow(shrunk, 3) / 6, 1e-12);
}

TEST(Skin, SectionsHaveTheirMoments) {
    const double pi = std::numbers::pi;
    const Section disc = section_of(geometry::Sphere{0.5}), box = section_of(geometry::Box{{0.2, 9, 0.1}});
    EXPECT_NEAR(disc.area, pi * 0.25, 1e-15);
    EXPECT_NEAR(disc.xx + disc.zz, 0.5 * pi * 0.0625, 1e-15);
    EXPECT_NEAR(box.area, 0.08, 1e-15);
    EXPECT_NEAR(box.xx, 0.2 * std::pow(0.4, 3) / 12, 1e-15);
    // a capsule against a sum over strips
    const geometry::Capsule capsule{0.1, 0.3};
    const Section exact = section_of(capsule);
    double area = 0, xx = 0, zz = 0;
    const int strips = 200000;
    for (int i = 0; i < strips; ++i) {
        const double z = -0.4 + 0.8 * (i + 0.5) / strips, over = std::max(0.0, std::fabs(z) - 0.3);
        const double half = std::sqrt(std::max(0.0, 0.01 - over * over)), step = 0.8 / strips;
        area += 2 * half * step;
        xx += 2.0 / 3 * half * half * half * step;
        zz += 2 * half * z * z * step;
    }
    EXPECT_NEAR(exact.area, area, 1e-8);
    EXPECT_NEAR(exact.xx, xx, 1e-9);
    EXPECT_NEAR(exact.zz, zz, 1e-9);
}

}  // namespace
}  // namespace asperity::scene

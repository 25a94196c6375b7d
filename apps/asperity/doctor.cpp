// asperity doctor: checks that all required programs and files are present and that results are correct.
#include <fmt/format.h>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "asperity/commands.h"
#include "asperity/core/files.h"
#include "asperity/scene.h"
#include "render/render.h"

namespace asperity::app {
namespace {

int problems = 0;

void say(bool good, const std::string& what, const std::string& remedy = "") {
    fmt::print("{} {}{}\n", good ? "ok  " : "FAIL", what, good || remedy.empty() ? "" : "; " + remedy);
    if (!good) ++problems;
}

/// A block on a slope has a closed form. The shortest check that contact, friction and the solver work on this machine.
void check_slope() {
    const double angle = radians(35), mu = 0.5;
    sim::World world;
    world.model.settings.gravity = 9.81 * Vec3{std::sin(angle), 0, -std::cos(angle)};
    world.add_material({.name = "block"});
    world.model.pairs.set_default({friction::Law{friction::Coulomb{mu}}, 0});
    world.add_body({.name = "ground", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}, {}, {}}}});
    world.add_body({.name = "block", .colliders = {{geometry::Box{{0.1, 0.1, 0.05}}, {}, {}}}, .pose = {{0, 0, 0.05}, {}}});
    for (int i = 0; i < 100; ++i) sim::step(world, 0.01);
    const double expected = 9.81 * (std::sin(angle) - mu * std::cos(angle)), speed = length(world.state.bodies.velocity[1]);
    say(std::fabs(speed / expected - 1) < 1e-9,
        fmt::format("block on a slope: {:.9f} m/s after 1 s, closed form {:.9f}", speed, expected));
}

}  // namespace

int doctor_command() {
    problems = 0;
    fmt::print("asperity {}\n", kVersion);
    fmt::print("     {} cores{}\n", std::thread::hardware_concurrency(), __builtin_cpu_supports("avx2") ? ", AVX2" : "");
    say(!all_scenes().empty(), fmt::format("{} scenes found", all_scenes().size()),
        "set ASPERITY_SCENES to the scenes folder");
    say(std::system("ffmpeg -version >/dev/null 2>&1") == 0, "ffmpeg makes films", "apt-get install ffmpeg");
    try {
        const auto folder = std::filesystem::temp_directory_path();
        make_output_folder(folder);
        say(true, fmt::format("files can be written to {}", folder.string()));
    } catch (const std::exception& error) { say(false, error.what()); }
    check_slope();
    try {
        record::Recording recording;
        recording.materials.push_back({.name = "ball"});
        recording.bodies.push_back({"ball", rigid::Motion::Dynamic, {{geometry::Sphere{0.5}}}});
        recording.frames.push_back({0, {Pose{{0, 0, 0.5}, {}}}, {Vec3{}}, {Vec3{}}, {}});
        render::Options options;
        options.width = options.height = 16;
        options.samples = 1;
        say(render::Renderer(recording, options).frame(0).rgb.size() == 16 * 16 * 3, "the renderer draws");
    } catch (const std::exception& error) { say(false, fmt::format("the renderer fails: {}", error.what())); }
    return problems == 0 ? kGood : kNumericalFailure;
}

}  // namespace asperity::app

// asperity render DIR|RECORDING|SCENE: pictures, films and film strips.
#include "render/render.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "asperity/commands.h"
#include "asperity/progress.h"
#include "asperity/scene.h"

namespace asperity::app {
namespace {

namespace fs = std::filesystem;

/// Loads the recording of a folder or a recording file, or runs a scene first.
record::Recording recording_of(const RenderArgs& args) {
    const fs::path path = args.input;
    if (fs::is_directory(path)) return record::load(path / "recording.asp");
    if (path.extension() == ".asp") return record::load(path);
    std::vector<scene::Override> overrides;
    for (const std::string& text : args.set) overrides.push_back(override_of(text));
    scene::Scene scene = scene::load(find_scene(args.input), overrides);
    Progress progress(scene.file.stem().string(), args.quiet);
    scene::RunOptions options;
    options.contacts = args.forces || args.cones;
    options.progress = [&](const sim::StepReport& report) { progress.update(std::min(1.0, report.time / scene.duration)); };
    return scene::run(scene, options).recording;
}

std::size_t frame_at(const record::Recording& recording, double time) {
    if (time < 0) return recording.frames.size() - 1;
    const auto nearer = [&](const record::Frame& a, const record::Frame& b) {
        return std::abs(a.time - time) < std::abs(b.time - time);
    };
    return static_cast<std::size_t>(std::min_element(recording.frames.begin(), recording.frames.end(), nearer) -
                                    recording.frames.begin());
}

Vec3 vec3_of(const std::vector<double>& numbers) { return {numbers[0], numbers[1], numbers[2]}; }

}  // namespace

int render_command(const RenderArgs& args) {
    if (args.picture.empty() && args.film.empty() && args.strip.empty())
        throw InputError("render: nothing to write; give --picture FILE.png, --film FILE.mp4 or --strip FILE.png");
    if (args.eye.empty() != args.target.empty()) throw InputError("render: --eye and --target need each other");
    for (const std::string& file : {args.picture, args.strip})
        if (!file.empty() && fs::path(file).extension() != ".png")
            throw InputError(fmt::format("render: {}: pictures are PNG; name it .png", file));
    set_thread_count(args.threads);
    const record::Recording recording = recording_of(args);
    if (recording.frames.empty()) throw InputError(fmt::format("{}: has no frames", args.input));

    const bool has_contacts =
        std::any_of(recording.frames.begin(), recording.frames.end(), [](const auto& f) { return !f.contacts.empty(); });
    if ((args.forces || args.cones) && !has_contacts)
        fmt::print(stderr, "asperity: {} has no contacts, so no forces or cones are drawn; run the scene with --contacts\n",
                   args.input);

    render::Options options;
    options.width = args.width;
    options.height = args.height > 0 ? args.height : std::max(16, args.width * 9 / 16);
    options.samples = args.samples;
    options.forces = args.forces;
    options.trails = args.trails;
    options.cones = args.cones;
    if (!args.eye.empty()) options.view = record::View{vec3_of(args.eye), vec3_of(args.target)};
    if (!args.picture.empty()) {
        render::save_png(render::Renderer(recording, options).frame(frame_at(recording, args.time)), args.picture);
        if (!args.quiet) fmt::print("{}\n", args.picture);
    }
    if (!args.strip.empty()) {
        // Narrow panels would crop the moving bodies.
        if (args.height == 0) options.height = std::max(16, args.width * 3 / (4 * args.strip_count));
        render::save_png(render::film_strip(recording, options, args.strip_count), args.strip);
        if (!args.quiet) fmt::print("{}\n", args.strip);
    }
    if (!args.film.empty()) {
        options.width = args.film_width;
        options.height = args.film_height;
        options.samples = args.film_samples;
        Progress progress("film", args.quiet);
        render::save_film(recording, options, args.fps, args.film, [&](double fraction) { progress.update(fraction); });
        progress.done();
        if (!args.quiet) fmt::print("{}\n", args.film);
    }
    return kGood;
}

}  // namespace asperity::app

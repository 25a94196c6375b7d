// asperity render DIR|RECORDING|SCENE: pictures, films and film strips.
#include "render/render.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "asperity/commands.h"
#include "asperity/core/files.h"
#include "asperity/progress.h"
#include "asperity/record/recording_file.h"
#include "asperity/record/run_folder_names.h"
#include "asperity/scene.h"
#include "asperity/tell.h"

namespace asperity::app {
namespace {

namespace fs = std::filesystem;

/// The input of a picture: a file, or a run that is kept in memory.
struct Input {
    std::optional<record::RecordingFile> file;
    record::Recording recording;
    record::Footage footage() const { return file ? record::Footage(file->head(), *file) : record::Footage(recording); }
};

/// Opens the recording of a folder or a recording file, or runs a scene first.
void open(const RenderArgs& args, Input& input) {
    const fs::path path = args.input;
    if (fs::is_directory(path)) {
        input.file.emplace(record::run_file(path, "recording.asp"));
        return;
    }
    if (path.extension() == ".asp") {
        input.file.emplace(path);
        return;
    }
    std::vector<scene::Override> overrides;
    for (const std::string& text : args.set) overrides.push_back(override_of(text));
    scene::Scene scene = scene::load(find_scene(args.input), overrides);
    Progress progress(scene.file.stem().string(), args.quiet);
    scene::RunOptions options;
    options.keep_frames = true;
    options.contacts = args.forces || args.cones || args.margin;
    options.progress = [&](const sim::StepReport& report) { progress.update(std::min(1.0, report.time / scene.duration)); };
    input.recording = scene::run(scene, options).recording;
}

bool has_contacts(const record::Frames& frames) {
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (!frames.at(i).contacts.empty()) return true;
    return false;
}

bool has_margins(const record::Frames& frames) {
    for (std::size_t i = 0; i < frames.size(); ++i)
        for (const record::ContactSample& contact : frames.at(i).contacts)
            if (std::isfinite(contact.margin)) return true;
    return false;
}

/// The colours that --color-by and --color-range ask for. The range is told, so that another picture can have the same.
std::optional<render::ColorScale> color_scale(const RenderArgs& args, const record::Footage& footage) {
    if (args.color_by.empty()) {
        if (!args.color_range.empty()) throw InputError("render: --color-range needs --color-by");
        return {};
    }
    const auto quantity = args.color_by == "displacement" ? render::Quantity::Displacement
                          : args.color_by == "von_mises"  ? render::Quantity::VonMises
                                                          : render::Quantity::Pressure;
    if (!args.color_range.empty() && !(args.color_range[0] < args.color_range[1]))
        throw InputError(fmt::format("render: --color-range {} {}: the second value must be the larger one",
                                     args.color_range[0], args.color_range[1]));
    render::ColorScale scale = render::automatic_scale(footage, quantity);
    if (!args.color_range.empty())
        scale.low = args.color_range[0], scale.high = args.color_range[1];
    else if (!args.quiet)
        tell("asperity: colours from {:.4g} to {:.4g} {}\n", scale.low, scale.high, render::unit(quantity));
    return scale;
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
    for (const std::string& file : {args.picture, args.strip, args.film})
        if (!file.empty()) const GrowingFile probe(file);  // checks that the path can be written before hours of rendering
    set_thread_count(args.threads);
    Input input;
    open(args, input);
    const record::Footage footage = input.footage();
    if (footage.frames().size() == 0) throw InputError(fmt::format("{}: has no frames", args.input));

    if ((args.forces || args.cones) && !has_contacts(footage.frames()))
        tell("asperity: {} has no contacts, so no forces or cones are drawn; run the scene with --contacts\n", args.input);
    if (args.margin && !has_margins(footage.frames()))
        throw InputError(fmt::format(
            "render: --margin: {} has no contact with friction and a known margin; run the scene with --contacts",
            args.input));
    if (args.margin && !args.color_by.empty())
        throw InputError("render: --margin and --color-by: a picture has one colour bar; choose one");
    render::Options options;
    options.width = args.width;
    options.height = args.height > 0 ? args.height : std::max(16, args.width * 9 / 16);
    options.samples = args.samples;
    options.forces = args.forces;
    options.trails = args.trails;
    options.cones = args.cones;
    options.margin = args.margin;
    options.color_by = color_scale(args, footage);
    if (!args.eye.empty()) options.view = record::View{vec3_of(args.eye), vec3_of(args.target)};
    if (!args.picture.empty()) {
        render::save_png(render::Renderer(footage, options)
                             .frame(args.time < 0 ? footage.frames().size() - 1 : footage.frames().nearest(args.time)),
                         args.picture);
        if (!args.quiet) fmt::print("{}\n", args.picture);
    }
    if (!args.strip.empty()) {
        // Narrow panels would crop the moving bodies.
        if (args.height == 0) options.height = std::max(16, args.width * 3 / (4 * args.strip_count));
        render::save_png(render::film_strip(footage, options, args.strip_count), args.strip);
        if (!args.quiet) fmt::print("{}\n", args.strip);
    }
    if (!args.film.empty()) {
        options.width = args.film_width;
        options.height = args.film_height;
        options.samples = args.film_samples;
        Progress progress("film", args.quiet);
        render::save_film(footage, options, args.fps, args.film, [&](double fraction) { progress.update(fraction); });
        progress.done();
        if (!args.quiet) fmt::print("{}\n", args.film);
    }
    return kGood;
}

}  // namespace asperity::app

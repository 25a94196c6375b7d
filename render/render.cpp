#include "render/render.h"

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/record/check.h"
#include "render/color_bar.h"
#include "render/overlay.h"
#include "render/tone.h"
#include "render/tracer.h"

namespace asperity::render {
namespace {

void check_range(const char* what, double value, double low, double high) {
    if (!(value >= low && value <= high))
        throw InputError(fmt::format("{} is {}, but must be {} to {}", what, value, low, high));
}

void check(const Options& options) {
    check_range("picture width", options.width, 1, 16384);
    check_range("picture height", options.height, 1, 16384);
    check_range("samples per pixel", options.samples, 1, 4096);
    check_range("number of bounces", options.max_bounces, 0, 64);
    check_range("exposure", options.exposure, 1e-6, 1e6);
    if (options.color_by && !(options.color_by->high - options.color_by->low > 0 &&
                              std::isfinite(options.color_by->high - options.color_by->low)))
        throw InputError(fmt::format("colours from {} to {}: the second value must be the larger one", options.color_by->low,
                                     options.color_by->high));
}

void check(const record::Footage& footage) {
    const record::Recording& recording = footage.head();
    if (footage.frames().size() == 0)
        throw InputError(fmt::format("recording '{}' has no frames, so there is nothing to draw", recording.title));
    const std::size_t count = recording.bodies.size();
    for (std::size_t f = 0; f < recording.frames.size(); ++f)  // those of a file are checked as they are read
        if (recording.frames[f].poses.size() != count)
            throw InputError(fmt::format("recording '{}', frame {}: {} poses for {} bodies", recording.title, f,
                                         recording.frames[f].poses.size(), count));
    const std::vector<record::FrameLayout::Deformable> meshes = record::layout_of(recording).deformables;
    for (const record::Frame& frame : recording.frames) {
        bool fits = frame.deformations.size() == meshes.size();
        for (std::size_t i = 0; fits && i < meshes.size(); ++i)
            fits = frame.deformations[i].body == meshes[i].body && frame.deformations[i].positions.size() == meshes[i].nodes;
        if (!fits)
            throw InputError(fmt::format("recording '{}', time {}: the deformations do not fit the {} deformable bodies",
                                         recording.title, frame.time, meshes.size()));
    }
    for (const record::Link& link : recording.links)
        for (const int body : {link.body_a, link.body_b})
            if (body < -1 || body >= static_cast<int>(count))
                throw InputError(
                    fmt::format("recording '{}': a link names body {}, but there are {}", recording.title, body, count));
}

const record::Footage& checked(const record::Footage& footage, const Options& options) {
    check(options);
    check(footage);
    return footage;
}

record::View choose_view(const record::Footage& footage, const Options& options) {
    record::View view = options.view          ? *options.view
                        : footage.head().view ? *footage.head().view
                                              : automatic_view(footage, static_cast<double>(options.width) / options.height);
    check_range("field of view [degrees]", view.field_of_view_deg, 0.1, 170);
    if (const double distance = length(view.target - view.eye);
        !(distance > 0 && distance < 1e9 && length(view.target) < 1e9))
        throw InputError("a view needs an eye and a target at two different points less than 1e9 m from the origin");
    return view;
}

}  // namespace

struct Renderer::State {
    record::Footage footage;
    Options options;
    record::View view;
    Extent extent;
    Camera camera;
    Sky sky;
    Scene scene;
    OverlayBuilder overlay;

    State(const record::Footage& f, Options o)
        : footage(checked(f, o)),
          options(std::move(o)),
          view(choose_view(footage, options)),
          extent(motion_extent(footage)),
          camera(view, options.width, options.height),
          sky(options.lighting, camera.forward),
          scene(footage.head(), view.target, view.eye, link_radius(), options.color_by),
          overlay(footage, {options.forces, options.trails, options.cones}, view.target) {}

    double distance() const { return length(view.target - view.eye); }
    // A link is thin compared with the bodies, but at least one and a half pixels wide.
    double link_radius() const {
        return std::fmax(0.03 * extent.body_radius, 0.75 * static_cast<double>(camera.pixel_spread) * distance());
    }

    std::vector<Pixel> pixels(std::size_t index) {
        if (index >= footage.frames().size())
            throw InputError(fmt::format("frame {} does not exist; the recording has frames 0 to {}", index,
                                         footage.frames().size() - 1));
        scene.set_frame(footage.frames().at(index));
        const double size = length(extent.high - extent.low);
        TraceSettings settings{options.width,       options.height, options.samples,
                               options.max_bounces, options.seed,   static_cast<float>(5 * distance() + 2 * size)};
        std::vector<Pixel> result = trace(scene, sky, camera, settings);
        if (options.denoise) denoise(result, options.width, options.height, camera.pixel_spread);
        return result;
    }
};

Renderer::Renderer(const record::Footage& footage, Options options)
    : state_(std::make_unique<State>(footage, std::move(options))) {}
Renderer::~Renderer() = default;
const record::View& Renderer::view() const { return state_->view; }

std::vector<Float3> Renderer::radiance(std::size_t index) {
    std::vector<Float3> light;
    for (const Pixel& pixel : state_->pixels(index)) light.push_back(pixel.color());
    return light;
}

Image Renderer::frame(std::size_t index) {
    const std::vector<Pixel> pixels = state_->pixels(index);
    const Options& options = state_->options;
    const std::vector<OverlayPixel> overlay =
        draw_overlay(state_->overlay.build(index), state_->camera, pixels, options.width, options.height);
    Image image{options.width, options.height, std::vector<std::uint8_t>(3 * pixels.size())};
    const auto exposure = static_cast<float>(options.exposure);
    const auto develop = [&](int i) {
        const auto p = static_cast<std::size_t>(i);
        const Float3 developed = film_curve(exposure * pixels[p].color());
        const Float3 c = (1 - overlay[p].opacity) * developed + overlay[p].color;
        const float channels[3] = {c.x, c.y, c.z};
        for (std::size_t k = 0; k < 3; ++k)
            image.rgb[3 * p + k] =
                static_cast<std::uint8_t>(255 * std::clamp(linear_to_srgb(channels[k]), 0.0f, 1.0f) + 0.5f);
    };
    parallel_for(static_cast<int>(pixels.size()), develop, 4096);
    if (options.color_by && options.color_bar) draw_color_bar(image, *options.color_by);
    return image;
}

}  // namespace asperity::render

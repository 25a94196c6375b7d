// Headless pictures and films of recordings, by a path tracer on the CPU. Needs no display and no graphics card.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "asperity/record/frames.h"
#include "render/color_by.h"
#include "render/image.h"
#include "render/lighting.h"

namespace asperity::render {

struct Options {
    int width = 1280, height = 720;  ///< [pixels], 1 .. 16384
    int samples = 64;                ///< largest number per pixel, 1 .. 4096; pixels with little noise stop early
    bool forces = false;             ///< arrows for contact forces
    bool trails = false;             ///< past paths of moving bodies
    bool cones = false;              ///< limit surfaces at contacts: ellipses with semi-axes mu_t, mu_b times a body radius
    bool margin = false;             ///< contact points coloured by their margin to slip, with a colour bar
    double exposure = 1;             ///< 2 is twice as bright
    std::uint64_t seed = 1;
    /// Colours of deformable bodies by a scalar field, with a colour bar.
    std::optional<ColorScale> color_by;
    bool color_bar = true;             ///< false: the caller draws it
    std::optional<record::View> view;  ///< takes precedence over the recording's view, and that over the automatic view
    int max_bounces = 4;
    bool denoise = true;
    Lighting lighting;
};

/// The colour bar that the options ask for, if any.
void draw_legend(Image& image, const Options& options);

/// Renders pictures of one recording, in memory or in a file, which must outlive it. The scene is built once; a new frame
/// only moves the bodies.
/// Uses the threads of core/parallel.h; the result does not depend on their number.
class Renderer {
  public:
    /// Throws InputError for options out of range, for a recording without frames or with bad indices, and for textures that
    /// cannot be read.
    Renderer(const record::Footage& footage, Options options);
    ~Renderer();

    Image frame(std::size_t index);
    /// Linear light before the film curve, without overlays: width x height values, rows from top to bottom.
    std::vector<Float3> radiance(std::size_t index);
    const record::View& view() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// An MP4 (H.264) of `count` pictures of one size. Throws InputError as save_film() does.
void save_frames(const std::filesystem::path& path, int count, double fps, const std::function<Image(int frame)>& frame);

/// An MP4 (H.264) of the whole recording, made by the ffmpeg program. Each film frame shows the recorded frame nearest in
/// time. `progress`, if given, is called with the finished fraction, at last with 1. Throws InputError if ffmpeg is missing
/// or fails, or if the file cannot be written; then no file remains.
void save_film(const record::Footage& footage, const Options& options, double fps, const std::filesystem::path& path,
               const std::function<void(double)>& progress = {});

/// `count` frames, evenly spaced in time from first to last, side by side in one picture of the requested size.
Image film_strip(const record::Footage& footage, const Options& options, int count);

}  // namespace asperity::render

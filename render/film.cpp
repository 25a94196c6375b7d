// Films: raw frames are piped into ffmpeg, which writes to a temporary file beside the final one.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "render/render.h"

namespace asperity::render {
namespace fs = std::filesystem;
namespace {

bool on_path(const std::string& program) {
    const char* list = std::getenv("PATH");
    std::string rest = list ? list : "";
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const fs::path candidate = fs::path(rest.substr(0, colon)) / program;
        if (::access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return true;
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
    return false;
}

// Quotes text for the shell: single quotes protect everything except a single quote.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// During its lifetime, writing to a program that has ended gives an error code instead of ending this program.
class IgnoreBrokenPipes {
  public:
    IgnoreBrokenPipes() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before_);
    }
    ~IgnoreBrokenPipes() { ::sigaction(SIGPIPE, &before_, nullptr); }
    IgnoreBrokenPipes(const IgnoreBrokenPipes&) = delete;
    IgnoreBrokenPipes& operator=(const IgnoreBrokenPipes&) = delete;

  private:
    struct sigaction before_ {};
};

/// A running ffmpeg and its two temporary files. Without finish(), the files are removed.
class Encoder {
  public:
    Encoder(fs::path path, int width, int height, double fps)
        : path_(std::move(path)),
          temporary_(path_.string() + fmt::format(".{}.tmp", ::getpid())),
          log_(temporary_.string() + ".log") {
        if (!on_path("ffmpeg"))
            throw InputError(fmt::format(
                "{}: films need the program ffmpeg, which is not installed; try: apt install ffmpeg", path_.string()));
        // Check that the path is writable before hours of rendering.
        std::FILE* probe = fs::is_directory(path_) ? nullptr : std::fopen(temporary_.c_str(), "wb");
        if (!probe)
            throw InputError(fmt::format("{}: cannot write: {}; choose another path for the film", path_.string(),
                                         fs::is_directory(path_) ? "it is a folder" : std::strerror(errno)));
        std::fclose(probe);
        // Pad both sides to even lengths, as H.264 with half-size chroma requires.
        const std::string command = fmt::format(
            "ffmpeg -nostdin -y -loglevel error -f rawvideo -pix_fmt rgb24 -s {}x{} -r {} -i pipe:0 -an -vf "
            "'pad=ceil(iw/2)*2:ceil(ih/2)*2' "
            "-c:v libx264 -preset medium -crf 17 -pix_fmt yuv420p -movflags +faststart -f mp4 {} 2>{}",
            width, height, fps, quoted(fs::absolute(temporary_).string()), quoted(fs::absolute(log_).string()));
        pipe_ = ::popen(command.c_str(), "w");
        if (!pipe_) {
            remove_files();
            throw InputError(fmt::format("{}: ffmpeg did not start: {}", path_.string(), std::strerror(errno)));
        }
    }
    ~Encoder() {
        if (pipe_) ::pclose(pipe_);
        if (!finished_) remove_files();
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    void write(const Image& image) {
        if (std::fwrite(image.rgb.data(), 1, image.rgb.size(), pipe_) != image.rgb.size()) fail();
    }
    void finish() {
        const int status = ::pclose(pipe_);
        pipe_ = nullptr;
        if (status != 0) fail();
        std::error_code error;
        fs::rename(temporary_, path_, error);
        if (error) throw InputError(fmt::format("{}: cannot write: {}", path_.string(), error.message()));
        finished_ = true;
        fs::remove(log_, error);
    }

  private:
    [[noreturn]] void fail() {
        if (pipe_) ::pclose(pipe_);
        pipe_ = nullptr;
        std::string reason = fs::exists(log_) ? read_file(log_) : "";
        while (!reason.empty() && reason.back() == '\n') reason.pop_back();
        throw InputError(
            fmt::format("{}: ffmpeg failed: {}", path_.string(), reason.empty() ? "it gave no reason" : reason));
    }
    void remove_files() {
        std::error_code ignored;
        fs::remove(temporary_, ignored);
        fs::remove(log_, ignored);
    }

    fs::path path_, temporary_, log_;
    std::FILE* pipe_ = nullptr;
    bool finished_ = false;
};

std::size_t nearest_frame(const record::Recording& recording, double time) {
    const auto& frames = recording.frames;
    const auto after =
        std::lower_bound(frames.begin(), frames.end(), time, [](const record::Frame& f, double t) { return f.time < t; });
    if (after == frames.begin()) return 0;
    if (after == frames.end()) return frames.size() - 1;
    const auto index = static_cast<std::size_t>(after - frames.begin());
    return after->time - time < time - frames[index - 1].time ? index : index - 1;
}

}  // namespace

void save_film(const record::Recording& recording, const Options& options, double fps, const fs::path& path,
               const std::function<void(double)>& progress) {
    if (!(fps >= 1 && fps <= 1000))
        throw InputError(fmt::format("a film of {} frames per second; 1 to 1000 are possible, 30 is usual", fps));
    Renderer renderer(recording, options);
    const double start = recording.frames.front().time, duration = recording.frames.back().time - start;
    if (!(duration >= 0 && duration < 1e6))
        throw InputError(fmt::format("the recording lasts {} s; times must increase", duration));
    const IgnoreBrokenPipes no_signal;
    Encoder encoder(path, options.width, options.height, fps);
    // The small offset keeps the last frame if rounding makes the duration slightly less than a whole number of film frames.
    const int count = static_cast<int>(duration * fps + 1e-6) + 1;
    std::size_t drawn = recording.frames.size();
    Image image;
    for (int i = 0; i < count; ++i) {
        const std::size_t frame = nearest_frame(recording, start + i / fps);
        // repeats a recorded frame if the film has more frames than the recording
        if (frame != drawn) image = renderer.frame(frame);
        drawn = frame;
        encoder.write(image);
        if (progress && i + 1 < count) progress(static_cast<double>(i + 1) / count);
    }
    encoder.finish();
    if (progress) progress(1);
}

Image film_strip(const record::Recording& recording, const Options& options, int count) {
    if (count < 1 || count > options.width)
        throw InputError(fmt::format("a film strip of {} panels; 1 to {} fit a picture {} pixels wide", count, options.width,
                                     options.width));
    const int gap = count > 1 ? std::max(1, options.width / 320) : 0;
    Options panel = options;
    panel.width = std::max(1, (options.width - gap * (count - 1)) / count);
    Renderer renderer(recording, panel);
    Image strip{options.width, options.height,
                std::vector<std::uint8_t>(std::size_t{3} * static_cast<std::size_t>(options.width * options.height), 255)};
    const double start = recording.frames.front().time, duration = recording.frames.back().time - start;
    // Divide the remaining pixels between the outer margins.
    const int margin = (options.width - count * panel.width - gap * (count - 1)) / 2;
    for (int i = 0; i < count; ++i) {
        const Image image = renderer.frame(
            nearest_frame(recording, start + (count == 1 ? 1.0 : static_cast<double>(i) / (count - 1)) * duration));
        for (int y = 0; y < panel.height; ++y) {
            const auto from = image.rgb.begin() + std::ptrdiff_t{3} * y * panel.width;
            std::copy(from, from + std::ptrdiff_t{3} * panel.width,
                      strip.rgb.begin() + std::ptrdiff_t{3} * (y * options.width + margin + i * (panel.width + gap)));
        }
    }
    return strip;
}

}  // namespace asperity::render

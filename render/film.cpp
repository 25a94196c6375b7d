// Films: raw frames are piped into ffmpeg, which writes to a temporary file beside the final one.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/one_line.h"
#include "render/color_bar.h"
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

/// Whether the file consists of whole MP4 boxes (ISO 14496-12, section 4.2), one of which is the index of the film.
bool is_whole_mp4(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    std::FILE* file = error ? nullptr : std::fopen(path.c_str(), "rb");
    if (!file) return false;
    std::uintmax_t at = 0;
    bool has_index = false;
    while (at < size) {
        unsigned char b[16] = {};
        if (::fseeko(file, static_cast<off_t>(at), SEEK_SET) != 0 || std::fread(b, 1, 8, file) != 8) break;
        const auto number = [&](int first, int count) {
            std::uintmax_t n = 0;
            for (int i = first; i < first + count; ++i) n = n << 8 | b[i];
            return n;
        };
        std::uintmax_t box = number(0, 4);
        if (box == 1) box = std::fread(b + 8, 1, 8, file) == 8 ? number(8, 8) : 0;  // a 64-bit size follows
        if (box < 8 || box > size - at) break;
        has_index |= std::string_view(reinterpret_cast<const char*>(b) + 4, 4) == "moov";
        at += box;
    }
    std::fclose(file);
    return has_index && at == size;
}

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
        { const GrowingFile probe(path_); }  // checks that the path can be written before hours of rendering
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
        // Some versions of ffmpeg report a full disk in the log alone, and end with 0.
        std::error_code error;
        if (status != 0 || fs::file_size(log_, error) != 0 || !is_whole_mp4(temporary_)) fail();
        fs::rename(temporary_, path_, error);
        if (error) throw InputError(fmt::format("{}: cannot write: {}", path_.string(), error.message()));
        finished_ = true;
        fs::remove(log_, error);
    }

  private:
    [[noreturn]] void fail() {
        if (pipe_) ::pclose(pipe_);
        pipe_ = nullptr;
        std::error_code ignored;
        std::string reason = fs::exists(log_, ignored) ? read_file(log_) : "";
        reason = reason.find("No space left") != std::string::npos ? "the disk is full" : one_line(reason, 300);
        throw InputError(
            fmt::format("{}: ffmpeg failed: {}", path_.string(), reason.empty() ? "the film is not whole" : reason));
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

}  // namespace

void save_frames(const fs::path& path, int count, double fps, const std::function<Image(int)>& frame) {
    const IgnoreBrokenPipes no_signal;
    Image image = frame(0);
    Encoder encoder(path, image.width, image.height, fps);
    for (int i = 0; i < count; ++i) {
        if (i > 0) image = frame(i);
        encoder.write(image);
    }
    encoder.finish();
}

void save_film(const record::Footage& footage, const Options& options, double fps, const fs::path& path,
               const std::function<void(double)>& progress) {
    if (!(fps >= 1 && fps <= 1000))
        throw InputError(fmt::format("a film of {} frames per second; 1 to 1000 are possible, 30 is usual", fps));
    Renderer renderer(footage, options);
    const double start = footage.frames().time(0), duration = footage.frames().time(footage.frames().size() - 1) - start;
    if (!(duration >= 0 && duration < 1e6))
        throw InputError(fmt::format("the recording lasts {} s; times must increase", duration));
    const IgnoreBrokenPipes no_signal;
    Encoder encoder(path, options.width, options.height, fps);
    // The small offset keeps the last frame if rounding makes the duration slightly less than a whole number of film frames.
    const int count = static_cast<int>(duration * fps + 1e-6) + 1;
    std::size_t drawn = footage.frames().size();
    Image image;
    for (int i = 0; i < count; ++i) {
        const std::size_t frame = footage.frames().nearest(start + i / fps);
        // repeats a recorded frame if the film has more frames than the recording
        if (frame != drawn) image = renderer.frame(frame);
        drawn = frame;
        encoder.write(image);
        if (progress && i + 1 < count) progress(static_cast<double>(i + 1) / count);
    }
    encoder.finish();
    if (progress) progress(1);
}

Image film_strip(const record::Footage& footage, const Options& options, int count) {
    if (count < 1 || count > options.width)
        throw InputError(fmt::format("a film strip of {} panels; 1 to {} fit a picture {} pixels wide", count, options.width,
                                     options.width));
    const int gap = count > 1 ? std::max(1, options.width / 320) : 0;
    Options panel = options;
    panel.color_bar = false;
    panel.width = std::max(1, (options.width - gap * (count - 1)) / count);
    Renderer renderer(footage, panel);
    Image strip{options.width, options.height,
                std::vector<std::uint8_t>(std::size_t{3} * static_cast<std::size_t>(options.width * options.height), 255)};
    const double start = footage.frames().time(0), duration = footage.frames().time(footage.frames().size() - 1) - start;
    // Divide the remaining pixels between the outer margins.
    const int margin = (options.width - count * panel.width - gap * (count - 1)) / 2;
    for (int i = 0; i < count; ++i) {
        const Image image = renderer.frame(
            footage.frames().nearest(start + (count == 1 ? 1.0 : static_cast<double>(i) / (count - 1)) * duration));
        for (int y = 0; y < panel.height; ++y) {
            const auto from = image.rgb.begin() + std::ptrdiff_t{3} * y * panel.width;
            std::copy(from, from + std::ptrdiff_t{3} * panel.width,
                      strip.rgb.begin() + std::ptrdiff_t{3} * (y * options.width + margin + i * (panel.width + gap)));
        }
    }
    if (options.color_bar) draw_legend(strip, options);
    return strip;
}

}  // namespace asperity::render

// Films made by ffmpeg, and film strips.
#include <gtest/gtest.h>

#include "asperity/core/error.h"
#include "stage.h"

namespace asperity::render {
namespace {

// A ball that crosses the picture in half a second, recorded at 100 Hz.
Stage rolling_ball() {
    Stage stage;
    const int ground = stage.material({.checker = true}), grey = stage.material({});
    stage.body(geometry::HalfSpace{}, ground, {}, rigid::Motion::Fixed);
    stage.body(geometry::Sphere{0.3}, grey, {{-1, 0, 0.3}, {}});
    for (int i = 0; i <= 50; ++i) stage.frame(0.01 * i).poses[1].position.x += 0.04 * i;
    return stage;
}

Options quick(int width, int height) {
    Options options;
    options.width = width, options.height = height, options.samples = 2;
    return options;
}

bool has_ffmpeg() { return std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0; }

std::string output_of(const std::string& command) {
    std::string text;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[256];
    while (std::fgets(buffer, sizeof buffer, pipe)) text += buffer;
    ::pclose(pipe);
    return text;
}

TEST(Film, HasAFrameForEveryThirtiethOfASecond) {
    ASSERT_TRUE(has_ffmpeg()) << "tools/setup.sh installs ffmpeg";
    const Folder folder;
    const Stage stage = rolling_ball();
    std::vector<double> progress;
    // Odd sides are a problem for the encoder, a quote in the name for the shell.
    const std::filesystem::path path = folder / "it's a film.mp4";
    save_film(stage.recording, quick(49, 27), 30, path, [&](double fraction) { progress.push_back(fraction); });
    EXPECT_EQ(folder.file_count(), 1);
    const std::string frames =
        output_of("ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 \"" +
                  path.string() + "\"");
    EXPECT_EQ(std::stoi(frames), 16);  // 0, 1/30, ..., 15/30
    ASSERT_EQ(progress.size(), 16u);
    EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
    EXPECT_EQ(progress.back(), 1);
}

TEST(Film, LeavesNothingWhereItCannotBeWritten) {
    ASSERT_TRUE(has_ffmpeg()) << "tools/setup.sh installs ffmpeg";
    const Folder folder;
    const Stage stage = rolling_ball();
    EXPECT_THROW(save_film(stage.recording, quick(16, 16), 30, folder / "missing/film.mp4"), InputError);
    EXPECT_EQ(folder.file_count(), 0);
    EXPECT_THROW(save_film(stage.recording, quick(16, 16), 0, folder / "film.mp4"), InputError);
    EXPECT_EQ(folder.file_count(), 0);
    // Aborted by an exception of the caller.
    EXPECT_THROW(
        save_film(stage.recording, quick(16, 16), 30, folder / "film.mp4", [](double) { throw std::runtime_error("stop"); }),
        std::runtime_error);
    EXPECT_EQ(folder.file_count(), 0);
}

TEST(Film, SaysThatFfmpegIsMissingOrWhyItFailed) {
    const Folder folder;
    const Stage stage = rolling_ball();
    const std::string path = std::getenv("PATH");
    const auto message = [&]() -> std::string {
        try {
            save_film(stage.recording, quick(16, 16), 30, folder / "film.mp4");
        } catch (const InputError& error) { return error.what(); }
        return "";
    };
    ::setenv("PATH", "/no/such/folder", 1);
    EXPECT_NE(message().find("not installed"), std::string::npos);
    // An ffmpeg that fails at once must end the film with its error message, and must not end our program with a signal.
    const std::filesystem::path fake = folder / "bin";
    std::filesystem::create_directory(fake);
    const auto pretend = [&](const char* program) {
        std::FILE* script = std::fopen((fake / "ffmpeg").c_str(), "w");
        std::fputs(program, script);
        std::fclose(script);
        std::filesystem::permissions(fake / "ffmpeg", std::filesystem::perms::owner_all);
    };
    ::setenv("PATH", (fake.string() + ":" + path).c_str(), 1);
    pretend("#!/bin/sh\necho no such codec >&2\nexit 3\n");
    EXPECT_NE(message().find("no such codec"), std::string::npos);
    // On a full disk some versions of ffmpeg end with 0: with a complaint, or without if the log is on that disk too.
    pretend("#!/bin/sh\ncat > /dev/null\necho 'av_interleaved_write_frame(): No space left on device' >&2\n");
    EXPECT_NE(message().find("the disk is full"), std::string::npos);
    pretend("#!/bin/sh\ncat > /dev/null\n");
    EXPECT_NE(message().find("the film is not whole"), std::string::npos);
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(folder.file_count(), 1);  // only the fake ffmpeg
}

TEST(FilmStrip, ShowsSeveralMomentsInOnePictureOfTheAskedSize) {
    const Stage stage = rolling_ball();
    const Image strip = film_strip(stage.recording, quick(130, 20), 4);
    EXPECT_EQ(strip.width, 130);
    EXPECT_EQ(strip.height, 20);
    ASSERT_EQ(strip.rgb.size(), std::size_t{130 * 20 * 3});
    // The gap between two panels is white from top to bottom; no panel column is.
    int white_columns = 0;
    for (int x = 0; x < 130; ++x) {
        bool white = true;
        for (int y = 0; y < 20; ++y)
            for (int k = 0; k < 3; ++k) white &= strip.rgb[static_cast<std::size_t>(3 * (130 * y + x) + k)] == 255;
        white_columns += white;
    }
    EXPECT_GE(white_columns, 3);
    EXPECT_LE(white_columns, 6);
    EXPECT_THROW(film_strip(stage.recording, quick(130, 20), 0), InputError);
}

}  // namespace
}  // namespace asperity::render

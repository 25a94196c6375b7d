// A full disk is an error with a message, leaves no part of a file, and loses nothing that a checkpoint holds.
#include "program.h"

#include <sys/resource.h>
#include <sys/stat.h>

namespace asperity::cli {
namespace {

// The temporary name of a file contains the process id. A link of that name to /dev/full makes the disk full for this
// file only.
class FullDisk : public Program {
  protected:
    const std::vector<std::string> run_slope{"run", "scenes/slope.toml", "--duration", "0.1", "--out", out(), "--quiet"};

    void link_to_full(const std::string& name) const {
        if (::symlink("/dev/full", name.c_str()) != 0) ::_exit(97);
    }
    Outcome run_with_full(const std::string& file) const {
        fs::remove_all(out());
        fs::create_directories(out());
        return run(run_slope, [&] { link_to_full(fmt::format("{}/{}.{}.tmp", out(), file, ::getpid())); });
    }
    /// The same for a table or the recording, which grow in the folder of the unfinished run.
    Outcome run_with_full_stream(const std::string& file) const {
        fs::remove_all(out());
        return run(run_slope, [&] {
            const std::string unfinished = fmt::format("{}/.unfinished-{}", out(), ::getpid());
            fs::create_directories(unfinished);
            link_to_full(unfinished + "/" + file);
        });
    }
    /// Runs with standard output on the full disk.
    Outcome run_into_full(const std::vector<std::string>& args) const {
        fs::remove(folder_ / "stdout");
        link_to_full((folder_ / "stdout").string());
        const pid_t child = start(args);
        int status = 0;
        ::waitpid(child, &status, 0);
        fs::remove(folder_ / "stdout");
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), "", read_file(folder_ / "stderr")};
    }
};

TEST_F(FullDisk, IsNoticedBeforeTheRunRatherThanAfterIt) {
    expect_complaint(run_with_full(".write_test"), "full");
    EXPECT_TRUE(left().empty());
}

TEST_F(FullDisk, LeavesNoPartOfATable) {
    for (const char* file : {"steps.csv", "bodies.csv", "recording.asp"}) {
        expect_complaint(run_with_full_stream(file), "full");
        EXPECT_TRUE(left().empty()) << file << " left " << left().front();
    }
}

TEST_F(FullDisk, AtTheEndCostsNothingThatTheCheckpointHolds) {
    ASSERT_EQ(run({"run", "scenes/slope.toml", "--duration", "0.1", "--out", (folder_ / "good").string(), "--quiet"}).code,
              0);
    for (const char* file : {"motion.glb", "summary.json", "checkpoint"}) {
        expect_complaint(run_with_full(file), "full");
        for (const std::string& name : left()) {
            EXPECT_NE(name, file);
            EXPECT_FALSE(name.ends_with(".tmp")) << name << " was left";
        }
        EXPECT_FALSE(fs::exists(fs::path(out()) / "summary.json")) << "speaks of a whole run";
        if (std::string(file) == "checkpoint") continue;
        std::vector<std::string> again = run_slope;
        again.emplace_back("--resume");
        EXPECT_EQ(run(again).code, 0) << file;
        for (const char* whole : {"bodies.csv", "recording.asp", "motion.glb"})
            EXPECT_TRUE(read_file(fs::path(out()) / whole) == read_file(folder_ / "good" / whole)) << whole;
    }
}

TEST_F(FullDisk, UnderStandardOutputIsAnErrorOfEveryCommand) {
    ASSERT_EQ(run(run_slope).code, 0);
    const std::string svg = (folder_ / "a.svg").string(), png = (folder_ / "a.png").string();
    const std::vector<std::vector<std::string>> commands = {
        {"run", "slope", "--duration", "0.1", "--json"},
        {"run", "slope", "--duration", "0.1", "--quiet"},
        {"plot", out(), "--y", "residual", "--out", svg},
        {"cone", "slope", "--contact", "block", "--out", svg},
        {"cone", "--map-b", "gaussian = 1, size = [32, 32]", "--out", svg},
        {"scenes"},
        {"scenes", "--json"},
        {"texture", "--formula", "30", "--size", "8", "8", "--out", png},
        {"bench", "slope", "--steps", "2", "--warm-up", "0"},
        {"bench", "laws", "--help"},
        {"doctor"},
        {"--help"},
        {"--version"},
    };
    for (const std::vector<std::string>& command : commands) {
        const Outcome outcome = run_into_full(command);
        EXPECT_EQ(outcome.code, 2) << fmt::format("{}", fmt::join(command, " ")) << ": " << outcome.err;
        EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
    }
}

TEST_F(FullDisk, UnderStandardErrorEndsNoWork) {
    const pid_t child = start(run_slope, [&] {
        fs::remove(folder_ / "stderr");
        link_to_full((folder_ / "stderr").string());
    });
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    std::vector<std::string> wrong = run_slope;
    wrong[1] = "slop";
    const pid_t second = start(wrong);
    ::waitpid(second, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status;
    fs::remove(folder_ / "stderr");
}

TEST_F(FullDisk, OfAFilmIsAnError) {
    ASSERT_EQ(run(run_slope).code, 0);
    const std::string film = (folder_ / "film.mp4").string();
    // no file may grow beyond 256 bytes: ffmpeg cannot write the film
    const Outcome outcome =
        run({"render", out(), "--film", film, "--film-width", "64", "--film-height", "64", "--film-samples", "1", "--quiet"},
            [] {
                const rlimit limit{256, 256};
                ::setrlimit(RLIMIT_FSIZE, &limit);
            });
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_FALSE(fs::exists(film));
}

// To write into it is no use, as the last step of writing is to rename a file, and so to remove the pipe or the device.
TEST_F(FullDisk, OrAnyDeviceOrPipeIsNotReplacedByAFile) {
    ASSERT_EQ(run(run_slope).code, 0);
    for (const char* suffix : {".png", ".mp4", ".svg"}) {
        const std::string pipe = (folder_ / "pipe").string() + suffix;
        ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
        std::vector<std::vector<std::string>> commands = {
            {"render", out(), "--picture", pipe},
            {"render", out(), "--strip", pipe},
            {"texture", "--formula", "30", "--size", "8", "8", "--out", pipe},
            {"texture", "--normal-map", "gaussian = 1, size = [32, 32]", "--out", pipe},
        };
        if (std::string(suffix) == ".mp4") commands = {{"render", out(), "--film", pipe}};
        if (std::string(suffix) == ".svg")
            commands = {{"plot", out(), "--y", "residual", "--out", pipe},
                        {"cone", "slope", "--contact", "block", "--out", pipe},
                        {"cone", "--map-b", "gaussian = 1, size = [32, 32]", "--out", pipe}};
        for (const std::vector<std::string>& command : commands) {
            const Outcome outcome = run(command);
            const std::string words = fmt::format("{}", fmt::join(command, " "));
            EXPECT_EQ(outcome.code, 2) << words;
            EXPECT_NE(outcome.err.find("pipe" + std::string(suffix) + ": cannot write: it is a device or a pipe"),
                      std::string::npos)
                << words << ": " << outcome.err;
            EXPECT_TRUE(fs::is_fifo(pipe)) << words;
        }
        fs::remove(pipe);
    }
}

}  // namespace
}  // namespace asperity::cli

// The output folder: what a run takes, leaves and never touches; killed runs; memory.
#include "program.h"

#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "asperity/core/random.h"
#include "asperity/record/recording_file.h"
#include "asperity/record/run_folder_names.h"

namespace asperity::cli {
namespace {

using Json = nlohmann::json;

class OutputFolder : public Program {
  protected:
    std::vector<std::string> slope(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> args{"run", "slope", "--duration", "0.1", "--quiet", "--out", out()};
        args.insert(args.end(), more.begin(), more.end());
        return args;
    }
};

TEST_F(OutputFolder, OfSomebodyElseIsRefusedUnlessForced) {
    fs::create_directories(out());
    for (const char* file : {"contacts.csv", "summary.json", "notes.txt"}) write_file(fs::path(out()) / file, "mine\n");
    expect_complaint(run(slope()), "--force");
    for (const char* file : {"contacts.csv", "summary.json", "notes.txt"})
        EXPECT_EQ(read_file(fs::path(out()) / file), "mine\n");
    EXPECT_EQ(left().size(), 3u);
    EXPECT_EQ(run(slope({"--force"})).code, 0);
    EXPECT_EQ(read_file(fs::path(out()) / "contacts.csv"), "mine\n") << "this run has no such table";
    EXPECT_EQ(read_file(fs::path(out()) / "notes.txt"), "mine\n");
}

TEST_F(OutputFolder, OfAnEarlierRunIsTakenAndOnlyItsOwnFilesGo) {
    EXPECT_EQ(run(slope({"--contacts"})).code, 0);
    EXPECT_TRUE(fs::exists(fs::path(out()) / "pairs.csv"));
    write_file(fs::path(out()) / "notes.txt", "mine");
    write_file(fs::path(out()) / "patches.csv", "mine");  // the earlier run had no patches
    EXPECT_EQ(run(slope()).code, 0);
    EXPECT_FALSE(fs::exists(fs::path(out()) / "pairs.csv")) << "does not belong to the other files";
    EXPECT_EQ(read_file(fs::path(out()) / "notes.txt"), "mine");
    EXPECT_EQ(read_file(fs::path(out()) / "patches.csv"), "mine");
    const Json files = Json::parse(read_file(out() + "/summary.json"))["files"];
    EXPECT_EQ(files, Json({"bodies.csv", "steps.csv", "recording.asp", "motion.glb"}));
}

TEST_F(OutputFolder, LosesTheTemporaryFilesOfKilledRunsAndNoOthers) {
    EXPECT_EQ(run(slope()).code, 0);
    const fs::path folder = out();
    // 2^22 is the largest process id of Linux, so no process has this one
    write_file(folder / "summary.json.4194305.tmp", "half");
    write_file(folder / "plan.tmp", "mine");
    write_file(folder / fmt::format("film.mp4.{}.tmp", ::getpid()), "being written");
    fs::create_directories(folder / ".unfinished-4194305");
    write_file(folder / ".unfinished-4194305/steps.csv", "orphan");
    EXPECT_EQ(run(slope()).code, 0);
    EXPECT_FALSE(fs::exists(folder / "summary.json.4194305.tmp"));
    EXPECT_FALSE(fs::exists(folder / ".unfinished-4194305"));
    EXPECT_TRUE(fs::exists(folder / "plan.tmp"));
    EXPECT_TRUE(fs::exists(folder / fmt::format("film.mp4.{}.tmp", ::getpid())));
}

TEST_F(OutputFolder, IsNotSharedByTwoRuns) {
    const pid_t first =
        start({"run", "box_pile", "--set", "params.count=20", "--duration", "100000", "--out", out(), "--quiet"});
    while (record::unfinished_folders(out()).empty() || !fs::exists(record::unfinished_folders(out())[0] / "recording.asp"))
        ::usleep(5000);
    const Outcome second = run(slope());
    ::kill(first, SIGKILL);
    int status = 0;
    ::waitpid(first, &status, 0);
    EXPECT_EQ(second.code, 2);
    EXPECT_NE(second.err.find("another run is writing"), std::string::npos) << second.err;
}

// Killed at random times again and again, a run leaves the files of one that was never killed.
TEST_F(OutputFolder, OfAKilledRunIsContinuedToTheSameFiles) {
    const std::vector<std::string> scene{"run", "box_pile",   "--set",   "params.count=30", "--duration",
                                         "2",   "--contacts", "--quiet", "--threads",       "1"};
    const auto into = [&](const std::string& folder, const std::vector<std::string>& more) {
        std::vector<std::string> args = scene;
        args.insert(args.end(), {"--out", folder});
        args.insert(args.end(), more.begin(), more.end());
        return args;
    };
    const std::string whole = (folder_ / "whole").string();
    const int good = run(into(whole, {})).code;
    Random random(2);
    int killed = 0, code = -1;
    for (int part = 0; part < 60 && code < 0; ++part) {
        const pid_t child = start(into(out(), {"--resume", "--checkpoint-every", "0.01"}));
        ::usleep(static_cast<useconds_t>(50000 * (1 + part / 8) + random.below(50000)));
        ::kill(child, SIGKILL);
        const Outcome outcome = finish(child);
        if (outcome.code < 1000)
            code = outcome.code;
        else
            ++killed;
        // A file under its own name is whole; the others can be looked at all the same.
        if (fs::exists(fs::path(out()) / "summary.json")) {
            EXPECT_FALSE(Json::parse(read_file(out() + "/summary.json"), nullptr, false).is_discarded());
        }
        if (fs::exists(fs::path(out()) / "checkpoint")) {
            EXPECT_NO_THROW(record::RecordingFile(record::run_file(out(), "recording.asp")));
        }
    }
    EXPECT_GT(killed, 0);
    if (code < 0) code = run(into(out(), {"--resume"})).code;
    EXPECT_EQ(code, good);
    EXPECT_EQ(Json::parse(read_file(out() + "/summary.json"))["state_hash"],
              Json::parse(read_file(whole + "/summary.json"))["state_hash"]);
    for (const char* file : {"bodies.csv", "contacts.csv", "pairs.csv", "motion.glb", "recording.asp"})
        EXPECT_TRUE(read_file(out() + "/" + file) == read_file(whole + "/" + file)) << file;
    for (const std::string& name : left()) {
        EXPECT_FALSE(name.ends_with(".tmp")) << name;
        EXPECT_FALSE(name.starts_with(".unfinished")) << name;
    }
}

// Forty times as many steps and frames, with all tables. Before frames went to the disk, they and the tables took 60 MB.
TEST_F(OutputFolder, GrowsWithTimeAndMemoryDoesNot) {
    const auto megabytes = [&](const char* duration, bool with_files) {
        std::vector<std::string> args{"run",         "slope", "--duration", duration,    "--dt", "0.001",
                                      "--record-hz", "1000",  "--quiet",    "--threads", "1"};
        if (with_files) args.insert(args.end(), {"--contacts", "--out", out()});
        const pid_t child = start(args);
        int status = 0;
        rusage usage{};
        ::wait4(child, &status, 0, &usage);
        EXPECT_TRUE(WIFEXITED(status));
        return static_cast<double>(usage.ru_maxrss) / 1024;
    };
    for (const bool with_files : {false, true}) {
        const double brief = megabytes("1", with_files), lengthy = megabytes("40", with_files);
        // buffers of the streams and of the allocator, and the keys of motion.glb: 28 bytes per frame and body
        EXPECT_LT(lengthy - brief, 12) << brief << " MB for 1 s";
    }
}

}  // namespace
}  // namespace asperity::cli

// A checkpoint is either whole, or it is refused and nothing changes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/random.h"
#include "asperity/scene/checkpoint.h"
#include "asperity/scene/run.h"
#include "tests/verify/worlds.h"

namespace asperity {
namespace {

namespace fs = std::filesystem;

class CheckpointFile : public testing::Test {
  protected:
    CheckpointFile() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path() / fmt::format("asperity_checkpoint_{}_{}", test->name(), ::getpid());
        fs::remove_all(folder_);
    }
    ~CheckpointFile() override { fs::remove_all(folder_); }

    static scene::RunResult run(const fs::path& out, int steps, bool resume) {
        scene::Scene scene =
            verify::load("conveyor", {{"step.duration", fmt::format("{}", 0.01 * steps)}, {"step.dt", "0.01"}});
        scene::RunOptions options;
        options.out = out;
        options.contacts = true;
        options.resume = resume;
        return scene::run(scene, options);
    }
    static std::map<std::string, std::string> contents(const fs::path& folder) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file()) files[entry.path().lexically_relative(folder).string()] = read_file(entry.path());
        return files;
    }
    static std::string message_of_resume(const fs::path& out, int steps) {
        try {
            run(out, steps, true);
        } catch (const InputError& error) { return error.what(); }
        return "";
    }
    fs::path folder_;
};

TEST_F(CheckpointFile, NoticesEachOfTwoHundredFlippedBits) {
    run(folder_, 40, false);
    const auto before = contents(folder_);
    const std::string whole = before.at("checkpoint");
    Random random(11);
    for (int trial = 0; trial < 200; ++trial) {
        std::string bytes = whole;
        const auto bit = static_cast<std::size_t>(random.below(static_cast<int>(8 * whole.size())));
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
        write_file(folder_ / "checkpoint", bytes);
        const std::string why = message_of_resume(folder_, 60);
        EXPECT_NE(why.find("checkpoint"), std::string::npos) << "bit " << bit << ": '" << why << "'";
        write_file(folder_ / "checkpoint", whole);
        ASSERT_TRUE(contents(folder_) == before) << "bit " << bit << " changed a file";
    }
    const scene::RunResult resumed = run(folder_, 60, true), straight = run(folder_ / "straight", 60, false);
    EXPECT_EQ(resumed.state_hash, straight.state_hash);
}

TEST_F(CheckpointFile, OfAnotherVersionOrSceneSaysSo) {
    run(folder_, 10, false);
    std::string bytes = read_file(folder_ / "checkpoint");
    bytes[8] = 99;
    write_file(folder_ / "checkpoint", bytes);
    EXPECT_NE(message_of_resume(folder_, 20).find("checkpoint of version 99, but this program reads version"),
              std::string::npos);
    write_file(folder_ / "checkpoint", "ASPCHKP4 and the rest of an old one");
    EXPECT_NE(message_of_resume(folder_, 20).find("an older version"), std::string::npos);
}

TEST_F(CheckpointFile, IsRefusedWhenAFileBesideItIsNotItsOwn) {
    run(folder_, 40, false);
    const auto before = contents(folder_);
    for (const char* file : {"recording.asp", "steps.csv", "bodies.csv", "contacts.csv"}) {
        write_file(folder_ / file, before.at(file).substr(0, 20));
        EXPECT_NE(message_of_resume(folder_, 60).find(file), std::string::npos);
        fs::remove(folder_ / file);
        EXPECT_NE(message_of_resume(folder_, 60).find("missing"), std::string::npos);
        write_file(folder_ / file, before.at(file));
    }
    std::string damaged = before.at("recording.asp");
    damaged[100] ^= 1;  // in the head; the frames of so short a run are in the checkpoint
    write_file(folder_ / "recording.asp", damaged);
    EXPECT_NE(message_of_resume(folder_, 60).find("recording.asp"), std::string::npos);
    write_file(folder_ / "recording.asp", before.at("recording.asp"));
    EXPECT_TRUE(contents(folder_) == before);
    run(folder_, 60, true);
}

/// Replaces a number in the state and seals the checkpoint again.
void spoil(const fs::path& file, const std::function<void(std::string& state)>& change) {
    scene::Checkpoint c = scene::read_checkpoint(file);
    change(c.state);
    write_file(file, scene::to_bytes(c));
}

// An attacker can make a valid checksum. Whatever the bytes of the state, the run refuses them or goes on and ends.
TEST_F(CheckpointFile, WithNonsenseBehindAValidChecksumNeitherCrashesNorHangs) {
    run(folder_, 40, false);
    const fs::path work = folder_ / "work";
    Random random(5);
    int refused = 0, ran = 0;
    for (int trial = 0; trial < 150; ++trial) {
        fs::remove_all(work);
        fs::create_directories(work);
        for (const auto& entry : fs::directory_iterator(folder_))
            if (entry.is_regular_file()) fs::copy(entry.path(), work / entry.path().filename());
        spoil(work / "checkpoint", [&](std::string& state) {
            for (int k = 1 + random.below(3); k > 0; --k) {
                const auto at = static_cast<std::size_t>(random.below(static_cast<int>(state.size())));
                if (random.below(2) == 0)
                    state[at] = static_cast<char>(random.below(256));
                else
                    state[at] = static_cast<char>(state[at] ^ (1 << random.below(8)));
            }
        });
        const auto begin = std::chrono::steady_clock::now();
        try {
            run(work, 50, true);
            ++ran;
        } catch (const InputError&) { ++refused; }
        const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        EXPECT_LT(s, 20) << "trial " << trial;
    }
    EXPECT_GT(refused, 15);
    EXPECT_GT(ran, 15) << "changed velocities are still velocities: the step was reached";
}

}  // namespace
}  // namespace asperity

// A run that is interrupted and resumed leaves the same files as an uninterrupted one, except for the times in milliseconds.
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "asperity/core/files.h"
#include "asperity/scene/run.h"
#include "tests/verify/worlds.h"

namespace asperity {
namespace {

namespace fs = std::filesystem;

struct Case {
    std::string scene;
    std::vector<scene::Override> overrides;
    std::vector<int> stops;  // steps done when the run is stopped
    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.scene; }
};
const Case kCases[] = {
    {"box_pile", {{"params.count", "24"}, {"step.duration", "0.8"}}, {37, 50}},
    {"chain", {{"step.duration", "0.3"}}, {21}},
    {"conveyor", {{"step.duration", "0.5"}}, {1, 33}},
    // before, between and inside the intervals that its expectations observe
    {"pinch_grasp", {{"step.duration", "5"}}, {340, 360, 450}},
};

class Resume : public testing::TestWithParam<Case> {
  protected:
    Resume() : folder_(fs::temp_directory_path() / fmt::format("asperity_resume_{}_{}", GetParam().scene, ::getpid())) {
        fs::remove_all(folder_);
    }
    ~Resume() override { fs::remove_all(folder_); }

    scene::RunResult run(const fs::path& out, int stop_at, bool resume) const {
        scene::Scene scene = verify::load(GetParam().scene, GetParam().overrides);
        scene::RunOptions options;
        options.out = out;
        options.contacts = true;
        options.resume = resume;
        options.stop = [&] { return scene.world.state.steps_done == stop_at; };
        return scene::run(scene, options);
    }
    fs::path folder_;
};

/// A table without the columns whose name starts with "ms_".
std::string without_times(const std::string& csv) {
    std::istringstream lines(csv);
    std::vector<bool> keep;
    std::string out;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        size_t column = 0;
        for (std::string field; std::getline(fields, field, ','); ++column) {
            if (column == keep.size()) keep.push_back(!field.starts_with("ms_"));
            if (keep[column]) out += field + ",";
        }
        out += "\n";
    }
    return out;
}

TEST_P(Resume, LeavesTheSameFilesAsARunThatWasNeverStopped) {
    const scene::RunResult whole = run(folder_ / "whole", -1, false);
    for (const int stop : GetParam().stops) {
        const fs::path out = folder_ / fmt::format("stopped_{}", stop);
        const scene::RunResult first = run(out, stop, false);
        EXPECT_EQ(first.status, scene::RunStatus::Interrupted);
        EXPECT_EQ(first.steps, stop);
        const scene::RunResult second = run(out, -1, true);
        EXPECT_EQ(second.steps, whole.steps);
        EXPECT_EQ(second.state_hash, whole.state_hash) << "stopped after " << stop;
        EXPECT_EQ(second.penetration_max, whole.penetration_max);
        EXPECT_EQ(second.residual_max, whole.residual_max);
        EXPECT_EQ(second.contacts_max, whole.contacts_max);
        for (const char* file : {"bodies.csv", "contacts.csv", "pairs.csv", "motion.glb", "recording.asp"})
            EXPECT_TRUE(read_file(out / file) == read_file(folder_ / "whole" / file))
                << file << " differs, stopped after " << stop;
        EXPECT_TRUE(without_times(read_file(out / "steps.csv")) == without_times(read_file(folder_ / "whole/steps.csv")))
            << "stopped after " << stop;
        ASSERT_EQ(second.expect.size(), whole.expect.size());
        for (size_t i = 0; i < whole.expect.size(); ++i)
            EXPECT_EQ(second.expect[i].value, whole.expect[i].value) << whole.expect[i].name;
    }
}

TEST_P(Resume, OfAFinishedRunDoesNothing) {
    const scene::RunResult whole = run(folder_ / "whole", -1, false), again = run(folder_ / "whole", -1, true);
    EXPECT_EQ(again.steps, whole.steps);
    EXPECT_EQ(again.state_hash, whole.state_hash);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Resume, testing::ValuesIn(kCases), [](const auto& p) { return p.param.scene; });

}  // namespace
}  // namespace asperity

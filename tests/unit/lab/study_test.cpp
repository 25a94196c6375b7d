// Studies: what is run, what is kept, what is computed from it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>

#include "asperity/core/error.h"
#include "asperity/lab/study/database.h"
#include "asperity/lab/study/launcher.h"
#include "asperity/lab/study/report.h"
#include "asperity/lab/study/run_study.h"

namespace asperity::lab {
namespace {

StudyPlan two_by_three() {
    StudyPlan plan;
    plan.title = "test";
    plan.run_file = "run.toml";
    plan.names = {"young", "density"};
    plan.defaults = {1, 2};
    plan.settings = {{1, 2}, {10, 2}};
    plan.sweeps = {{"young", {0, 1}}};
    plan.seeds = {1, 2, 3};
    return plan;
}

/// Answers at once: mu_30 = log10(young) + seed/10.
class Pretended : public Launcher {
  public:
    int slots() const override { return 2; }
    void start(int id, const std::vector<std::string>& arguments) override {
        double young = 0, seed = 0;
        for (const std::string& a : arguments) {
            if (a.starts_with("params.young=")) young = std::stod(a.substr(13));
            if (a.starts_with("params.seed=")) seed = std::stod(a.substr(12));
        }
        ++started;
        const int code = started == crash ? -11 : started == refuse ? 2 : 0;
        finished.push_back({id, code,
                            "{\"mu_30\": " + std::to_string(std::log10(young) + seed / 10) +
                                ", \"mu_10\": null, \"cpu_s\": 2, \"curve\": {\"slide\": [1, 2], \"mu\": [0.5, null]}}",
                            "wrong"});
    }
    std::vector<Finished> wait(double) override {
        std::vector<Finished> out(finished.begin(), finished.end());
        finished.clear();
        return out;
    }
    int started = 0, crash = -1, refuse = -1;
    std::deque<Finished> finished;
};

class Study : public ::testing::Test {
  protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() / ("asperity_study_" + std::to_string(::getpid()) +
                                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    StudyOptions options(bool resume = false) const {
        StudyOptions o;
        o.out = folder;
        o.resume = resume;
        return o;
    }
    std::filesystem::path folder;
};

TEST_F(Study, DoesEveryRunOnceAndWritesItsTables) {
    Pretended launcher;
    const StudyPlan plan = two_by_three();
    const StudySummary s = run_study(plan, "a", launcher, options());
    EXPECT_EQ(s.runs, 6);
    EXPECT_EQ(s.done, 6);
    EXPECT_EQ(s.here, 6);
    EXPECT_EQ(s.cpu_s, 12);
    for (const char* name : {"runs.csv", "settings.csv", "report.html", "study.sqlite"})
        EXPECT_GT(std::filesystem::file_size(folder / name), 0u) << name;
    const StudyDatabase database(folder / "study.sqlite", plan, "a");
    const std::vector<StudyResult> results = database.results();
    ASSERT_EQ(results.size(), 6u);
    EXPECT_FALSE(results[0].values.contains("mu_10"));
    EXPECT_EQ(results[0].slide, std::vector<double>{1});
    const Spread change = paired_difference(results, 0, 1, "mu_30");
    EXPECT_EQ(change.count, 3);
    EXPECT_NEAR(change.mean, 1, 1e-6);       // six digits in the output above
    EXPECT_NEAR(change.deviation, 0, 1e-6);  // the surfaces cancel
}

TEST_F(Study, GoesOnWithWhatIsMissing) {
    Pretended first;
    const StudyPlan plan = two_by_three();
    StudyOptions interrupted = options();
    interrupted.stop = [&] { return first.started >= 4; };
    EXPECT_TRUE(run_study(plan, "a", first, interrupted).stopped);
    EXPECT_THROW(run_study(plan, "a", first, options()), InputError);      // without --resume
    EXPECT_THROW(run_study(plan, "b", first, options(true)), InputError);  // another run file
    Pretended second;
    const StudySummary s = run_study(plan, "a", second, options(true));
    EXPECT_EQ(s.done, 6);
    EXPECT_LT(second.started, 6);
    EXPECT_EQ(second.started, s.here);
}

TEST_F(Study, KeepsARunThatCrashedApartAndTriesItAgain) {
    Pretended launcher;
    launcher.crash = 3;
    const StudyPlan plan = two_by_three();
    const StudySummary s = run_study(plan, "a", launcher, options());
    EXPECT_EQ(s.done, 5);
    EXPECT_EQ(s.failed, 1);
    EXPECT_NE(s.first_failure.find("signal 11"), std::string::npos);
    Pretended again;
    EXPECT_EQ(run_study(plan, "a", again, options(true)).done, 6);
    EXPECT_EQ(again.started, 1);
    Pretended refused;
    refused.refuse = 1;
    std::filesystem::remove_all(folder);
    EXPECT_THROW(run_study(plan, "a", refused, options()), InputError);
}

TEST_F(Study, RefusesADamagedDatabaseAndAFolderInUse) {
    const StudyPlan plan = two_by_three();
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "study.sqlite") << std::string(5000, 'x');
    Pretended launcher;
    EXPECT_THROW(run_study(plan, "a", launcher, options(true)), InputError);
    std::filesystem::remove(folder / "study.sqlite");
    StudyOptions nested = options();
    bool refused = false;
    nested.progress = [&](int, int) {
        Pretended other;
        EXPECT_THROW(run_study(plan, "a", other, options(true)), InputError);
        refused = true;
    };
    run_study(plan, "a", launcher, nested);
    EXPECT_TRUE(refused);
}

TEST(Launcher, ReturnsOutputErrorsAndCodes) {
    const std::unique_ptr<Launcher> launcher = local_launcher("/bin/sh", 2);
    launcher->start(7, {"-c", "echo out; echo wrong >&2; exit 3"});
    launcher->start(8, {"-c", "kill -9 $$"});
    std::vector<Finished> all;
    for (int k = 0; k < 100 && all.size() < 2; ++k)
        for (Finished& f : launcher->wait(0.1)) all.push_back(std::move(f));
    ASSERT_EQ(all.size(), 2u);
    if (all[0].id == 8) std::swap(all[0], all[1]);
    EXPECT_EQ(all[0].code, 3);
    EXPECT_EQ(all[0].out, "out\n");
    EXPECT_EQ(all[0].errors, "wrong\n");
    EXPECT_EQ(all[1].code, -9);
}

TEST(Statistics, AgreeWithTables) {
    const Spread s = spread_of({1, 2, 3, 4});
    EXPECT_DOUBLE_EQ(s.mean, 2.5);
    EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(5.0 / 3));
    EXPECT_NEAR(s.half_width, 3.182 * s.deviation / 2, 1e-12);  // t for 3 degrees of freedom
    std::vector<double> twelve(12, 0.0);
    twelve[0] = 1;
    const Spread t = spread_of(twelve);
    EXPECT_NEAR(t.half_width / (t.deviation / std::sqrt(12.0)), 2.201, 1e-3);  // t for 11
    EXPECT_DOUBLE_EQ(rank_correlation({1, 2, 3, 4}, {10, 20, 30, 40}), 1);
    EXPECT_DOUBLE_EQ(rank_correlation({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
    EXPECT_NEAR(rank_correlation({1, 2, 2, 4}, {1, 2, 3, 4}), 0.9486832980505138, 1e-12);  // ranks 1, 2.5, 2.5, 4
}

}  // namespace
}  // namespace asperity::lab

// The output folder of a run with deformable bodies: the files for ParaView and the table of forces come and go with the
// run.
#include "asperity/scene/run_folder.h"

#include <gtest/gtest.h>

#include "asperity/core/error.h"
#include "tests/unit/record/deformable_sample.h"
#include "tests/unit/record/sample.h"

namespace asperity::scene {
namespace {

namespace fs = std::filesystem;

/// Runs `recording` into the folder: the first half, a checkpoint, the rest. Returns the bytes of the last save().
std::string run_into(const fs::path& folder, const record::Recording& recording) {
    RunFolder run(folder, false, false);
    run.start(recording);
    const std::size_t half = recording.frames.size() / 2;
    for (std::size_t i = 0; i < half; ++i) run.add_frame(recording.frames[i]);
    run.commit(run.save());
    for (std::size_t i = half; i < recording.frames.size(); ++i) run.add_frame(recording.frames[i]);
    const std::string saved = run.save();
    run.commit(saved);
    std::string files;
    for (const std::string& name : run.files()) files += (files.empty() ? "\"" : ", \"") + name + "\"";
    run.finish();
    write_file(folder / "summary.json", "{\"state_hash\": \"0\", \"residual_max\": 0, \"files\": [" + files + "]}");
    return saved;
}

TEST(RunFolder, KeepsDeformationsAndForcesForOtherPrograms) {
    const record::TemporaryFolder folder;
    const std::string saved = run_into(folder.path(), record::deformable_recording());
    EXPECT_TRUE(fs::exists(folder / "deformed.pvd"));
    EXPECT_TRUE(fs::exists(folder / "deformed/frame_000010.vtu"));
    EXPECT_FALSE(fs::exists(folder / "deformed/frame_000011.vtu"));
    const std::string forces = read_file(folder / "forces.csv");
    EXPECT_TRUE(forces.starts_with("time,body_a,body_b,fx,fy,fz,tx,ty,tz\n"));
    EXPECT_EQ(std::count(forces.begin(), forces.end(), '\n'), 21) << "header and two rows for each frame but the first";

    const RunFolder again(folder.path(), false, false);
    EXPECT_EQ(again.complete_files(saved).size(), 7u) << "tables, recording, motion and what ParaView reads";
    fs::remove(folder / "deformed.pvd");
    EXPECT_TRUE(again.complete_files(saved).empty()) << "then the run is not complete";
}

TEST(RunFolder, HasNoForcesTableWithoutPairsButOneIfNoneTouches) {
    const record::TemporaryFolder folder;
    record::Recording r = record::deformable_recording();
    for (record::Frame& frame : r.frames) frame.forces.clear();
    run_into(folder.path() / "soft", r);
    EXPECT_EQ(read_file(folder / "soft/forces.csv"), "time,body_a,body_b,fx,fy,fz,tx,ty,tz\n");
    run_into(folder.path() / "rigid", record::sample_recording());
    for (const char* name : {"forces.csv", "deformed.pvd", "deformed"})
        EXPECT_FALSE(fs::exists(folder.path() / "rigid" / name));
}

TEST(RunFolder, LosesTheDeformationsOfAnEarlierRunAndNothingElse) {
    const record::TemporaryFolder folder;
    run_into(folder.path(), record::deformable_recording());
    write_file(folder / "deformed/notes.txt", "mine");
    run_into(folder.path(), record::deformable_recording(5));
    EXPECT_TRUE(fs::exists(folder / "deformed/frame_000004.vtu"));
    EXPECT_FALSE(fs::exists(folder / "deformed/frame_000005.vtu")) << "of the earlier, longer run";
    run_into(folder.path(), record::sample_recording());
    for (const char* name : {"forces.csv", "deformed.pvd", "deformed/frame_000000.vtu"})
        EXPECT_FALSE(fs::exists(folder / name)) << name;
    EXPECT_EQ(read_file(folder / "deformed/notes.txt"), "mine");
}

TEST(RunFolder, ContinuesTheTableOfForces) {
    const record::TemporaryFolder folder;
    const record::Recording r = record::deformable_recording();
    run_into(folder.path() / "whole", r);
    std::string saved;
    {
        RunFolder run(folder.path() / "parts", false, false);
        run.start(r);
        for (std::size_t i = 0; i < 4; ++i) run.add_frame(r.frames[i]);
        saved = run.save();
        run.commit(saved);
        run.add_frame(r.frames[4]);  // lost: it comes after save()
    }
    RunFolder run(folder.path() / "parts", false, false);
    run.resume(r, saved);
    for (std::size_t i = 4; i < r.frames.size(); ++i) run.add_frame(r.frames[i]);
    run.commit(run.save());
    run.finish();
    for (const char* name : {"forces.csv", "recording.asp", "motion.glb", "deformed/frame_000010.vtu"})
        EXPECT_TRUE(read_file(folder.path() / "whole" / name) == read_file(folder.path() / "parts" / name)) << name;
}

}  // namespace
}  // namespace asperity::scene

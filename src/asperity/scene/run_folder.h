// The output folder of a run. Tables and recording grow in a folder of their own beside the checkpoint (`.unfinished-PID`)
// and get their names when the run ends, so no file under its own name is ever partial, and memory does not grow.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "asperity/core/files.h"
#include "asperity/implicit/report.h"
#include "asperity/record/recording_file.h"
#include "asperity/sim/report.h"

namespace asperity::scene {

class RunFolder {
  public:
    /// Makes the folder. Throws InputError while another run writes there, and, unless `force`, for a folder that has files
    /// but none of a run.
    /// `implicit`: a run of the implicit world, whose steps.csv has other columns.
    RunFolder(std::filesystem::path folder, bool contacts, bool force, bool implicit = false);
    ~RunFolder();
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    /// `head`: a recording whose frames are not used. It must outlive this object.
    void start(const record::Recording& head);
    /// Continues the files of a checkpoint. Changes nothing before all of them are found to belong to it.
    void resume(const record::Recording& head, const std::string& saved);
    /// The names of a checkpoint's files if finish() was the last that happened to them; otherwise none.
    std::vector<std::string> complete_files(const std::string& saved) const;

    void add_step(const sim::StepReport& report);
    void add_step(const implicit::StepReport& report);
    void add_frame(const record::Frame& frame);
    /// Writes all rows so far to the disk; the bytes say how far the files reach.
    std::string save();
    /// Writes the checkpoint that contains the bytes of save(). From now on an earlier run is gone from this folder.
    void commit(const std::string& checkpoint);
    /// Gives all files their names and writes motion.glb and the files for ParaView. After commit().
    void finish();
    /// Names of the files that finish() leaves.
    std::vector<std::string> files() const;

    std::filesystem::path recording() const { return unfinished_ / "recording.asp"; }

  private:
    StreamFile& table(const std::string& name);
    std::string header_of(const std::string& name) const;
    void remove_earlier_run();

    std::filesystem::path folder_, unfinished_;
    bool contacts_, implicit_, committed_ = false;
    std::vector<std::string> earlier_;  // files of an earlier run
    const record::Recording* head_ = nullptr;
    std::map<std::string, std::unique_ptr<StreamFile>> tables_;
    std::unique_ptr<record::RecordingWriter> recording_;
};

}  // namespace asperity::scene

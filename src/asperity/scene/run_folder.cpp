#include "asperity/scene/run_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "asperity/core/bytes.h"
#include "asperity/core/error.h"
#include "asperity/record/csv.h"
#include "asperity/record/run_folder_names.h"
#include "asperity/record/vtu.h"
#include "asperity/scene/checkpoint.h"
#include "asperity/scene/implicit_run.h"

namespace asperity::scene {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRecording = "recording.asp";
constexpr const char* kOverlapPicture = "overlap.png";  // of a scene that was refused
// Every file that a run can leave, apart from summary.json and checkpoint, which each run replaces.
const std::vector<std::string> kOutputs = {"steps.csv",           "bodies.csv",           "contacts.csv", "pairs.csv",
                                           "patches.csv",         "forces.csv",           kRecording,     "motion.glb",
                                           record::kDeformedList, record::kDeformedFolder};

/// The content of summary.json if a run of this program wrote it; otherwise null.
nlohmann::json summary_of_a_run(const fs::path& folder) {
    std::error_code error;
    const fs::path path = folder / "summary.json";
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > (1u << 26)) return nullptr;
    const nlohmann::json summary = nlohmann::json::parse(read_file(path), nullptr, false);
    const bool ours = summary.is_object() && summary.contains("state_hash") && summary.contains("residual_max");
    return ours ? summary : nlohmann::json(nullptr);
}

/// Whether the folder has files other than those that a run writes temporarily.
bool has_files(const fs::path& folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        const auto is_of = [&](const std::string& output) { return name.starts_with(output + "."); };
        if (name == kOverlapPicture) continue;
        const bool ours = is_of(".write_test") || is_of("summary.json") || is_of("checkpoint") ||
                          std::any_of(kOutputs.begin(), kOutputs.end(), is_of);
        if (!ours || !name.ends_with(".tmp")) return true;
    }
    return false;
}

bool is_folder_of_a_run(const fs::path& folder) {
    return !record::unfinished_folders(folder).empty() || looks_like_checkpoint(folder / "checkpoint") ||
           !summary_of_a_run(folder).is_null();
}

/// The files that an earlier run left in the folder. Runs before there was a list could leave all of them.
std::vector<std::string> files_of_earlier_run(const fs::path& folder) {
    if (!is_folder_of_a_run(folder)) return {};
    const nlohmann::json summary = summary_of_a_run(folder);
    if (summary.is_null()) return {};
    if (!summary.contains("files") || !summary["files"].is_array()) return kOutputs;
    std::vector<std::string> files;
    for (const nlohmann::json& name : summary["files"])
        if (name.is_string() && std::find(kOutputs.begin(), kOutputs.end(), name.get<std::string>()) != kOutputs.end())
            files.push_back(name);
    return files;
}

/// Whether finish() writes the file under its own name.
bool is_made_at_end(const std::string& name) {
    return name == "motion.glb" || name == record::kDeformedList || name == record::kDeformedFolder;
}

/// What save() returned.
struct Saved {
    std::string id;  // name of the folder of the unfinished run
    bool contacts = false;
    std::map<std::string, std::uint64_t> length;
    std::string recording;
};

Saved read_saved(const fs::path& folder, const std::string& bytes) {
    ByteReader in(bytes, (folder / "checkpoint").string(), "checkpoint", "start the run again without --resume");
    Saved saved;
    saved.id = in.text();
    saved.contacts = in.flag();
    for (std::size_t i = in.count(16); i > 0; --i) {
        const std::string name = in.text();
        saved.length[name] = in.u64();
        if (name == kRecording || std::find(kOutputs.begin(), kOutputs.end(), name) == kOutputs.end())
            in.fail("a table of an unknown name");
    }
    saved.recording = in.text();
    if (in.remaining() != 0 || !saved.id.starts_with(record::kUnfinished) || saved.id.find('/') != std::string::npos ||
        saved.id.find('\0') != std::string::npos || saved.id.size() > 64 || !saved.length.contains("steps.csv") ||
        !saved.length.contains("bodies.csv"))
        in.fail("its list of files");
    return saved;
}

}  // namespace

RunFolder::RunFolder(fs::path folder, bool contacts, bool force, bool implicit)
    : folder_(std::move(folder)), contacts_(contacts), implicit_(implicit) {
    if (has_files(folder_) && !is_folder_of_a_run(folder_) && !force)
        throw InputError(
            fmt::format("{}: this folder has files, and none of a run; choose another with --out, or say --force to write "
                        "there all the same",
                        folder_.string()));
    for (const fs::path& other : record::unfinished_folders(folder_))
        if (is_being_written(other / "steps.csv"))
            throw InputError(
                fmt::format("{}: another run is writing to this folder; choose another with --out", folder_.string()));
    make_output_folder(folder_);
    remove_stale_temporaries(folder_);
    earlier_ = files_of_earlier_run(folder_);
}

RunFolder::~RunFolder() {
    if (committed_ || unfinished_.empty()) return;
    tables_.clear();
    recording_.reset();
    std::error_code ignored;
    fs::remove_all(unfinished_, ignored);
}

void RunFolder::start(const record::Recording& head) {
    head_ = &head;
    std::error_code error;
    if (!fs::exists(folder_ / "checkpoint", error))
        for (const fs::path& orphan : record::unfinished_folders(folder_))
            if (orphan.filename() != fmt::format("{}{}", record::kUnfinished, ::getpid())) fs::remove_all(orphan, error);
    unfinished_ = folder_ / fmt::format("{}{}", record::kUnfinished, ::getpid());
    if (fs::exists(folder_ / "checkpoint", error) && fs::exists(unfinished_, error)) unfinished_ += "-2";  // of an equal PID
    make_output_folder(unfinished_);
    table("steps.csv"), table("bodies.csv");
    if (contacts_) table("contacts.csv"), table("pairs.csv");
    if (head.has_forces) table("forces.csv");
    recording_ = std::make_unique<record::RecordingWriter>(head, unfinished_ / kRecording);
}

std::vector<std::string> RunFolder::complete_files(const std::string& bytes) const {
    const Saved saved = read_saved(folder_, bytes);
    std::error_code error;
    if (fs::exists(folder_ / saved.id, error)) return {};
    std::vector<std::string> names{kRecording, "motion.glb"};
    for (const auto& [name, length] : saved.length) names.push_back(name);
    for (const char* name : {record::kDeformedList, record::kDeformedFolder})
        if (std::find(earlier_.begin(), earlier_.end(), name) != earlier_.end()) names.emplace_back(name);
    const bool whole = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return name == record::kDeformedFolder ? fs::is_directory(folder_ / name, error)
                                               : fs::is_regular_file(folder_ / name, error);
    });
    return whole && !summary_of_a_run(folder_).is_null() ? names : std::vector<std::string>();
}

void RunFolder::resume(const record::Recording& head, const std::string& bytes) {
    head_ = &head;
    const Saved saved = read_saved(folder_, bytes);
    if (saved.contacts != contacts_)
        throw InputError(
            fmt::format("{}: the run was recorded {} --contacts so far; continue it {} --contacts, or start it "
                        "again without --resume",
                        folder_.string(), saved.contacts ? "with" : "without", saved.contacts ? "with" : "without"));
    const fs::path unfinished = folder_ / saved.id;
    const auto present = [&](const std::string& name) {
        return fs::exists(unfinished / name) ? unfinished / name : folder_ / name;
    };
    const auto refuse = [&](const std::string& name, const std::string& why) {
        throw InputError(
            fmt::format("{}: does not belong to the checkpoint beside it: {}; start the run again without "
                        "--resume",
                        present(name).string(), why));
    };
    std::error_code error;
    for (const auto& [name, length] : saved.length) {
        if (!fs::is_regular_file(present(name), error)) refuse(name, "it is missing");
        if (fs::file_size(present(name), error) < length) refuse(name, "it is shorter than it was");
        if (length < header_of(name).size()) refuse(name, "the checkpoint knows only a part of its header");
    }
    if (!fs::is_regular_file(present(kRecording), error)) refuse(kRecording, "it is missing");
    if (const std::string why = record::RecordingWriter::objection(head, present(kRecording), saved.recording); !why.empty())
        refuse(kRecording, why);

    unfinished_ = unfinished;
    committed_ = true;
    make_output_folder(unfinished_);
    const auto bring_back = [&](const std::string& name) {
        if (present(name) == unfinished / name) return;
        fs::rename(folder_ / name, unfinished / name, error);
        if (error) refuse(name, error.message());
    };
    for (const auto& [name, length] : saved.length) {
        bring_back(name);
        tables_[name] = std::make_unique<StreamFile>(unfinished_ / name, length);
    }
    bring_back(kRecording);
    recording_ = std::make_unique<record::RecordingWriter>(head, unfinished_ / kRecording, saved.recording);
    for (const fs::path& other : record::unfinished_folders(folder_))
        if (other != unfinished_) fs::remove_all(other, error);
}

std::string RunFolder::header_of(const std::string& table) const {
    if (table == "steps.csv") return implicit_ ? implicit_steps_csv_header() : record::steps_csv_header();
    if (table == "bodies.csv") return record::bodies_csv_header();
    if (table == "contacts.csv") return record::contacts_csv_header();
    if (table == "pairs.csv") return record::pairs_csv_header();
    if (table == "forces.csv") return record::forces_csv_header();
    return record::patches_csv_header();
}

StreamFile& RunFolder::table(const std::string& name) {
    std::unique_ptr<StreamFile>& file = tables_[name];
    if (!file) {
        file = std::make_unique<StreamFile>(unfinished_ / name);
        file->buffer += header_of(name);
    }
    return *file;
}

void RunFolder::add_step(const implicit::StepReport& report) {
    StreamFile& steps = table("steps.csv");
    append_implicit_steps_csv(steps.buffer, report);
    steps.write_if_large();
}

void RunFolder::add_step(const sim::StepReport& report) {
    StreamFile& steps = table("steps.csv");
    record::append_steps_csv(steps.buffer, report);
    steps.write_if_large();
}

void RunFolder::add_frame(const record::Frame& frame) {
    record::append_bodies_csv(table("bodies.csv").buffer, *head_, frame);
    if (contacts_) {
        record::append_contacts_csv(table("contacts.csv").buffer, *head_, frame);
        record::append_pairs_csv(table("pairs.csv").buffer, *head_, frame);
    }
    if (head_->has_forces) record::append_forces_csv(table("forces.csv").buffer, *head_, frame);
    if (!frame.patches.empty()) record::append_patches_csv(table("patches.csv").buffer, *head_, frame);
    for (auto& [name, file] : tables_) file->write_if_large();
    recording_->add(frame);
}

std::string RunFolder::save() {
    ByteWriter out;
    out.text(unfinished_.filename().string());
    out.u8(contacts_ ? 1 : 0);
    out.u64(tables_.size());
    for (auto& [name, file] : tables_) {
        file->flush();
        out.text(name);
        out.u64(file->size());
    }
    out.text(recording_->save());
    return std::move(out.bytes);
}

void RunFolder::remove_earlier_run() {
    std::error_code ignored;
    fs::remove(folder_ / kOverlapPicture, ignored);
    for (const std::string& name : earlier_) {
        if (name == record::kDeformedFolder)
            record::remove_deformed(folder_);
        else
            fs::remove(folder_ / name, ignored);
    }
    earlier_.clear();
    for (const fs::path& other : record::unfinished_folders(folder_))
        if (other != unfinished_) fs::remove_all(other, ignored);
}

void RunFolder::commit(const std::string& checkpoint) {
    write_file(folder_ / "checkpoint", checkpoint);
    if (!committed_) remove_earlier_run();
    committed_ = true;
}

std::vector<std::string> RunFolder::files() const {
    std::vector<std::string> names;
    for (const auto& [name, file] : tables_) names.push_back(name);
    names.emplace_back(kRecording), names.emplace_back("motion.glb");
    if (record::has_deformables(*head_))
        names.emplace_back(record::kDeformedList), names.emplace_back(record::kDeformedFolder);
    return names;
}

void RunFolder::finish() {
    const std::vector<std::string> names = files();
    for (auto& [name, file] : tables_) file->flush();
    recording_->finish();
    {
        const record::RecordingFile frames(unfinished_ / kRecording);
        record::save_glb(*head_, frames, folder_ / "motion.glb");
        if (record::has_deformables(*head_)) record::save_deformed(*head_, frames, folder_);
    }
    std::error_code error;
    for (const std::string& name : names) {
        if (is_made_at_end(name)) continue;
        fs::rename(unfinished_ / name, folder_ / name, error);
        if (error) throw InputError(fmt::format("{}: cannot write: {}", (folder_ / name).string(), error.message()));
    }
    tables_.clear();
    recording_.reset();
    fs::remove_all(unfinished_, error);
}

}  // namespace asperity::scene

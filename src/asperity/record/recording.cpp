#include "asperity/record/recording.h"

#include <fmt/format.h>
#include <unistd.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/record/check.h"
#include "asperity/record/recording_file.h"

namespace asperity::record {

void save(const Recording& recording, const std::filesystem::path& path) {
    if (const std::string why = defect(recording); !why.empty())
        throw InputError(fmt::format("{}: cannot save this recording: {}", path.string(), why));
    const std::filesystem::path temporary = path.string() + fmt::format(".{}.tmp", ::getpid());
    { const GrowingFile probe(path); }  // refuses a device or a pipe, which the renaming below would replace
    std::error_code error;
    try {
        RecordingWriter writer(recording, temporary);
        for (const Frame& frame : recording.frames) writer.add(frame);
        writer.finish();
        std::filesystem::rename(temporary, path, error);
        if (error) throw InputError(fmt::format("{}: cannot write: {}", path.string(), error.message()));
    } catch (...) {
        std::filesystem::remove(temporary, error);
        throw;
    }
}

Recording load(const std::filesystem::path& path) {
    const RecordingFile file(path);
    Recording recording = file.head();
    for (std::size_t i = 0; i < file.size(); ++i) recording.frames.push_back(file.at(i));
    return recording;
}

}  // namespace asperity::record

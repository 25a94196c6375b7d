#include "asperity/core/files.h"

#include <unistd.h>

#include <fmt/format.h>
#include <cerrno>
#include <cstring>

#include "asperity/core/error.h"

namespace asperity {
namespace fs = std::filesystem;
namespace {

std::string reason() { return errno == ENOSPC ? "the disk is full" : std::strerror(errno); }

}  // namespace

GrowingFile::GrowingFile(fs::path path)
    : path_(std::move(path)), temporary_(path_.string() + fmt::format(".{}.tmp", ::getpid())) {
    file_ = std::fopen(temporary_.c_str(), "wb");
    if (!file_)
        throw InputError(fmt::format("{}: cannot write: {}; choose another folder with --out", path_.string(), reason()));
}

GrowingFile::~GrowingFile() {
    if (!file_) return;
    std::fclose(file_);
    std::error_code ignored;
    fs::remove(temporary_, ignored);
}

void GrowingFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
        throw InputError(fmt::format("{}: cannot write: {}; nothing was kept of this file", path_.string(), reason()));
}

void GrowingFile::flush() {
    if (std::fflush(file_) != 0)
        throw InputError(fmt::format("{}: cannot write: {}; choose another folder with --out", path_.string(), reason()));
}

void GrowingFile::finish() {
    const bool flushed = std::fflush(file_) == 0;
    const std::string why = flushed ? "" : reason();
    const bool closed = std::fclose(file_) == 0;
    file_ = nullptr;
    std::error_code error;
    if (flushed && closed) fs::rename(temporary_, path_, error);
    if (!flushed || !closed || error) {
        const std::string message = error ? error.message() : why.empty() ? reason() : why;
        std::error_code ignored;
        fs::remove(temporary_, ignored);
        throw InputError(fmt::format("{}: cannot write: {}; nothing was kept of this file", path_.string(), message));
    }
}

void write_file(const fs::path& path, std::string_view content) {
    GrowingFile file(path);
    file.write(content);
    file.finish();
}

std::string read_file(const fs::path& path, std::size_t limit) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError(fmt::format("{}: no such file", path.string()));
    if (fs::is_directory(status)) throw InputError(fmt::format("{}: is a folder, not a file", path.string()));
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) throw InputError(fmt::format("{}: cannot read: {}", path.string(), reason()));
    std::string content;
    char buffer[1 << 16];
    std::size_t got = 0;
    while ((got = std::fread(buffer, 1, sizeof buffer, file)) > 0) {
        content.append(buffer, got);
        if (content.size() > limit) break;
    }
    const bool failed = std::ferror(file) != 0;
    std::fclose(file);
    if (failed) throw InputError(fmt::format("{}: cannot read: {}", path.string(), reason()));
    if (content.size() > limit)
        throw InputError(fmt::format("{}: larger than {} bytes, which is more than any file of this kind should be",
                                     path.string(), limit));
    return content;
}

void make_output_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw InputError(
            fmt::format("{}: cannot make this folder: {}; choose another with --out", folder.string(), error.message()));
    GrowingFile probe(folder / ".write_test");  // proves that files can be written here; removed by the destructor
    probe.write("x");
    probe.flush();  // so that a full disk is reported now, not after the run
}

}  // namespace asperity

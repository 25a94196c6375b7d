#include "asperity/core/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "asperity/core/error.h"

namespace asperity {
namespace fs = std::filesystem;
namespace {

std::string reason() { return errno == ENOSPC ? "the disk is full" : std::strerror(errno); }

/// The last step of writing gives a temporary file the name `path`, which would replace a device or a pipe.
void refuse_unless_regular(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (!fs::exists(status) || fs::is_regular_file(status)) return;
    throw InputError(fmt::format("{}: cannot write: it is {}; give another name", path.string(),
                                 fs::is_directory(status) ? "a folder" : "a device or a pipe, not a regular file"));
}

}  // namespace

GrowingFile::GrowingFile(fs::path path)
    : path_(std::move(path)), temporary_(path_.string() + fmt::format(".{}.tmp", ::getpid())) {
    refuse_unless_regular(path_);
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

void remove_stale_temporaries(const fs::path& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        std::string_view stem = name;
        if (!stem.ends_with(".tmp") && !stem.ends_with(".tmp.log")) continue;  // .log: of a film's encoder
        stem = stem.substr(0, stem.rfind(".tmp"));
        const std::size_t dot = stem.rfind('.');
        int pid = 0;
        if (dot == std::string_view::npos || dot == 0) continue;
        const auto [end, error] = std::from_chars(stem.data() + dot + 1, stem.data() + stem.size(), pid);
        if (error != std::errc() || end != stem.data() + stem.size() || pid <= 0) continue;
        if (::kill(pid, 0) != 0 && errno == ESRCH) fs::remove(entry.path(), ignored);
    }
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

StreamFile::StreamFile(fs::path path, std::uint64_t length) : path_(std::move(path)) {
    const auto fail = [&](const std::string& why) {
        if (file_ >= 0) ::close(file_);
        throw InputError(fmt::format("{}: cannot write: {}; choose another folder with --out", path_.string(), why));
    };
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) fail(reason());
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) fail("another run writes to it");
    struct stat status {};
    if (::fstat(file_, &status) != 0) fail(reason());
    if (S_ISREG(status.st_mode)) {
        if (static_cast<std::uint64_t>(status.st_size) < length) fail("it is shorter than it was");
        if (::ftruncate(file_, static_cast<off_t>(length)) != 0 || ::lseek(file_, 0, SEEK_END) < 0) fail(reason());
    }
    written_ = length;
}

StreamFile::~StreamFile() { ::close(file_); }

void StreamFile::write_if_large() {
    constexpr std::size_t kLarge = 1 << 20;  // a larger buffer saves no time, a smaller one makes many short writes
    if (buffer.size() >= kLarge) flush();
}

void StreamFile::flush() {
    for (std::size_t at = 0; at < buffer.size();) {
        const ssize_t count = ::write(file_, buffer.data() + at, buffer.size() - at);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0)
            throw InputError(fmt::format("{}: cannot write: {}; make room, then continue with --resume", path_.string(),
                                         count < 0 ? reason() : "the disk is full"));
        at += static_cast<std::size_t>(count);
        written_ += static_cast<std::uint64_t>(count);
    }
    buffer.clear();
}

bool is_being_written(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool taken = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(file);
    return taken;
}

}  // namespace asperity

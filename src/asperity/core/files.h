// Atomic file writing: data go to a temporary file that is renamed at the end, so that a killed run leaves no partial file.
#pragma once
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace asperity {

/// Writes `content` to `path`. Throws InputError with the system's reason (read-only, disk full).
void write_file(const std::filesystem::path& path, std::string_view content);

/// Reads the whole file. Throws InputError when it is missing, a folder, unreadable or larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 30);

/// Removes the temporary files that killed processes left in the folder (NAME.PID.tmp without a process PID).
void remove_stale_temporaries(const std::filesystem::path& folder);

/// Creates the folder and its parents, and checks that a file can be written there. Throws InputError otherwise.
void make_output_folder(const std::filesystem::path& folder);

/// A file written step by step. finish() gives it its final name; without finish() it is deleted.
class GrowingFile {
  public:
    explicit GrowingFile(std::filesystem::path path);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;
    void write(std::string_view text);  ///< throws InputError when the disk is full
    void flush();                       ///< hands the data to the operating system; throws likewise
    void finish();

  private:
    std::filesystem::path path_, temporary_;
    std::FILE* file_ = nullptr;
};

/// A file to which a long run appends. Another process may continue it after the last flush().
class StreamFile {
  public:
    /// Keeps the first `length` bytes of the file, or starts it anew. Throws InputError if it cannot be opened, and while
    /// another process appends to it.
    explicit StreamFile(std::filesystem::path path, std::uint64_t length = 0);
    ~StreamFile();
    StreamFile(const StreamFile&) = delete;
    StreamFile& operator=(const StreamFile&) = delete;

    /// Rows are appended here; write_if_large() or flush() after each row hands whole rows to the operating system.
    std::string buffer;
    void write_if_large();
    void flush();                                                    ///< throws InputError when the disk is full
    std::uint64_t size() const { return written_ + buffer.size(); }  ///< [bytes]
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    int file_ = -1;
    std::uint64_t written_ = 0;
};

/// Whether a process, this one included, appends to the file by a StreamFile.
bool is_being_written(const std::filesystem::path& path);

}  // namespace asperity

// Atomic file writing: data go to a temporary file that is renamed at the end, so that a killed run leaves no partial file.
#pragma once
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace asperity {

/// Writes `content` to `path`. Throws InputError with the system's reason (read-only, disk full).
void write_file(const std::filesystem::path& path, std::string_view content);

/// Reads the whole file. Throws InputError when it is missing, a folder, unreadable or larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 30);

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

}  // namespace asperity

// Whole files or none: everything is written to a temporary name and renamed, so a killed run leaves no half file.
#pragma once
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace asperity {

/// Writes `content` to `path` through a temporary name. Throws InputError with the system's reason (read-only, disk full).
void write_file(const std::filesystem::path& path, std::string_view content);

/// The whole file. Throws InputError when it is missing, a folder, unreadable or larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 30);

/// Makes the folder (and its parents) and proves that a file can be written there. Throws InputError otherwise.
void make_output_folder(const std::filesystem::path& folder);

/// A file that grows while a run goes on and gets its final name in finish(); without finish() it vanishes.
class GrowingFile {
  public:
    explicit GrowingFile(std::filesystem::path path);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;
    void write(std::string_view text);  ///< throws InputError when the disk is full
    void flush();                       ///< as far as the system; throws likewise
    void finish();

  private:
    std::filesystem::path path_, temporary_;
    std::FILE* file_ = nullptr;
};

}  // namespace asperity

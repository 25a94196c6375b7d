// Names in the output folder of a run. While a run is under way, or after it was killed, its tables and its recording are
// in a folder of their own, UNFINISHED.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace asperity::record {

/// The folders of unfinished runs start with this; a process id follows.
constexpr const char* kUnfinished = ".unfinished-";

bool is_in_unfinished_folder(const std::filesystem::path& file);
/// All folders of unfinished runs in `folder`, sorted.
std::vector<std::filesystem::path> unfinished_folders(const std::filesystem::path& folder);
/// The file of a run: in its folder, or else in that of the unfinished run. The first if neither exists.
std::filesystem::path run_file(const std::filesystem::path& folder, const std::string& name);

}  // namespace asperity::record

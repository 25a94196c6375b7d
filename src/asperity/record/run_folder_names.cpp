#include "asperity/record/run_folder_names.h"

#include <algorithm>

namespace asperity::record {
namespace fs = std::filesystem;

bool is_in_unfinished_folder(const fs::path& file) {
    return fs::absolute(file).parent_path().filename().string().starts_with(kUnfinished);
}

std::vector<fs::path> unfinished_folders(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().filename().string().starts_with(kUnfinished) && entry.is_directory(error))
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

fs::path run_file(const fs::path& folder, const std::string& name) {
    std::error_code ignored;
    if (fs::exists(folder / name, ignored)) return folder / name;
    for (const fs::path& unfinished : unfinished_folders(folder))
        if (fs::exists(unfinished / name, ignored)) return unfinished / name;
    return folder / name;
}

}  // namespace asperity::record

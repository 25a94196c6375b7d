// The tables in docs/architecture.md against the includes and files of the tree, and the rules about files that no compiler
// checks.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "asperity/core/files.h"

namespace asperity {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = ASPERITY_SOURCE_DIR;
using Layers = std::map<std::string, std::set<std::string>>;

std::string trimmed(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// The rows `| folder | a, b, c |` between the two marks.
Layers read_layers() {
    const std::string text = read_file(kRoot / "docs/architecture.md");
    const size_t first = text.find("<!-- layers -->"), last = text.find("<!-- /layers -->");
    Layers layers;
    if (first == std::string::npos || last == std::string::npos) return layers;
    std::istringstream lines(text.substr(first, last - first));
    const std::regex row(R"(^\|([^|]*)\|([^|]*)\|\s*$)");
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (!std::regex_match(line, match, row)) continue;
        const std::string folder = trimmed(match[1]);
        if (folder == "folder" || folder.find("--") != std::string::npos) continue;
        std::set<std::string>& allowed = layers[folder];
        std::istringstream names(match[2]);
        for (std::string name; std::getline(names, name, ',');)
            if (!trimmed(name).empty()) allowed.insert(trimmed(name));
    }
    return layers;
}

std::vector<fs::path> sources() {
    std::vector<fs::path> files;
    for (const char* top : {"src/asperity", "render", "apps", "bench"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / top))
            if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// The most specific row of the table for a path such as "geometry/mesh/mesh.h" or "apps/asperity/main.cpp"; empty where
/// there is none.
std::string row_of(const Layers& layers, fs::path path) {
    while (path.has_parent_path() && path != path.parent_path()) {
        path = path.parent_path();
        if (layers.contains(path.generic_string())) return path.generic_string();
    }
    return "";
}
/// The row of a file. Empty for the public face src/asperity/*.h, which stands above all folders.
std::string folder_of(const Layers& layers, const fs::path& file) {
    const std::string name = fs::relative(file, kRoot).generic_string();
    return row_of(layers, name.starts_with("src/asperity/") ? name.substr(13) : name);
}

struct Include {
    std::string name;
    int line;
};
std::vector<Include> includes(const std::string& text) {
    const std::regex pattern(R"(^\s*#\s*include\s*"([^"]+)\")");
    std::vector<Include> found;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::smatch match;
        if (std::regex_search(line, match, pattern)) found.push_back({match[1], number});
    }
    return found;
}

std::string top_of(const std::string& folder) { return folder.substr(0, folder.find('/')); }

/// Whether the row of `folder` names `target` or a folder that `target` lies in. A row of a sub-folder adds to that of the
/// folder that it lies in.
bool may_include(const Layers& layers, const std::string& folder, const std::string& target) {
    for (fs::path from = folder; !from.empty(); from = from.parent_path()) {
        const auto row = layers.find(from.generic_string());
        if (row == layers.end()) continue;
        for (fs::path to = target; !to.empty(); to = to.parent_path())
            if (row->second.contains(to.generic_string())) return true;
    }
    return false;
}

/// Why a file of `folder` may not include `name`, or "" when it may.
std::string objection(const Layers& layers, const std::string& folder, const std::string& name) {
    const bool public_face = name == "asperity/asperity.h" || name == "asperity/scene.h";
    if (public_face && !folder.empty() && top_of(folder) != "apps" && top_of(folder) != "bench")
        return "the public face is for those outside src/asperity";
    std::string path;
    if (name.starts_with("asperity/"))
        path = name.substr(9);
    else if (name.find('/') != std::string::npos && layers.contains(top_of(name)))
        path = name;
    else
        return "";
    if (public_face || path.find('/') == std::string::npos) return "";
    const std::string target = row_of(layers, path);
    if (target.empty()) return fmt::format("'{}' has no row in docs/architecture.md", top_of(path));
    if (folder.empty() || target == folder || target == top_of(folder)) return "";
    if (name.find("/detail/") != std::string::npos && top_of(target) != top_of(folder))
        return fmt::format("detail/ is the business of '{}' alone", top_of(target));
    // the folder itself, as solvers/make_solver.cpp, stands above its sub-folders
    if (top_of(target) == folder) return "";
    if (!may_include(layers, folder, target)) return fmt::format("'{}' may not include '{}'", folder, target);
    return "";
}

TEST(Architecture, TableNamesEveryFolderOfTheTree) {
    const Layers layers = read_layers();
    ASSERT_FALSE(layers.empty()) << "docs/architecture.md has no table between <!-- layers --> and <!-- /layers -->";
    for (const fs::path& file : sources()) {
        const std::string name = fs::relative(file, kRoot).generic_string();
        const bool face = name.starts_with("src/asperity/") && name.find('/', 13) == std::string::npos;
        EXPECT_EQ(folder_of(layers, file).empty(), face) << name << ": its folder has no row";
    }
    for (const auto& [folder, allowed] : layers)
        EXPECT_TRUE(fs::is_directory(kRoot / "src/asperity" / folder) || fs::is_directory(kRoot / folder))
            << folder << " is not a folder";
}

TEST(Architecture, AFolderWithSubFoldersHasARowForEachOfThem) {
    const Layers layers = read_layers();
    for (const auto& [folder, allowed] : layers) {
        const std::string top = top_of(folder);
        if (top == folder || !fs::is_directory(kRoot / "src/asperity" / top)) continue;
        for (const auto& entry : fs::directory_iterator(kRoot / "src/asperity" / top))
            if (entry.is_directory() && entry.path().filename() != "detail") {
                EXPECT_TRUE(layers.contains(top + "/" + entry.path().filename().string())) << entry.path();
            }
    }
}

TEST(Architecture, TopLevelFoldersOfTheProjectAreThoseThatTheReadmeNames) {
    const std::string readme = read_file(kRoot / "README.md");
    const size_t map = readme.find("## Map"), end = readme.find("\n## ", map + 1);
    ASSERT_NE(map, std::string::npos);
    for (const auto& entry : fs::directory_iterator(kRoot)) {
        const std::string name = entry.path().filename().string();
        if (!entry.is_directory() || name.starts_with(".") || name.starts_with("build") || name == "out") continue;
        if (name == "cmake" || name == "node_modules") continue;  // no reader looks for them
        EXPECT_NE(readme.substr(map, end - map).find(name + "/"), std::string::npos) << name << " is not in README's map";
    }
}

TEST(Architecture, TableListsIndirectFoldersTooAndGoesOneWayOnly) {
    const Layers layers = read_layers();
    for (const auto& [folder, allowed] : layers) {
        for (const std::string& lower : allowed) {
            ASSERT_TRUE(layers.contains(lower)) << folder << " names " << lower << ", which has no row";
            EXPECT_FALSE(layers.at(lower).contains(folder)) << folder << " and " << lower << " name each other";
            for (const std::string& lowest : layers.at(lower))
                EXPECT_TRUE(may_include(layers, folder, lowest))
                    << folder << " uses " << lower << ", so its row must name " << lowest;
        }
    }
}

TEST(Architecture, EveryIncludePointsDownwards) {
    const Layers layers = read_layers();
    int checked = 0;
    for (const fs::path& file : sources()) {
        for (const Include& include : includes(read_file(file))) {
            const std::string why = objection(layers, folder_of(layers, file), include.name);
            EXPECT_EQ(why, "") << fs::relative(file, kRoot).string() << ":" << include.line << ": #include \""
                               << include.name << "\"";
            ++checked;
        }
    }
    EXPECT_GT(checked, 200);  // it did read the tree
}

TEST(Architecture, CheckObjectsToAnUpwardInclude) {
    const Layers layers = read_layers();
    EXPECT_NE(objection(layers, "friction", "asperity/rigid/body.h"), "");
    EXPECT_NE(objection(layers, "sim", "asperity/scene/scene.h"), "");
    EXPECT_NE(objection(layers, "sim", "render/render.h"), "");
    EXPECT_NE(objection(layers, "sim", "asperity/record/detail/bytes.h"), "");
    EXPECT_NE(objection(layers, "sim", "asperity/asperity.h"), "");
    EXPECT_NE(objection(layers, "sim", "asperity/nowhere/x.h"), "");
    EXPECT_EQ(objection(layers, "sim", "asperity/rigid/body.h"), "");
    EXPECT_EQ(objection(layers, "apps", "render/render.h"), "");
}

TEST(Architecture, CheckObjectsToAnUpwardIncludeAmongSubFolders) {
    const Layers layers = read_layers();
    EXPECT_NE(objection(layers, "geometry/mesh", "asperity/geometry/shape/shape.h"), "");
    EXPECT_NE(objection(layers, "geometry/convex_contact", "asperity/geometry/shared_volume/overlap.h"), "");
    EXPECT_NE(objection(layers, "geometry/mesh", "asperity/friction/law.h"), "");
    EXPECT_NE(objection(layers, "solvers/problem", "asperity/solvers/sweeps/prox.h"), "");
    EXPECT_NE(objection(layers, "contact", "asperity/geometry/shared_volume/detail/bars.h"), "");
    EXPECT_EQ(objection(layers, "geometry/shape", "asperity/geometry/mesh/mesh.h"), "");
    EXPECT_EQ(objection(layers, "geometry/mesh", "asperity/core/error.h"), "");
    EXPECT_EQ(objection(layers, "solvers", "asperity/solvers/sweeps/prox.h"), "");
    EXPECT_EQ(objection(layers, "sim", "asperity/geometry/shared_volume/overlap.h"), "");
}

TEST(Architecture, TableWhereToLookNamesExistingFiles) {
    const std::string text = read_file(kRoot / "docs/architecture.md");
    const size_t first = text.find("\n## Where to look\n"), last = text.find("\n## ", first + 1);
    ASSERT_NE(first, std::string::npos);
    std::istringstream lines(text.substr(first, last - first));
    // paths in backticks in the second column; names without a dot or slash, such as `inherit`, are functions or solvers
    const std::regex row(R"(^\|[^|]*\|([^|]*)\|\s*$)"), quoted("`([^`]*)`");
    int checked = 0;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (!std::regex_match(line, match, row)) continue;
        const std::string cell = match[1];
        for (std::sregex_iterator found(cell.begin(), cell.end(), quoted), end; found != end; ++found) {
            const std::string path = (*found)[1];
            if (path.find_first_of("./") == std::string::npos) continue;
            EXPECT_TRUE(fs::is_regular_file(kRoot / "src/asperity" / path)) << path;
            ++checked;
        }
    }
    EXPECT_GT(checked, 10);  // it did read the table
}

TEST(Files, StayBelowEightHundredLines) {
    for (const fs::path& file : sources()) {
        const std::string text = read_file(file);
        EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 800)
            << fs::relative(file, kRoot).string() << ": look for the seam";
    }
}

TEST(Files, HeadersOpenWithACommentThenPragmaOnce) {
    for (const fs::path& file : sources()) {
        if (file.extension() != ".h") continue;
        std::istringstream lines(read_file(file));
        std::string line, name = fs::relative(file, kRoot).string();
        int comments = 0;
        while (std::getline(lines, line) && line.starts_with("//")) ++comments;
        EXPECT_GE(comments, 1) << name << ": says nothing about what it is for";
        EXPECT_EQ(line, "#pragma once") << name;
    }
}

}  // namespace
}  // namespace asperity

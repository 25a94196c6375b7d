// The table in docs/architecture.md against every include of the tree, and the rules about files that no compiler checks.
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
    for (const char* top : {"src/asperity", "render", "apps"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / top))
            if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Which row of the table a file belongs to; empty for the public face src/asperity/*.h, which stands above all folders.
std::string folder_of(const fs::path& file) {
    std::vector<std::string> parts;
    for (const fs::path& part : fs::relative(file, kRoot)) parts.push_back(part.string());
    if (parts[0] != "src") return parts[0];
    return parts.size() > 3 ? parts[2] : "";
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

/// Why `folder` may not include `name`, or "" when it may.
std::string objection(const Layers& layers, const std::string& folder, const std::string& name) {
    const std::regex in_folder(R"(^asperity/([a-z_]+)/(.*)$)");
    std::smatch match;
    std::string target;
    if (std::regex_match(name, match, in_folder))
        target = match[1];
    else if (name.starts_with("render/"))
        target = "render";
    else if (name == "asperity/asperity.h" && folder != "apps")
        return "the public face is for those outside src/asperity";
    else
        return "";
    if (!layers.contains(target)) return fmt::format("'{}' has no row in docs/architecture.md", target);
    if (folder.empty() || target == folder) return "";
    if (name.find("/detail/") != std::string::npos) return fmt::format("detail/ is the business of '{}' alone", target);
    if (!layers.at(folder).contains(target)) return fmt::format("'{}' may not include '{}'", folder, target);
    return "";
}

TEST(Architecture, TableNamesEveryFolderOfTheTree) {
    const Layers layers = read_layers();
    ASSERT_FALSE(layers.empty()) << "docs/architecture.md has no table between <!-- layers --> and <!-- /layers -->";
    for (const fs::path& file : sources()) {
        const std::string folder = folder_of(file);
        if (!folder.empty()) {
            EXPECT_TRUE(layers.contains(folder)) << file << ": its folder '" << folder << "' has no row";
        }
    }
    for (const auto& [folder, allowed] : layers)
        EXPECT_TRUE(fs::is_directory(kRoot / "src/asperity" / folder) || fs::is_directory(kRoot / folder))
            << folder << " is not a folder";
}

TEST(Architecture, TableListsIndirectFoldersTooAndGoesOneWayOnly) {
    const Layers layers = read_layers();
    for (const auto& [folder, allowed] : layers) {
        for (const std::string& lower : allowed) {
            ASSERT_TRUE(layers.contains(lower)) << folder << " names " << lower << ", which has no row";
            EXPECT_FALSE(layers.at(lower).contains(folder)) << folder << " and " << lower << " name each other";
            for (const std::string& lowest : layers.at(lower))
                EXPECT_TRUE(allowed.contains(lowest)) << folder << " uses " << lower << ", so its row must name " << lowest;
        }
    }
}

TEST(Architecture, EveryIncludePointsDownwards) {
    const Layers layers = read_layers();
    int checked = 0;
    for (const fs::path& file : sources()) {
        for (const Include& include : includes(read_file(file))) {
            const std::string why = objection(layers, folder_of(file), include.name);
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

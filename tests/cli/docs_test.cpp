// The documentation: every link leads somewhere, and the commands run as they stand there, in their order.
#include "program.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace asperity::cli {
namespace {

const fs::path kSource = ASPERITY_SOURCE_DIR;

std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::istringstream text(read_file(file));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

/// All pages that a reader may open.
std::vector<fs::path> pages() {
    std::vector<fs::path> found;
    for (const char* file : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) found.push_back(kSource / file);
    for (const char* folder : {"docs", "bench", "assets", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
            if (entry.path().extension() == ".md") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

/// The anchors of a page's headings by the rule of GitHub: small letters, digits, `-` and `_`; blanks become `-`.
std::set<std::string> anchors_of(const fs::path& page) {
    static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
    std::set<std::string> anchors;
    std::map<std::string, int> count;
    bool code = false;
    for (const std::string& line : lines_of(page)) {
        if (line.starts_with("```")) code = !code;
        const std::size_t level = line.find_first_not_of('#');
        if (code || level == 0 || level == std::string::npos || line[level] != ' ') continue;
        std::string anchor;
        for (const char c : std::regex_replace(line.substr(level + 1), link, "$1"))
            if (c == ' ' || c == '-')
                anchor += '-';
            else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0)
                anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const int before = count[anchor]++;
        anchors.insert(before == 0 ? anchor : fmt::format("{}-{}", anchor, before));
    }
    return anchors;
}

TEST(Docs, EveryLinkLeadsToAFileAndAHeading) {
    static const std::regex link(R"(\]\(([^)\s]+)\))");
    std::map<fs::path, std::set<std::string>> anchors;
    int links = 0;
    for (const fs::path& page : pages()) {
        bool code = false;
        for (const std::string& line : lines_of(page)) {
            if (line.starts_with("```")) code = !code;
            if (code || line.starts_with("    ")) continue;
            for (auto at = std::sregex_iterator(line.begin(), line.end(), link); at != std::sregex_iterator(); ++at) {
                const std::string target = (*at)[1];
                if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
                ++links;
                const std::size_t hash = target.find('#');
                const fs::path file = (hash == 0 ? page : page.parent_path() / target.substr(0, hash)).lexically_normal();
                EXPECT_TRUE(fs::exists(file)) << page << " links to " << target;
                if (hash == std::string::npos || file.extension() != ".md" || !fs::exists(file)) continue;
                if (!anchors.contains(file)) anchors[file] = anchors_of(file);
                EXPECT_TRUE(anchors[file].contains(target.substr(hash + 1))) << page << " links to " << target;
            }
        }
    }
    EXPECT_GT(links, 200) << "the links were not found";
}

/// The indented commands of a page without their comments. A backslash at the end of a line continues it.
std::vector<std::string> commands_of(const fs::path& page) {
    std::vector<std::string> commands;
    const std::vector<std::string> lines = lines_of(page);
    for (std::size_t at = 0; at < lines.size(); ++at) {
        std::string line = lines[at];
        const std::size_t first = line.find_first_not_of(' ');
        if (first == std::string::npos || first < 4 || line.compare(first, 15, "build/asperity ") != 0) continue;
        while (line.ends_with('\\') && at + 1 < lines.size()) {
            line.pop_back();
            const std::string& next = lines[++at];
            line += next.substr(std::min(next.find_first_not_of(' '), next.size()));
        }
        std::string command;
        char quote = 0;
        for (std::size_t i = first; i < line.size(); ++i) {
            if (quote == 0 && line[i] == '#' && line[i - 1] == ' ') break;
            if (quote != 0 ? line[i] == quote : line[i] == '"' || line[i] == '\'') quote = quote != 0 ? '\0' : line[i];
            command += line[i];
        }
        command.erase(command.find_last_not_of(' ') + 1);
        commands.push_back(command);
    }
    return commands;
}

/// Runs commands in a folder that has the parts of the repository that they name.
class DocsCommands : public Program {
  protected:
    DocsCommands() {
        fs::create_directories(folder_ / "build");
        fs::create_directories(folder_ / "out");
        fs::create_symlink(ASPERITY_PROGRAM, folder_ / "build/asperity");
        for (const char* name : {"scenes", "assets", "tests"}) fs::create_symlink(kSource / name, folder_ / name);
    }

    /// Whether the command stands for a form (SCENE, FILE...), belongs to a shell script, or measures time.
    static bool is_to_be_run(const std::string& command) {
        static const std::regex form(R"((^|[ =])[A-Z]{3,}(\.\.\.)?( |$))");
        return !std::regex_search(command, form) && command.find('$') == std::string::npos && !command.ends_with('|') &&
               command.find(" bench ") == std::string::npos;
    }
    /// Adds an option, unless the command has it.
    static void add(std::string& command, const std::string& option, const std::string& value) {
        if (command.find(option + " ") == std::string::npos) command += " " + option + " " + value;
    }
    /// Makes the pictures of a command small and coarse.
    static std::string quick(std::string command) {
        if (command.find("asperity render ") == std::string::npos) return command;
        add(command, "--threads", "1");
        if (command.find("--film ") != std::string::npos) {
            static const std::regex size(R"( --film-(width|height|samples) \d+)");
            command = std::regex_replace(command, size, "") + " --film-width 32 --film-height 32 --film-samples 1";
        }
        static const std::regex size(R"( --(width|height|samples) \d+)");
        return std::regex_replace(command, size, "") + " --width 64 --height 64 --samples 1 --quiet";
    }
    /// The exit code of a shell command in the folder.
    Outcome shell(const std::string& command) const {
        const std::string out = (folder_ / "stdout").string(), err = (folder_ / "stderr").string();
        const int status =
            std::system(fmt::format("cd '{}' && {} >'{}' 2>'{}'", folder_.string(), command, out, err).c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), read_file(out), read_file(err)};
    }
    std::string complaint(const Outcome& outcome) const { return outcome.err.substr(0, 400); }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
};

TEST_F(DocsCommands, OfTheReadmeRunInTheirOrder) {
    const std::vector<std::string> commands = commands_of(kSource / "README.md");
    EXPECT_GE(commands.size(), 10u);
    for (const std::string& command : commands) {
        const Outcome outcome = shell(quick(command));
        EXPECT_EQ(outcome.code, 0) << command << "\n" << complaint(outcome);
    }
    const std::vector<std::string> expected = {"arch.png", "assets", "build",  "felt.png", "grain.png", "out",
                                               "saw.png",  "scenes", "stderr", "stdout",   "tests"};
    EXPECT_EQ(files(), expected) << "a command left a file that it does not name";
}

// The first twentieth of a second shows that names, paths and options are right. Expectations about the end of the run then
// fail, with exit code 1.
TEST_F(DocsCommands, OfTheGalleryKnowTheirScenes) {
    const std::vector<std::string> commands = commands_of(kSource / "docs/gallery.md");
    EXPECT_GE(commands.size(), 80u);
    for (std::string command : commands) {
        command = quick(command);
        if (command.find("asperity run ") != std::string::npos) command += " --duration 0.05 --force";
        const Outcome outcome = shell(command);
        EXPECT_TRUE(outcome.code == 0 || outcome.code == 1) << command << "\n" << outcome.code << complaint(outcome);
    }
}

TEST_F(DocsCommands, OfTheOtherPagesRunToo) {
    // what a reader has of his own
    write("path.txt", "0.25 0,0.5 0.25,0.6 0.45,0.6 0.75,0.37 1,0.5\n");
    write("path.toml", R"(
step = { dt = 0.005, duration = 2.5 }
material.slope = { texture = "look.png", tile_size = 6, grain_field = { texture = "path.png" } }
pair.slope-default = { law = "matchstick", mu = 0.3, mu_along = 0.05, mu_across = 1.0 }
body = [
  { name = "slope", shape = { half_space = true }, material = "slope", fixed = true, pitch_deg = 20 },
  { name = "sledge", shape = { box = [0.3, 0.3, 0.1] }, on = "slope", position = [0.6, 3, 0] },
])");
    fs::copy_file(kSource / "docs/images/stack10.jpg", folder_ / "planks.jpg");
    fs::copy_file(kSource / "assets/grain/plank_45.png", folder_ / "plaster.png");
    ASSERT_EQ(shell("build/asperity texture --normal-map 'ra_mm = 1' --out bought.png").code, 0);
    // the friction lab with blocks of a tenth of their length, and one pair of surfaces
    fs::create_directories(folder_ / "lab");
    for (const char* name : {"table41.toml", "table41_study.toml", "table41_source.csv", "refinement.toml"}) {
        std::string text = read_file(kSource / "lab" / name);
        for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{{"length = 1500", "length = 200"},
                                                                                       {"length = 750", "length = 75"},
                                                                                       {"at     = 300", "at     = 40"},
                                                                                       {"seeds = 12", "seeds = 1"}})
            if (const std::size_t at = text.find(what); at != std::string::npos) text.replace(at, what.size(), by);
        write_file(folder_ / "lab" / name, text);
    }
    write("young.toml",
          "title = \"mu against Young's modulus\"\nrun = \"lab/table41.toml\"\nseeds = 1\n[sweep.young]\nyoung = [5e4, "
          "1e5]\n");
    int run = 0;
    for (const fs::path& page : pages()) {
        const std::string name = page.lexically_relative(kSource).string();
        if (name == "README.md" || name == "docs/gallery.md") continue;
        for (std::string command : commands_of(page)) {
            if (!is_to_be_run(command)) continue;
            command = std::regex_replace(command, std::regex("&& "), "&& nice ");
            if (command.find("asperity run ") != std::string::npos && command.find("&&") == std::string::npos &&
                command.find("--resume") == std::string::npos && command.find("--dump-problem") == std::string::npos)
                command += " --duration 0.05 --force";
            const Outcome outcome = shell(quick(command));
            EXPECT_TRUE(outcome.code == 0 || outcome.code == 1) << name << ": " << command << "\n"
                                                                << outcome.code << complaint(outcome);
            ++run;
        }
    }
    EXPECT_GE(run, 25);
}

}  // namespace
}  // namespace asperity::cli

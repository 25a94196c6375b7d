// asperity scenes: lists the scenes, and resolves the name of a scene to its file.
#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "asperity/commands.h"
#include "asperity/scene.h"
#include "asperity/tell.h"

namespace asperity::app {
namespace fs = std::filesystem;
namespace {

/// A folder called scenes need not be one of ours.
bool has_scene(const fs::path& folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".toml") return true;
    return false;
}

fs::path scenes_folder() {
    if (const char* given = std::getenv("ASPERITY_SCENES"); given && *given) return given;
    std::error_code error;
    if (has_scene("scenes")) return "scenes";
    // installed: PREFIX/bin/asperity and PREFIX/share/asperity/scenes, wherever the prefix has been moved to
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (const fs::path installed = (program.parent_path() / ASPERITY_INSTALLED_SCENES).lexically_normal();
        !error && fs::is_directory(installed, error))
        return installed;
    return ASPERITY_SCENES_DIR;
}

}  // namespace

std::vector<fs::path> all_scenes() {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(scenes_folder(), error))
        if (entry.path().extension() == ".toml") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

fs::path find_scene(const std::string& argument) {
    const fs::path path = argument;
    std::error_code ignored;  // a name too long for the system counts as no such file
    if (fs::exists(path, ignored)) return path;
    std::vector<std::string> names;
    for (const fs::path& scene : all_scenes()) {
        if (scene.stem() == argument || scene.lexically_relative(scenes_folder()).replace_extension() == argument)
            return scene;
        names.push_back(scene.stem().string());
    }
    const std::string nearest = nearest_name(path.stem().string(), names);
    throw InputError(fmt::format("{}: no such file, and no scene of this name; {}'asperity scenes' lists them", argument,
                                 nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest)));
}

int scenes_command(bool json, bool names) {
    if (names) {
        for (const fs::path& path : all_scenes())
            fmt::print("{}\n", path.lexically_relative(scenes_folder()).replace_extension().string());
        return kGood;
    }
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const fs::path& path : all_scenes()) {
        const std::string name = path.lexically_relative(scenes_folder()).replace_extension().string();
        try {
            const scene::Scene scene = scene::load(path);
            std::string params;
            for (const auto& [key, value] : scene.params)
                params += fmt::format("{}{}={:g}", params.empty() ? "" : " ", key, value);
            for (const auto& [key, word] : scene.words)
                params += fmt::format("{}{}={}", params.empty() ? "" : " ", key, word);
            nlohmann::ordered_json all = scene.params;
            for (const auto& [key, word] : scene.words) all[key] = word;
            if (json)
                list.push_back({{"name", name},
                                {"file", path.string()},
                                {"title", scene.title},
                                {"params", all},
                                {"notes", scene.notes}});
            else
                fmt::print("{:<18} {}{}\n", name, scene.title, params.empty() ? "" : "   [" + params + "]");
        } catch (const InputError& error) { tell("{}\n", error.what()); }
    }
    if (json) fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return kGood;
}

}  // namespace asperity::app

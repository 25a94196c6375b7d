// Runs a scene file and checks its expectations.
#pragma once
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <filesystem>

#include "asperity/scene/run.h"

namespace asperity::scene {

inline std::filesystem::path scenes_folder() { return std::filesystem::path(ASPERITY_SOURCE_DIR) / "scenes"; }

/// A scene, with the overrides that make it short enough for every build.
struct Variant {
    std::string file;  ///< relative to scenes/, with extension
    std::vector<Override> overrides;
    std::optional<std::uint64_t> seed = {};  ///< the scene's own seed if missing

    std::string label() const {  // test names allow letters, digits and underscores
        std::string text = file.substr(0, file.rfind('.'));
        for (const Override& o : overrides) text += "_" + o.key.substr(o.key.rfind('.') + 1) + o.value;
        if (seed) text += fmt::format("_seed{}", *seed);
        for (char& c : text)
            if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        return text;
    }
    friend void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.label(); }
};

inline void expect_good(const Variant& variant) {
    Scene scene = load(scenes_folder() / variant.file, variant.overrides, variant.seed);
    EXPECT_FALSE(scene.expectations.empty()) << variant.file << " expects nothing: a scene must say what it shows";
    EXPECT_FALSE(scene.title.empty()) << variant.file;
    EXPECT_TRUE(scene.view.has_value()) << variant.file << " has no [view], so its picture shows what it likes";
    const RunResult result = run(scene);
    EXPECT_EQ(name(result.status), "ok") << result.trouble;
    for (const ExpectResult& e : result.expect)
        EXPECT_TRUE(e.ok) << variant.label() << ": " << e.name << ": " << e.value << " " << e.bound;
}

}  // namespace asperity::scene

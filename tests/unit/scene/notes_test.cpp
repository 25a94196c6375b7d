// Notes about a scene that runs, but probably not as its author meant it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "asperity/scene/scene.h"

namespace asperity::scene {
namespace {

/// Whether some note of the scene contains the text.
bool notes(const std::string& document, const std::string& text) {
    const Scene scene = parse("world = { default = { mu = 0.5 } }\n" + document, "test.toml");
    return std::any_of(scene.notes.begin(), scene.notes.end(),
                       [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

std::string box(double length, const std::string& more = "") {
    return "[[body]]\nname = \"box\"\nshape = { box = [" + std::to_string(length) + ", 1, 1] }\n" + more;
}

TEST(Notes, MovingBodyOfTwoHundredMetres) {
    EXPECT_TRUE(notes(box(200), "body.box is 200 m long: all lengths are in metres"));
    EXPECT_FALSE(notes(box(99), "metres"));
    EXPECT_FALSE(notes(box(200, "fixed = true\n"), "metres"));  // ground
}

// 60 degrees need 4.29 of 32 texels; 15.004 of 112.
TEST(Notes, SawtoothWhoseSidesWholeTexelsMakeSteeper) {
    const auto saw = [](const std::string& period) {
        return box(1, "normal_map = { sawtooth = [15, 60], period = " + period + ", size = [224, 4] }\n");
    };
    EXPECT_TRUE(notes(saw("32"), "its sides are 14.9 and 61.7 degrees steep instead of 15 and 60"));
    EXPECT_FALSE(notes(saw("112"), "instead of"));
}

}  // namespace
}  // namespace asperity::scene

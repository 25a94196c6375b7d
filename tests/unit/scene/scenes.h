// Small scenes shared by the tests.
#pragma once
#include <string>

#include "asperity/core/error.h"
#include "asperity/scene/scene.h"

namespace asperity::scene {

/// A ground and a box above it, with friction between everything.
inline const std::string kGround = R"toml(
[world]
default = { mu = 0.5 }
[[body]]
name = "ground"
shape = { half_space = true }
fixed = true
)toml";
inline const std::string kBlock = kGround + R"toml([[body]]
name = "block"
shape = { box = [1, 1, 1] }
position = [0, 0, 2]
)toml";

inline Scene read(const std::string& text, const std::vector<Override>& overrides = {}) {
    return parse(text, "test.toml", overrides);
}

/// The error message of reading the scene, or "" if it is valid.
inline std::string complaint(const std::string& text, const std::vector<Override>& overrides = {}) {
    try {
        read(text, overrides);
    } catch (const InputError& error) { return error.what(); }
    return "";
}

inline std::size_t index_of(const Scene& scene, const std::string& body) {
    return static_cast<std::size_t>(scene.world.find_body(body).index);
}

}  // namespace asperity::scene

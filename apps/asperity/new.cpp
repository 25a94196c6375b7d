// asperity new: writes a first scene to edit.
#include <fmt/format.h>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/one_line.h"

namespace asperity::app {
namespace {

constexpr std::string_view kScene = R"toml(# A box slides down a ramp onto the ground, and a ball follows it.
#
#     asperity run {name}.toml                              # runs the scene and checks the expectations at its end
#     asperity run {name}.toml --set params.mu=0.1          # the same with another value
#     asperity render {name}.toml --picture {name}.png      # draws it
#
# Lengths are in metres, masses in kilograms, times in seconds, angles in degrees; z points up.
title = "A box slides down a ramp"

[params]                    # names for formulas: any number below may be a formula between quotes
angle_deg = 25
mu = 0.3

[step]
dt = 0.005
duration = 3
solver = "auto"             # sweeps, and Newton's method where they stall

[material.wood]             # what a surface is made of, and how it looks
density = 700
color = "oak"
[material.rubber]
density = 1100
color = "coral"
[material.ground]
color = "stone"
checker = true
tile_size = 0.25            # edge of a square [m]

[world]
default = { mu = "mu" }     # friction of two materials that have no table of their own
[pair.rubber-ground]        # and a table of their own
mu = 0.8
restitution = 0.6

[[body]]
name = "ground"
shape = { half_space = true }
material = "ground"
fixed = true

[[body]]
name = "ramp"
shape = { box = [2, 1, 0.1] }
material = "wood"
position = [0, 0, 0.6]
pitch_deg = "angle_deg"     # a positive pitch tips the +x side down
fixed = true

[[body]]
name = "box"
shape = { box = [0.3, 0.2, 0.1] }
material = "wood"
on = "ramp"                 # placed on it; `position` is an offset along the ramp
position = [-0.6, -0.2, 0]

[[body]]
name = "ball"
shape = { sphere = 0.1 }
material = "rubber"
on = "ramp"
position = [-0.6, 0.2, 0]

[[expect]]                  # conditions at the end of the run; if one fails, the exit code is 1
body = "box"
observable = "travel_x"
above = 0.5
[[expect]]
observable = "penetration_max"
below = 0.002

[view]                      # the camera of pictures
eye = [3, -5, 2.5]
target = [0.8, 0, 0.3]
)toml";

std::string replaced(std::string_view text, std::string_view from, const std::string& to) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = text.find(from, at);
        out += text.substr(at, next - at);
        if (next == std::string_view::npos) break;
        out += to;
        at = next + from.size();
    }
    return out;
}

}  // namespace

int new_command(const std::string& name) {
    std::filesystem::path path = name;
    const std::string last = path.filename().string();
    if (path.extension() != ".toml") path += ".toml";
    if (last.empty() || last.starts_with('.'))  // a folder, or a file that is not seen
        throw InputError(fmt::format("new: '{}' is no name for a scene; try 'asperity new first'", one_line(name, 100)));
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
        throw InputError(fmt::format("{}: exists already and was not touched; choose another name", path.string()));
    const std::filesystem::path stem = path.parent_path() / path.stem();
    write_file(path, replaced(kScene, "{name}", stem.string()));
    fmt::print("{}: a first scene; 'asperity run {}' runs it, docs/scene-format.md explains every key\n", path.string(),
               path.string());
    return kGood;
}

}  // namespace asperity::app

// Scene files: TOML in, a world ready to step out. docs/scene-format.md describes every key.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "asperity/record/recording.h"
#include "asperity/sim/world.h"

namespace asperity::scene {

/// What `[[expect]]` says about the run: one observable, one demand. Evaluated by expect.h.
struct Expectation {
    std::string name;  ///< given, or made from the other keys
    /// a body's name or a pattern such as "block_*"; empty for observables of the whole world
    std::string body;
    std::string observable;  ///< "speed", "travel", "displacement_max", "penetration_max", ...; see expect.h
    /// how several bodies become one number: max, min, mean, spread (max - min), deviation (standard)
    std::string over = "max";
    /// with "touched": by this body, empty: by anything; with "wrap_deg": round this one
    std::string by;
    std::optional<double> equals, below, above;
    double within = 0;                     ///< absolute tolerance of `equals`
    std::optional<double> within_percent;  ///< or relative to it
    double from = 0;                       ///< only what happens from then on counts, as if the run began there [s]
    std::optional<double> until;           ///< and only up to then [s]
};

struct Scene {
    std::string title;
    std::filesystem::path file;
    sim::World world;
    double dt = 0.01, duration = 5;  ///< [s]
    std::uint64_t seed = 1;
    std::string fingerprint;               ///< 16 digits: of the text, the overrides (but for step.duration) and the seed
    std::map<std::string, double> params;  ///< the numbers of [params] after overrides, for the summary
    std::map<std::string, std::string> words;  ///< and its words
    std::vector<Expectation> expectations;
    std::optional<record::View> view;
    std::vector<std::string> notes;  ///< what was repaired on the way in and what to know about it, a line each
};

/// One `--set key=value`: a path such as params.mu, step.dt, body.block.mass, joint.hub.motor.speed, and a TOML value; a
/// bare word counts as a string (which a number's key reads as a formula).
struct Override {
    std::string key, value;
};

/// Throws InputError "file:line:column: key: what is wrong; what is allowed; did you mean ...".
Scene load(const std::filesystem::path& path, const std::vector<Override>& overrides = {},
           std::optional<std::uint64_t> seed = {});
/// The same from text; `name` stands for the file in messages and relative texture paths start at its folder.
Scene parse(std::string_view text, const std::filesystem::path& name, const std::vector<Override>& overrides = {},
            std::optional<std::uint64_t> seed = {});

/// Every key the reader knows, as "table.key" (body.mass, step.dt, ...): docs/scene-format.md is tested against it.
std::vector<std::string> known_keys();

}  // namespace asperity::scene

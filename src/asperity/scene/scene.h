// Scene files: reads TOML and makes a world that is ready to step. docs/scene-format.md describes every key.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asperity/record/recording.h"
#include "asperity/sim/world.h"

namespace asperity::scene {

/// One `[[expect]]` of a scene: bounds on one observable of the run. Evaluated by expect.h.
struct Expectation {
    std::string name;  ///< given, or composed of the other keys
    /// name of a body, or a pattern such as "block_*"; empty for observables of the whole world
    std::string body;
    std::string observable;  ///< "speed", "travel", "displacement_max", "penetration_max", ...; see expect.h
    /// how to combine several bodies: max, min, mean, spread (max - min), deviation (standard)
    std::string over = "max";
    /// for "touched": by this body (empty: by any); for "wrap_deg": wound round this body
    std::string by;
    std::optional<double> equals, below, above;
    std::optional<Vec3>
        point;          ///< of the body, in its authored axes at the start: x, vz, travel ... are then those of this point
    double within = 0;  ///< absolute tolerance of `equals`
    std::optional<double> within_percent;  ///< relative tolerance of `equals`
    double from = 0;                       ///< start of the observed interval; the run before it is ignored [s]
    std::optional<double> until;           ///< end of the observed interval [s]
};

struct ImplicitSettings;
class ImplicitRun;

struct Scene {
    std::string title;
    std::filesystem::path file;
    sim::World world;
    double dt = 0.01, duration = 5;  ///< [s]
    std::uint64_t seed = 1;
    std::string fingerprint;  ///< 16 digits: hash of the text, the overrides (except step.duration) and the seed
    std::map<std::string, double> params;      ///< the numbers of [params] after overrides, for the summary
    std::map<std::string, std::string> words;  ///< word-valued params, likewise
    std::vector<Expectation> expectations;
    std::optional<record::View> view;
    std::map<int, record::PartLooks> looks;  ///< by collider: the looks of its mesh file
    /// Both null for a scene of the rigid world, `world`. Otherwise `implicit` steps, and the bodies of `world` follow it.
    std::shared_ptr<ImplicitSettings> implicit_settings;
    std::shared_ptr<ImplicitRun> implicit;
    std::vector<Pose> start_poses;   ///< of the bodies of `world`, centre-of-mass axes
    std::vector<std::string> notes;  ///< repairs made while reading and other remarks, one line each
};

double kinetic_energy(const Scene& scene);
double potential_energy(const Scene& scene);
/// Hash of all that determines the future.
std::string state_hash(const Scene& scene);

/// One `--set key=value`: a path such as params.mu, step.dt, body.block.mass, joint.hub.motor.speed, and a TOML value. A
/// bare word is read as a string, and as a formula if the key takes a number.
struct Override {
    std::string key, value;
};

/// Throws InputError "file:line:column: key: what is wrong; what is allowed; did you mean ...".
Scene load(const std::filesystem::path& path, const std::vector<Override>& overrides = {},
           std::optional<std::uint64_t> seed = {});
/// The same from text. `name` is the file name in messages; relative paths of textures start at its folder.
Scene parse(std::string_view text, const std::filesystem::path& name, const std::vector<Override>& overrides = {},
            std::optional<std::uint64_t> seed = {});

/// Every key that the reader knows, as "table.key" (body.mass, step.dt, ...). A test compares docs/scene-format.md with it.
std::vector<std::string> known_keys();

}  // namespace asperity::scene

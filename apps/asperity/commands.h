// The arguments of each command. main.cpp fills them from the command line; one .cpp per command does the work. Results go
// to stdout, progress and messages to stderr. Exit codes: 0 good, 1 an expectation failed, 2 wrong input, 3 numerical
// failure, 4 out of memory.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "asperity/scene/scene.h"

namespace asperity::app {

constexpr int kGood = 0, kExpectFailed = 1, kWrongInput = 2, kNumericalFailure = 3, kOutOfMemory = 4, kInterrupted = 130;

struct RunArgs {
    std::string scene;                 ///< a file, or the name of a scene in the scenes folder
    std::string out;                   ///< output folder; empty: no files are written
    std::vector<std::string> set;      ///< key=value
    std::string duration, dt, solver;  ///< short for --set step.duration=... and so on
    std::optional<std::uint64_t> seed;
    int threads = 0;  ///< 0: one per core
    double record_hz = 60;
    double checkpoint_every = 60;  ///< wall time between checkpoints [s]
    bool contacts = false, check = false, mend = false, resume = false, force = false, json = false, quiet = false;
    std::vector<int> dump_steps;  ///< steps whose contact problem is written to a file
};
int run_command(const RunArgs& args);

/// Throws InputError for steps outside the run.
void check_dump_steps(const std::vector<int>& steps, const scene::Scene& scene);
/// Writes the contact problem of the last step to OUT/SCENE-sSTEP-CONTACTS.hdf5 and returns that name.
std::string dump_problem(const scene::Scene& scene, int step, const std::string& out);

struct RenderArgs {
    std::string input;                 ///< an output folder, a recording, or a scene to run first
    std::string picture, film, strip;  ///< output files; empty: not wanted
    double time = -1;                  ///< time of the picture [s]; negative: the last frame
    int width = 1280, samples = 64, film_width = 960, film_height = 540, film_samples = 16, strip_count = 5;
    int height = 0;  ///< 0: derived from the width
    double fps = 30;
    std::vector<double> eye, target;
    bool forces = false, trails = false, cones = false, margin = false, quiet = false;
    std::string color_by;             ///< displacement, von_mises or pressure; empty: the looks of the materials
    std::vector<double> color_range;  ///< lowest and highest value [m] or [Pa]; empty: from the recording
    int threads = 0;
    std::vector<std::string> set;
};
int render_command(const RenderArgs& args);

struct PlotArgs {
    std::string folder;  ///< output folder of a run
    std::vector<std::string> y, bodies;
    std::string x = "time", out, title;
    bool log_y = false, linear_y = false;
};
int plot_command(const PlotArgs& args);

struct ConeArgs {
    std::string scene, pair, out, patch;    ///< out, patch: SVG files to write
    std::vector<std::string> contact, set;  ///< one or two bodies; overrides
    double angle_deg = 0, time = 0, load = 1, speed = 0;
    std::string map_a, map_b;  ///< normal maps instead of a scene
    std::string weight = "projected";
    double mu_0 = 0, k_a = 1, k_b = 1;
    int directions = 16;
    bool json = false;
};
int cone_command(const ConeArgs& args);
int cone_of_maps(const ConeArgs& args);  ///< cone for given normal maps

struct TextureArgs {  ///< grain from a formula, photo or strokes; or a normal map
    std::string out, formula, photo, strokes, look;
    std::vector<int> size{512, 512};
    double sigma = 4;  ///< blur [pixels of the photograph]
    bool gltf = false;
    std::string normal_map;  ///< a picture, or keys of a scene's normal_map table
    int bits = 16;           ///< bits per channel of a normal map's PNG
};
int texture_command(const TextureArgs& args);

struct BenchArgs {
    std::vector<std::string> scenes;  ///< empty: the standard set
    std::vector<int> threads{1, 2};
    std::vector<std::string> solvers;  ///< empty: the scene's own solver
    int steps = 200, warm_up = 20;
    std::string csv;
};
int bench_command(const BenchArgs& args);

struct SolveArgs {
    std::vector<std::string> files;  ///< FCLIB problems
    std::vector<std::string> solvers{"auto"};
    double tolerance = 1e-8, time_limit = 30;
    int max_iterations = 1'000'000;
    std::string measure = "siconos";  ///< error measure of the tolerance: siconos or natural
    std::string plot;                 ///< SVG file for the convergence; empty: not wanted
    bool warm_start = false, json = false;
};
int solve_command(const SolveArgs& args);

/// `names`: prints the names alone, one per line, without reading the scenes.
int scenes_command(bool json, bool names);
/// Writes NAME.toml, a commented scene that runs as it is. Throws InputError if the file exists.
int new_command(const std::string& name);
int doctor_command();

/// "key=value" as an override of a scene. Throws InputError if there is no '='.
scene::Override override_of(const std::string& text);

/// The file for a scene argument: the path itself, or NAME.toml in $ASPERITY_SCENES, ./scenes, the folder installed with the
/// program, or the one it was built with. Throws InputError and suggests the nearest name.
std::filesystem::path find_scene(const std::string& argument);
/// All scenes of the scenes folder, sorted.
std::vector<std::filesystem::path> all_scenes();

}  // namespace asperity::app
